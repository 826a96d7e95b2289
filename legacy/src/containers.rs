//! Arrays, maps and tuples of extents: objects over the core's containers, made and read by global functions.

use tvm_ffi_adapter::types::index;

use crate::{
    array::Shape,
    core::{self, Any},
    error::{Error, Result},
    function::{Function, Native},
    object::{Body, Ref},
    string::Text,
    value::{Args, Value},
};

/// What lies behind the header of an Array.
struct Array(Any);

impl Body for Array {
    const TYPE_INDEX: u32 = index::ARRAY;
}

/// What lies behind the header of a Map.
struct Map(Any);

impl Body for Map {
    const TYPE_INDEX: u32 = index::MAP;
}

/// The functions of this subject.
pub const GLOBALS: &[(&str, Native)] = &[
    ("runtime.String", |args| Text::of(&args.text(0)?).map(Value::object)),
    ("runtime.GetFFIString", |args| Any::text(&args.text(0)?).map(Value::Text)),
    ("runtime.Array", |args| {
        let items = (0..args.len()).map(|index| args.value(index)?.to_core()).collect::<Result<Vec<_>>>()?;
        Ok(Value::object(Ref::new(Array(made("ffi.Array", &items)?))))
    }),
    ("runtime.ArraySize", |args| {
        with(args, |array: &Array| core::call("ffi.ArraySize", &[array.0.view()])).and_then(taken)
    }),
    ("runtime.ArrayGetItem", |args| {
        let index = integer(args.int(1)?);
        with(args, |array: &Array| core::call("ffi.ArrayGetItem", &[array.0.view(), index.view()])).and_then(taken)
    }),
    ("runtime.Map", |args| {
        if args.len() % 2 != 0 {
            return Err(Error::value("a map is made of as many values as keys"));
        }
        let items = (0..args.len()).map(|index| {
            let value = args.value(index)?;
            if index % 2 == 0 { key(&value) } else { value.to_core() }
        });
        let items = items.collect::<Result<Vec<_>>>()?;
        Ok(Value::object(Ref::new(Map(made("ffi.Map", &items)?))))
    }),
    ("runtime.MapSize", |args| with(args, |map: &Map| core::call("ffi.MapSize", &[map.0.view()])).and_then(taken)),
    ("runtime.MapCount", |args| {
        let key = key(&args.value(1)?)?;
        with(args, |map: &Map| core::call("ffi.MapCount", &[map.0.view(), key.view()])).and_then(taken)
    }),
    ("runtime.MapGetItem", |args| {
        let key = key(&args.value(1)?)?;
        with(args, |map: &Map| core::call("ffi.MapGetItem", &[map.0.view(), key.view()])).and_then(taken)
    }),
    ("runtime.MapItems", |args| {
        let items = with(args, |map: &Map| items(&map.0))?;
        Ok(Value::object(Ref::new(Array(made("ffi.Array", &items)?))))
    }),
    ("runtime.ShapeTuple", |args| {
        let extents = (0..args.len()).map(|index| args.int(index)).collect::<Result<Vec<_>>>()?;
        Ok(Value::object(Shape::object(extents)))
    }),
    ("runtime.GetShapeTupleSize", |args| with(args, |shape: &Shape| Ok(Value::int(shape.extents().len() as i64)))),
    ("runtime.GetShapeTupleElem", |args| {
        let index = args.int(1)?;
        with(args, |shape: &Shape| {
            let extents = shape.extents();
            let extent = usize::try_from(index).ok().and_then(|index| extents.get(index));
            let missing = || Error::new("IndexError", format!("there is no extent {index} of {}", extents.len()));
            extent.map(|extent| Value::int(*extent)).ok_or_else(missing)
        })
    }),
    ("runtime.ObjectPtrHash", |args| Ok(Value::int(args.object(0)?.handle() as i64))),
];

/// Works on the first argument, which is an object of that kind.
fn with<T: Body, R>(args: Args<'_>, work: impl FnOnce(&T) -> Result<R>) -> Result<R> {
    let object = args.object(0)?;
    let wanted =
        || Error::of_type(format!("argument 0 has to be of type {}, and is of {}", T::TYPE_INDEX, object.type_index()));
    work(object.body::<T>().ok_or_else(wanted)?)
}

/// An element as a result.
fn taken(value: Any) -> Result<Value> {
    Value::of_core::<Function>(&value)
}

/// A key: texts are found by their content, whatever holds them.
fn key(value: &Value) -> Result<Any> {
    match value {
        Value::Object(object, _) if object.body::<Text>().is_some() => {
            Ok(object.body::<Text>().map(Text::value).cloned().unwrap_or(Any::text(b"")?))
        }
        other => other.to_core(),
    }
}

fn integer(value: i64) -> Any {
    let raw = tvm_ffi_spec::TVMFFIAny::new(tvm_ffi_spec::kTVMFFIInt, value as u64);
    // SAFETY: an integer owns nothing.
    unsafe { Any::from_raw(raw) }
}

fn made(name: &str, items: &[Any]) -> Result<Any> {
    core::call(name, &items.iter().map(Any::view).collect::<Vec<_>>())
}

/// Keys and values, one after the other.
fn items(map: &Any) -> Result<Vec<Any>> {
    let count = core::call("ffi.MapSize", &[map.view()])?.int().unwrap_or(0);
    let cursor = core::call("ffi.MapForwardIterFunctor", &[map.view()])?;
    let step = |number| core::call_function(&cursor, &[integer(number).view()]);
    let mut items = Vec::new();
    for number in 0..count {
        if number > 0 {
            step(2)?;
        }
        items.push(step(0)?);
        items.push(step(1)?);
    }
    Ok(items)
}
