//! Arguments of the library's own functions.
//!
//! Which functions there are and what they take is read from the signatures of `spec/abi.toml`. Each is called with too
//! few and too many arguments, and with one argument after the other of each type that its parameter does not take,
//! while the others are right: so that it is that argument that is refused. A packed function looks at its arguments
//! itself, and is left to the area that it belongs to.

use std::ffi::{c_int, c_void};

use tvm_ffi_spec::{
    abi::{self, Global},
    *,
};

use super::registry::subject;
use crate::{
    checks::check,
    client::{Owned, Verdict, homemade::Homemade, reflected, view},
    trial::Trial,
};
use tvm_ffi_spec::clause::id;

/// Functions of values and objects count their arguments.
#[check(GLB_0024)]
fn number_values(t: &Trial) -> Verdict {
    numbers(t, VALUES)
}

/// Functions of arrays and lists count their arguments.
#[check(GLB_0024)]
fn number_sequences(t: &Trial) -> Verdict {
    numbers(t, SEQUENCES)
}

/// Functions of maps and dictionaries count their arguments.
#[check(GLB_0024)]
fn number_maps(t: &Trial) -> Verdict {
    numbers(t, MAPS)
}

/// Functions that compare and visit count their arguments.
#[check(GLB_0024)]
fn number_comparison(t: &Trial) -> Verdict {
    numbers(t, COMPARISON)
}

/// Functions of JSON count their arguments.
#[check(GLB_0024)]
fn number_json(t: &Trial) -> Verdict {
    numbers(t, JSON)
}

/// Functions of modules count their arguments.
#[check(GLB_0024)]
fn number_modules(t: &Trial) -> Verdict {
    numbers(t, MODULES)
}

/// Functions of values and objects look at types.
#[check(GLB_0025)]
fn type_values(t: &Trial) -> Verdict {
    types(t, VALUES)
}

/// Functions of arrays and lists look at types.
#[check(GLB_0025)]
fn type_sequences(t: &Trial) -> Verdict {
    types(t, SEQUENCES)
}

/// Functions of maps and dictionaries look at types.
#[check(GLB_0025)]
fn type_maps(t: &Trial) -> Verdict {
    types(t, MAPS)
}

/// Functions that compare and visit look at types.
#[check(GLB_0025)]
fn type_comparison(t: &Trial) -> Verdict {
    types(t, COMPARISON)
}

/// Functions of JSON look at types.
#[check(GLB_0025)]
fn type_json(t: &Trial) -> Verdict {
    types(t, JSON)
}

/// Functions of modules look at types.
#[check(GLB_0025)]
fn type_modules(t: &Trial) -> Verdict {
    types(t, MODULES)
}

const VALUES: &[&str] = &["value", "object", "error"];
const SEQUENCES: &[&str] = &["array", "list"];
const MAPS: &[&str] = &["map", "dict"];
const COMPARISON: &[&str] = &["structural", "recursive"];
const JSON: &[&str] = &["json"];
const MODULES: &[&str] = &["module"];

fn numbers(t: &Trial, subjects: &[&str]) -> Verdict {
    functions(t, subjects)?.iter().try_for_each(|function| {
        let (right, takes) = (function.args(t)?, function.parameters.len());
        // Right ones as far as there are any, then None.
        let args: Vec<_> = right.each_any().into_iter().chain([TVMFFIAny::NONE; 7]).collect();
        let wrong = [takes.checked_sub(1), Some(takes + 1), Some(takes + 7)];
        wrong.into_iter().flatten().try_for_each(|count| function.refuses(t, &args[..count]).map(drop))
    })
}

fn types(t: &Trial, subjects: &[&str]) -> Verdict {
    functions(t, subjects)?.iter().try_for_each(|function| {
        for (place, parameter) in function.parameters.iter().enumerate() {
            for &wrong in refused_by(parameter) {
                function.refuses(t, &function.args_with(t, place, wrong)?.each_any())?;
            }
        }
        Ok(())
    })
}

/// A call with too many arguments keeps none of them.
#[check(ARG_0001, GLB_0024)]
fn refused_number_keeps_nothing(t: &Trial) -> Verdict {
    for function in functions(t, ALL)? {
        let object = Homemade::new(kTVMFFIError, [0_u64; 12]);
        let args = vec![object.view(); function.parameters.len() + 1];
        t.clause(id::GLB_0024);
        function.refuses(t, &args)?;
        t.clause(id::ARG_0001);
        t.eq(format!("counts of an argument of {}", function.global.name), object.counts(), (1, 1))?;
    }
    Ok(())
}

