//! A TOML document in which every key and value remembers where it was written.

use std::path::Path;
use std::sync::Arc;

use toml::de::{DeTable, DeValue};

use super::{Located, Origin};
use crate::failure::Failure;

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What is written there.
    pub value: Value,
    /// Where it is written.
    pub origin: Origin,
}

/// A TOML value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Text.
    String(String),
    /// A whole number.
    Integer(i64),
    /// A floating-point number, infinities and NaN included.
    Float(f64),
    /// `true` or `false`.
    Boolean(bool),
    /// A date or a time, which no scene uses.
    Datetime(String),
    /// A list.
    Array(Vec<Node>),
    /// A table in the order of the file.
    Table(Vec<Entry>),
}

/// A key of a table with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where the key is written.
    pub origin: Origin,
    /// Its value.
    pub node: Node,
}

/// Parses a TOML document; the result is a table.
///
/// # Errors
/// Text that is not TOML, or an integer beyond 64 bits; the message names the line.
pub fn parse_document(text: &str, file: &Path) -> Result<Node, Failure> {
    let file: Arc<Path> = Arc::from(file);
    let place = |offset: usize| Origin::Line { file: Arc::clone(&file), line: line_of(text, offset) };
    let document = DeTable::parse(text).map_err(|error| {
        place(error.span().map_or(0, |span| span.start)).wrong(format_args!("not TOML: {}", error.message()))
    })?;
    table(document.get_ref(), place(0), &place)
}

/// Parses one TOML value, all of it written at `origin`.
///
/// # Errors
/// Text that is not a TOML value.
pub fn parse_value(text: &str, origin: &Origin) -> Result<Node, Failure> {
    let value = DeValue::parse(text).map_err(|error| {
        origin.wrong(format_args!(
            "\"{text}\" is not a TOML value ({}); strings need quotes, as in --set 'energy=\"linear\"'",
            error.message()
        ))
    })?;
    convert(value.get_ref(), origin.clone(), &|_| origin.clone())
}

fn line_of(text: &str, offset: usize) -> usize {
    1 + text.as_bytes().iter().take(offset).filter(|&&byte| byte == b'\n').count()
}

fn table(source: &DeTable<'_>, origin: Origin, place: &dyn Fn(usize) -> Origin) -> Result<Node, Failure> {
    let mut entries: Vec<(usize, Entry)> = Vec::with_capacity(source.len());
    for (key, value) in source {
        let start = key.span().start;
        let node = convert(value.get_ref(), place(value.span().start), place)?;
        entries.push((start, Entry { key: key.get_ref().to_string(), origin: place(start), node }));
    }
    entries.sort_by_key(|&(start, _)| start);
    Ok(Node { value: Value::Table(entries.into_iter().map(|(_, entry)| entry).collect()), origin })
}

fn convert(source: &DeValue<'_>, origin: Origin, place: &dyn Fn(usize) -> Origin) -> Result<Node, Failure> {
    let value = match source {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Integer(integer) => {
            let parsed = i64::from_str_radix(integer.as_str(), integer.radix());
            Value::Integer(
                parsed.map_err(|_| origin.wrong(format_args!("the integer {integer} is too large")))?,
            )
        }
        DeValue::Float(float) => Value::Float(
            float.as_str().parse().map_err(|_| origin.wrong(format_args!("{float} is not a number")))?,
        ),
        DeValue::Boolean(boolean) => Value::Boolean(*boolean),
        DeValue::Datetime(datetime) => Value::Datetime(datetime.to_string()),
        DeValue::Array(items) => Value::Array(
            items
                .iter()
                .map(|item| convert(item.get_ref(), place(item.span().start), place))
                .collect::<Result<_, _>>()?,
        ),
        DeValue::Table(entries) => return table(entries, origin, place),
    };
    Ok(Node { value, origin })
}

/// Typed reading. `name` is what messages call the value, for example `newton.step_tolerance`.
impl Node {
    /// The failure that says this value should have been something else.
    pub fn mismatch(&self, name: &str, expected: &str) -> Failure {
        let found = match &self.value {
            Value::String(text) => format!("the string \"{text}\""),
            Value::Integer(integer) => integer.to_string(),
            Value::Float(float) => format!("{float:?}"),
            Value::Boolean(boolean) => boolean.to_string(),
            Value::Datetime(text) => format!("the date {text}"),
            Value::Array(items) => format!("a list of {}", items.len()),
            Value::Table(_) => "a table".to_owned(),
        };
        self.origin.wrong(format_args!("{name} must be {expected}, not {found}"))
    }

    /// Text.
    pub fn string(&self, name: &str) -> Result<Located<String>, Failure> {
        match &self.value {
            Value::String(text) => Ok(Located { value: text.clone(), origin: self.origin.clone() }),
            _ => Err(self.mismatch(name, "a string")),
        }
    }

    /// A finite number.
    pub fn number(&self, name: &str) -> Result<f64, Failure> {
        match self.value {
            Value::Integer(integer) => Ok(integer as f64),
            Value::Float(float) if float.is_finite() => Ok(float),
            _ => Err(self.mismatch(name, "a finite number")),
        }
    }

