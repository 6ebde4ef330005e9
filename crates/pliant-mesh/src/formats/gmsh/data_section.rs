//! `$NodeData` and `$ElementData`: named arrays, the same in versions 2.2 and 4.1.

use crate::ArrayLocation;
use crate::fault::{Fault, shown};
use crate::formats::cursor::{Cursor, parse_integer};

/// One data section; the values stand in the order of the tags.
#[derive(Debug)]
pub(super) struct DataSection {
    pub name: String,
    pub on: ArrayLocation,
    pub components: usize,
    pub tags: Vec<u64>,
    pub values: Vec<f64>,
}

/// More components than any field has: a wrong count rather than a large tensor.
const MOST_COMPONENTS: u64 = 1_000;

/// String tags (the name), real tags (the time), integer tags (step, components, entries), then `tag values`.
pub(super) fn read_data(cursor: &mut Cursor, on: ArrayLocation) -> Result<DataSection, Fault> {
    let mut name = None;
    for _ in 0..cursor.text_count("the number of string tags")? {
        let line = cursor.text_line("a string tag")?;
        let text = String::from_utf8_lossy(line);
        let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(&text);
        name.get_or_insert_with(|| text.to_owned());
    }
    for _ in 0..cursor.text_count("the number of real tags")? {
        cursor.text_line("a real tag")?;
    }
    let start = cursor.at();
    let mut integers = Vec::new();
    for _ in 0..cursor.text_count("the number of integer tags")? {
        let start = cursor.at();
        let line = cursor.text_line("an integer tag")?;
        match parse_integer(line) {
            Some(value) => integers.push(value),
            None => {
                return cursor
                    .fault(start, format!("an integer tag should be here, but there is {}", shown(line)));
            }
        }
    }
    let [_, components, entries, ..] = integers[..] else {
        let problem = "three integer tags should be here: step, number of components, number of entries";
        return cursor.fault(start, problem);
    };
    let (Ok(components @ 1..=MOST_COMPONENTS), Ok(entries)) =
        (u64::try_from(components), u64::try_from(entries))
    else {
        let problem = format!(
            "an array of {components} components for {entries} entries cannot be read; correct the counts"
        );
        return cursor.fault(start, problem);
    };
    let components = components as usize;
    let entries = cursor.checked_count(entries, "entries", 1 + components, 4 + 8 * components)?;
    let mut section = DataSection {
        name: name.unwrap_or_default(),
        on,
        components,
        tags: Vec::with_capacity(entries),
        values: Vec::with_capacity(entries * components),
    };
    for _ in 0..entries {
        let start = cursor.at();
        match u64::try_from(cursor.integer("a tag of the array")?) {
            Ok(tag) => section.tags.push(tag),
            Err(_) => return cursor.fault(start, "a tag of the array is negative; correct it"),
        }
        for _ in 0..components {
            section.values.push(cursor.real("a value of the array")?);
        }
    }
    Ok(section)
}
