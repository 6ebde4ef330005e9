//! From the tags of nodes or elements, which may be sparse and unsorted, to their indices in the file.

/// Looks an index up by tag: by subtraction where tags count up, by a table where they are nearly consecutive, else in a sorted
/// list.
#[derive(Debug)]
pub(crate) enum TagIndex {
    /// The tags count up from `first`.
    Counted { first: u64, count: u64 },
    /// Entry `tag` is the index, or `usize::MAX`.
    Table(Vec<usize>),
    /// Sorted by tag.
    Sorted(Vec<(u64, usize)>),
}

impl TagIndex {
    /// Indexes the tags; of a repeated tag the offending one is returned as the error.
    pub fn new(tags: &[u64]) -> Result<Self, u64> {
        let first = tags.first().copied().unwrap_or(0);
        if tags.iter().zip(first..).all(|(&tag, counted)| tag == counted) {
            return Ok(Self::Counted { first, count: tags.len() as u64 });
        }
        let largest = tags.iter().copied().max().unwrap_or(0);
        // The table never takes more than about twice the memory of the tags.
        if largest < 2 * tags.len() as u64 + 64 {
            let mut table = vec![usize::MAX; largest as usize + 1];
            for (index, &tag) in tags.iter().enumerate() {
                let entry = &mut table[tag as usize];
                if *entry != usize::MAX {
                    return Err(tag);
                }
                *entry = index;
            }
            return Ok(Self::Table(table));
        }
        let mut sorted: Vec<(u64, usize)> = tags.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        match sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => Err(pair[0].0),
            None => Ok(Self::Sorted(sorted)),
        }
    }

    /// Indexes the tags; a repeated one stands for where it is first.
    pub fn of_first(tags: &[u64]) -> Self {
        Self::new(tags).unwrap_or_else(|_| {
            let mut sorted: Vec<(u64, usize)> = tags.iter().copied().zip(0..).collect();
            sorted.sort_unstable();
            sorted.dedup_by_key(|&mut (tag, _)| tag);
            Self::Sorted(sorted)
        })
    }

    /// The index of this tag.
    pub fn get(&self, tag: u64) -> Option<usize> {
        match self {
            Self::Counted { first, count } => {
                let index = tag.wrapping_sub(*first);
                (index < *count).then_some(index as usize)
            }
            Self::Table(table) => {
                let index = *table.get(usize::try_from(tag).ok()?)?;
                (index != usize::MAX).then_some(index)
            }
            Self::Sorted(sorted) => {
                let place = sorted.binary_search_by_key(&tag, |&(tag, _)| tag).ok()?;
                Some(sorted[place].1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_and_sparse_tags_are_found_and_repeated_ones_refused() {
        for tags in [vec![3, 1, 7], vec![30_000_000_000, 5, 1_000], vec![2, 3]] {
            let index = TagIndex::new(&tags).unwrap();
            for (expected, &tag) in tags.iter().enumerate() {
                assert_eq!(index.get(tag), Some(expected));
            }
            assert_eq!(index.get(4), None);
            assert_eq!(index.get(u64::MAX), None);
            let repeated: Vec<u64> = tags.iter().chain([&tags[0]]).copied().collect();
            assert_eq!(TagIndex::new(&repeated).unwrap_err(), tags[0]);
            assert_eq!(TagIndex::of_first(&repeated).get(tags[0]), Some(0));
        }
    }
}
