//! What a target has registered: global functions with their metadata, types with their members, and attributes.

use std::collections::{BTreeMap, BTreeSet};

use tvm_ffi_reports::facts::{FieldFacts, InstanceFacts, MethodFacts, Named, TypeFacts};
use tvm_ffi_spec::{abi::abi, *};

use crate::{
    client::{Client, Owned, Verdict, globals as find, memory, reflected, types as by_key},
    harness::process::inventory,
};

/// The global functions that the target lists, and those of the ABI.
pub fn globals(client: &Client) -> Verdict<Named<Option<String>>> {
    let listed = inventory::listed_globals(client).ok();
    client.api.release_raised();
    let known = abi().globals.iter().map(|global| global.name.clone());
    let names: BTreeSet<_> = listed.iter().flatten().cloned().chain(known).collect();
    let describe = find::find(client, "ffi.GetGlobalFuncMetadata")?;
    let mut named = BTreeMap::new();
    for name in names {
        if find::find(client, &name)?.is_some() {
            let metadata = describe.as_ref().and_then(|describe| metadata(client, describe, &name));
            named.insert(name, metadata);
        }
    }
    Ok(Named { listed: listed.is_some(), named })
}

/// The metadata of a global function, if it has some.
fn metadata(client: &Client, describe: &Owned, name: &str) -> Option<String> {
    let name = client.string(name.as_bytes()).ok()?;
    let mut answer = TVMFFIAny::NONE;
    if client.try_call(describe, &[name.any()], &mut answer) != 0 {
        client.api.release_raised();
        return None;
    }
    let answer = client.own(answer);
    client.text(&answer.any()).ok().map(|text| String::from_utf8_lossy(&text).into_owned())
}

/// The types that the target lists, and those of the ABI.
pub fn types(client: &Client) -> Verdict<Named<TypeFacts>> {
    let (listed, indices) = indices(client);
    let mut named = BTreeMap::new();
    for (key, index) in indices {
        named.insert(key, of_type(client, index)?);
    }
    Ok(Named { listed, named })
}

/// Whether the target lists its types; and the index of each.
fn indices(client: &Client) -> (bool, BTreeMap<String, i32>) {
    let listed = inventory::listed_types(client).ok().flatten();
    client.api.release_raised();
    let known = abi().types.iter().map(|ty| ty.key.clone());
    let keys: BTreeSet<_> = listed.iter().flatten().cloned().chain(known).collect();
    let indices = keys.into_iter().filter_map(|key| by_key::find(client, &key).map(|index| (key, index)));
    (listed.is_some(), indices.filter(|(_, index)| *index >= 0).collect())
}

fn of_type(client: &Client, index: i32) -> Verdict<TypeFacts> {
    let info = reflected::info(client, index)?;
    let instances = memory::read(info.metadata).map(|metadata| InstanceFacts {
        size: metadata.total_size,
        kind: metadata.structural_eq_hash_kind,
        creator: metadata.creator.is_some(),
    });
    let text = |array| reflected::text(client, "a text of the type table", array);
    let mut fields = Vec::new();
    for field in reflected::fields(client, index)? {
        fields.push(FieldFacts {
            name: text(field.name)?,
            offset: field.offset,
            size: field.size,
            alignment: field.alignment,
            flags: field.flags,
            type_key: key_of(client, field.field_static_type_index),
            metadata: text(field.metadata)?,
        });
    }
    let mut methods = BTreeMap::new();
    for method in reflected::methods(client, index)? {
        methods.insert(text(method.name)?, MethodFacts { flags: method.flags, metadata: text(method.metadata)? });
    }
    Ok(TypeFacts {
        index: (index < kTVMFFIDynObjectBegin).then_some(index),
        ancestors: reflected::ancestors(client, &info)?,
        instances,
        fields,
        methods,
    })
}

/// What a type is called, as far as that can be told.
fn key_of(client: &Client, index: i32) -> String {
    if index < 0 {
        return "Any".to_owned();
    }
    let key = reflected::info(client, index).and_then(|info| reflected::key(client, &info));
    key.unwrap_or_else(|_| format!("type {index}"))
}

/// What each type has in each column of the ABI: columns cannot be listed.
pub fn columns(client: &Client) -> Verdict<BTreeMap<String, BTreeMap<String, String>>> {
    let (_, indices) = indices(client);
    let mut columns = BTreeMap::new();
    for attribute in &abi().attributes {
        let column = reflected::column(client, &attribute.name);
        if column.is_null() {
            continue;
        }
        let mut entries = BTreeMap::new();
        for (key, index) in &indices {
            let entry = reflected::entry(client, column, *index)?;
            if entry.type_index != kTVMFFINone {
                entries.insert(key.clone(), written(client, &entry));
            }
        }
        columns.insert(attribute.name.clone(), entries);
    }
    Ok(columns)
}

/// A value without addresses: what it is, and the value where it is a plain one.
fn written(client: &Client, value: &TVMFFIAny) -> String {
    match value.type_index {
        kTVMFFIBool => (value.payload() != 0).to_string(),
        kTVMFFIInt => (value.payload() as i64).to_string(),
        kTVMFFIFloat => f64::from_bits(value.payload()).to_string(),
        kTVMFFISmallStr | kTVMFFIStr => match client.text(value) {
            Ok(text) => format!("{:?}", String::from_utf8_lossy(&text)),
            Err(_) => key_of(client, value.type_index),
        },
        index => key_of(client, index),
    }
}
