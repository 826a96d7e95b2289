//! Arguments that are taken: converted, moved, copied, or as they are.

use std::{
    ffi::{CStr, c_int, c_void},
    fmt::Debug,
};

use serde_json::json;
use tvm_ffi_spec::*;

use super::{
    kit::takers,
    refusal::{ALL, Function, functions},
};
use crate::{
    checks::check,
    client::{
        Owned, TypeIndex, Verdict,
        containers::keys::text_object,
        forms, globals,
        homemade::Homemade,
        model::Value,
        node::{node, node_type},
        reflected,
        samples::LENGTHS,
        schema::schema,
        tensor::INT32,
        view,
    },
    trial::Trial,
};

/// A parameter that is an integer takes a boolean, as 0 or 1, in each function of sequences, JSON and walks.
#[check(ARG_0004)]
fn integer_takes_boolean(t: &Trial) -> Verdict {
    for Function { global, parameters, object } in functions(t, &["array", "list", "json", "structural"])? {
        let args =
            || parameters.iter().map(|parameter| plain_argument(t, parameter)).collect::<Option<Verdict<Vec<_>>>>();
        // What it answers and makes of its first argument, with a value in one place; all others are right.
        let outcome = |args: Vec<Owned>, place: usize, value: TVMFFIAny| -> Verdict<String> {
            let mut lent: Vec<_> = args.iter().map(Owned::any).collect();
            lent[place] = value;
            let mut answer = TVMFFIAny::NONE;
            let answered = match t.try_call(&object, &lent, &mut answer) {
                0 => format!("{:?}", Value::read(t, &t.own(answer).any())?),
                code => t.raises(code, &[])?.kind,
            };
            Ok(format!("{answered}, with {:?} before it", Value::read(t, &lent[0])?))
        };
        for place in (0..parameters.len()).filter(|place| matches!(parameters[*place], "int" | "Optional<int>")) {
            for flag in [false, true] {
                // A function that takes objects of other types is left to the areas of these.
                let (Some(these), Some(those)) = (args(), args()) else { continue };
                let got = outcome(these?, place, view::bool(flag))?;
                let expected = outcome(those?, place, view::int(flag.into()))?;
                t.eq(format_args!("what comes of {} with {flag} as argument {place}", global.name), got, expected)?;
            }
        }
    }
    Ok(())
}

/// An argument for a parameter of a type that functions of sequences, JSON and walks have: containers have three integers.
fn plain_argument(t: &Trial, parameter: &str) -> Option<Verdict<Owned>> {
    let numbers = [view::int(40), view::int(41), view::int(42)];
    match parameter {
        "ffi.Array" | "Any" | "AnyView" => Some(t.call_global("ffi.Array", &numbers)),
        "ffi.List" | "List<Any>" => Some(t.call_global("ffi.List", &numbers)),
        "int" | "Optional<int>" => Some(Ok(t.own(view::int(1)))),
        _ if parameter.starts_with("Array<") => Some(t.call_global("ffi.Array", &[])),
        _ => None,
    }
}

/// A parameter that is a boolean takes an integer, and any integer but 0 is true.
#[check(ARG_0005)]
fn boolean_takes_integer(t: &Trial) -> Verdict {
    const LOAD: &str = "ffi.Module.load_from_file.so";
    let path = |library: &str| t.string(t.fixture_path(library)?.as_os_str().as_encoded_bytes());
    let importer = t.call_global(LOAD, &[path("provider_one.so")?.any(), view::c_str(c"so")])?;
    let imported = t.call_global(LOAD, &[path("provider_two.so")?.any(), view::c_str(c"so")])?;
    t.call_global("ffi.ModuleImportModule", &[importer.any(), imported.any()])?;
    for (asked, expected) in [(0, false), (1, true), (2, true), (256, true), (1 << 32, true), (-1, true)] {
        let args = [importer.any(), view::c_str(c"only_two"), view::int(asked)];
        let found = t.call_global("ffi.ModuleImplementsFunction", &args)?;
        t.any_eq(format_args!("whether imports are searched for {asked}"), &found.any(), &view::bool(expected))?;
        let found = t.call_global("ffi.ModuleGetFunction", &args)?;
        let what = format_args!("whether the function of an import is found for {asked}");
        t.eq(what, found.any().type_index == kTVMFFIFunction, expected)?;
    }
    Ok(())
}

