//! What a target has registered, asked for part by part.
//!
//! The question is asked in a process of its own. Nothing that is found is given back: the process ends right after.

use tvm_ffi_spec::{
    TVMFFIByteArray,
    abi::{self, Type},
    part::Kind,
};

use crate::client::{Client, reflected};

/// The parts of the ABI that the target has, without those that its file shows.
pub fn registered(client: &Client) -> Vec<String> {
    let table = client.api.table();
    let abi = abi::abi();
    let mut found = Vec::new();
    let mut note = |kind: Kind, name: &str| found.push(format!("{} {name}", kind.as_str()));
    if table.TVMFFIFunctionGetGlobal.is_some() {
        abi.globals.iter().filter(|global| has_global(client, &global.name)).for_each(|global| {
            note(Kind::Global, &global.name);
        });
    }
    if table.TVMFFIGetTypeAttrColumn.is_some() {
        let columns = abi.attributes.iter().filter(|column| !reflected::column(client, &column.name).is_null());
        columns.for_each(|column| note(Kind::Attribute, &column.name));
    }
    if table.TVMFFITypeKeyToIndex.is_some() {
        for ty in &abi.types {
            if let Some(index) = index_of(client, ty) {
                note(Kind::Type, &ty.key);
                members(client, ty, index, &mut note);
            }
        }
    }
    found
}

fn has_global(client: &Client, name: &str) -> bool {
    let mut function = std::ptr::null_mut();
    let status = client.api.TVMFFIFunctionGetGlobal(&TVMFFIByteArray::new(name.as_bytes()), &mut function);
    status == 0 && !function.is_null()
}

fn index_of(client: &Client, ty: &Type) -> Option<i32> {
    let mut index = -1;
    let status = client.api.TVMFFITypeKeyToIndex(&TVMFFIByteArray::new(ty.key.as_bytes()), &mut index);
    (status == 0 && index >= 0).then_some(index)
}

/// The constant of a type's index, its fields and its methods, as far as they can be read.
fn members(client: &Client, ty: &Type, index: i32, note: &mut impl FnMut(Kind, &str)) {
    if ty.index == Some(index) {
        abi::abi().constants_of(ty).for_each(|constant| note(Kind::Constant, &constant.name));
    }
    if client.api.table().TVMFFIGetTypeInfo.is_none() {
        return;
    }
    let names = |names: Vec<TVMFFIByteArray>| {
        let texts = names.into_iter().filter_map(|name| reflected::text(client, "name", name).ok());
        texts.map(|name| format!("{}.{name}", ty.key)).collect::<Vec<_>>()
    };
    let fields = reflected::fields(client, index).unwrap_or_default();
    names(fields.iter().map(|field| field.name).collect()).iter().for_each(|name| note(Kind::Field, name));
    let methods = reflected::methods(client, index).unwrap_or_default();
    names(methods.iter().map(|method| method.name).collect()).iter().for_each(|name| note(Kind::Method, name));
}