/// A call with an argument of a wrong type keeps none of them.
#[check(ARG_0001, GLB_0025)]
fn refused_type_keeps_nothing(t: &Trial) -> Verdict {
    for function in functions(t, ALL)? {
        for (place, parameter) in function.parameters.iter().enumerate() {
            if refused_by(parameter).is_empty() {
                continue;
            }
            // The others are objects that the function may have taken before it met the wrong one.
            let args = function.args_with(t, place, refused_by(parameter)[0])?;
            let objects = || args.0.iter().filter(|arg| !arg.handle().is_null());
            let counts = || objects().map(|arg| t.counts(arg.handle())).collect::<Verdict<Vec<_>>>();
            let before = counts()?;
            t.clause(id::GLB_0025);
            function.refuses(t, &args.each_any())?;
            t.clause(id::ARG_0001);
            t.eq(format!("counts of the arguments of {}", function.global.name), counts()?, before)?;
        }
    }
    Ok(())
}

/// A function that refused a call answers the next.
#[check(ARG_0001)]
fn refused_then_right(t: &Trial) -> Verdict {
    let array = t.call_global("ffi.Array", &[view::int(40), view::int(41)])?;
    let get = t.global("ffi.ArrayGetItem")?;
    for round in 0..3 {
        for wrong in [&[array.any()][..], &[array.any(), view::float(1.0)], &[view::int(1), array.any()]] {
            let mut result = TVMFFIAny::NONE;
            t.raises(t.try_call(&get, wrong, &mut result), &["TypeError"])?;
        }
        let item = t.call(&get, &[array.any(), view::int(round % 2)])?;
        t.any_eq("item of the array", &item.any(), &view::int(40 + round % 2))?;
    }
    Ok(())
}

/// Refused calls leave no memory behind.
#[check(ARG_0001, patient = 2)]
fn no_growth(t: &Trial) -> Verdict {
    let array = t.call_global("ffi.Array", &[view::int(40)])?;
    let get = t.global("ffi.ArrayGetItem")?;
    let refuse = |args: &[TVMFFIAny]| {
        let mut result = TVMFFIAny::NONE;
        t.raises(t.try_call(&get, args, &mut result), &["TypeError"]).map(drop)
    };
    t.no_growth("memory for refused calls", || {
        refuse(&[array.any(), view::c_str(c"a text that is no integer")])?;
        refuse(&[array.any()])
    })
}

/// A wrong number of arguments is told.
#[check(ARG_0002, GLB_0024)]
fn number_is_told(t: &Trial) -> Verdict {
    for function in functions(t, ALL)? {
        let takes = function.parameters.len();
        t.clause(id::GLB_0024);
        let message = function.refuses(t, &vec![TVMFFIAny::NONE; takes + 9])?;
        t.clause(id::ARG_0002);
        t.that("message", message.contains(&function.global.name), "the name of the function in it", &message)?;
        for (what, number) in [("number of parameters", takes), ("number of arguments", takes + 9)] {
            t.that("message", message.contains(&number.to_string()), format!("the {what}, {number}, in it"), &message)?;
        }
    }
    Ok(())
}

/// The place of a wrong argument is told.
#[check(ARG_0003, GLB_0025)]
fn place_is_told(t: &Trial) -> Verdict {
    for function in functions(t, ALL)? {
        for (place, parameter) in function.parameters.iter().enumerate() {
            let Some(wrong) = refused_by(parameter).first().copied() else { continue };
            t.clause(id::GLB_0025);
            let message = function.refuses(t, &function.args_with(t, place, wrong)?.each_any())?;
            t.clause(id::ARG_0003);
            t.that("message", message.contains(&function.global.name), "the name of the function in it", &message)?;
            t.that("message", message.contains(&place.to_string()), format!("the place, {place}, in it"), &message)?;
        }
    }
    Ok(())
}

/// An integer may be a boolean.
#[check(ARG_0004)]
fn integer_takes_boolean(t: &Trial) -> Verdict {
    let array = t.call_global("ffi.Array", &[view::int(40), view::int(41)])?;
    for (index, expected) in [(false, 40), (true, 41)] {
        let item = t.call_global("ffi.ArrayGetItem", &[array.any(), view::bool(index)])?;
        t.any_eq(format!("item {index} of the array"), &item.any(), &view::int(expected))?;
    }
    Ok(())
}

