//! Nodes of objects whose data lack a field.

use std::{
    ffi::c_int,
    mem::offset_of,
    sync::atomic::{AtomicI32, AtomicI64, Ordering},
};

use tvm_ffi_spec::*;

use super::kit::{graph_text, read, refuses};
use crate::{
    checks::check,
    client::{
        Verdict,
        homemade::Homemade,
        node::{Node, get_any, set_any},
        types, view,
    },
    trial::Trial,
};

/// A field that the data of an object's node lack is given its default, be it a value or what a factory makes for each object anew.
#[check(GRF_0031)]
fn absent_fields_get_their_defaults(t: &Trial) -> Verdict {
    static CALLS: AtomicI64 = AtomicI64::new(0);
    let factory = t.callback(|_, _| Some(view::int(100 + CALLS.fetch_add(1, Ordering::Relaxed))))?;
    let (value, from) = (view::int(7), kTVMFFIFieldFlagBitMaskDefaultFromFactory);
    let key = "verify.WithDefaults";
    let kind = node_type(t, key, [(value, 0), (factory.any(), from)])?;
    for (data, expected) in [
        (r#"{"first":0,"second":0}"#, [5, 5]),
        (r#"{"first":0}"#, [5, 100]),
        (r#"{"second":0}"#, [7, 5]),
        ("{}", [7, 101]),
    ] {
        let back = read(t, &graph(key, data))?;
        t.type_index_eq(format_args!("the type of what {data} comes back as"), back.any().type_index, kind)?;
        let Node { first, second } = t.cell("the object that came back", back.handle())?;
        for (name, found, expected) in [("first", first, expected[0]), ("second", second, expected[1])] {
            t.any_eq(format_args!("the field `{name}` of what {data} comes back as"), &found, &view::int(expected))?;
        }
    }
    Ok(())
}

/// A graph with an object's node whose data lack a field without a default is refused with an error.
#[check(GRF_0032)]
fn absent_fields_without_defaults_are_refused(t: &Trial) -> Verdict {
    let key = "verify.WithoutDefaults";
    node_type(t, key, [(TVMFFIAny::NONE, NO_DEFAULT); 2])?;
    read(t, &graph(key, r#"{"first":0,"second":0}"#))?;
    for data in [r#"{"first":0}"#, r#"{"second":0}"#, "{}"] {
        refuses(t, &graph(key, data))?;
    }
    Ok(())
}

/// A graph of an object of this type with these data, in which node 0 is the integer 5.
fn graph(key: &str, data: &str) -> String {
    graph_text(&[r#"{"type":"int","data":5}"#.to_owned(), format!(r#"{{"type":"{key}","data":{data}}}"#)])
}

/// In the place of the flags of a default, that there is none.
const NO_DEFAULT: i64 = -1;

/// A type of nodes that can be made again, whose fields have these defaults, each with flags that say what it is.
fn node_type(t: &Trial, key: &str, defaults: [(TVMFFIAny, i64); 2]) -> Verdict<i32> {
    let index = types::new(t, key);
    KIND.store(index, Ordering::Release);
    let metadata = types::metadata((size_of::<TVMFFIObject>() + size_of::<Node>()) as i32);
    t.ok(t.api.TVMFFITypeRegisterMetadata(index, &TVMFFITypeMetadata { creator: Some(make), ..metadata }))?;
    let places = [(&b"first"[..], offset_of!(Node, first)), (b"second", offset_of!(Node, second))];
    for ((name, offset), (default_value_or_factory, flags)) in places.into_iter().zip(defaults) {
        let offset = (size_of::<TVMFFIObject>() + offset) as i64;
        let field = types::field(name, kTVMFFIAny, size_of::<TVMFFIAny>() as i64, offset);
        let default = if flags == NO_DEFAULT { 0 } else { flags | kTVMFFIFieldFlagBitMaskHasDefault };
        let flags = default | kTVMFFIFieldFlagBitMaskWritable;
        let (getter, setter) = (Some(get_any as TVMFFIFieldGetter), set_any as *mut _);
        let field = TVMFFIFieldInfo { flags, getter, setter, default_value_or_factory, ..field };
        t.ok(t.api.TVMFFITypeRegisterField(index, &field))?;
    }
    Ok(index)
}

/// The type of the objects that [`make`] makes.
static KIND: AtomicI32 = AtomicI32::new(0);

/// The creator: an object with None in both fields.
unsafe extern "C" fn make(result: *mut TVMFFIObjectHandle) -> c_int {
    let node = Node { first: TVMFFIAny::NONE, second: TVMFFIAny::NONE };
    // SAFETY: the target passes where to write the object.
    unsafe { result.write(Homemade::new(KIND.load(Ordering::Acquire), node).handle()) };
    0
}
