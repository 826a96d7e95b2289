//! Structural walks, visits and mutations: callbacks that are called with what is in a value.
//!
//! Every check's callbacks write down what they were called with in [`SEEN`], as text.

use std::{
    ffi::{c_int, c_void},
    sync::{Mutex, OnceLock, PoisonError},
};

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        api::Api,
        model::Value,
        node::{node, node_type},
        view,
    },
    trial::Trial,
};

const PRE: i64 = 0;
const POST: i64 = 1;

/// A callback's type index that matches every value.
const EVERYTHING: i32 = -1;

// ---------------------------------------------------------------------------------------------------------------------
// Walks
// ---------------------------------------------------------------------------------------------------------------------

fn sample() -> Value {
    Value::Array(vec![Value::Int(1), Value::Array(vec![Value::Int(2), Value::Int(3)]), Value::Int(4)])
}

/// A structural walk meets a value before what is in it, and elements in their order.
#[check(VIS_0001)]
fn walk_order(t: &Trial) -> Verdict {
    walk(t, &sample().build(t)?, &[(EVERYTHING, note)], PRE)?;
    saw(t, &["71", "1", "71", "2", "3", "4"])
}

/// A structural walk in post order meets what is in a value before the value itself.
#[check(VIS_0002)]
fn walk_post_order(t: &Trial) -> Verdict {
    walk(t, &sample().build(t)?, &[(EVERYTHING, note)], POST)?;
    saw(t, &["1", "2", "3", "71", "4", "71"])
}

/// A structural walk without callbacks answers None.
#[check(VIS_0003)]
fn walk_nothing(t: &Trial) -> Verdict {
    let answer = walk(t, &sample().build(t)?, &[], PRE)?;
    t.any_eq("the answer of the walk", &answer.any(), &TVMFFIAny::NONE)
}

/// A structural walk of a lone scalar meets the scalar.
#[check(VIS_0001)]
fn walk_of_scalar(t: &Trial) -> Verdict {
    walk(t, &t.own(view::int(7)), &[(kTVMFFIInt, note)], PRE)?;
    saw(t, &["7"])
}

/// A structural walk meets the values of Maps and Dicts, not their keys.
#[check(VIS_0004)]
fn walk_map(t: &Trial) -> Verdict {
    let entries = |from| (from..from + 2).map(|n| (Value::Int(n), Value::Int(10 * n))).collect();
    walk(t, &Value::Map(entries(1)).build(t)?, &[(kTVMFFIInt, note)], PRE)?;
    walk(t, &Value::Dict(entries(5)).build(t)?, &[(kTVMFFIInt, note)], PRE)?;
    saw(t, &["10", "20", "50", "60"])
}

/// A callback of a walk is called only for values of its type index.
#[check(VIS_0005)]
fn walk_by_type(t: &Trial) -> Verdict {
    let value = Value::Array(vec![Value::Int(1), Value::Bool(true), Value::float(2.0), Value::None]).build(t)?;
    walk(t, &value, &[(kTVMFFIInt, note)], PRE)?;
    saw(t, &["1"])
}

/// A callback for Strings is called for Strings of either form.
#[check(VIS_0006)]
fn walk_strings(t: &Trial) -> Verdict {
    let texts = vec![Value::str("s"), Value::str("a string on the heap"), Value::Bytes(b"b".to_vec())];
    let value = Value::Array(texts).build(t)?;
    walk(t, &value, &[(kTVMFFIStr, note)], PRE)?;
    saw(t, &["s", "a string on the heap"])
}

/// A callback for type index -1 is called for values of every type.
#[check(VIS_0007)]
fn walk_any(t: &Trial) -> Verdict {
    let items = vec![Value::float(0.5), Value::Bool(true), Value::str("s"), Value::List(vec![])];
    walk(t, &Value::List(items).build(t)?, &[(EVERYTHING, note)], PRE)?;
    saw(t, &["75", "3", "2", "s", "75"])
}

/// A callback for `ffi.Object` is called for objects of every type and for nothing else.
#[check(VIS_0008)]
fn walk_objects(t: &Trial) -> Verdict {
    walk(t, &sample().build(t)?, &[(kTVMFFIObject, note)], PRE)?;
    saw(t, &["71", "71"])
}

/// Of several callbacks that match a value, only the first is called.
#[check(VIS_0009)]
fn walk_first_matches(t: &Trial) -> Verdict {
    walk(t, &t.own(view::int(7)), &[(kTVMFFIInt, note), (EVERYTHING, note_twice)], PRE)?;
    saw(t, &["7"])
}

