//! The functions of the visitors and mutators that hooks are given, as hooks call them that are compiled with the headers.

use std::{
    ffi::c_void,
    mem::offset_of,
    sync::atomic::{AtomicI64, Ordering},
};

use tvm_ffi_spec::*;

use super::{
    hooks::Native,
    kit::{
        POST, PRE, add_hundred, ask, choose, entries, fail, interrupt_at_two, map, note, note_all, saw, take_seen,
        triples,
    },
};
use crate::{
    checks::check,
    client::{
        Answer, Verdict,
        api::Api,
        callback::{self, raise},
        homemade::{release, retain},
        memory,
        model::Value,
        node::{fields_of, node, node_type},
        samples::Place,
        view,
    },
    trial::Trial,
};

const TREE: i32 = kTVMFFISEqHashKindTreeNode;

/// A hook that has parts visited by the visitor's own function has the callbacks of the walk or visit called, and is told what ends it.
#[check(VIS_0055)]
fn function_of_a_visitor(t: &Trial) -> Verdict {
    let interrupt = t.call_global("ffi.VisitInterrupt", &[view::int(99)])?;
    choose(&interrupt);
    let kind = hooked(t, "__s_visit__", visit_both)?;
    let list = t.call_global("ffi.List", &[view::int(2), view::int(3)])?;
    for place in [Place::Alone, Place::InArray, Place::InList, Place::MapValue, Place::DictValue] {
        let object = node(kind, view::int(1), list.any());
        let holder = place.put(t, &object.view())?;
        for name in ["ffi.StructuralWalk", "ffi.StructuralVisit"] {
            for order in [PRE, POST] {
                let call = |callback| {
                    let (callbacks, none) = (entries(t, &[(kTVMFFIInt, callback)])?, entries(t, &[])?);
                    let args = [holder.any(), callbacks.any(), none.any(), view::int(order)];
                    t.answer(name, if name == "ffi.StructuralWalk" { &args } else { &args[..2] })
                };
                let what = format!("{name} in order {order}, {place:?}");
                let ended = |come: Answer| match come {
                    Ok(answer) => answer.any().type_index,
                    Err(raised) => raised.object.any().type_index,
                };
                for (callback, seen, end) in [
                    (note as callback::Body, &["2", "3", "1"][..], kTVMFFINone),
                    (interrupt_at_two, &["2"], kTVMFFIVisitInterrupt),
                    (fail, &["2"], kTVMFFIError),
                ] {
                    let come = ended(call(callback)?);
                    t.eq(format_args!("what the callbacks of {what} were called with"), met_numbers(), owned(seen))?;
                    t.type_index_eq(format_args!("what {what} has come to"), come, end)?;
                }
            }
        }
        t.eq("counts of the interrupt afterwards", t.counts(interrupt.handle())?, (1, 1))?;
    }
    Ok(())
}

/// A hook that changes the kind of region behind the header of a visitor, while a part is visited, has the callbacks of a walk told that kind.
#[check(VIS_0055)]
fn region_of_a_visitor(t: &Trial) -> Verdict {
    let kind = hooked(t, "__s_visit__", visit_first_in_region)?;
    let object = node(kind, view::int(1), view::int(2));
    for region in [kTVMFFIDefRegionKindNone, kTVMFFIDefRegionKindPattern, kTVMFFIDefRegionKindSimple] {
        REGION.store(region.into(), Ordering::Release);
        for order in [PRE, POST] {
            let (none, callbacks) = (entries(t, &[])?, entries(t, &[(kTVMFFIInt, note_all)])?);
            let args = [object.view(), none.any(), callbacks.any(), view::int(order)];
            t.call_global("ffi.StructuralWalk", &args)?;
            saw(t, &["1", &region.to_string(), "2", "0"])?;
        }
    }
    Ok(())
}

