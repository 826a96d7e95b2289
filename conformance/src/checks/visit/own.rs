//! Visitors and mutators that a client has made, with functions of its own, as programs do that are compiled with the headers.

use std::{
    ffi::c_void,
    sync::{Mutex, PoisonError},
};

use tvm_ffi_spec::*;

use super::{hooks::Native, kit::zeros};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        homemade::{Homemade, retain},
        model::Value,
        reflected, text_of, types, view,
    },
    trial::Trial,
};

/// What a container has in `__s_visit__` visits its elements or values by the own function of a visitor that a client has made, up to what ends
/// the visit, and so does the default visit.
#[check(VIS_0056)]
fn own_visitor_visits_containers(t: &Trial) -> Verdict {
    let interrupt = t.call_global("ffi.VisitInterrupt", &[view::int(99)])?;
    let error = t.new_error("KeyError", "by the visitor", "")?;
    let default = t.global("ffi.StructuralVisitorDefaultVisit")?;
    for (at, (kind, size)) in KINDS.iter().flat_map(|kind| [0, 1, 3, 7].map(|size| (kind, size))).enumerate() {
        let parts: Vec<_> = (0..size).map(part).collect();
        let container = kind.of(parts.clone()).build(t)?;
        let visitor = own(t, "ffi.StructuralVisitor", at % 2 == 0, &raw const VISITS)?;
        let hook = reflected::attribute(t, "__s_visit__", kind.type_index)?;
        let ends = (0..size).flat_map(|end| [(end, interrupt.any()), (end, error.any())]);
        for (end, answer) in ends.chain([(usize::MAX, TVMFFIAny::NONE)]) {
            for door in [hook, default.any()] {
                begin(end, answer);
                let what = format!("{} of {size}, by {}", kind.name, name_of(&door, "__s_visit__"));
                let come = call(t, &door, &visitor, &container.any())?;
                let met: Vec<_> = met().into_iter().map(|met| met.value).collect();
                let expected = &parts[..size.min(end.saturating_add(1))];
                t.eq(format_args!("what was visited in {what}"), &met[..], expected)?;
                came_to(t, &what, &come, &answer)?;
            }
        }
        t.eq("counts of the interrupt afterwards", t.counts(interrupt.handle())?, (1, 1))?;
    }
    Ok(())
}

/// What a container has in `__s_mutate__` has its elements or values mutated by the own function of a mutator that a client has made, and leaves
/// the container as it was, and so does the default mutation.
#[check(VIS_0057)]
fn own_mutator_mutates_containers(t: &Trial) -> Verdict {
    let error = t.new_error("KeyError", "by the mutator", "")?;
    let default = t.global("ffi.StructuralMutatorDefaultMutate")?;
    for (at, (kind, size)) in KINDS.iter().flat_map(|kind| [0, 1, 3, 7].map(|size| (kind, size))).enumerate() {
        let mutator = own(t, "ffi.StructuralMutator", at % 2 == 0, &raw const MUTATES)?;
        let hook = reflected::attribute(t, "__s_mutate__", kind.type_index)?;
        // Which of the parts change: none, one, or all.
        for changed in (0..=size).map(Changed::One).chain([Changed::All]) {
            let parts: Vec<_> = (0..size).map(|at| changed.part(at)).collect();
            let (whole, expected) = (kind.of(parts.clone()), kind.of(parts.iter().map(hundred_more).collect()));
            let container = whole.build(t)?;
            for door in [hook, default.any()] {
                let what = format!("{} of {size}, by {}", kind.name, name_of(&door, "__s_mutate__"));
                begin(usize::MAX, TVMFFIAny::NONE);
                let (answer, _made) = came_to_value(t, &what, call(t, &door, &mutator, &container.any())?, &container)?;
                let found = Value::read(t, &answer)?;
                t.eq(format_args!("what became of {whole:?}, {what}"), found, expected.clone())?;
                t.that(
                    format_args!("the functions by which parts were mutated, {what}"),
                    met().iter().all(|met| !met.in_place),
                    "the first alone, as the container is to stay",
                    "the second",
                )?;
                for end in [0, size.saturating_sub(1)].into_iter().filter(|_| size > 0) {
                    begin(end, error.any());
                    came_to(t, &what, &call(t, &door, &mutator, &container.any())?, &error.any())?;
                }
                t.eq(format_args!("the original, {what}"), Value::read(t, &container.any())?, whole.clone())?;
            }
        }
    }
    Ok(())
}

