//! Callbacks, what they saw, and calls with them.

use std::{
    ffi::c_void,
    ptr::null_mut,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicPtr, AtomicUsize, Ordering},
    },
};

use tvm_ffi_spec::*;

use crate::{
    client::{
        Owned, Verdict,
        api::Api,
        callback::{Body, call, raise},
        homemade::{self, release},
        model::Value,
        text_of, view,
    },
    trial::Trial,
};

/// The order in which a value comes before what is in it.
pub(super) const PRE: i64 = 0;

/// The order in which a value comes after what is in it.
pub(super) const POST: i64 = 1;

/// A callback's type index that matches every value.
pub(super) const EVERYTHING: i32 = -1;

/// Arrays of integers, one in the other.
pub(super) fn sample() -> Value {
    Value::Array(vec![Value::Int(1), Value::Array(vec![Value::Int(2), Value::Int(3)]), Value::Int(4)])
}

/// A callback and the type index of the values that it is called for.
pub(super) type Callback = (i32, Body);

/// Walks through a value with callbacks that take one argument.
pub(super) fn walk(t: &Trial, value: &Owned, callbacks: &[Callback], order: i64) -> Verdict<Owned> {
    let (callbacks, none) = (entries(t, callbacks)?, entries(t, &[])?);
    t.call_global("ffi.StructuralWalk", &[value.any(), callbacks.any(), none.any(), view::int(order)])
}

/// Walks through a value with callbacks in each of the two lists, that of those which are told the region, too, and looks what came of
/// each walk.
pub(super) fn walk_by_each_list(
    t: &Trial,
    value: &Owned,
    callbacks: &[Callback],
    order: i64,
    look: impl Fn() -> Verdict,
) -> Verdict {
    let (callbacks, none) = (entries(t, callbacks)?, entries(t, &[])?);
    for [plain, told] in [[&callbacks, &none], [&none, &callbacks]] {
        t.call_global("ffi.StructuralWalk", &[value.any(), plain.any(), told.any(), view::int(order)])?;
        look()?;
    }
    Ok(())
}

/// Walks in that way, and expects the callbacks to see this.
pub(super) fn both_lists_see(
    t: &Trial,
    value: &Owned,
    callbacks: &[Callback],
    order: i64,
    expected: &[&str],
) -> Verdict {
    walk_by_each_list(t, value, callbacks, order, || saw(t, expected))
}

/// The type index by which callbacks ask for Strings or Bytes of either form, where a value is one; else its own.
pub(super) fn index_of_either_form(type_index: i32) -> i32 {
    match type_index {
        kTVMFFISmallStr => kTVMFFIStr,
        kTVMFFISmallBytes => kTVMFFIBytes,
        other => other,
    }
}

/// Maps a value with callbacks that take one argument.
pub(super) fn map(t: &Trial, value: &Owned, callbacks: &[Callback], order: i64) -> Verdict<Owned> {
    let (callbacks, none) = (entries(t, callbacks)?, entries(t, &[])?);
    t.call_global("ffi.StructuralMap", &[value.any(), callbacks.any(), none.any(), view::int(order)])
}

/// The callbacks as the functions take them: an Array of pairs of a type index and a function.
pub(super) fn entries(t: &Trial, callbacks: &[Callback]) -> Verdict<Owned> {
    arrays(t, callbacks, |t, index, function| t.call_global("ffi.Array", &[index, function]))
}

/// The callbacks of a mutation, which do not take the third argument that they could ask for.
pub(super) fn triples(t: &Trial, callbacks: &[Callback]) -> Verdict<Owned> {
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
            let function = t.callback(callback)?;
            entry(t, view::int(type_index.into()), function.any())
        })
        .collect::<Verdict<Vec<_>>>()?;
    t.call_global("ffi.Array", &entries.iter().map(Owned::any).collect::<Vec<_>>())
}

/// Expects the callbacks to have seen this, and forgets it.
pub(super) fn saw(t: &Trial, expected: &[&str]) -> Verdict {
    t.eq("what the callbacks were called with", take_seen(), expected.iter().map(|text| (*text).to_owned()).collect())
}

/// What callbacks were called with, which is forgotten.
pub(super) fn take_seen() -> Vec<String> {
    std::mem::take(&mut *SEEN.lock().unwrap_or_else(PoisonError::into_inner))
}

/// What callbacks were called with: integers and texts as such, all else by type index.
static SEEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Writes a text down in [`SEEN`].
pub(super) fn remember_text(text: &str) {
    SEEN.lock().unwrap_or_else(PoisonError::into_inner).push(text.to_owned());
}

/// Writes a value down in [`SEEN`].
fn remember(value: &TVMFFIAny) {
    let text = match value.type_index {
        kTVMFFIInt => (value.payload() as i64).to_string(),
        kTVMFFISmallStr | kTVMFFIStr | kTVMFFIRawStr => {
            String::from_utf8_lossy(&text_of(value).unwrap_or_default()).into_owned()
        }
        other => other.to_string(),
    };
    remember_text(&text);
}

/// The object that a callback answers or calls, which the check has chosen and keeps alive.
static CHOSEN: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

/// Has callbacks answer or call this object.
pub(super) fn choose(object: &Owned) {
    CHOSEN.store(object.handle(), Ordering::Release);
}