/// A boolean may be an integer.
#[check(ARG_0005)]
fn boolean_takes_integer(t: &Trial) -> Verdict {
    const LOAD: &str = "ffi.Module.load_from_file.so";
    let path = |library: &str| t.string(t.fixtures.join(library).as_os_str().as_encoded_bytes());
    let importer = t.call_global(LOAD, &[path("provider_one.so")?.any(), view::c_str(c"so")])?;
    let imported = t.call_global(LOAD, &[path("provider_two.so")?.any(), view::c_str(c"so")])?;
    t.call_global("ffi.ModuleImportModule", &[importer.any(), imported.any()])?;
    for (asked, expected) in [(0, false), (1, true), (2, true), (256, true), (1 << 32, true), (-1, true)] {
        let args = [importer.any(), view::c_str(c"only_two"), view::int(asked)];
        let found = t.call_global("ffi.ModuleImplementsFunction", &args)?;
        t.any_eq(format!("whether imports are searched for {asked}"), &found.any(), &view::bool(expected))?;
    }
    Ok(())
}

/// An optional argument may be None.
#[check(ARG_0006)]
fn optional_takes_none(t: &Trial) -> Verdict {
    let text = t.call_global("ffi.json.Stringify", &[view::int(7), TVMFFIAny::NONE])?;
    t.eq("JSON", t.text(&text.any())?.as_slice(), b"7")
}

/// An optional argument counts.
#[check(ARG_0006)]
fn optional_is_not_left_out(t: &Trial) -> Verdict {
    let stringify = t.global("ffi.json.Stringify")?;
    let mut result = TVMFFIAny::NONE;
    t.raises(t.try_call(&stringify, &[view::int(7)], &mut result), &["TypeError"]).map(drop)
}

/// A reference that is given up is taken.
#[check(ARG_0007)]
fn object_is_moved(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIError, [0_u64; 12]);
    let mut slot = object.handle();
    let array = t.call_global("ffi.Array", &[moved(&mut slot)])?;
    t.eq("the caller's slot", slot, std::ptr::null_mut())?;
    t.eq("counts of the object that the array has taken", object.counts(), (1, 1))?;
    drop(array);
    t.eq("ends of the object", object.ends(), vec![kTVMFFIObjectDeleterFlagBitMaskBoth])
}

/// One object may be given up and lent in one call.
#[check(ARG_0007)]
fn moved_beside_borrowed(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIError, [0_u64; 12]);
    object.set_counts(2, 1);
    let mut slot = object.handle();
    let array = t.call_global("ffi.Array", &[object.view(), moved(&mut slot), object.view()])?;
    t.eq("the caller's slot", slot, std::ptr::null_mut())?;
    t.eq("counts of the object", object.counts(), (4, 1))?;
    drop(array);
    t.eq("counts of the object without the array", object.counts(), (1, 1))
}

/// A text that is kept is copied.
#[check(ARG_0008)]
fn text_becomes_owned(t: &Trial) -> Verdict {
    for content in [b"short".as_slice(), b"a text of more than seven bytes"] {
        let mut text = [content, b"\0"].concat();
        let (c_str, bytes) =
            (TVMFFIAny::new(kTVMFFIRawStr, text.as_ptr() as u64), TVMFFIByteArray::new(&text[..content.len()]));
        let array = t.call_global("ffi.Array", &[c_str, view::byte_array(&bytes)])?;
        text.fill(b'#');
        for (place, types) in [(0, [kTVMFFIStr, kTVMFFISmallStr]), (1, [kTVMFFIBytes, kTVMFFISmallBytes])] {
            let item = t.call_global("ffi.ArrayGetItem", &[array.any(), view::int(place)])?;
            let found = item.any().type_index;
            t.that(format!("type_index of item {place}"), types.contains(&found), format!("one of {types:?}"), found)?;
            let text = t.text(&item.any())?;
            t.eq(format!("item {place}"), text.escape_ascii().to_string(), content.escape_ascii().to_string())?;
        }
    }
    Ok(())
}

/// A list of values may be an array.
#[check(ARG_0009)]
fn list_takes_array(t: &Trial) -> Verdict {
    let object = t.string(b"a text of more than seven bytes")?;
    let array = t.call_global("ffi.Array", &[view::int(7), object.any()])?;
    let list = t.call_global("ffi.List", &[view::int(1), view::int(2)])?;
    let args = [list.any(), view::int(0), view::int(1), array.any()];
    t.call_global("ffi.ListReplaceSlice", &args)?;
    t.eq("counts of the array", t.counts(array.handle())?, (1, 1))?;
    t.eq("strong count of an item of both", t.counts(object.handle())?.0, 3)?;
    for (place, expected) in [(0, view::int(7)), (1, object.any()), (2, view::int(2))] {
        let item = t.call_global("ffi.ListGetItem", &[list.any(), view::int(place)])?;
        t.any_eq(format!("item {place} of the list"), &item.any(), &expected)?;
    }
    Ok(())
}

