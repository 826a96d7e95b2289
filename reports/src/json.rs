//! An answer as JSON: its type as it stands, in the order of its fields, indented, with a line feed at the end.
//!
//! `schema/` describes each. Every key is always there; what is not known is `null`.

use std::io::{self, Write};

use serde::Serialize;

/// Writes `answer` as one JSON document.
///
/// # Errors
/// Those of `out`.
pub fn render(answer: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, answer)?;
    writeln!(out)
}

/// That `schema/NAME.schema.json` is the schema of a type's JSON; `SNAPSHOTS=overwrite` writes it.
#[cfg(test)]
pub(crate) fn holds_schema<T: schemars::JsonSchema>(name: &str) {
    let generator = schemars::generate::SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<T>().to_value();
    schema.sort_all_objects();
    let schema = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("schema/{name}.schema.json"));
    snapbox::assert_data_eq!(schema, snapbox::Data::read_from(&file, None).raw());
}