/// What a container has in `__s_maybe_inplace_mutate__` has its elements or values mutated by the own functions of a mutator that a client has
/// made, and what others hold by that for values that stay.
#[check(VIS_0057)]
fn own_mutator_mutates_in_place(t: &Trial) -> Verdict {
    let error = t.new_error("KeyError", "by the mutator", "")?;
    for (at, (kind, size)) in KINDS.iter().flat_map(|kind| [0, 1, 3, 7].map(|size| (kind, size))).enumerate() {
        let mutator = own(t, "ffi.StructuralMutator", at % 2 == 0, &raw const MUTATES)?;
        let hook = reflected::attribute(t, "__s_maybe_inplace_mutate__", kind.type_index)?;
        let what = format!("{} of {size}", kind.name);
        for changed in (0..=size).map(Changed::One).chain([Changed::All]) {
            let parts: Vec<_> = (0..size).map(|at| changed.part(at)).collect();
            let expected = kind.of(parts.iter().map(hundred_more).collect());
            let container = kind.of(parts).build(t)?;
            begin(usize::MAX, TVMFFIAny::NONE);
            let (answer, _made) = came_to_value(t, &what, call(t, &hook, &mutator, &container.any())?, &container)?;
            t.eq(format_args!("what became of {what}"), Value::read(t, &answer)?, expected)?;
        }
        for end in [0, size.saturating_sub(1)].into_iter().filter(|_| size > 0) {
            let container = kind.of((0..size).map(part).collect()).build(t)?;
            begin(end, error.any());
            came_to(t, &what, &call(t, &hook, &mutator, &container.any())?, &error.any())?;
        }
        // Two Lists, one of which the client holds, too.
        let lists = [5, 6].map(|number| t.call_global("ffi.List", &[view::int(number)]));
        let [shared, alone] = lists;
        let (shared, alone) = (shared?, alone?);
        let container = kind.with(t, &[shared.any(), alone.any()])?;
        drop(alone);
        begin(usize::MAX, TVMFFIAny::NONE);
        drop(came_to_value(t, &what, call(t, &hook, &mutator, &container.any())?, &container)?);
        let held = met().into_iter().filter(|met| met.object == shared.handle().addr());
        let held: Vec<_> = held.map(|met| if met.in_place { "in place" } else { "to stay" }).collect();
        t.eq(format_args!("how a List that the client holds was mutated in {what}"), held, vec!["to stay"])?;
    }
    Ok(())
}

/// What Strings, Bytes and big integers have in `__s_mutate__` and `__s_maybe_inplace_mutate__` leaves them as they are, with a mutator that a client
/// has made.
#[check(VIS_0057)]
fn own_mutator_leaves_texts(t: &Trial) -> Verdict {
    let mut leaves = vec![t.string(b"a text that is not short")?, t.bytes(b"bytes that are not short")?];
    leaves.extend(t.big_int(1 << 64)?);
    for (is_child, leaf) in
        [false, true].into_iter().flat_map(|is_child| leaves.iter().map(move |leaf| (is_child, leaf)))
    {
        let mutator = own(t, "ffi.StructuralMutator", is_child, &raw const MUTATES)?;
        for column in ["__s_mutate__", "__s_maybe_inplace_mutate__"] {
            let hook = reflected::attribute(t, column, leaf.any().type_index)?;
            begin(usize::MAX, TVMFFIAny::NONE);
            let what = format!("a value of type {} by {column}", leaf.any().type_index);
            let (answer, _made) = came_to_value(t, &what, call(t, &hook, &mutator, &leaf.any())?, leaf)?;
            t.any_eq(format_args!("what became of {what}"), &answer, &leaf.any())?;
        }
    }
    Ok(())
}

/// The default mutation of a value that has no parts is the value itself, with a mutator that a client has made.
#[check(VIS_0037)]
fn own_mutator_by_default_of_plain_values(t: &Trial) -> Verdict {
    let default = t.global("ffi.StructuralMutatorDefaultMutate")?;
    let texts = [t.string(b"a text that is not short")?, t.bytes(b"bytes that are not short")?];
    for is_child in [false, true] {
        let mutator = own(t, "ffi.StructuralMutator", is_child, &raw const MUTATES)?;
        for value in zeros().into_iter().chain([view::int(7), view::float(0.5)]).chain(texts.each_ref().map(Owned::any))
        {
            begin(usize::MAX, TVMFFIAny::NONE);
            let answer = call(t, &default.any(), &mutator, &value)?;
            t.any_eq(format_args!("what became of {value:?}"), &answer.any(), &value)?;
        }
    }
    Ok(())
}

// ---------------------------------------------------------------------------------------------------------------------
// Containers
// ---------------------------------------------------------------------------------------------------------------------