/// An array is no list object.
#[check(ARG_0009)]
fn kinds_are_told_apart(t: &Trial) -> Verdict {
    let array = t.call_global("ffi.Array", &[view::int(7)])?;
    let list = t.call_global("ffi.List", &[view::int(7)])?;
    for (size, other) in [("ffi.ArraySize", &list), ("ffi.ListSize", &array)] {
        let mut result = TVMFFIAny::NONE;
        t.raises(t.try_call(&t.global(size)?, &[other.any()], &mut result), &["TypeError"])?;
    }
    Ok(())
}

/// An object may be of a descendant.
#[check(ARG_0010)]
fn object_takes_descendant(t: &Trial) -> Verdict {
    let parent = reflected::type_index(t, "ffi.StructuralVisitor")?;
    let key = TVMFFIByteArray::new(b"verify.Visitor");
    let child = t.api.TVMFFITypeGetOrAllocIndex(&key, -1, 2, 0, 1, parent);
    // A table of functions, which is not looked at, and the kind of the region.
    let visitor = Homemade::new(child, [0_u64, 2]);
    let kind = t.call_global("ffi.StructuralVisitorDefRegionKind", &[visitor.view()])?;
    t.any_eq("kind of the region that the visitor is in", &kind.any(), &view::int(2))?;
    t.eq("counts of the visitor", visitor.counts(), (1, 1))
}

/// A pointer may be None.
#[check(ARG_0011)]
fn pointer_takes_none(t: &Trial) -> Verdict {
    let (call, state) = (view::pointer(tell_state as *mut c_void), std::ptr::dangling_mut());
    let deleter = view::pointer(forget as *mut c_void);
    // With neither state nor deleter the function is free to pass what it likes.
    for (args, expected) in [
        ([TVMFFIAny::NONE, call, deleter], std::ptr::null_mut()),
        ([view::pointer(state), call, TVMFFIAny::NONE], state),
    ] {
        let function = t.call_global("ffi.FunctionFromExternC", &args)?;
        t.eq("type_index of the function", function.any().type_index, kTVMFFIFunction)?;
        t.any_eq("state that the function is called with", &t.call(&function, &[])?.any(), &view::pointer(expected))?;
    }
    Ok(())
}

/// All subjects.
const ALL: &[&str] =
    &["value", "object", "error", "array", "list", "map", "dict", "structural", "recursive", "json", "module"];

/// A function of the library with its declared parameters.
struct Function {
    global: &'static Global,
    parameters: Vec<&'static str>,
    object: Owned,
}

/// The typed functions of these subjects that the target has.
fn functions(t: &Trial, subjects: &[&str]) -> Verdict<Vec<Function>> {
    let mut found = Vec::new();
    let typed = |global: &&Global| subjects.contains(&subject(global)) && global.signature != "packed";
    for global in abi::abi().globals.iter().filter(typed) {
        let mut handle = std::ptr::null_mut();
        t.ok(t.api.TVMFFIFunctionGetGlobal(&TVMFFIByteArray::new(global.name.as_bytes()), &mut handle))?;
        if !handle.is_null() {
            found.push(Function {
                global,
                parameters: parameters(global),
                object: t.own_object(&global.name, handle)?,
            });
        }
    }
    Ok(found)
}

/// The types in a signature such as `f(0: int, 1: Map<str, Any>) -> Any`.
fn parameters(global: &Global) -> Vec<&str> {
    let inside = global.signature.split_once('(').and_then(|(_, rest)| rest.rsplit_once(") -> "));
    let Some((mut rest, _)) = inside else { return Vec::new() };
    let mut found = Vec::new();
    for number in 0.. {
        let Some(this) = rest.strip_prefix(&format!("{number}: ")) else { break };
        let (ty, later) =
            this.split_once(&format!(", {}: ", number + 1)).map_or((this, ""), |(ty, _)| (ty, &this[ty.len() + 2..]));
        found.push(ty);
        rest = later;
    }
    found
}

/// Arguments that are held while they are passed.
struct Args(Vec<Owned>);

impl Args {
    fn each_any(&self) -> Vec<TVMFFIAny> {
        self.0.iter().map(Owned::any).collect()
    }
}

impl Function {
    /// Arguments that it takes.
    fn args(&self, t: &Trial) -> Verdict<Args> {
        self.parameters.iter().map(|parameter| accepted(t, parameter)).collect::<Verdict<_>>().map(Args)
    }

    /// Arguments that it takes, but for one.
    fn args_with(&self, t: &Trial, place: usize, wrong: fn(&Trial) -> Owned) -> Verdict<Args> {
        let mut args = self.args(t)?;
        args.0[place] = wrong(t);
        Ok(args)
    }

