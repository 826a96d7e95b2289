//! A client written in Rust, with the public crate: strings, errors, functions, tensors, containers, modules, objects. It prints
//! what it sees, to be compared between two libraries.

use std::fmt::Debug;

use tvm_ffi::*;

fn main() {
    values();
    errors();
    functions().expect("functions");
    containers().expect("containers");
    tensors().expect("tensors");
    modules().expect("modules");
    objects().expect("objects");
}

/// Prints a result, or the error's kind and message.
fn show<T: Debug>(what: &str, result: Result<T>) {
    match result {
        Ok(value) => println!("{what}: {value:?}"),
        Err(error) => println!("{what}: {}: {}", error.kind().as_str(), error.message()),
    }
}

/// The text of any value, by the library.
fn text(value: &Any) -> Result<std::string::String> {
    let printed: String = Function::get_global("ffi.ReprPrint")?.call_packed(&[AnyView::from(value)])?.try_into()?;
    Ok(printed.as_str().to_string())
}

fn values() {
    println!("# values");
    for value in ["", "seven_c", "eight_ch", "a longer string", "äöü 😀", "with \0 inside"] {
        let string = String::from(value);
        let any = Any::from(string.clone());
        println!("{} {} {:?}", any.type_index(), string.len(), string.as_str());
        show("   printed", text(&any));
        show("   as an int", i64::try_from(any.clone()));
        show("   back", String::try_from(any).map(|back| back.as_str() == value));
    }
    for value in [&b""[..], b"1234567", b"a longer run of bytes"] {
        let any = Any::from(Bytes::from(value));
        println!("{}", any.type_index());
        show("   printed", text(&any));
    }
    for any in [Any::from(true), Any::from(-5i64), Any::from(2.5f64), Any::new(), Any::from(i64::MAX)] {
        println!("{}", any.type_index());
        show("   printed", text(&any));
        show("   as bool", bool::try_from(any.clone()));
        show("   as int", i64::try_from(any.clone()));
        show("   as float", f64::try_from(any));
    }
    for name in ["float32", "int8x4", "bfloat16", "bool", "nonsense"] {
        show(
            name,
            DLDataType::try_from_str(name)
                .map(|dtype| (dtype.code, dtype.bits, dtype.lanes, dtype.to_string().as_str().to_string())),
        );
    }
}

fn fails(depth: u32) -> Result<i64> {
    ensure!(depth > 0, VALUE_ERROR, "at the bottom of {}", depth);
    fails(depth - 1)
}

fn errors() {
    println!("# errors");
    let cause = Error::new(KEY_ERROR, "the cause", "");
    let error = Error::new_with_cause_and_extra_context(RUNTIME_ERROR, "the error", "frame", Some(&cause), None);
    println!(
        "{} {} {:?} {}",
        error.kind().as_str(),
        error.message(),
        error.backtrace(),
        error.cause_chain().unwrap().message()
    );
    Error::set_raised(&error);
    println!("{}", Error::from_raised().message());
    show("own", fails(3));
    let apply = Function::get_global("ffi.ArrayGetItem").unwrap();
    show("of the library", apply.call_tuple((Array::new(vec![1i64]), 5i64)).map(|_| ()));
    show("wrong type", apply.call_tuple((1i64, 5i64)).map(|_| ()));
    show("missing", Function::get_global("clients.missing").map(|_| ()));
    let thrower = Function::from_typed(|depth: i64| -> Result<i64> { fails(depth as u32) });
    let outer =
        Function::from_typed(move |depth: i64| -> Result<i64> { Ok(thrower.call_tuple((depth,))?.try_into()?) });
    show("through two functions", outer.call_tuple((2i64,)).map(|_| ()));
}

fn functions() -> Result<()> {
    println!("# functions");
    let offset = 40i64;
    let add = Function::from_typed(move |x: i64, y: i64| -> Result<i64> { Ok(x + y + offset) });
    show("called", add.call_tuple((1i64, 1i64)).and_then(i64::try_from));
    show("too few", add.call_tuple((1i64,)).map(|_| ()));
    show("wrong", add.call_tuple((1i64, String::from("one"))).map(|_| ()));
    let count = Function::from_packed(|arguments: &[AnyView]| -> Result<Any> { Ok(Any::from(arguments.len() as i64)) });
    show("packed", count.call_tuple((1i64, 2.5f64, String::from("three"))).and_then(i64::try_from));
    Function::register_global("clients.add", add.clone())?;
    show("global", Function::get_global("clients.add")?.call_tuple((1i64, 2i64)).and_then(i64::try_from));
    show("again", Function::register_global("clients.add", add));
    let names = Function::get_global("ffi.FunctionListGlobalNamesFunctor")?.call_packed(&[])?;
    let names = Function::try_from(names)?;
    println!("{}", i64::try_from(names.call_tuple((-1i64,))?)? > 100);
    Function::get_global("ffi.FunctionRemoveGlobal")?.call_tuple((String::from("clients.add"),))?;
    show("removed", Function::get_global("clients.add").map(|_| ()));
    Ok(())
}