/// A flag takes any integer, and any but 0 is true, in each function that compares or hashes structurally.
#[check(ARG_0005)]
fn flags_take_integers(t: &Trial) -> Verdict {
    let variable = node_type(t, "verify.Variable", kTVMFFISEqHashKindFreeVar, [0, 0])?;
    let [one, other] = [(); 2].map(|()| node(variable, TVMFFIAny::NONE, TVMFFIAny::NONE));
    let [this, that] = [[1, 2, 3, 4], [1, 2, 3, 5]].map(|content| t.tensor_of_four(INT32, &[4], content));
    let (this, that, no) = (this?, that?, view::bool(false));
    // Values that are equal, or have one hash, only if the flag in that place is set.
    let pairs = [(0, [one.view(), other.view()]), (1, [this.any(), that.any()])];
    for (flag, [lhs, rhs]) in pairs {
        for name in ["ffi.StructuralEqual", "ffi.GetFirstStructuralMismatch"] {
            let Some(compare) = globals::find(t, name)? else { continue };
            is_a_flag(t, name, |value| {
                let mut args = [lhs, rhs, no, no];
                args[2 + flag] = value;
                let answer = t.call(&compare, &args)?.any();
                // Whether there is a mismatch counts, and not where it is.
                Ok((answer.type_index, answer.type_index == kTVMFFIBool && answer.payload() == 1))
            })?;
        }
        is_a_flag(t, "ffi.StructuralHash", |value| {
            let mut flags = [no, no];
            flags[flag] = value;
            let hash = |of| t.call_int("ffi.StructuralHash", &[of, flags[0], flags[1]]);
            Ok(hash(lhs)? == hash(rhs)?)
        })?;
    }
    Ok(())
}

/// Expects the answer for an integer to be the one for the boolean that it stands for.
fn is_a_flag<T: PartialEq + Debug>(t: &Trial, name: &str, answer: impl Fn(TVMFFIAny) -> Verdict<T>) -> Verdict {
    let (no, yes) = (answer(view::bool(false))?, answer(view::bool(true))?);
    t.ne(format_args!("what {name} answers with the flag"), &yes, &no)?;
    for number in [0, 1, 2, -1, 256, 1 << 31, 1 << 32, 3 << 40, i64::MIN, i64::MAX] {
        let expected = if number == 0 { &no } else { &yes };
        t.eq(format_args!("what {name} answers for the flag {number}"), &answer(view::int(number))?, expected)?;
    }
    Ok(())
}

/// An optional parameter takes None.
#[check(ARG_0006)]
fn optional_takes_none(t: &Trial) -> Verdict {
    let text = t.call_global("ffi.json.Stringify", &[view::int(7), TVMFFIAny::NONE])?;
    t.eq("JSON", t.text(&text.any())?.as_slice(), b"7")
}

/// A function that keeps a C string or a byte array keeps an owned String or Bytes.
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
            t.that(
                format_args!("type_index of item {place}"),
                types.contains(&found),
                format_args!("one of {types:?}"),
                TypeIndex(found),
            )?;
            let text = t.text(&item.any())?;
            t.eq(format_args!("item {place}"), text.escape_ascii().to_string(), content.escape_ascii().to_string())?;
        }
    }
    Ok(())
}

/// Each function that keeps a C string or a byte array, as a key or a value, keeps an owned String or Bytes of any length.
#[check(ARG_0008, patient = 2)]
fn text_becomes_owned_everywhere(t: &Trial) -> Verdict {
    for len in LENGTHS {
        for (taker, function) in takers(t)?.iter().filter(|(taker, _)| taker.keeps) {
            for as_bytes in [false, true] {
                let content: Vec<u8> = (0..len).map(|at| b'a' + (at % 23) as u8).collect();
                let mut text = [&content[..], b"\0"].concat();
                let bytes = TVMFFIByteArray::new(&text[..len]);
                let given = match as_bytes {
                    true => view::byte_array(&bytes),
                    false => TVMFFIAny::new(kTVMFFIRawStr, text.as_ptr() as u64),
                };
                let container = taker.container(t)?;
                let result = t.call(function, &taker.args(container.as_ref(), given))?;
                text.fill(b'#');
                let kept = Value::read(t, &container.as_ref().unwrap_or(&result).any())?;
                let expected = if as_bytes { Value::Bytes(content) } else { Value::Str(content) };
                let what = format_args!("what {} keeps of {len} bytes", taker.name);
                t.that(what, holds(&kept, &expected), format_args!("{expected:?} in it"), format_args!("{kept:?}"))?;
            }
        }
    }
    Ok(())
}

/// Whether a container holds a value, as an element, a key or a value of a key.
fn holds(container: &Value, value: &Value) -> bool {
    match container {
        Value::Array(items) | Value::List(items) => items.contains(value),
        Value::Map(entries) | Value::Dict(entries) => entries.iter().any(|(key, of)| key == value || of == value),
        _ => false,
    }
}