/// A hook that calls the functions of the mutator that it is given has values mutated by the callbacks of the map or mutation, and what it has
/// recorded for a variable is there.
#[check(VIS_0055)]
fn functions_of_a_mutator(t: &Trial) -> Verdict {
    let kind = hooked(t, "__s_mutate__", mutate_by_each)?;
    let variables = node_type(t, "verify.visit.VariableOfAHook", kTVMFFISEqHashKindFreeVar, [0, 0])?;
    let text = t.string(b"a text that is not short")?;
    let texts = Value::str("a text that is not short");
    let expected = Value::Array(vec![
        Value::Int(107),
        Value::List(vec![Value::Int(101), Value::Array(vec![Value::Int(102)])]),
        Value::None,
        Value::None,
        texts.clone(),
        texts,
        Value::Int(0),
    ]);
    for place in [Place::Alone, Place::InArray, Place::InList, Place::MapValue, Place::DictValue] {
        let variable = node(variables, view::int(1), view::int(2));
        let object = node(kind, text.any(), variable.view());
        let holder = place.put(t, &object.view())?;
        for (name, changed) in [
            ("a map in pre-order", map(t, &holder, &[(kTVMFFIInt, add_hundred)], PRE)?),
            ("a map in post-order", map(t, &holder, &[(kTVMFFIInt, add_hundred)], POST)?),
            ("a mutation", {
                let callbacks = triples(t, &[(kTVMFFIInt, add_hundred)])?;
                t.call_global("ffi.StructuralMutate", &[holder.any(), callbacks.any()])?
            }),
        ] {
            let found = Value::read(t, &place.look(t, &changed.any())?)?;
            t.eq(
                format_args!("what the functions of {name} have answered a hook, {place:?}"),
                found,
                expected.clone(),
            )?;
        }
        let callbacks = triples(t, &[(kTVMFFIInt, fail)])?;
        drop(t.refuses("ffi.StructuralMutate", &[holder.any(), callbacks.any()], &["KeyError"])?);
        take_seen();
        t.eq("counts of the variable afterwards", variable.counts(), (2, 1))?;
    }
    Ok(())
}

