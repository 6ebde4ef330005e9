//! A file of materials: TOML, as the tables `[materials.REGION]` of a scene without `materials.`, or CSV with a column for
//! each key and a row for each region.

use std::sync::Arc;

use super::materials::read_entries;
use super::parameter::beside;
use super::{Entry, Located, MaterialRule, Node, Origin, Value, parse_document};
use crate::failure::Failure;

/// Reads the materials of the file that the node names.
///
/// # Errors
/// A file that cannot be read or is neither TOML nor CSV, or anything wrong in it, with its line.
pub fn read_material_table(node: &Node, name: &str) -> Result<Vec<MaterialRule>, Failure> {
    let Located { value, origin } = node.string(name)?;
    let path = beside(&origin, &value);
    let text = std::fs::read_to_string(&path).map_err(|error| {
        origin.wrong(format_args!("cannot read the materials {} ({error}); check the path", path.display()))
    })?;
    let extension =
        path.extension().and_then(|extension| extension.to_str()).unwrap_or("").to_ascii_lowercase();
    match extension.as_str() {
        "toml" => {
            let document = parse_document(&text, &path)?;
            read_entries(super::entries_of(&document, "")?, "")
        }
        "csv" => {
            let place =
                |line: u64| Origin::Line { file: Arc::from(path.as_path()), line: line.max(1) as usize };
            read_entries(&csv_entries(&text, &place)?, "")
        }
        _ => {
            Err(origin
                .wrong(format_args!("the materials {} should be a .toml or a .csv file", path.display())))
        }
    }
}

/// The rows as tables: a cell that is a number is one, any other is text, an empty one is not there.
fn csv_entries(text: &str, place: &dyn Fn(u64) -> Origin) -> Result<Vec<Entry>, Failure> {
    let mut reader =
        csv::ReaderBuilder::new().trim(csv::Trim::All).comment(Some(b'#')).from_reader(text.as_bytes());
    let failed = |error: &csv::Error| {
        let line = error.position().map_or(1, csv::Position::line);
        place(line).wrong(format_args!("not CSV: {error}"))
    };
    let header = reader.headers().map_err(|error| failed(&error))?.clone();
    let Some(region) = header.iter().position(|key| key == "region") else {
        return Err(place(1).wrong("the first line should name the columns, one of them \"region\""));
    };
    let mut entries: Vec<Entry> = Vec::new();
    for row in reader.records() {
        let row = row.map_err(|error| failed(&error))?;
        let origin = place(row.position().map_or(1, csv::Position::line));
        let mut keys = Vec::new();
        for (key, cell) in
            header.iter().zip(row.iter()).filter(|&(key, cell)| key != "region" && !cell.is_empty())
        {
            let value = cell.parse().map_or_else(|_| Value::String(cell.to_owned()), Value::Float);
            let node = Node { value, origin: origin.clone() };
            keys.push(Entry { key: key.to_owned(), origin: origin.clone(), node });
        }
        let name = row.get(region).unwrap_or("");
        if entries.iter().any(|entry| entry.key == name) {
            return Err(origin.wrong(format_args!("the region \"{name}\" already has a material; leave one")));
        }
        let node = Node { value: Value::Table(keys), origin: origin.clone() };
        entries.push(Entry { key: name.to_owned(), origin, node });
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::Parameter;
    use super::*;

    fn read(name: &str, text: &str) -> Result<Vec<MaterialRule>, Failure> {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join(name), text).unwrap();
        let scene = directory.path().join("scene.toml");
        let document = parse_document(&format!("materials = \"{name}\""), Path::new(&scene)).unwrap();
        read_material_table(&super::super::entries_of(&document, "").unwrap()[0].node, "materials")
    }

    #[test]
    fn toml_and_csv_say_the_same() {
        let toml = "[bone]\nyoungs_modulus = \"17 GPa\"\npoisson_ratio = 0.3\ndensity = 1900\n[fat]\npreset = \"fat\"\n";
        let csv = "region, preset, youngs_modulus, poisson_ratio, density\n# two\nbone,, 17 GPa, 0.3, 1900\nfat, fat,,,\n";
        let rules = read("a.toml", toml).unwrap();
        for (rule, other) in rules.iter().zip(read("a.csv", csv).unwrap()) {
            assert_eq!(rule.value, other.value);
        }
        assert_eq!(rules[0].value.1.youngs_modulus, Parameter::Number(17e9));
        assert_eq!(rules[1].value.1.youngs_modulus, Parameter::Number(3250.0));
    }

    #[test]
    fn faults_name_the_file_and_the_line() {
        for (name, text, says) in [
            (
                "a.csv",
                "region,youngs_modulus\nbone,soft\n",
                "a.csv, line 2: bone.youngs_modulus must be a positive number",
            ),
            ("a.csv", "name,density\nbone,1\n", "a.csv, line 1: the first line should name the columns"),
            ("a.csv", "region,density\nbone,1,2\n", "a.csv, line 2: not CSV"),
            ("a.csv", "region,preset\nfat,fat\nfat,fat\n", "a.csv, line 3: the region \"fat\" already has"),
            (
                "a.csv",
                "region,preset\nfat,fet\n",
                "a.csv, line 2: there is no preset \"fet\"; the nearest is \"fat\"",
            ),
            ("a.csv", "region,preset,colour\nfat,fat,red\n", "unknown key \"colour\" in fat"),
            ("a.toml", "[fat]\n\npreset = 3\n", "a.toml, line 3: fat.preset must be a string"),
            ("a.txt", "", "should be a .toml or a .csv file"),
        ] {
            let message = read(name, text).unwrap_err().to_string();
            assert!(message.contains(says), "{message}");
        }
    }
}