/// A parameter that is a text takes a C string, a small String, a String object, and one whose bytes are elsewhere.
#[check(ARG_0012)]
fn text_in_every_form(t: &Trial) -> Verdict {
    const PLAIN: &CStr = c"[4711]";
    let text = PLAIN.to_bytes();
    let (made, object) = (t.string(text)?, text_object(kTVMFFIStr, text));
    let elsewhere = Homemade::new(kTVMFFIStr, [text.as_ptr() as u64, text.len() as u64, 0]);
    let small = forms::inline(kTVMFFISmallStr, text);
    for form in [view::c_str(PLAIN), made.any(), object.view(), elsewhere.view()].into_iter().chain(small) {
        let array = t.call_global("ffi.json.Parse", &[form])?;
        let item = t.call_global("ffi.ArrayGetItem", &[array.any(), view::int(0)])?;
        t.any_eq(format_args!("what is read of {form:?}"), &item.any(), &view::int(4711))?;
    }
    t.eq("counts of a String object that was read", object.counts(), (1, 1))
}

/// Each function that takes texts comes to the same with each in every form, be it an answer or an error.
#[check(ARG_0012)]
fn text_in_every_form_everywhere(t: &Trial) -> Verdict {
    const GRAPH: &[u8] = br#"{"root_index":0,"nodes":[{"type":"int","data":5}]}"#;
    const TEXTS: [&[u8]; 7] = [b"", b"[1]", b"[1, 2, 3]", GRAPH, b"so", b"no_such_thing_anywhere", b"ffi.Object"];
    // A library may have a function under the empty name, which can be removed only once.
    drop(t.answer("ffi.FunctionRemoveGlobal", &[view::c_str(c"")])?);
    for function in functions(t, ALL)? {
        let plain = ["str", "bytes", "int", "bool", "Any", "AnyView"];
        let takes_text = function.parameters.contains(&"str");
        if !takes_text || !function.parameters.iter().all(|parameter| plain.contains(parameter)) {
            continue;
        }
        let args = function.args(t)?;
        for text in TEXTS {
            let mut expected = None;
            for form in forms::of_string(text) {
                let each = function.parameters.iter().zip(args.each_any());
                let args: Vec<_> =
                    each.map(|(parameter, arg)| if *parameter == "str" { form.view } else { arg }).collect();
                let answer = match t.answer_of(function.object.handle(), &args)? {
                    Ok(answer) => Ok(Value::read(t, &answer.any())?),
                    Err(raised) => Err(raised.kind),
                };
                let what = format_args!(
                    "what {} makes of b\"{}\" as {}",
                    function.global.name,
                    text.escape_ascii(),
                    form.name
                );
                t.eq(what, &answer, expected.as_ref().unwrap_or(&answer))?;
                expected.get_or_insert(answer);
            }
        }
    }
    Ok(())
}

/// A function of the library that has nothing to answer leaves None in a result that was None.
#[check(ARG_0013)]
fn nothing_is_none(t: &Trial) -> Verdict {
    let (one, two) = (view::int(1), view::int(2));
    for len in [2, 9] {
        let numbers: Vec<_> = (0..2 * len).map(view::int).collect();
        let (list, dict) = (t.call_global("ffi.List", &numbers)?, t.call_global("ffi.Dict", &numbers)?);
        let slice = t.call_global("ffi.List", &[one])?;
        let calls: [(&str, &[TVMFFIAny]); 15] = [
            ("ffi.ListAppend", &[list.any(), one]),
            ("ffi.ListInsert", &[list.any(), one, one]),
            ("ffi.ListSetItem", &[list.any(), one, two]),
            ("ffi.ListErase", &[list.any(), one]),
            ("ffi.ListEraseRange", &[list.any(), one, two]),
            ("ffi.ListEraseRange", &[list.any(), one, one]),
            ("ffi.ListReplaceSlice", &[list.any(), one, two, slice.any()]),
            ("ffi.ListReserve", &[list.any(), view::int(70)]),
            ("ffi.ListReverse", &[list.any()]),
            ("ffi.ListClear", &[list.any()]),
            ("ffi.DictSetItem", &[dict.any(), view::int(-3), one]),
            ("ffi.DictSetItem", &[dict.any(), view::int(-3), two]),
            ("ffi.DictErase", &[dict.any(), view::int(-3)]),
            ("ffi.DictErase", &[dict.any(), view::int(-3)]),
            ("ffi.DictClear", &[dict.any()]),
        ];
        for (name, args) in calls {
            let Some(function) = globals::find(t, name)? else { continue };
            let mut result = TVMFFIAny::NONE;
            t.ok(t.try_call(&function, args, &mut result))?;
            t.any_eq(format_args!("result of {name}"), &result, &TVMFFIAny::NONE)?;
        }
    }
    Ok(())
}