/// What integers the callbacks were called with.
fn met_numbers() -> Vec<String> {
    take_seen()
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

// ---------------------------------------------------------------------------------------------------------------------
// The hooks
// ---------------------------------------------------------------------------------------------------------------------

/// What a visitor or a mutator has behind its header.
#[repr(C)]
#[derive(Clone, Copy)]
struct Engine {
    functions: *const c_void,
    region: i32,
}

/// The functions of a mutator.
#[repr(C)]
#[derive(Clone, Copy)]
struct Mutates {
    mutate: Native,
    in_place: Native,
    replacement: Native,
    replace: unsafe extern "C" fn(*mut c_void, TVMFFIAny, TVMFFIAny) -> TVMFFIAny,
}

/// The kind of region that [`visit_first_in_region`] puts the visitor into.
static REGION: AtomicI64 = AtomicI64::new(0);

/// A type whose objects have this hook.
fn hooked(t: &Trial, column: &str, hook: Native) -> Verdict<i32> {
    t.serve_callbacks();
    let kind = node_type(t, &format!("verify.visit.ByFunctions{column}"), TREE, [0, 0])?;
    t.set_hook(kind, column, &view::pointer(hook as *mut c_void))?;
    Ok(kind)
}

/// What lies behind the header of an engine.
fn behind(engine: *mut c_void) -> *mut Engine {
    engine.wrapping_byte_add(size_of::<TVMFFIObject>()).cast()
}

/// The functions of an engine; none if there is nothing to read.
fn functions<F: Copy>(engine: *mut c_void) -> Option<F> {
    memory::read(memory::read(behind(engine))?.functions.cast::<F>())
}

/// What a hook answers that has found nothing where the functions should be.
fn no_functions() -> TVMFFIAny {
    let Some(api) = callback::api() else { return TVMFFIAny::NONE };
    raise(api, c"AssertionError", c"the engine has no functions that can be read");
    TVMFFIAny::new(kTVMFFIError, api.take_raised() as u64)
}

/// Visits the second field and then the first, up to what ends the visit.
unsafe extern "C" fn visit_both(visitor: *mut c_void, value: TVMFFIAny) -> TVMFFIAny {
    let (Some([visit]), Some(fields)) = (functions::<[Native; 1]>(visitor), fields_of(&value)) else {
        return no_functions();
    };
    for part in [fields.second, fields.first] {
        // SAFETY: the visitor's own function, and a part of a value that lives.
        let answer = unsafe { visit(visitor, part) };
        if answer.type_index != kTVMFFINone {
            return answer;
        }
    }
    TVMFFIAny::NONE
}

/// Visits the first field in another region, and then the second.
unsafe extern "C" fn visit_first_in_region(visitor: *mut c_void, value: TVMFFIAny) -> TVMFFIAny {
    let (Some([visit]), Some(fields)) = (functions::<[Native; 1]>(visitor), fields_of(&value)) else {
        return no_functions();
    };
    let region = behind(visitor).wrapping_byte_add(offset_of!(Engine, region)).cast::<i32>();
    // SAFETY: the field was read with what stands before it; the visitor is this thread's while its hook runs.
    let before = unsafe { region.replace(REGION.load(Ordering::Acquire) as i32) };
    // SAFETY: the visitor's own function, and a part of a value that lives.
    let answer = unsafe { visit(visitor, fields.first) };
    // SAFETY: as above.
    unsafe { region.write(before) };
    if answer.type_index != kTVMFFINone {
        return answer;
    }
    // SAFETY: as above.
    unsafe { visit(visitor, fields.second) }
}

/// Answers an Array of what each function has answered: of an integer, of a List that nobody else holds, and of the variable in the second field,
/// before, while, and after what is in the first was recorded for it; and the kind of region.
unsafe extern "C" fn mutate_by_each(mutator: *mut c_void, value: TVMFFIAny) -> TVMFFIAny {
    let Some(api) = callback::api() else { return TVMFFIAny::NONE };
    let (Some(functions), Some(fields)) = (functions::<Mutates>(mutator), fields_of(&value)) else {
        return no_functions();
    };
    let (text, variable) = (fields.first, fields.second);
    // SAFETY: here and below the mutator's own function, with values that live.
    let number = unsafe { (functions.mutate)(mutator, view::int(7)) };
    if number.type_index == kTVMFFIError {
        return number;
    }
    let Some(list) = ask_for_list(api) else { return no_functions() };
    // SAFETY: as above; nobody else refers to the List.
    let changed = unsafe { (functions.in_place)(mutator, list) };
    let changed = if changed.type_index == kTVMFFIUnchanged {
        list
    } else {
        release(list.payload() as TVMFFIObjectHandle);
        changed
    };
    // SAFETY: as above.
    let [before, recorded, after] = unsafe {
        [
            (functions.replacement)(mutator, variable),
            (functions.replace)(mutator, variable, text),
            (functions.replacement)(mutator, variable),
        ]
    };
    // SAFETY: as above.
    let mut used = unsafe { (functions.mutate)(mutator, variable) };
    if used.type_index == kTVMFFIUnchanged {
        used = variable;
        retain(variable.payload() as TVMFFIObjectHandle);
    }
    let region = memory::read(behind(mutator)).map_or(-1, |engine| engine.region);
    let all = [number, changed, before, recorded, after, used, view::int(region.into())];
    let answer = ask(api, "ffi.Array", &all);
    for part in all.iter().filter(|part| part.type_index >= kTVMFFIStaticObjectBegin) {
        release(part.payload() as TVMFFIObjectHandle);
    }
    answer.unwrap_or_else(|| TVMFFIAny::new(kTVMFFIError, api.take_raised() as u64))
}

/// A List of an integer and an Array of one, which nobody else refers to.
fn ask_for_list(api: &Api) -> Option<TVMFFIAny> {
    let inner = ask(api, "ffi.Array", &[view::int(2)])?;
    let list = ask(api, "ffi.List", &[view::int(1), inner]);
    release(inner.payload() as TVMFFIObjectHandle);
    list
}
