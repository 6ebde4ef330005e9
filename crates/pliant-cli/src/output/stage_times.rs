//! How long the stages of a thread took, so that the next of a kind can say how long it will take: what goes on inside one factorisation
//! nobody knows, but the next takes as long.

use std::collections::HashMap;
use std::thread::ThreadId;
use std::time::{Duration, Instant};

/// What is said of shorter work is gone before it is read.
const WORTH_SAYING: Duration = Duration::from_secs(2);

/// The stages of all threads.
#[derive(Debug, Default)]
pub struct StageTimes {
    threads: HashMap<ThreadId, Stage>,
    last: HashMap<String, Duration>,
}

#[derive(Debug)]
struct Stage {
    name: String,
    /// The latest step of the stage.
    step: Option<(String, Instant)>,
    begun: Instant,
}

impl StageTimes {
    /// Notes that a thread begins a stage, or a step of its stage, and returns what to show: the step, how long the last of its kind took,
    /// and the stage.
    pub fn say(&mut self, text: String, is_stage: bool, thread: ThreadId, now: Instant) -> String {
        let stage = self.threads.remove(&thread);
        let mut ended: Vec<(String, Instant)> = Vec::new();
        let stage = match stage {
            Some(Stage { name, step, begun }) => {
                ended.extend(step);
                if is_stage {
                    ended.push((name, begun));
                    Stage { name: text, step: None, begun: now }
                } else {
                    Stage { name, step: Some((text, now)), begun }
                }
            }
            None => Stage { name: text, step: None, begun: now },
        };
        for (name, begun) in ended {
            self.last.insert(kind(&name), now.duration_since(begun));
        }
        // What is nearest comes first: a narrow terminal cuts the end off.
        let step = stage.step.as_ref().map(|(step, _)| step);
        let now_at = step.unwrap_or(&stage.name);
        let took = self.last.get(&kind(now_at)).filter(|took| **took >= WORTH_SAYING);
        let took = took.map_or_else(String::new, |took| format!(" (last: {} s)", took.as_secs()));
        let said = match step {
            Some(step) => format!("{step}{took}, {}", stage.name),
            None => format!("{}{took}", stage.name),
        };
        self.threads.insert(thread, stage);
        said
    }
}

/// What stages of one kind share: their words without the first of two numbers, which counts them. A single number is a size.
fn kind(text: &str) -> String {
    let is_digit = |c: char| c.is_ascii_digit();
    let Some(begin) = text.find(is_digit) else { return text.to_owned() };
    let end = text[begin..].find(|c| !is_digit(c)).map_or(text.len(), |length| begin + length);
    if text[end..].contains(is_digit) {
        format!("{}#{}", &text[..begin], &text[end..])
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_stage_of_a_kind_says_how_long_the_first_took() {
        let (mut stages, thread, begin) =
            (StageTimes::default(), std::thread::current().id(), Instant::now());
        let mut say = |text: &str, is_stage: bool, second: u64| {
            stages.say(text.to_owned(), is_stage, thread, begin + Duration::from_secs(second))
        };
        assert_eq!(say("Newton iteration 1 of 900 unknowns", true, 0), "Newton iteration 1 of 900 unknowns");
        assert_eq!(say("factorisation", false, 1), "factorisation, Newton iteration 1 of 900 unknowns");
        assert_eq!(say("line search", false, 8), "line search, Newton iteration 1 of 900 unknowns");
        let second = "Newton iteration 2 of 900 unknowns";
        assert_eq!(say(second, true, 9), format!("{second} (last: 9 s)"));
        assert_eq!(say("factorisation", false, 10), format!("factorisation (last: 7 s), {second}"));
        assert_eq!(say("Newton iteration 1 of 27 unknowns", true, 11), "Newton iteration 1 of 27 unknowns");
    }

    #[test]
    fn a_count_does_not_matter_and_a_size_does() {
        assert_eq!(kind("Newton iteration 3 of 900 unknowns"), kind("Newton iteration 12 of 900 unknowns"));
        assert_ne!(kind("factorising 900 unknowns"), kind("factorising 2700 unknowns"));
    }
}
