//! What two libraries have registered: global functions, types with their fields and methods, and attributes.

use std::collections::BTreeMap;

use tvm_ffi_spec::abi::abi;

use super::model::{Change, Changes, Difference, Effect, Kind};
use crate::facts::{Facts, FieldFacts, InstanceFacts, MethodFacts, Named, TypeFacts};
use crate::schema::Schema;

/// The structs through which types are read: where one lies otherwise, what is read of types says nothing.
const RECORDS: &[&str] = &["TVMFFITypeInfo", "TVMFFIFieldInfo", "TVMFFIMethodInfo", "TVMFFITypeMetadata"];

/// What differs in what is registered; and what cannot be compared.
pub(super) fn compare(old: &Facts, new: &Facts) -> (Vec<Difference>, Vec<String>) {
    let (mut found, mut not_compared) = (Vec::new(), Vec::new());
    if let (Some(old), Some(new)) = (&old.globals, &new.globals) {
        let known = |name: &str| abi().global(name).is_some();
        let (gone, added) = one_sided(old, new, known, "global functions", &mut not_compared);
        found.extend(gone.into_iter().map(|name| gone_by(Kind::Global, name)));
        found.extend(added.into_iter().map(|name| Difference::added(Kind::Global, name, "is new")));
        for (name, old, new) in both(&old.named, &new.named) {
            let mut changes = Changes::default();
            schemas(&mut changes, old.as_deref().unwrap_or_default(), new.as_deref().unwrap_or_default());
            found.extend(changes.of(Kind::Global, name));
        }
    }
    let moved = RECORDS.iter().find(|name| old.layouts.get(**name) != new.layouts.get(**name));
    if let Some(name) = moved {
        not_compared.push(format!("types and attributes: they are read through {name}, which does not lie alike"));
        return (found, not_compared);
    }
    if let (Some(old), Some(new)) = (&old.types, &new.types) {
        let known = |key: &str| abi().type_of_key(key).is_some();
        let (gone, added) = one_sided(old, new, known, "types", &mut not_compared);
        found.extend(gone.into_iter().map(|key| gone_by(Kind::Type, key)));
        found.extend(added.into_iter().map(|key| Difference::added(Kind::Type, key, "is new")));
        both(&old.named, &new.named).for_each(|(key, old, new)| found.extend(of_type(key, old, new)));
    }
    if let (Some(old_columns), Some(new_columns)) = (&old.columns, &new.columns) {
        found.extend(attributes((old, old_columns), (new, new_columns)));
    }
    (found, not_compared)
}

fn gone_by(kind: Kind, name: impl Into<String>) -> Difference {
    Difference::removed(Effect::BreaksPrebuiltAndSources, kind, name, "is gone")
}

/// What is there on both sides.
fn both<'a, T>(
    old: &'a BTreeMap<String, T>,
    new: &'a BTreeMap<String, T>,
) -> impl Iterator<Item = (&'a String, &'a T, &'a T)> {
    old.iter().filter_map(|(name, old)| Some((name, old, new.get(name)?)))
}

/// What is gone and what is new. What a library does not list it may have nevertheless.
fn one_sided<'a, T>(
    old: &'a Named<T>,
    new: &'a Named<T>,
    known: impl Fn(&str) -> bool,
    what: &str,
    not_compared: &mut Vec<String>,
) -> (Vec<&'a String>, Vec<&'a String>) {
    let missing = |from: &'a Named<T>, of: &'a Named<T>| {
        let names = of.named.keys().filter(|name| !from.named.contains_key(*name));
        names.partition::<Vec<_>, _>(|name| from.listed || known(name))
    };
    let ((gone, unknown_gone), (added, unknown_added)) = (missing(new, old), missing(old, new));
    for (unknown, side) in [(unknown_gone, "new"), (unknown_added, "old")] {
        if !unknown.is_empty() {
            let names = unknown.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ");
            not_compared.push(format!("whether the {side} library has {names}: it does not list its {what}"));
        }
    }
    (gone, added)
}

