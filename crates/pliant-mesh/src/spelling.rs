//! How error sentences name names: the nearest existing one, and lists of them.

/// ` (did you mean "bone"?)` when one of the names is close to the one given, else nothing.
pub fn did_you_mean<S: AsRef<str>>(name: &str, names: &[S]) -> String {
    names
        .iter()
        .map(|candidate| (strsim::jaro_winkler(name, candidate.as_ref()), candidate.as_ref()))
        .filter(|(similarity, _)| *similarity > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map_or_else(String::new, |(_, nearest)| format!(" (did you mean \"{nearest}\"?)"))
}

/// `"a", "b" and "c"`; `none` for an empty list.
pub fn quoted_list<S: AsRef<str>>(names: &[S]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{}\"", name.as_ref())).collect();
    match quoted.split_last() {
        None => "none".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_offered_only_when_it_is_near() {
        assert_eq!(did_you_mean("bnoe", &["joint", "bone"]), " (did you mean \"bone\"?)");
        assert_eq!(did_you_mean("muscle", &["joint", "bone"]), "");
    }

    #[test]
    fn lists_read_as_prose() {
        assert_eq!(quoted_list::<&str>(&[]), "none");
        assert_eq!(quoted_list(&["a"]), "\"a\"");
        assert_eq!(quoted_list(&["a", "b", "c"]), "\"a\", \"b\" and \"c\"");
    }
}