/// A structural walk does not enter a value for which a callback answers 1.
#[check(VIS_0010)]
fn walk_skip(t: &Trial) -> Verdict {
    walk(t, &sample().build(t)?, &[(EVERYTHING, skip_pairs)], PRE)?;
    saw(t, &["71", "1", "71", "4"])
}

/// A structural walk ends when a callback answers a VisitInterrupt, and answers that object.
#[check(VIS_0011)]
fn walk_interrupt(t: &Trial) -> Verdict {
    let interrupt = t.call_global("ffi.VisitInterrupt", &[view::int(99)])?;
    *ANSWER.lock().unwrap_or_else(PoisonError::into_inner) = Some(interrupt.handle() as usize);
    let answer = walk(t, &sample().build(t)?, &[(kTVMFFIInt, interrupt_at_two)], PRE)?;
    saw(t, &["1", "2"])?;
    t.eq("the type of the answer", answer.any().type_index, kTVMFFIVisitInterrupt)?;
    t.any_eq("the value of the interrupt", &t.cell("the interrupt", answer.handle())?, &view::int(99))
}

/// An error of a callback ends a structural walk and is raised by it.
#[check(VIS_0012)]
fn walk_error(t: &Trial) -> Verdict {
    let function = t.global("ffi.StructuralWalk")?;
    let (callbacks, none) = (entries(t, &[(kTVMFFIInt, fail)])?, entries(t, &[])?);
    let value = sample().build(t)?;
    let _ = API.set(t.api);
    let mut result = TVMFFIAny::NONE;
    let code = t.try_call(&function, &[value.any(), callbacks.any(), none.any(), view::int(PRE)], &mut result);
    t.raises(code, &["KeyError"])?;
    saw(t, &["1"])
}

/// A callback of the second list gets the kind of definition region, 0 outside of any.
#[check(VIS_0013)]
fn walk_kind(t: &Trial) -> Verdict {
    let (none, callbacks) = (entries(t, &[])?, entries(t, &[(kTVMFFIInt, note_all)])?);
    let value = Value::Array(vec![Value::Int(5)]).build(t)?;
    t.call_global("ffi.StructuralWalk", &[value.any(), none.any(), callbacks.any(), view::int(PRE)])?;
    saw(t, &["5", "0"])
}