/// Compares what two metadata strings say.
fn schemas(changes: &mut Changes, old: &str, new: &str) {
    let bare = Schema::Type("ffi.Function".to_owned(), Vec::new());
    match (Schema::of(old), Schema::of(new)) {
        (Some(old), Some(new)) if old == new => {}
        (Some(old), Some(new)) => {
            let effect = match () {
                () if old == bare || new == bare => Effect::Other,
                () if new.serves(&old) => Effect::Other,
                () => Effect::BreaksPrebuiltAndSources,
            };
            changes.compare(effect, "schema", old, new);
        }
        (None, None) => {}
        (Some(old), None) => changes.note(Effect::Other, format!("no longer says its schema, which was {old}")),
        (None, Some(new)) => changes.note(Effect::Other, format!("says its schema: {new}")),
    }
}

fn of_type(key: &str, old: &TypeFacts, new: &TypeFacts) -> Vec<Difference> {
    let mut changes = Changes::default();
    let index = |index: Option<i32>| index.map_or("given at run time".to_owned(), |index| index.to_string());
    changes.compare(Effect::BreaksPrebuilt, "index", index(old.index), index(new.index));
    let line = |ancestors: &[String]| if ancestors.is_empty() { "none".to_owned() } else { ancestors.join(" > ") };
    changes.compare(Effect::BreaksPrebuilt, "ancestors", line(&old.ancestors), line(&new.ancestors));
    instances(&mut changes, old.instances.as_ref(), new.instances.as_ref());
    let common = |of: &TypeFacts, other: &TypeFacts| {
        let there = |name: &String| other.fields.iter().any(|field| field.name == *name);
        of.fields.iter().map(|field| field.name.clone()).filter(there).collect::<Vec<_>>().join(", ")
    };
    changes.compare(Effect::Other, "order of fields", common(old, new), common(new, old));
    let mut found: Vec<_> = changes.of(Kind::Type, key).into_iter().collect();
    for field in &old.fields {
        let name = format!("{key}.{}", field.name);
        match new.fields.iter().find(|other| other.name == field.name) {
            Some(other) => found.extend(of_field(name, field, other)),
            None => found.push(gone_by(Kind::Field, name)),
        }
    }
    let added = new.fields.iter().filter(|field| old.fields.iter().all(|other| other.name != field.name));
    found.extend(added.map(|field| {
        let what = format!("is new, at byte {}", field.offset);
        Difference::added(Kind::Field, format!("{key}.{}", field.name), what)
    }));
    for (name, method) in &old.methods {
        let full = format!("{key}.{name}");
        match new.methods.get(name) {
            Some(other) => found.extend(of_method(full, method, other)),
            None => found.push(gone_by(Kind::Method, full)),
        }
    }
    let added = new.methods.keys().filter(|name| !old.methods.contains_key(*name));
    found.extend(added.map(|name| Difference::added(Kind::Method, format!("{key}.{name}"), "is new")));
    found
}

fn instances(changes: &mut Changes, old: Option<&InstanceFacts>, new: Option<&InstanceFacts>) {
    match (old, new) {
        (Some(old), Some(new)) => {
            changes.compare(Effect::BreaksPrebuilt, "size of an instance", old.size, new.size);
            changes.compare(Effect::Other, "structural comparison as", comparison(old.kind), comparison(new.kind));
            match (old.creator, new.creator) {
                (true, false) => changes.note(Effect::BreaksPrebuiltAndSources, "no longer has a creator"),
                (false, true) => changes.note(Effect::Addition, "has a creator"),
                _ => {}
            }
        }
        (Some(_), None) => changes.note(Effect::BreaksPrebuiltAndSources, "no longer says anything of its instances"),
        (None, Some(new)) => changes.note(Effect::Addition, format!("says that an instance has {} bytes", new.size)),
        (None, None) => {}
    }
}

/// The name of a kind of structural comparison.
fn comparison(kind: i32) -> String {
    let kinds = abi().enums.iter().filter(|group| group.name == "TVMFFISEqHashKind");
    let named = kinds.flat_map(|group| &group.constants).find(|constant| constant.value == i64::from(kind));
    named.map_or_else(|| kind.to_string(), |constant| constant.name.clone())
}

fn of_field(name: String, old: &FieldFacts, new: &FieldFacts) -> Option<Difference> {
    let mut changes = Changes::default();
    changes.compare(Effect::BreaksPrebuilt, "byte", old.offset, new.offset);
    changes.compare(Effect::BreaksPrebuilt, "size", old.size, new.size);
    changes.compare(Effect::BreaksPrebuilt, "alignment", old.alignment, new.alignment);
    flags(&mut changes, old.flags, new.flags);
    changes.compare(Effect::Other, "type of its values", &old.type_key, &new.type_key);
    schemas(&mut changes, &old.metadata, &new.metadata);
    changes.of(Kind::Field, name)
}

