//! Enumerations that clients declare, as Python declares them.

use tvm_ffi_spec::*;

use crate::client::{connection::Client, owned::Owned, reflected, types, value::view, verdict::Verdict};

/// A declared enumeration with two instances: number 7, `red`, and number 8, `green`.
pub struct Enumeration {
    /// The index of the type.
    pub index: i32,
    /// The first instance.
    pub red: Owned,
    /// The other one.
    pub green: Owned,
}

impl Enumeration {
    /// Declares it below one of the built-in enumerations, with a state or without.
    pub fn declare(client: &Client, key: &str, parent: &str, with_state: bool) -> Verdict<Self> {
        let parent = reflected::type_index(client, parent)?;
        let size = reflected::metadata(client, parent)?.total_size;
        let index = types::new_child(client, key, parent)?;
        let metadata =
            TVMFFITypeMetadata { structural_eq_hash_kind: kTVMFFISEqHashKindUniqueInstance, ..types::metadata(size) };
        client.ok(client.api.TVMFFITypeRegisterMetadata(index, &metadata))?;
        client
            .call_global("ffi._PyClassRegisterTypeAttrColumns", &[view::int(index.into()), view::int(size.into())])?;
        let (red, green) = (new_instance(client, index, 7, "red")?, new_instance(client, index, 8, "green")?);
        let declared = Self { index, red, green };
        if with_state {
            declared.register_state(client)?;
        }
        Ok(declared)
    }

    /// Declares types that descend from a built-in enumeration, each below the one before it. With their keys.
    pub fn declare_line(client: &Client, built_in: &str, with_state: bool) -> Verdict<Vec<(String, Self)>> {
        let mut line: Vec<(String, Self)> = Vec::new();
        for _ in 0..4 {
            let parent = line.last().map_or(built_in, |(key, _)| key);
            let key = format!("verify.below.{parent}");
            let declared = Self::declare(client, &key, parent, with_state)?;
            line.push((key, declared));
        }
        Ok(line)
    }

    /// Another instance, which the state does not know.
    pub fn instance(&self, client: &Client, number: i64, text: &str) -> Verdict<Owned> {
        new_instance(client, self.index, number, text)
    }

    /// Makes the state, with both instances by number and by text, and enters it in the column.
    pub fn register_state(&self, client: &Client) -> Verdict {
        self.enter(client, &[(7, "red", &self.red), (8, "green", &self.green)])
    }

    /// Makes a state with these instances, and enters it in the column.
    pub fn enter(&self, client: &Client, instances: &[(i64, &str, &Owned)]) -> Verdict {
        let init = reflected::attribute_function(client, "__ffi_init__", "ffi.EnumState")?;
        let state = client.call(&init, &[])?;
        for (number, text, instance) in instances {
            enter_in(client, state.handle(), *number, text, instance)?;
        }
        client.ok(client.api.TVMFFITypeRegisterAttr(self.index, &TVMFFIByteArray::new(b"__ffi_enum__"), &state.any()))
    }

    /// Enters another instance in the state that is in the column.
    pub fn enter_one(&self, client: &Client, number: i64, text: &str, instance: &Owned) -> Verdict {
        let state = reflected::attribute(client, "__ffi_enum__", self.index)?;
        enter_in(client, state.payload() as TVMFFIObjectHandle, number, text, instance)
    }
}

/// Enters an instance in a state, by number and by text.
fn enter_in(client: &Client, state: TVMFFIObjectHandle, number: i64, text: &str, instance: &Owned) -> Verdict {
    let (entries, indexes) = (part_of(client, state, "entries")?, part_of(client, state, "indexes")?);
    client.call_global("ffi.ListAppend", &[entries.any(), instance.any()])?;
    client.call_global("ffi.DictSetItem", &[indexes.any(), view::int(number), instance.any()])?;
    let text = client.string(text.as_bytes())?;
    client.call_global("ffi.DictSetItem", &[indexes.any(), text.any(), instance.any()]).map(drop)
}

/// What a state has in a field.
pub fn part_of(client: &Client, state: TVMFFIObjectHandle, name: &str) -> Verdict<Owned> {
    let field = reflected::field(client, reflected::type_index(client, "ffi.EnumState")?, name)?;
    reflected::get(client, state, &field)
}

/// A new instance with that number and text.
fn new_instance(client: &Client, index: i32, number: i64, text: &str) -> Verdict<Owned> {
    let instance = client.call(&types::function_in(client, "__ffi_new__", index)?, &[])?;
    let text = client.string(text.as_bytes())?;
    for (name, value) in [("_int_index", view::int(number)), ("_str_index", text.any())] {
        let field = reflected::inherited_field(client, index, name)?;
        client.ok(reflected::set(client, instance.handle(), &field, &value)?)?;
    }
    Ok(instance)
}