/// A structural walk goes through the fields of an object in their order.
#[check(VIS_0027)]
fn walk_fields(t: &Trial) -> Verdict {
    let kind = node_type(t, "verify.visit.Node", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    let array = Value::Array(vec![Value::Int(2), Value::Int(3)]).build(t)?;
    let (inner, none) = (node(kind, view::int(1), array.any()), entries(t, &[])?);
    let callbacks = entries(t, &[(kTVMFFIInt, note)])?;
    let outer = node(kind, inner.view(), view::int(4));
    t.call_global("ffi.StructuralWalk", &[outer.view(), callbacks.any(), none.any(), view::int(PRE)])?;
    saw(t, &["1", "2", "3", "4"])
}

/// A callback gets the kind 1 within a field flagged SEqHashDefPattern, and 0 behind it.
#[check(VIS_0028)]
fn walk_region(t: &Trial) -> Verdict {
    let flags = [kTVMFFIFieldFlagBitMaskSEqHashDefPattern, 0];
    let kind = node_type(t, "verify.visit.Definition", kTVMFFISEqHashKindTreeNode, flags)?;
    let array = Value::Array(vec![Value::Int(7)]).build(t)?;
    let definition = node(kind, array.any(), view::int(8));
    let value = t.call_global("ffi.Array", &[definition.view(), view::int(9)])?;
    let (none, callbacks) = (entries(t, &[])?, entries(t, &[(kTVMFFIInt, note_all)])?);
    t.call_global("ffi.StructuralWalk", &[value.any(), none.any(), callbacks.any(), view::int(PRE)])?;
    saw(t, &["7", "1", "8", "0", "9", "0"])
}

/// A VisitInterrupt holds its value behind the header.
#[check(VIS_0014)]
fn interrupt(t: &Trial) -> Verdict {
    let value = Value::str("a string on the heap").build(t)?;
    let interrupt = t.call_global("ffi.VisitInterrupt", &[value.any()])?;
    t.eq("the type", interrupt.any().type_index, kTVMFFIVisitInterrupt)?;
    t.any_eq("the value", &t.cell("the interrupt", interrupt.handle())?, &value.any())?;
    t.eq("the counts of the value", t.counts(value.handle())?, (2, 1))
}

// ---------------------------------------------------------------------------------------------------------------------
// Visits
// ---------------------------------------------------------------------------------------------------------------------

/// A structural visit does not enter a value that a callback matches.
#[check(VIS_0015)]
fn visit(t: &Trial) -> Verdict {
    let callbacks = entries(t, &[(kTVMFFIArray, note)])?;
    t.call_global("ffi.StructuralVisit", &[sample().build(t)?.any(), callbacks.any()])?;
    saw(t, &["71"])
}

/// A callback of a structural visit can enter a value with the visitor that it is given.
#[check(VIS_0016)]
fn visit_goes_on(t: &Trial) -> Verdict {
    let function = t.global("ffi.StructuralVisitorDefaultVisit")?;
    *ANSWER.lock().unwrap_or_else(PoisonError::into_inner) = Some(function.handle() as usize);
    let _ = API.set(t.api);
    let callbacks = entries(t, &[(kTVMFFIArray, go_on), (kTVMFFIInt, note)])?;
    t.call_global("ffi.StructuralVisit", &[sample().build(t)?.any(), callbacks.any()])?;
    saw(t, &["71", "1", "71", "2", "3", "4"])
}

/// A visitor tells the kind 0 outside of any definition region.
#[check(VIS_0017)]
fn region_kind(t: &Trial) -> Verdict {
    let function = t.global("ffi.StructuralVisitorDefRegionKind")?;
    *ANSWER.lock().unwrap_or_else(PoisonError::into_inner) = Some(function.handle() as usize);
    let _ = API.set(t.api);
    let callbacks = entries(t, &[(kTVMFFIInt, ask_visitor)])?;
    t.call_global("ffi.StructuralVisit", &[view::int(3), callbacks.any()])?;
    saw(t, &["0"])
}

// ---------------------------------------------------------------------------------------------------------------------
// Mutations
// ---------------------------------------------------------------------------------------------------------------------

/// A structural map gives an Array with the elements that its callback answers in place of those that match.
#[check(VIS_0018)]
fn map_replaces(t: &Trial) -> Verdict {
    let value = Value::Array(vec![Value::Int(1), Value::str("x"), Value::Int(3)]).build(t)?;
    let mapped = map(t, &value, &[(kTVMFFIInt, add_hundred)], PRE)?;
    let expected = Value::Array(vec![Value::Int(101), Value::str("x"), Value::Int(103)]);
    t.eq("the mapped value", Value::read(t, &mapped.any())?, expected)
}

/// A structural map leaves a value alone that somebody else refers to.
#[check(VIS_0019)]
fn map_leaves_original(t: &Trial) -> Verdict {
    for value in [sample(), Value::List(vec![Value::Int(1)]), Value::Map(vec![(Value::Int(1), Value::Int(2))])] {
        let original = value.build(t)?;
        let mapped = map(t, &original, &[(kTVMFFIInt, add_hundred)], PRE)?;
        t.ne("the mapped value", mapped.handle(), original.handle())?;
        t.eq("the original", Value::read(t, &original.any())?, value)?;
    }
    Ok(())
}

/// A structural map in which no callback matches gives the value itself back.
#[check(VIS_0020)]
fn map_unchanged(t: &Trial) -> Verdict {
    let original = sample().build(t)?;
    let mapped = map(t, &original, &[(kTVMFFIStr, add_hundred)], PRE)?;
    t.any_eq("the mapped value", &mapped.any(), &original.any())
}

/// A structural map in post order replaces elements of nested Arrays.
#[check(VIS_0018)]
fn map_nested(t: &Trial) -> Verdict {
    let mapped = map(t, &sample().build(t)?, &[(kTVMFFIInt, add_hundred)], POST)?;
    let inner = Value::Array(vec![Value::Int(102), Value::Int(103)]);
    let expected = Value::Array(vec![Value::Int(101), inner, Value::Int(104)]);
    t.eq("the mapped value", Value::read(t, &mapped.any())?, expected)
}

/// A structural map replaces the values of Maps and Dicts and keeps their keys and their order.
#[check(VIS_0021)]
fn map_values(t: &Trial) -> Verdict {
    let entries = |offset| (1..7).map(|n| (Value::Int(n), Value::Int(10 * n + offset))).collect();
    let mapped = map(t, &Value::Map(entries(0)).build(t)?, &[(kTVMFFIInt, add_hundred)], PRE)?;
    t.eq("the mapped map", Value::read(t, &mapped.any())?, Value::Map(entries(100)))?;
    let mapped = map(t, &Value::Dict(entries(0)).build(t)?, &[(kTVMFFIInt, add_hundred)], PRE)?;
    t.eq("the mapped dict", Value::read(t, &mapped.any())?, Value::Dict(entries(100)))
}

/// An error of a callback is raised by a structural map and leaves the value as it was.
#[check(VIS_0012)]
fn map_error(t: &Trial) -> Verdict {
    let function = t.global("ffi.StructuralMap")?;
    let (callbacks, none) = (entries(t, &[(kTVMFFIInt, fail)])?, entries(t, &[])?);
    let value = sample().build(t)?;
    let _ = API.set(t.api);
    let mut result = TVMFFIAny::NONE;
    let code = t.try_call(&function, &[value.any(), callbacks.any(), none.any(), view::int(PRE)], &mut result);
    t.raises(code, &["KeyError"])?;
    t.eq("the value", Value::read(t, &value.any())?, sample())
}

/// A structural mutation replaces a value that a callback matches by the callback's answer.
#[check(VIS_0022)]
fn mutate(t: &Trial) -> Verdict {
    let callbacks = triples(t, &[(kTVMFFIInt, add_hundred)])?;
    let mutated = t.call_global("ffi.StructuralMutate", &[sample().build(t)?.any(), callbacks.any()])?;
    let inner = Value::Array(vec![Value::Int(102), Value::Int(103)]);
    let expected = Value::Array(vec![Value::Int(101), inner, Value::Int(104)]);
    t.eq("the mutated value", Value::read(t, &mutated.any())?, expected)
}

/// A structural mutation without callbacks gives the value itself back.
#[check(VIS_0020)]
fn mutate_nothing(t: &Trial) -> Verdict {
    let original = sample().build(t)?;
    let mutated = t.call_global("ffi.StructuralMutate", &[original.any(), triples(t, &[])?.any()])?;
    t.any_eq("the mutated value", &mutated.any(), &original.any())
}

// ---------------------------------------------------------------------------------------------------------------------
// Extremes
// ---------------------------------------------------------------------------------------------------------------------

/// Values three hundred levels deep are walked and mapped.
#[check(VIS_0023)]
fn deep(t: &Trial) -> Verdict {
    let nested = t.nested("ffi.Array", 300, view::int(1))?;
    walk(t, &nested, &[(kTVMFFIInt, note)], POST)?;
    saw(t, &["1"])?;
    let mapped = map(t, &nested, &[(kTVMFFIInt, add_hundred)], PRE)?;
    walk(t, &mapped, &[(kTVMFFIInt, note)], POST)?;
    saw(t, &["101"])
}

/// A structural walk over a List that contains itself ends, with an answer or an error.
#[check(VIS_0024)]
fn cycles_end(t: &Trial) -> Verdict {
    let list = t.list_in_itself()?;
    let none = entries(t, &[])?;
    t.returns("ffi.StructuralWalk", &[list.any(), none.any(), none.any(), view::int(PRE)])?;
    t.clear_list(&list)
}

/// A structural walk and a structural map give back every reference that they take.
#[check(VIS_0025)]
fn counts(t: &Trial) -> Verdict {
    let text = Value::str("a string on the heap").build(t)?;
    let value = t.call_global("ffi.Array", &[text.any(), view::int(1)])?;
    walk(t, &value, &[(EVERYTHING, note)], PRE)?;
    drop(map(t, &value, &[(kTVMFFIInt, add_hundred)], PRE)?);
    t.eq("the counts of the element", t.counts(text.handle())?, (2, 1))?;
    t.eq("the counts of the value", t.counts(value.handle())?, (1, 1))
}

/// Structural walks and maps leave no memory behind.
#[check(VIS_0025)]
fn no_growth(t: &Trial) -> Verdict {
    let value = Value::List(vec![Value::str("a string on the heap"), Value::Int(1)]).build(t)?;
    t.no_growth("walking and mapping", || {
        walk(t, &value, &[(kTVMFFIInt, advance)], PRE)?;
        map(t, &value, &[(kTVMFFIInt, add_hundred)], PRE).map(drop)
    })
}

/// Structural walks, visits, maps and mutations raise a TypeError for missing arguments or those of another type.
#[check(VIS_0026)]
fn arguments(t: &Trial) -> Verdict {
    let mut result = TVMFFIAny::NONE;
    for name in ["ffi.StructuralWalk", "ffi.StructuralVisit", "ffi.StructuralMap", "ffi.StructuralMutate"] {
        let function = t.global(name)?;
        t.raises(t.try_call(&function, &[view::int(1)], &mut result), &["TypeError"])?;
        let args = [view::int(1), view::int(2), view::int(3), view::int(4)];
        let count = if name == "ffi.StructuralWalk" || name == "ffi.StructuralMap" { 4 } else { 2 };
        t.raises(t.try_call(&function, &args[..count], &mut result), &["TypeError"])?;
    }
    Ok(())
}

// ---------------------------------------------------------------------------------------------------------------------
// Calls
// ---------------------------------------------------------------------------------------------------------------------

type Callback = (i32, TVMFFISafeCallType);

/// The callbacks as the functions take them: an Array of pairs of a type index and a function.
fn entries(t: &Trial, callbacks: &[Callback]) -> Verdict<Owned> {
    arrays(t, callbacks, |t, index, function| t.call_global("ffi.Array", &[index, function]))
}

/// The callbacks of a mutation, which do not take the third argument that they could ask for.
fn triples(t: &Trial, callbacks: &[Callback]) -> Verdict<Owned> {
    arrays(t, callbacks, |t, index, function| t.call_global("ffi.Array", &[index, function, view::bool(false)]))
}

fn arrays(
    t: &Trial,
    callbacks: &[Callback],
    entry: impl Fn(&Trial, TVMFFIAny, TVMFFIAny) -> Verdict<Owned>,
) -> Verdict<Owned> {
    let entries = callbacks
        .iter()
        .map(|&(type_index, callback)| {
            let function = t.function(std::ptr::null_mut(), callback, None)?;
            entry(t, view::int(type_index.into()), function.any())
        })
        .collect::<Verdict<Vec<_>>>()?;
    t.call_global("ffi.Array", &entries.iter().map(Owned::any).collect::<Vec<_>>())
}

fn walk(t: &Trial, value: &Owned, callbacks: &[Callback], order: i64) -> Verdict<Owned> {
    let (callbacks, none) = (entries(t, callbacks)?, entries(t, &[])?);
    t.call_global("ffi.StructuralWalk", &[value.any(), callbacks.any(), none.any(), view::int(order)])
}

fn map(t: &Trial, value: &Owned, callbacks: &[Callback], order: i64) -> Verdict<Owned> {
    let (callbacks, none) = (entries(t, callbacks)?, entries(t, &[])?);
    t.call_global("ffi.StructuralMap", &[value.any(), callbacks.any(), none.any(), view::int(order)])
}

/// Expects the callbacks to have seen this, and forgets it.
fn saw(t: &Trial, expected: &[&str]) -> Verdict {
    let seen = std::mem::take(&mut *SEEN.lock().unwrap_or_else(PoisonError::into_inner));
    t.eq("what the callbacks were called with", seen, expected.iter().map(|text| (*text).to_owned()).collect())
}

// ---------------------------------------------------------------------------------------------------------------------
// Callbacks
// ---------------------------------------------------------------------------------------------------------------------

/// What callbacks were called with: integers and texts as such, all else by type index.
static SEEN: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// What a callback answers or calls: the address of an object that the check keeps alive.
static ANSWER: Mutex<Option<usize>> = Mutex::new(None);
/// The target, for callbacks that call it.
static API: OnceLock<Api> = OnceLock::new();

fn remember(value: &TVMFFIAny) {
    let text = match value.type_index {
        kTVMFFIInt => (value.payload() as i64).to_string(),
        kTVMFFISmallStr | kTVMFFIStr | kTVMFFIRawStr => {
            String::from_utf8_lossy(&crate::client::text_of(value).unwrap_or_default()).into_owned()
        }
        other => other.to_string(),
    };
    SEEN.lock().unwrap_or_else(PoisonError::into_inner).push(text);
}

/// The arguments of a callback.
///
/// # Safety
/// As for every callback.
unsafe fn given<'a>(args: *const TVMFFIAny, count: i32) -> &'a [TVMFFIAny] {
    // SAFETY: the target passes that many arguments, which live through the call.
    if count <= 0 { &[] } else { unsafe { std::slice::from_raw_parts(args, count as usize) } }
}

/// Goes on.
unsafe extern "C" fn advance(_: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the target passes a writable result.
    unsafe { result.write(TVMFFIAny::NONE) };
    0
}

/// Notes its first argument, and goes on.
unsafe extern "C" fn note(this: *mut c_void, args: *const TVMFFIAny, count: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the arguments are the target's.
    unsafe {
        given(args, count).iter().take(1).for_each(remember);
        advance(this, args, count, result)
    }
}

/// Notes all its arguments, and goes on.
unsafe extern "C" fn note_all(this: *mut c_void, args: *const TVMFFIAny, count: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the arguments are the target's.
    unsafe {
        given(args, count).iter().for_each(remember);
        advance(this, args, count, result)
    }
}

/// Notes its first argument twice, and goes on.
unsafe extern "C" fn note_twice(
    this: *mut c_void,
    args: *const TVMFFIAny,
    count: i32,
    result: *mut TVMFFIAny,
) -> c_int {
    // SAFETY: the arguments are the target's.
    unsafe {
        note(this, args, count, result);
        note(this, args, count, result)
    }
}

/// Notes its argument, and skips the second array that it is called with.
unsafe extern "C" fn skip_pairs(
    this: *mut c_void,
    args: *const TVMFFIAny,
    count: i32,
    result: *mut TVMFFIAny,
) -> c_int {
    // SAFETY: the arguments are the target's.
    unsafe { note(this, args, count, result) };
    let seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    let is_second = seen.last().is_some_and(|text| text == "71") && seen.len() > 1;
    // SAFETY: the target passes a writable result.
    unsafe { result.write(view::int(i64::from(is_second))) };
    0
}

/// Notes its argument, and answers 2 with the interrupt that the check made.
unsafe extern "C" fn interrupt_at_two(
    this: *mut c_void,
    args: *const TVMFFIAny,
    count: i32,
    result: *mut TVMFFIAny,
) -> c_int {
    // SAFETY: the arguments are the target's.
    let value = unsafe {
        note(this, args, count, result);
        given(args, count).first().map(TVMFFIAny::payload)
    };
    if let (Some(2), Some(interrupt)) = (value, *ANSWER.lock().unwrap_or_else(PoisonError::into_inner)) {
        crate::client::homemade::retain(interrupt as TVMFFIObjectHandle);
        // SAFETY: the target passes a writable result.
        unsafe { result.write(TVMFFIAny::new(kTVMFFIVisitInterrupt, interrupt as u64)) };
    }
    0
}

/// Notes its argument, and fails with a KeyError.
unsafe extern "C" fn fail(this: *mut c_void, args: *const TVMFFIAny, count: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the arguments are the target's.
    unsafe { note(this, args, count, result) };
    if let Some(api) = API.get() {
        api.TVMFFIErrorSetRaisedFromCStr(c"KeyError".as_ptr(), c"by the callback".as_ptr());
    }
    -1
}

/// Answers an integer with a hundred more.
unsafe extern "C" fn add_hundred(_: *mut c_void, args: *const TVMFFIAny, count: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the arguments are the target's.
    let value = unsafe { given(args, count) }.first().map_or(0, |value| value.payload() as i64);
    // SAFETY: the target passes a writable result.
    unsafe { result.write(view::int(value + 100)) };
    0
}

/// Calls the function that the check chose.
fn call_chosen(args: &[TVMFFIAny], result: *mut TVMFFIAny) -> c_int {
    let function = ANSWER.lock().unwrap_or_else(PoisonError::into_inner).unwrap_or_default();
    API.get().map_or(-1, |api| {
        let (args, count) = (args.as_ptr().cast_mut(), args.len() as i32);
        api.TVMFFIFunctionCall(function as TVMFFIObjectHandle, args, count, result)
    })
}

/// Notes its argument, and has the visitor it is given visit what is inside.
unsafe extern "C" fn go_on(this: *mut c_void, args: *const TVMFFIAny, count: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the arguments are the target's.
    let args = unsafe {
        note(this, args, count, result);
        given(args, count)
    };
    let [value, visitor] = args else { return -1 };
    call_chosen(&[*visitor, *value], result)
}

/// Notes what the chosen function answers about the visitor.
unsafe extern "C" fn ask_visitor(_: *mut c_void, args: *const TVMFFIAny, count: i32, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the arguments are the target's.
    let [_, visitor] = (unsafe { given(args, count) }) else { return -1 };
    let mut answer = TVMFFIAny::NONE;
    let code = call_chosen(&[*visitor], &mut answer);
    remember(&answer);
    // SAFETY: the target passes a writable result.
    unsafe { result.write(TVMFFIAny::NONE) };
    code
}
