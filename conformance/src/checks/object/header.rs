//! What lies in a new object: its header, and the content behind it.

use std::cell::RefCell;

use tvm_ffi_spec::*;

use super::kit::*;
use crate::{
    checks::check,
    client::{
        Verdict,
        homemade::{self, Homemade},
        types, view,
    },
    trial::Trial,
};

/// A new Error, Function, Tensor or opaque object holds one strong and one weak reference.
#[check(OBJ_0001)]
fn new_counts(t: &Trial) -> Verdict {
    each_kind(t, |kind, object| match kind.type_index {
        // Whoever makes what cannot change may share what is equal.
        kTVMFFIStr | kTVMFFIBytes | kTVMFFIShape | kTVMFFIArray | kTVMFFIMap => Ok(()),
        _ => t.eq(format_args!("strong and weak count of a new {kind}"), t.counts(object)?, (1, 1)),
    })
}

/// An object of a type that was registered at run time keeps its type index wherever it goes.
#[check(OBJ_0032)]
fn registered_type(t: &Trial) -> Verdict {
    let object = Homemade::new(types::new(t, "verify.Registered"), ());
    let mut owned = TVMFFIAny::NONE;
    t.ok(t.api.TVMFFIAnyViewToOwnedAny(&object.view(), &mut owned))?;
    t.any_eq("owned value", &t.own(owned).any(), &object.view())?;
    let identity = t.callback(|_, args| {
        homemade::retain(args[0].payload() as TVMFFIObjectHandle);
        Some(args[0])
    })?;
    t.any_eq("result that was an argument", &t.call(&identity, &[object.view()])?.any(), &object.view())?;
    let array = t.call_global("ffi.Array", &[view::int(1), object.view()])?;
    let item = t.call_global("ffi.ArrayGetItem", &[array.any(), view::int(1)])?;
    t.any_eq("item of an Array", &item.any(), &object.view())?;
    let map = t.call_global("ffi.Map", &[view::int(1), object.view()])?;
    let value = t.call_global("ffi.MapGetItem", &[map.any(), view::int(1)])?;
    t.any_eq("value of a Map", &value.any(), &object.view())?;
    drop((array, item, map, value));
    t.eq("strong and weak count of the object in the end", object.counts(), (1, 1))
}

/// The type index in the header of a new object is that of its type and of the value that holds it.
#[check(OBJ_0002)]
fn type_index(t: &Trial) -> Verdict {
    each_kind(t, |kind, object| {
        t.type_index_eq(
            format_args!("type index in the header of a new {kind}"),
            t.header(object)?.type_index,
            kind.type_index,
        )
    })?;
    let string = t.string(TEXT)?;
    t.type_index_eq(
        "type index in the header of the value's object",
        t.header(string.handle())?.type_index,
        string.any().type_index,
    )
}

/// The type index of an object lies at byte 8 of its header.
#[check(OBJ_0002, lays = TVMFFIObject)]
fn header_layout(t: &Trial) -> Verdict {
    let (found, expected) = (RefCell::new(Vec::new()), RefCell::new(Vec::new()));
    each_kind(t, |kind, object| {
        found.borrow_mut().push(t.header(object)?.type_index);
        expected.borrow_mut().push(kind.type_index);
        Ok(())
    })?;
    let (found, expected) = (found.into_inner(), expected.into_inner());
    t.looks_at::<TVMFFIObject>();
    // One kind of object may have the index of another; where all have, it is not the index that lies there.
    let lies_there = found.iter().zip(&expected).any(|(found, expected)| found == expected);
    t.that("words at byte 8 of new objects", lies_there, format_args!("{expected:?}"), format_args!("{found:?}"))
}

/// The padding word in the header of a new object is zero.
#[check(OBJ_0003)]
fn padding(t: &Trial) -> Verdict {
    each_kind(t, |kind, object| t.eq(format_args!("padding of a new {kind}"), t.header(object)?.__padding, 0))
}

/// A new object of the library lies at an address that is a multiple of eight.
#[check(OBJ_0004)]
fn alignment(t: &Trial) -> Verdict {
    each_kind(t, |kind, object| t.eq(format_args!("address of a new {kind} modulo 8"), object as usize % 8, 0))
}

/// What belongs to an object's type begins 24 bytes after the object's address.
#[check(OBJ_0005)]
fn cell(t: &Trial) -> Verdict {
    each_kind(t, |kind, object| match kind.type_index {
        kTVMFFIStr | kTVMFFIBytes => {
            let content = t.read_array(format!("content of the {kind}"), t.cell("its byte array", object)?)?;
            t.eq(format_args!("content of the {kind}"), content, TEXT.to_vec())
        }
        kTVMFFIError => {
            let [kind, message, backtrace]: [TVMFFIByteArray; 3] = t.cell("the error cell", object)?;
            t.eq("kind of the Error", t.read_array("kind", kind)?, b"ValueError".to_vec())?;
            t.eq("message of the Error", t.read_array("message", message)?, TEXT.to_vec())?;
            t.eq("backtrace of the Error", t.read_array("backtrace", backtrace)?, b"".to_vec())
        }
        kTVMFFIFunction => {
            let cell: TVMFFIFunctionCell = t.cell("the function cell", object)?;
            t.that("safe_call of the Function", cell.safe_call.is_some(), "a function", "NULL")
        }
        kTVMFFITensor => {
            let tensor: DLTensor = t.cell("the DLTensor", object)?;
            t.eq("data of the Tensor", tensor.data as usize, TENSOR_DATA)?;
            t.eq("ndim and byte_offset of the Tensor", (tensor.ndim, tensor.byte_offset), (2, 0))
        }
        kTVMFFIOpaquePyObject => {
            let cell: TVMFFIOpaqueObjectCell = t.cell("the opaque object's cell", object)?;
            t.eq("handle of the opaque object", cell.handle as usize, HANDLE)
        }
        kTVMFFIShape => {
            let cell: TVMFFIShapeCell = t.cell("the shape cell", object)?;
            t.eq("number of extents of the Shape", cell.size, 2)
        }
        // What lies behind the header of a container is for its own clauses to say.
        _ => Ok(()),
    })
}
