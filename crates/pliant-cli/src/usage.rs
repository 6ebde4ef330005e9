//! Parses the command line; a mistake becomes one sentence on stderr and status 2.

use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use crate::cli::Cli;

/// The parsed command line, or the status to exit with: help and version are printed (0), a mistake is explained (2).
pub fn parse() -> Result<Cli, ExitCode> {
    Cli::try_parse().map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // A reader that went away (such as `head`) is not our failure.
            let _ = error.print();
            ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
        }
        _ => {
            eprintln!("{}", one_sentence(&error.render().to_string()));
            ExitCode::from(2)
        }
    })
}

/// Joins clap's paragraphs, without the usage, into one line.
fn one_sentence(rendered: &str) -> String {
    let paragraphs = rendered.split("\n\n").filter(|paragraph| !paragraph.trim().starts_with("Usage:"));
    let lines: Vec<String> = paragraphs
        .map(|paragraph| paragraph.lines().map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned())
        .filter(|paragraph| !paragraph.is_empty())
        .map(|paragraph| paragraph.replace("For more information, try '--help'.", "--help explains"))
        .collect();
    lines.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mistake(arguments: &[&str]) -> String {
        one_sentence(&Cli::try_parse_from(arguments).unwrap_err().render().to_string())
    }

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn a_mistake_is_one_line_that_names_it() {
        for (arguments, says) in [
            (&["pliant", "infoo", "a.toml"][..], "'infoo'"),
            (&["pliant", "info"][..], "SCENE"),
            (&["pliant", "info", "a.toml", "--thread", "2"][..], "--threads"),
            (&["pliant", "info", "a.toml", "--threads", "two"][..], "two"),
        ] {
            let message = mistake(arguments);
            assert!(message.starts_with("error: ") && message.contains(says), "{message}");
            assert!(!message.contains('\n'), "{message}");
        }
    }
}