fn chosen() -> TVMFFIObjectHandle {
    CHOSEN.load(Ordering::Acquire)
}

/// Goes on.
pub(super) fn advance(_: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    Some(TVMFFIAny::NONE)
}

/// Is counted, and goes on.
pub(super) fn count(_: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    CALLS.fetch_add(1, Ordering::AcqRel);
    Some(TVMFFIAny::NONE)
}

/// How often [`count`] was called since this was last asked.
pub(super) fn counted() -> usize {
    CALLS.swap(0, Ordering::AcqRel)
}

static CALLS: AtomicUsize = AtomicUsize::new(0);

/// Notes its first argument, and goes on.
pub(super) fn note(_: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    args.iter().take(1).for_each(remember);
    Some(TVMFFIAny::NONE)
}

/// Notes all its arguments, and goes on.
pub(super) fn note_all(_: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    args.iter().for_each(remember);
    Some(TVMFFIAny::NONE)
}

/// Notes its first argument twice, and goes on.
pub(super) fn note_twice(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    note(api, args);
    note(api, args)
}

/// Notes its argument, and skips the second Array that it is called with.
pub(super) fn skip_pairs(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    note(api, args);
    let seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    let is_second = seen.last().is_some_and(|text| text == "71") && seen.len() > 1;
    Some(view::int(i64::from(is_second)))
}

/// Notes its argument, and answers 2 with the interrupt that the check made.
pub(super) fn interrupt_at_two(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let nothing = note(api, args);
    if args.first()?.payload() != 2 {
        return nothing;
    }
    homemade::retain(chosen());
    Some(TVMFFIAny::new(kTVMFFIVisitInterrupt, chosen() as u64))
}

/// Notes its argument, and fails with a KeyError.
pub(super) fn fail(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    note(api, args);
    raise(api, c"KeyError", c"by the callback")
}

/// Answers the marker of an unchanged value.
pub(super) fn unchanged(_: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    Some(TVMFFIAny::new(kTVMFFIUnchanged, 0))
}

/// Answers an integer with a hundred more.
pub(super) fn add_hundred(_: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    Some(view::int(args.first()?.payload() as i64 + 100))
}

/// Notes its argument, and has the visitor it is given visit what is inside.
pub(super) fn go_on(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    note(api, args);
    let [value, visitor] = args else { return None };
    call(api, chosen(), &[*visitor, *value])
}

/// Notes what the function that the check chose answers about the visitor.
pub(super) fn ask_visitor(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let [_, visitor] = args else { return None };
    remember(&call(api, chosen(), &[*visitor])?);
    Some(TVMFFIAny::NONE)
}

/// Notes its first argument, and answers it.
pub(super) fn note_and_keep(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    note(api, args);
    let value = *args.first()?;
    if value.type_index >= kTVMFFIStaticObjectBegin {
        homemade::retain(value.payload() as TVMFFIObjectHandle);
    }
    Some(value)
}

/// Answers the Array that the check has chosen.
pub(super) fn replace_by_chosen(_: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    homemade::retain(chosen());
    Some(TVMFFIAny::new(kTVMFFIArray, chosen() as u64))
}

/// The type index and the payload of the value that [`answer_chosen`] answers.
static ANSWER: Mutex<(i32, u64)> = Mutex::new((kTVMFFINone, 0));

/// Has callbacks answer this value, which the check keeps alive.
pub(super) fn choose_value(value: &TVMFFIAny) {
    *ANSWER.lock().unwrap_or_else(PoisonError::into_inner) = (value.type_index, value.payload());
}

/// Answers the value that the check has chosen.
pub(super) fn answer_chosen(_: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let (type_index, payload) = *ANSWER.lock().unwrap_or_else(PoisonError::into_inner);
    if type_index >= kTVMFFIStaticObjectBegin {
        homemade::retain(payload as TVMFFIObjectHandle);
    }
    Some(TVMFFIAny::new(type_index, payload))
}

/// Answers 4711.
pub(super) fn replace(_: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    Some(view::int(4711))
}

/// Is counted, and answers the interrupt that the check made.
pub(super) fn interrupt_at_once(api: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    count(api, args)?;
    homemade::retain(chosen());
    Some(TVMFFIAny::new(kTVMFFIVisitInterrupt, chosen() as u64))
}

/// Calls a global function; `None` when it fails.
pub(super) fn ask(api: &Api, name: &str, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let mut function = null_mut();
    api.TVMFFIFunctionGetGlobal(&TVMFFIByteArray::new(name.as_bytes()), &mut function);
    if function.is_null() {
        return raise(api, c"AssertionError", c"a global function is missing");
    }
    let answer = call(api, function, args);
    release(function);
    answer
}

/// A value of each plain type that is easily taken for none: zero, empty or NULL.
pub(super) fn zeros() -> [TVMFFIAny; 9] {
    let of = |type_index: i32| TVMFFIAny::new(type_index, 0);
    [
        TVMFFIAny::NONE,
        view::int(0),
        view::bool(false),
        view::float(0.0),
        view::pointer(null_mut()),
        of(kTVMFFIDataType),
        // The device cpu:0.
        TVMFFIAny::new(kTVMFFIDevice, 1),
        of(kTVMFFISmallStr),
        of(kTVMFFISmallBytes),
    ]
}