/// A kind of container.
struct Kind {
    name: &'static str,
    type_index: i32,
    make: fn(Vec<Value>) -> Value,
}

const KINDS: [Kind; 4] = [
    Kind { name: "ffi.Array", type_index: kTVMFFIArray, make: Value::Array },
    Kind { name: "ffi.List", type_index: kTVMFFIList, make: Value::List },
    Kind { name: "ffi.Map", type_index: kTVMFFIMap, make: |parts| Value::Map(with_keys(parts)) },
    Kind { name: "ffi.Dict", type_index: kTVMFFIDict, make: |parts| Value::Dict(with_keys(parts)) },
];

impl Kind {
    fn of(&self, parts: Vec<Value>) -> Value {
        (self.make)(parts)
    }

    /// A container of this kind with these parts themselves.
    fn with(&self, t: &Trial, parts: &[TVMFFIAny]) -> Verdict<Owned> {
        let keys = (0..parts.len()).map(|at| key(at).build(t)).collect::<Verdict<Vec<_>>>()?;
        let args: Vec<_> = match self.type_index {
            kTVMFFIMap | kTVMFFIDict => keys.iter().zip(parts).flat_map(|(key, part)| [key.any(), *part]).collect(),
            _ => parts.to_vec(),
        };
        t.call_global(self.name, &args)
    }
}

/// Entries with these values. The keys are of a type that no value has.
fn with_keys(parts: Vec<Value>) -> Vec<(Value, Value)> {
    parts.into_iter().enumerate().map(|(at, part)| (key(at), part)).collect()
}

fn key(at: usize) -> Value {
    Value::Bytes(vec![b'k', at as u8])
}

/// A part of a container, of one type or another.
fn part(at: usize) -> Value {
    match at % 4 {
        0 => Value::Int(at as i64 + 1),
        1 => Value::str("a text that is not short"),
        2 => Value::float(0.5),
        _ => Value::Bool(true),
    }
}

/// Which parts of a container are integers, which the mutator changes.
#[derive(Clone, Copy)]
enum Changed {
    All,
    One(usize),
}

impl Changed {
    fn part(self, at: usize) -> Value {
        match self {
            Self::One(other) if at != other => {
                Value::str(if at.is_multiple_of(2) { "x" } else { "a text that is not short" })
            }
            _ => Value::Int(at as i64 + 1),
        }
    }
}

fn hundred_more(part: &Value) -> Value {
    if let Value::Int(number) = part { Value::Int(number + 100) } else { part.clone() }
}

// ---------------------------------------------------------------------------------------------------------------------
// Engines of the client's own
// ---------------------------------------------------------------------------------------------------------------------

/// What a visitor or a mutator has behind its header.
#[repr(C)]
#[derive(Clone, Copy)]
struct Engine {
    functions: *const c_void,
    region: i32,
}

/// The functions of a visitor.
static VISITS: [Native; 1] = [visit];

/// A function of a mutator that takes a variable and what it becomes.
type NativeOfTwo = unsafe extern "C" fn(*mut c_void, TVMFFIAny, TVMFFIAny) -> TVMFFIAny;

/// The functions of a mutator.
#[repr(C)]
struct Mutates(Native, Native, Native, NativeOfTwo);

static MUTATES: Mutates = Mutates(mutate, mutate_in_place, no_replacement, forget_replacement);

/// A visitor or mutator of that type, or of one of the client's below it.
fn own<F>(t: &Trial, key: &str, is_child: bool, functions: *const F) -> Verdict<Homemade<Engine>> {
    let parent = reflected::type_index(t, key)?;
    let type_index = if is_child { types::new_child(t, &format!("verify.visit.Own.{key}"), parent)? } else { parent };
    Ok(Homemade::new(type_index, Engine { functions: functions.cast(), region: kTVMFFIDefRegionKindNone }))
}

/// A part that a function of the engine was called with. Keys are not told.
#[derive(Clone)]
struct Met {
    value: Value,
    object: usize,
    in_place: bool,
}

/// What the functions have met, and with what they answer the call for which part.
struct Course {
    met: Vec<Met>,
    end: usize,
    answer: TVMFFIAny,
}

static COURSE: Mutex<Course> = Mutex::new(Course { met: Vec::new(), end: usize::MAX, answer: TVMFFIAny::NONE });

/// Has the functions go on, up to the part that they answer this for.
fn begin(end: usize, answer: TVMFFIAny) {
    *COURSE.lock().unwrap_or_else(PoisonError::into_inner) = Course { met: Vec::new(), end, answer };
}

/// What the functions have met since.
fn met() -> Vec<Met> {
    COURSE.lock().unwrap_or_else(PoisonError::into_inner).met.clone()
}