fn containers() -> Result<()> {
    println!("# containers");
    let array = Array::new(vec![1i64, 2, 3]);
    println!("{} {:?}", array.len(), array.iter().collect::<Vec<_>>());
    show("printed", text(&Any::from(array.clone())));
    show("out of bounds", array.get(3));
    show("of another type", Array::<String>::try_from(Any::from(array)).map(|_| ()));
    let list = Function::get_global("ffi.List")?.call_tuple((0i64, 1i64))?;
    let append = Function::get_global("ffi.ListAppend")?;
    for round in 0..40i64 {
        append.call_packed(&[AnyView::from(&list), AnyView::from(&round)])?;
    }
    show("printed", text(&list));
    for size in [0i64, 1, 3, 4, 5, 9, 40] {
        let map: Map<String, i64> = (0..size).map(|i| (String::from(format!("key number {i}")), i)).collect();
        println!(
            "{} {:?}",
            map.len(),
            map.get(&String::from("key number 3")).map_err(|error| error.message().to_string())
        );
        show("printed", text(&Any::from(map.clone())));
        println!("{:?}", map.values().collect::<Vec<_>>());
        let again: Map<String, Any> = Any::from(map).try_into()?;
        println!("{} {}", again.len(), again.contains_key(&String::from("none")));
    }
    let shape = Shape::from(vec![2i64, 3, 5]);
    println!("{:?}", shape.as_slice());
    show("printed", text(&Any::from(shape)));
    Ok(())
}

fn tensors() -> Result<()> {
    println!("# tensors");
    let tensor = Tensor::from_slice(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3])?;
    println!("{:?} {:?} {} {}", tensor.shape(), tensor.strides(), tensor.numel(), tensor.is_contiguous());
    show("printed", text(&Any::from(tensor.clone())));
    let double = Function::from_typed(|tensor: Tensor| -> Result<Tensor> {
        tensor.data_as_slice_mut::<f32>()?.iter_mut().for_each(|x| *x *= 2.0);
        Ok(tensor)
    });
    let doubled: Tensor = double.call_tuple((tensor.clone(),))?.try_into()?;
    show("doubled", doubled.data_as_slice::<f32>().map(|data| data.to_vec()));
    show("as ints", doubled.data_as_slice::<i32>().map(|data| data.to_vec()));
    show("allocated by the environment", Tensor::from_env_alloc(&[2], tensor.dtype(), tensor.device()).map(|_| ()));
    println!("{:?}", current_stream(&tensor.device()));
    Ok(())
}

fn modules() -> Result<()> {
    println!("# modules");
    show("missing file", Module::load_from_file("/nowhere/library.so").map(|_| ()));
    show("no kind", Module::load_from_file("/nowhere/library").map(|_| ()));
    let system: Module = Function::get_global("ffi.SystemLib")?.call_packed(&[])?.try_into()?;
    show("implements", system.implements_function("missing", true));
    show("metadata", system.get_function_metadata("missing", true).map(|text| text.is_none()));
    show("function", system.get_function("missing").map(|_| ()));
    Ok(())
}

#[repr(C)]
#[derive(derive::Object)]
#[type_key = "clients.Rust"]
#[type_register]
#[type_final]
struct RustObj {
    base: Object,
    value: i64,
}

#[repr(C)]
#[derive(derive::ObjectRef, Clone)]
struct Rust {
    data: ObjectArc<RustObj>,
}

fn objects() -> Result<()> {
    println!("# objects");
    let object = Rust { data: ObjectArc::new(RustObj { base: Object::new(), value: 7 }) };
    let any = Any::from(object.clone());
    println!("{} {}", any.type_index() == RustObj::type_index(), ObjectArc::strong_count(&object.data));
    show("printed", text(&any));
    let array = Array::new(vec![object.clone(), object]);
    let first: Rust = Function::get_global("ffi.ArrayGetItem")?.call_tuple((array, 0i64))?.try_into()?;
    println!("{} {}", first.data.value, ObjectArc::strong_count(&first.data));
    show("as an array", Array::<i64>::try_from(any).map(|_| ()));
    Ok(())
}
