//! What a target has registered: the parts of the ABI asked for one by one, and what is beyond it as the target lists it.
//!
//! The question is asked in a process of its own. Nothing that is found is given back: the process ends right after.

use tvm_ffi_spec::{
    TVMFFIAny, TVMFFIByteArray,
    abi::{self, Type},
    part::Kind,
};

use crate::client::{Client, Owned, Verdict, globals, reflected, view};

/// The parts of the ABI that the target has, without those that its file shows.
pub fn registered(client: &Client) -> Vec<String> {
    let table = client.api.table();
    let abi = abi::abi();
    let mut found = Vec::new();
    let mut note = |kind: Kind, name: &str| found.push(kind.part(name));
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

/// The global functions and types that the target lists and the ABI does not name.
pub fn beyond(client: &Client) -> Verdict<Vec<String>> {
    let abi = abi::abi();
    let names =
        listed_globals(client)?.into_iter().filter(|name| abi.globals.iter().all(|global| global.name != *name));
    let mut found: Vec<_> = names.map(|name| Kind::Global.part(&name)).collect();
    if let Some(keys) = listed_types(client)? {
        let keys = keys.into_iter().filter(|key| abi.types.iter().all(|ty| ty.key != *key));
        found.extend(keys.map(|key| Kind::Type.part(&key)));
    }
    found.sort();
    Ok(found)
}

/// The global functions that the target lists.
pub(super) fn listed_globals(client: &Client) -> Verdict<Vec<String>> {
    let names = client.call_global("ffi.FunctionListGlobalNamesFunctor", &[])?;
    let count = client.call(&names, &[view::int(-1)])?.any();
    texts(client, "names of global functions", count, |place| client.call(&names, &[place]))
}

/// The types that the target lists; `None` if it has no function for that.
pub(super) fn listed_types(client: &Client) -> Verdict<Option<Vec<String>>> {
    let Some(list) = globals::find(client, "ffi.GetRegisteredTypeKeys")? else { return Ok(None) };
    let keys = client.call(&list, &[])?;
    let (size, item) = (client.call_global("ffi.ArraySize", &[keys.any()])?.any(), client.global("ffi.ArrayGetItem")?);
    texts(client, "type keys", size, |place| client.call(&item, &[keys.any(), place])).map(Some)
}

/// As many texts as that, each by its place.
fn texts(
    client: &Client,
    what: &str,
    count: TVMFFIAny,
    at: impl Fn(TVMFFIAny) -> Verdict<Owned>,
) -> Verdict<Vec<String>> {
    let count = count.payload() as i64;
    client.that(format!("number of {what}"), (0..100_000).contains(&count), "a number", count)?;
    let text = |place| Ok(String::from_utf8_lossy(&client.text(&at(view::int(place))?.any())?).into_owned());
    (0..count).map(text).collect()
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