    /// Expects a call to be refused; answers the message.
    fn refuses(&self, t: &Trial, args: &[TVMFFIAny]) -> Verdict<String> {
        let mut result = TVMFFIAny::NONE;
        let raised = t.raises(t.try_call(&self.object, args, &mut result), &["TypeError"]);
        let noting =
            |failure: Box<crate::client::Failure>| failure.noting(format!("calling {}", self.global.signature));
        Ok(raised.map_err(noting)?.message)
    }
}

/// A value that a parameter of that type takes.
fn accepted(t: &Trial, parameter: &str) -> Verdict<Owned> {
    let plain = |any| Ok(t.own(any));
    match parameter {
        "str" => t.string(b"text"),
        "bytes" => t.bytes(b"bytes"),
        "int" => plain(view::int(0)),
        "bool" => plain(view::bool(false)),
        "void*" => plain(view::pointer(std::ptr::dangling_mut())),
        "Any" | "AnyView" => plain(TVMFFIAny::NONE),
        _ if parameter.starts_with("Optional<") => plain(TVMFFIAny::NONE),
        _ if parameter.starts_with("Array<") => t.call_global("ffi.Array", &[]),
        _ if parameter.starts_with("List<") => t.call_global("ffi.List", &[]),
        _ if parameter.starts_with("Dict<") => t.call_global("ffi.Dict", &[]),
        // An object of that type, as far as its header says: the call is refused before anybody looks further.
        key => plain(Homemade::new(reflected::type_index(t, key)?, [0_u64; 12]).view()),
    }
}

/// Values that a parameter of that type does not take.
fn refused_by(parameter: &str) -> &'static [fn(&Trial) -> Owned] {
    const NONE: fn(&Trial) -> Owned = |t| t.own(TVMFFIAny::NONE);
    const INT: fn(&Trial) -> Owned = |t| t.own(view::int(1));
    const FLOAT: fn(&Trial) -> Owned = |t| t.own(view::float(1.5));
    const TEXT: fn(&Trial) -> Owned = |t| t.own(view::c_str(c"text"));
    const BYTES: fn(&Trial) -> Owned = |t| t.own(TVMFFIAny::new(kTVMFFISmallBytes, 0));
    const POINTER: fn(&Trial) -> Owned = |t| t.own(view::pointer(std::ptr::dangling_mut()));
    const ERROR: fn(&Trial) -> Owned = |t| t.own(Homemade::new(kTVMFFIError, [0_u64; 12]).view());
    match parameter {
        "Any" | "AnyView" => &[],
        "str" => &[INT, NONE, FLOAT, BYTES, POINTER, ERROR],
        "bytes" => &[INT, NONE, FLOAT, TEXT, POINTER, ERROR],
        "int" | "bool" => &[TEXT, NONE, FLOAT, BYTES, POINTER, ERROR],
        "void*" => &[INT, FLOAT, TEXT, BYTES, ERROR],
        // What None means to these is the function's own matter.
        "ffi.Function" => &[INT, FLOAT, TEXT, BYTES, POINTER, ERROR],
        "ffi.Object" => &[INT, FLOAT, TEXT, BYTES, POINTER],
        _ if parameter.starts_with("Optional<") => &[TEXT, FLOAT, BYTES, POINTER, ERROR],
        _ => &[INT, NONE, FLOAT, TEXT, BYTES, POINTER, ERROR],
    }
}

/// An argument that gives up the reference in `slot`.
fn moved(slot: &mut TVMFFIObjectHandle) -> TVMFFIAny {
    TVMFFIAny::new(kTVMFFIObjectRValueRef, std::ptr::from_mut(slot) as u64)
}

/// Answers its state.
unsafe extern "C" fn tell_state(this: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: a result of the calling convention: a value that may be overwritten.
    unsafe { result.write(view::pointer(this)) };
    0
}

/// The deleter of a function without state.
unsafe extern "C" fn forget(_: *mut c_void) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_taken_apart() {
        let parameters_of = |name| parameters(abi::abi().global(name).expect("in the table"));
        assert_eq!(parameters_of("ffi.GetRegisteredTypeKeys"), [""; 0]);
        assert_eq!(parameters_of("ffi.ArrayGetItem"), ["ffi.Array", "int"]);
        assert_eq!(parameters_of("ffi.DictSetItem"), ["Dict<Any, Any>", "Any", "Any"]);
        let tuples = "Array<Tuple<int, ffi.Function>>";
        assert_eq!(parameters_of("ffi.StructuralWalk"), ["AnyView", tuples, tuples, "int"]);
    }
}