/// A parameter that is declared as a List of values takes an Array and copies its items.
#[check(ARG_0009)]
fn list_takes_array(t: &Trial) -> Verdict {
    let object = t.string(b"a text of more than seven bytes")?;
    let before = t.counts(object.handle())?.0;
    let array = t.call_global("ffi.Array", &[view::int(7), object.any()])?;
    let list = t.call_global("ffi.List", &[view::int(1), view::int(2)])?;
    let args = [list.any(), view::int(0), view::int(1), array.any()];
    t.call_global("ffi.ListReplaceSlice", &args)?;
    t.eq("counts of the array", t.counts(array.handle())?, (1, 1))?;
    t.eq("strong count of an item of both", t.counts(object.handle())?.0, before + 2)?;
    for (place, expected) in [(0, view::int(7)), (1, object.any()), (2, view::int(2))] {
        let item = t.call_global("ffi.ListGetItem", &[list.any(), view::int(place)])?;
        t.any_eq(format_args!("item {place} of the list"), &item.any(), &expected)?;
    }
    Ok(())
}

/// A parameter that is declared as the object ffi.Array or ffi.List refuses a sequence of the other kind.
#[check(ARG_0009)]
fn kinds_are_told_apart(t: &Trial) -> Verdict {
    for (kind, other, functions) in [
        ("ffi.Array", "ffi.List", ["ffi.ArraySize", "ffi.ArrayGetItem", "ffi.ArrayContains"]),
        ("ffi.List", "ffi.Array", ["ffi.ListSize", "ffi.ListGetItem", "ffi.ListContains"]),
    ] {
        let other = t.call_global(other, &[view::int(7)])?;
        for name in functions {
            let Some(function) = globals::find(t, name)? else { continue };
            // A library may declare a List of values, which takes both kinds.
            let Some(types) = declared_types(t, name)? else { continue };
            if let [_, params @ ..] = &types[..]
                && params.first() == Some(&json!({ "type": kind }))
            {
                let args = [other.any(), view::int(0)];
                t.call_fails(&function, &args[..params.len().min(2)], &[])?;
            }
        }
    }
    Ok(())
}

/// The types of a global function's result and parameters, as its metadata declares them; `None` where it declares none.
fn declared_types(t: &Trial, name: &str) -> Verdict<Option<Vec<serde_json::Value>>> {
    let Some(metadata_of) = globals::find(t, "ffi.GetGlobalFuncMetadata")? else { return Ok(None) };
    let metadata = t.call(&metadata_of, &[t.string(name.as_bytes())?.any()])?;
    let metadata = t.text(&metadata.any())?;
    let declared = schema(&String::from_utf8_lossy(&metadata));
    Ok(declared.and_then(|declared| declared["args"].as_array().cloned()))
}

/// A parameter that is an object takes an instance of a descendant of its type, however many generations lie between.
#[check(ARG_0010)]
fn object_takes_descendant(t: &Trial) -> Verdict {
    let mut ancestor = reflected::type_index(t, "ffi.StructuralVisitor")?;
    let depth = reflected::info(t, ancestor)?.type_depth;
    for generation in 1..=5 {
        let key = format!("verify.Visitor{generation}");
        let key = TVMFFIByteArray::new(key.as_bytes());
        let child = t.api.TVMFFITypeGetOrAllocIndex(&key, -1, depth + generation, 0, 1, ancestor);
        // What a visitor has: a table of functions, which is not called here, and the kind of its region.
        let visitor = Homemade::new(child, [0_u64, 2]);
        let kind = t.call_global("ffi.StructuralVisitorDefRegionKind", &[visitor.view()])?;
        t.any_eq(
            format_args!("kind of the region that a visitor {generation} below is in"),
            &kind.any(),
            &view::int(2),
        )?;
        t.eq("counts of the visitor", visitor.counts(), (1, 1))?;
        ancestor = child;
    }
    Ok(())
}

/// A parameter that is a pointer takes None as NULL.
#[check(ARG_0011)]
fn pointer_takes_none(t: &Trial) -> Verdict {
    let (call, state) = (view::pointer(tell_state as *mut c_void), std::ptr::dangling_mut());
    let deleter = view::pointer(forget as *mut c_void);
    // With neither state nor deleter, the function may pass any state.
    for (args, expected) in [
        ([TVMFFIAny::NONE, call, deleter], std::ptr::null_mut()),
        ([view::pointer(state), call, TVMFFIAny::NONE], state),
    ] {
        let function = t.call_global("ffi.FunctionFromExternC", &args)?;
        t.type_index_eq("type_index of the function", function.any().type_index, kTVMFFIFunction)?;
        t.any_eq("state that the function is called with", &t.call(&function, &[])?.any(), &view::pointer(expected))?;
    }
    Ok(())
}

/// Answers its state.
unsafe extern "C" fn tell_state(this: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: a result of the calling convention: a value that may be overwritten.
    unsafe { result.write(view::pointer(this)) };
    0
}

/// The deleter of a function without state.
unsafe extern "C" fn forget(_: *mut c_void) {}
