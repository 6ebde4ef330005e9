//! Named sets of nodes or elements: listed, generated (`first, last, step`), or made of other sets.

use std::collections::BTreeMap;

use super::keyword_line::{KeywordLine, next_data};
use crate::fault::{Fault, shown};
use crate::formats::cursor::{Cursor, parse_integer};
use crate::formats::tag_index::TagIndex;

/// Sets in the order in which they are first named; names differ in more than case.
#[derive(Default)]
pub(super) struct Sets {
    sets: Vec<Set>,
    index: BTreeMap<String, usize>,
}

/// One set.
pub(super) struct Set {
    pub name: String,
    /// Whether the set has a keyword of its own, and not only a name at the elements.
    pub is_listed: bool,
    members: Vec<Member>,
}

enum Member {
    Tag(u64),
    /// First, last and step.
    Range(u64, u64, u64),
    /// Another set.
    Set(usize),
}

impl Sets {
    /// The sets in order.
    pub fn iter(&self) -> impl Iterator<Item = &Set> {
        self.sets.iter()
    }

    /// The set of this name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.index.get(&name.to_ascii_uppercase()).copied()
    }

    fn find_or_add(&mut self, name: &str) -> usize {
        *self.index.entry(name.to_ascii_uppercase()).or_insert_with(|| {
            self.sets.push(Set { name: name.to_owned(), is_listed: false, members: Vec::new() });
            self.sets.len() - 1
        })
    }

    /// Puts one tag into a set, which is made if there is none.
    pub fn push(&mut self, name: &str, tag: u64) {
        let set = self.find_or_add(name);
        self.sets[set].members.push(Member::Tag(tag));
    }

    /// Reads the data lines of `*NSET` or `*ELSET`.
    pub fn read(&mut self, cursor: &mut Cursor, line: &KeywordLine, name: &str) -> Result<(), Fault> {
        let set = self.find_or_add(name);
        self.sets[set].is_listed = true;
        let is_generated = line.parameter("GENERATE").is_some();
        while let Some((start, words)) = next_data(cursor)? {
            let tags: Vec<Option<u64>> =
                words.iter().map(|word| parse_integer(word)?.try_into().ok()).collect();
            match tags[..] {
                [Some(first), Some(last)] if is_generated => {
                    self.sets[set].members.push(Member::Range(first, last, 1));
                }
                [Some(first), Some(last), Some(step @ 1..)] if is_generated => {
                    self.sets[set].members.push(Member::Range(first, last, step));
                }
                _ if is_generated => {
                    return cursor
                        .fault(start, "GENERATE needs lines of first, last and step; correct the set");
                }
                _ => {
                    for (tag, word) in tags.into_iter().zip(words) {
                        let name = String::from_utf8_lossy(word);
                        let member = match (tag, self.find(name.trim_matches('"'))) {
                            (Some(tag), _) => Member::Tag(tag),
                            (None, Some(other)) if other != set => Member::Set(other),
                            _ => {
                                let problem = format!(
                                    "a number or the name of a set before this one should be here, but there is {}",
                                    shown(word)
                                );
                                return cursor.fault(start, problem);
                            }
                        };
                        self.sets[set].members.push(member);
                    }
                }
            }
        }
        Ok(())
    }

    /// For each set the indices of its members, ascending; tags that are not in the index are left out.
    ///
    /// # Errors
    /// A set that is made of one with later members, or sets that are together larger than any model means.
    pub fn resolve(&self, tags: &[u64], index: &TagIndex) -> Result<Vec<Vec<usize>>, String> {
        let mut sorted: Vec<u64> = tags.to_vec();
        sorted.sort_unstable();
        let mut budget = 100 * (tags.len() + 10_000);
        let mut resolved: Vec<Vec<usize>> = Vec::with_capacity(self.sets.len());
        for set in &self.sets {
            let mut members = Vec::new();
            for member in &set.members {
                let looked_at = match *member {
                    Member::Tag(tag) => {
                        members.extend(index.get(tag));
                        1
                    }
                    Member::Range(first, last, step) => {
                        let [start, end] = [first, last.saturating_add(1)]
                            .map(|bound| sorted.partition_point(|&tag| tag < bound));
                        let within = &sorted[start..end.max(start)];
                        let chosen = within.iter().filter(|&&tag| (tag - first).is_multiple_of(step));
                        members.extend(chosen.filter_map(|&tag| index.get(tag)));
                        within.len()
                    }
                    Member::Set(other) => {
                        let Some(part) = resolved.get(other) else {
                            return Err(format!(
                                "the set {} is made of {}, which grows after it; put that first",
                                set.name, self.sets[other].name
                            ));
                        };
                        members.extend(part);
                        part.len()
                    }
                };
                budget = budget.checked_sub(looked_at).ok_or_else(|| {
                    format!(
                        "the set {} and those before it are far larger than the model; correct them",
                        set.name
                    )
                })?;
            }
            members.sort_unstable();
            members.dedup();
            resolved.push(members);
        }
        Ok(resolved)
    }
}