    /// A finite number above zero.
    pub fn positive(&self, name: &str) -> Result<f64, Failure> {
        let number = self.number(name)?;
        if number > 0.0 { Ok(number) } else { Err(self.mismatch(name, "a number above 0")) }
    }

    /// A number from 0 to below 1.
    pub fn fraction(&self, name: &str) -> Result<f64, Failure> {
        let number = self.number(name)?;
        let is_fraction = (0.0..1.0).contains(&number);
        if is_fraction { Ok(number) } else { Err(self.mismatch(name, "a number from 0 to below 1")) }
    }

    /// A whole number from 0.
    pub fn index(&self, name: &str) -> Result<usize, Failure> {
        match self.value {
            Value::Integer(integer) if integer >= 0 => {
                usize::try_from(integer).map_err(|_| self.mismatch(name, "a whole number from 0"))
            }
            _ => Err(self.mismatch(name, "a whole number from 0")),
        }
    }

    /// A whole number from 1.
    pub fn count(&self, name: &str) -> Result<usize, Failure> {
        match self.index(name) {
            Ok(count) if count > 0 => Ok(count),
            _ => Err(self.mismatch(name, "a whole number from 1")),
        }
    }

    /// The items of a list.
    pub fn items(&self, name: &str) -> Result<&[Self], Failure> {
        match &self.value {
            Value::Array(items) => Ok(items),
            _ => Err(self.mismatch(name, "a list")),
        }
    }

    /// A list of finite numbers.
    pub fn numbers(&self, name: &str) -> Result<Located<Vec<f64>>, Failure> {
        let items = self.items(name)?.iter().enumerate();
        let value =
            items.map(|(index, item)| item.number(&format!("{name}[{index}]"))).collect::<Result<_, _>>();
        Ok(Located { value: value?, origin: self.origin.clone() })
    }

    /// A list of strings.
    pub fn strings(&self, name: &str) -> Result<Vec<String>, Failure> {
        let item = |(index, item): (usize, &Self)| item.string(&format!("{name}[{index}]"));
        self.items(name)?.iter().enumerate().map(|pair| item(pair).map(|text| text.value)).collect()
    }

    /// A list of whole numbers from 0.
    pub fn indices(&self, name: &str) -> Result<Vec<usize>, Failure> {
        let items = self.items(name)?.iter().enumerate();
        items.map(|(index, item)| item.index(&format!("{name}[{index}]"))).collect()
    }

    /// A list of whole numbers from 1 with at least one entry.
    pub fn counts(&self, name: &str) -> Result<Vec<usize>, Failure> {
        let items = self.items(name)?;
        if items.is_empty() {
            return Err(self.mismatch(name, "a list with at least one entry"));
        }
        items.iter().enumerate().map(|(index, item)| item.count(&format!("{name}[{index}]"))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> Result<Node, Failure> {
        parse_document(text, Path::new("a.toml"))
    }

    #[test]
    fn a_syntax_error_names_its_line() {
        let failure = document("mesh = \"a\"\ngravity = [0,\nenergy = 3\n").unwrap_err();
        assert!(failure.to_string().starts_with("a.toml, line 3: not TOML: "), "{failure}");
    }

    #[test]
    fn keys_keep_the_order_and_lines_of_the_file() {
        let node = document("b = 1\n\na = [\n1,\n2]\n").unwrap();
        let Value::Table(entries) = &node.value else { panic!("a document is a table") };
        let places: Vec<String> =
            entries.iter().map(|entry| format!("{} {}", entry.key, entry.origin)).collect();
        assert_eq!(places, ["b a.toml, line 1", "a a.toml, line 3"]);
        assert_eq!(entries[1].node.items("a").unwrap()[1].origin.to_string(), "a.toml, line 5");
    }

    #[test]
    fn a_number_that_is_not_finite_is_refused() {
        let node = document("x = nan").unwrap();
        let Value::Table(entries) = &node.value else { panic!("a document is a table") };
        assert_eq!(
            entries[0].node.number("x").unwrap_err().to_string(),
            "a.toml, line 1: x must be a finite number, not NaN"
        );
    }

    #[test]
    fn a_float_where_a_whole_number_should_be_is_shown_as_a_float() {
        let origin = Origin::Option(Arc::from("--set k=3.0"));
        let message = parse_value("3.0", &origin).unwrap().count("k").unwrap_err().to_string();
        assert_eq!(message, "--set k=3.0: k must be a whole number from 1, not 3.0");
    }

    #[test]
    fn an_integer_serves_as_a_number_but_not_the_other_way_round() {
        let origin = Origin::Option(Arc::from("--set x"));
        assert_eq!(parse_value("3", &origin).unwrap().number("x"), Ok(3.0));
        assert!(parse_value("3.0", &origin).unwrap().count("x").is_err());
        assert!(parse_value("0", &origin).unwrap().count("x").is_err());
    }
}
