//! How structs lie in the memory of two libraries, and values that clients know.

use std::collections::BTreeMap;

use tvm_ffi_spec::abi::abi;

use super::model::{Change, Changes, Difference, Effect, Kind};
use crate::facts::Facts;

/// What differs in the layout of structs and in values that clients know; and what was found on one side alone.
pub(super) fn compare(old: &Facts, new: &Facts) -> (Vec<Difference>, Vec<String>) {
    let (mut found, mut one_sided) = (Vec::new(), Vec::new());
    for (name, old_fields) in &old.layouts {
        let Some(new_fields) = new.layouts.get(name) else { continue };
        for (field, old_byte) in old_fields {
            let Some(new_byte) = new_fields.get(field) else {
                one_sided.push(format!("struct {name}: {field} was found in the old library alone"));
                continue;
            };
            let mut changes = Changes::default();
            changes.compare(Effect::BreaksPrebuilt, place(field), old_byte, new_byte);
            found.extend(changes.of(Kind::Struct, format!("{name}.{field}")));
        }
        for (field, byte) in new_fields.iter().filter(|(field, _)| !old_fields.contains_key(*field)) {
            found.push(grown(name, field, *byte));
        }
    }
    if let (Some(old), Some(new)) = (&old.constants, &new.constants) {
        found.extend(constants(old, new));
    }
    (found, one_sided)
}

/// What the number of a field says.
fn place(field: &str) -> &'static str {
    if field.starts_with("sizeof") { "bytes" } else { "byte" }
}

/// A field that the old library does not have: what clients have built lacks it, too, and whoever reads it reads something
/// else.
fn grown(name: &str, field: &str, byte: u64) -> Difference {
    let known = abi().structs.iter().find(|known| known.name == name);
    let since = known.and_then(|known| known.fields.iter().find(|known| known.name == field)?.since.clone());
    let what = format!("byte {byte} is read, which clients that were built before do not have");
    let difference =
        Difference::new(Effect::BreaksPrebuilt, Kind::Struct, Change::Added, format!("{name}.{field}"), what);
    Difference { since, ..difference }
}

/// What it is to clients that a value changes. Of a version's numbers, only the first says that older ones cannot go on.
fn of_another_value(name: &str, old: &str, new: &str) -> Effect {
    let first = |version: &str| version.split('.').next().map(str::to_owned);
    let is_version = name.contains("version");
    if is_version && first(old) == first(new) { Effect::Other } else { Effect::BreaksPrebuilt }
}

type Constants = BTreeMap<String, String>;

fn constants(old: &Constants, new: &Constants) -> Vec<Difference> {
    let mut found = Vec::new();
    for (name, old_value) in old {
        match new.get(name) {
            None => found.push(Difference::removed(
                Effect::BreaksPrebuiltAndSources,
                Kind::Constant,
                name,
                format!("was {old_value}, is refused"),
            )),
            Some(new_value) => {
                let mut changes = Changes::default();
                changes.compare(of_another_value(name, old_value, new_value), "value", old_value, new_value);
                found.extend(changes.of(Kind::Constant, name));
            }
        }
    }
    let added = new.iter().filter(|(name, _)| !old.contains_key(*name));
    found.extend(added.map(|(name, value)| Difference::added(Kind::Constant, name, format!("is {value}"))));
    found
}