/// Writes down what a function was called with; what it answers if that is where the course ends.
fn meets(value: &TVMFFIAny, in_place: bool) -> Option<TVMFFIAny> {
    let is_object = value.type_index >= kTVMFFIStaticObjectBegin;
    let met = match value.type_index {
        kTVMFFISmallBytes => return None,
        kTVMFFIInt => Value::Int(value.payload() as i64),
        kTVMFFIFloat => Value::Float(value.payload()),
        kTVMFFIBool => Value::Bool(value.payload() != 0),
        kTVMFFISmallStr | kTVMFFIStr => Value::Str(text_of(value).unwrap_or_default()),
        other => Value::Other(other),
    };
    let mut course = COURSE.lock().unwrap_or_else(PoisonError::into_inner);
    let is_end = course.met.len() == course.end;
    course.met.push(Met { value: met, object: if is_object { value.payload() as usize } else { 0 }, in_place });
    is_end.then(|| {
        if course.answer.type_index >= kTVMFFIStaticObjectBegin {
            retain(course.answer.payload() as TVMFFIObjectHandle);
        }
        course.answer
    })
}

unsafe extern "C" fn visit(_: *mut c_void, value: TVMFFIAny) -> TVMFFIAny {
    meets(&value, false).unwrap_or(TVMFFIAny::NONE)
}

unsafe extern "C" fn mutate(_: *mut c_void, value: TVMFFIAny) -> TVMFFIAny {
    meets(&value, false).unwrap_or_else(|| hundred_more_natively(&value))
}

unsafe extern "C" fn mutate_in_place(_: *mut c_void, value: TVMFFIAny) -> TVMFFIAny {
    meets(&value, true).unwrap_or_else(|| hundred_more_natively(&value))
}

fn hundred_more_natively(value: &TVMFFIAny) -> TVMFFIAny {
    match value.type_index {
        kTVMFFIInt => view::int(value.payload() as i64 + 100),
        _ => TVMFFIAny::new(kTVMFFIUnchanged, 0),
    }
}

unsafe extern "C" fn no_replacement(_: *mut c_void, _: TVMFFIAny) -> TVMFFIAny {
    TVMFFIAny::NONE
}

unsafe extern "C" fn forget_replacement(_: *mut c_void, _: TVMFFIAny, _: TVMFFIAny) -> TVMFFIAny {
    TVMFFIAny::NONE
}

// ---------------------------------------------------------------------------------------------------------------------
// Calling hooks as programs do that are compiled with the headers
// ---------------------------------------------------------------------------------------------------------------------

/// Calls a hook, a function object or a pointer to a C function, or a global function, with an engine and a value; an error that it raises is
/// answered.
fn call(t: &Trial, door: &TVMFFIAny, engine: &Homemade<Engine>, value: &TVMFFIAny) -> Verdict<Owned> {
    match door.type_index {
        kTVMFFIOpaquePtr => {
            // SAFETY: what these columns have is such a function, as the headers say.
            let hook: Native = unsafe { std::mem::transmute(door.payload() as *const c_void) };
            // SAFETY: the engine and the value live during the call.
            Ok(t.own(t.api.noted("the C function of a hook", || unsafe { hook(engine.handle(), *value) })))
        }
        _ => match t.answer_of(door.payload() as TVMFFIObjectHandle, &[engine.view(), *value])? {
            Ok(answer) => Ok(answer),
            Err(raised) => Ok(raised.object),
        },
    }
}

fn name_of(door: &TVMFFIAny, column: &str) -> String {
    let form = if door.type_index == kTVMFFIOpaquePtr { "the hook" } else { "a function object" };
    format!("{form} for {column}")
}

/// Expects a call to have answered what ended it: an interrupt itself, or an error that says the same.
fn came_to(t: &Trial, what: &str, answer: &Owned, expected: &TVMFFIAny) -> Verdict {
    if expected.type_index == kTVMFFIError {
        return t.type_index_eq(format_args!("what {what} has come to"), answer.any().type_index, kTVMFFIError);
    }
    t.any_eq(format_args!("what {what} has come to"), &answer.any(), expected)
}

/// What a call has made of a value, the value itself where it says that nothing is changed, and what owns it.
fn came_to_value(t: &Trial, what: &str, answer: Owned, value: &Owned) -> Verdict<(TVMFFIAny, Owned)> {
    let any = answer.any();
    t.that(format_args!("what {what} has come to"), any.type_index != kTVMFFIError, "no error", "an Error")?;
    Ok((if any.type_index == kTVMFFIUnchanged { value.any() } else { any }, answer))
}
