//! Lists of names in sentences, and the known name that is nearest to a misspelt one.

/// The candidate most similar to `name` (Jaro-Winkler); the earlier one on a tie, none of none.
pub fn nearest_name<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut best: Option<(f64, &str)> = None;
    for candidate in candidates {
        let similarity = strsim::jaro_winkler(&name.to_lowercase(), &candidate.to_lowercase());
        if best.is_none_or(|(highest, _)| similarity > highest) {
            best = Some((similarity, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// `a, b and c`.
pub fn listed<S: AsRef<str>>(names: &[S]) -> String {
    match names {
        [] => "none".to_owned(),
        [only] => only.as_ref().to_owned(),
        [rest @ .., last] => {
            let rest: Vec<&str> = rest.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", rest.join(", "), last.as_ref())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_the_one_with_a_letter_dropped() {
        assert_eq!(nearest_name("gravty", ["mesh", "gravity", "energy"]), Some("gravity"));
        assert_eq!(nearest_name("anything", []), None);
    }

    #[test]
    fn a_list_of_names_reads_as_a_sentence() {
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
        assert_eq!(listed::<&str>(&[]), "none");
    }
}