fn of_method(name: String, old: &MethodFacts, new: &MethodFacts) -> Option<Difference> {
    let mut changes = Changes::default();
    flags(&mut changes, old.flags, new.flags);
    schemas(&mut changes, &old.metadata, &new.metadata);
    changes.of(Kind::Method, name)
}

/// Flags by whose coming or going code that knows nothing of it goes wrong: it writes a field that cannot be written, calls a
/// method in another way, or takes a function object for a C function or a factory for a value.
const BREAKING: &[(&str, bool)] = &[
    ("kTVMFFIFieldFlagBitMaskWritable", false),
    ("kTVMFFIFieldFlagBitMaskHasDefault", false),
    ("kTVMFFIFieldFlagBitMaskIsStaticMethod", true),
    ("kTVMFFIFieldFlagBitMaskIsStaticMethod", false),
    ("kTVMFFIFieldFlagBitMaskDefaultFromFactory", true),
    ("kTVMFFIFieldFlagBitSetterIsFunctionObj", true),
];

fn flags(changes: &mut Changes, old: i64, new: i64) {
    let flags = abi().enums.iter().filter(|group| group.name == "TVMFFIFieldFlagBitMask");
    let flags: Vec<_> = flags.flat_map(|group| &group.constants).collect();
    for bit in (0..i64::BITS - 1).map(|bit| 1 << bit).filter(|bit| (old ^ new) & bit != 0) {
        let name =
            flags.iter().find(|flag| flag.value == bit).map_or_else(|| format!("flag {bit}"), |flag| flag.name.clone());
        let gained = new & bit != 0;
        let breaking = BREAKING.contains(&(name.as_str(), gained));
        let effect = if breaking { Effect::BreaksPrebuiltAndSources } else { Effect::Other };
        changes.note(effect, format!("{} {name}", if gained { "gains" } else { "loses" }));
    }
}

/// An entry that only the old library has. What the library used to say of a type and does without now is nobody's loss.
fn entry_gone(column: &str, key: &str, name: String) -> Difference {
    let entries = abi().attributes.iter().filter(|known| known.name == column).flat_map(|known| &known.entries);
    let expected = entries.into_iter().any(|entry| entry.type_key == key);
    let effect = if expected { Effect::BreaksPrebuiltAndSources } else { Effect::Other };
    Difference::removed(effect, Kind::Attribute, name, "is gone")
}

type Columns = BTreeMap<String, BTreeMap<String, String>>;

/// What differs in what types have in columns. Types that are gone or new themselves have been told of.
fn attributes((old_facts, old): (&Facts, &Columns), (new_facts, new): (&Facts, &Columns)) -> Vec<Difference> {
    let has_type =
        |facts: &Facts, key: &String| facts.types.as_ref().is_some_and(|types| types.named.contains_key(key));
    let empty = BTreeMap::new();
    let mut found = Vec::new();
    for (column, old_entries) in old {
        let new_entries = new.get(column).unwrap_or(&empty);
        if !new.contains_key(column) {
            found.push(gone_by(Kind::Attribute, column));
            continue;
        }
        for (key, old_value) in old_entries {
            let name = format!("{column} of {key}");
            match new_entries.get(key) {
                None if has_type(new_facts, key) => found.push(entry_gone(column, key, name)),
                None => {}
                Some(new_value) => {
                    let mut changes = Changes::default();
                    changes.compare(Effect::BreaksPrebuilt, "value", old_value, new_value);
                    found.extend(changes.of(Kind::Attribute, name));
                }
            }
        }
    }
    for (column, entries) in new {
        let old_entries = old.get(column);
        if old_entries.is_none() {
            let keys = entries.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            let of = if keys.is_empty() { String::new() } else { format!(", with entries of {keys}") };
            found.push(Difference::added(Kind::Attribute, column, format!("is new{of}")));
        }
        let added = entries.iter().filter(|(key, _)| old_entries.is_some_and(|old| !old.contains_key(*key)));
        found.extend(added.filter(|(key, _)| has_type(old_facts, key)).map(|(key, value)| {
            let what = format!("is new: {value}");
            Difference::new(Effect::Addition, Kind::Attribute, Change::Added, format!("{column} of {key}"), what)
        }));
    }
    found
}
