//! Hooks of objects that lie deep, that nobody else holds, or whose fields cannot be set.

use std::{
    ffi::{c_int, c_void},
    ptr::from_mut,
};

use tvm_ffi_spec::{clause::id, *};

use super::{
    hooks::{in_each_form, native_answer_chosen, native_fail},
    kit::{POST, PRE, add_hundred, answer_chosen, choose_value, entries, fail, note, take_seen, triples},
};
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        callback::{self, raise},
        homemade::release,
        node::{copy_of, node, node_type, set_kind},
        samples::Place,
        types, view,
    },
    trial::Trial,
};

const TREE: i32 = kTVMFFISEqHashKindTreeNode;

/// How many containers are around an object.
const LEVELS: [usize; 3] = [1, 40, 150];

/// A walk, visit, map or mutation fails where the hook, or the getter of a field, of an object fails, however deep that lies.
#[check(VIS_0043, VIS_0044)]
fn failing_at_depth(t: &Trial) -> Verdict {
    let makes = ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict"];
    let functions = t.globals(makes)?;
    let getters = ("a getter", failing_field(t)?);
    let visits = in_each_form(t, "__s_visit__", fail, native_fail)?;
    let mutates = in_each_form(t, "__s_mutate__", fail, native_fail)?;
    let (some, none, told) = (entries(t, &[(kTVMFFIInt, note)])?, entries(t, &[])?, triples(t, &[(kTVMFFIInt, note)])?);
    let order = |order| vec![some.any(), none.any(), view::int(order)];
    let looks = [
        ("ffi.StructuralWalk", order(PRE)),
        ("ffi.StructuralWalk", order(POST)),
        ("ffi.StructuralVisit", vec![some.any()]),
    ];
    let changes = [
        ("ffi.StructuralMap", order(PRE)),
        ("ffi.StructuralMap", order(POST)),
        ("ffi.StructuralMutate", vec![told.any()]),
    ];
    let looked = visits.iter().chain([&getters]).map(|kind| (id::VIS_0043, kind, &looks));
    let changed = mutates.iter().chain([&getters]).map(|kind| (id::VIS_0044, kind, &changes));
    for (turn, (clause, (form, kind), doors)) in looked.chain(changed).enumerate() {
        t.clause(clause);
        for (level, levels) in LEVELS.into_iter().enumerate() {
            let which = (turn + level) % makes.len();
            let object = node(*kind, view::int(1), view::int(2));
            let inner = Place::Alone.put(t, &object.view())?;
            let key = (which > 1).then(|| view::int(1));
            let whole = t.around(&functions[which], levels, inner, key)?;
            for (door, args) in doors {
                // That it lies too deep is an error, too.
                let kinds: &[&str] = if levels == 1 { &["KeyError"] } else { &[] };
                let raised = t.refuses(door, &[&[whole.any()][..], args].concat(), kinds);
                let what = format!("{form} fails in {levels} of {}", makes[which]);
                drop(raised.map_err(|failure| failure.noting(what))?);
                take_seen();
            }
        }
    }
    Ok(())
}

/// An object that nobody else holds, and whose type has functions in `__s_mutate__` and `__s_maybe_inplace_mutate__` that answer the same, becomes
/// what these answer, whichever is called, and their Error is the error of the whole.
#[check(VIS_0044)]
fn either_hook_of_what_nobody_holds(t: &Trial) -> Verdict {
    let places = [Place::Alone, Place::InArray, Place::InList, Place::MapValue, Place::DictValue];
    let kinds = in_each_form(t, "__s_mutate__", answer_chosen, native_answer_chosen)?;
    let failing = in_each_form(t, "__s_mutate__", fail, native_fail)?;
    for (kinds, body, native) in [
        (kinds, answer_chosen as callback::Body, native_answer_chosen as super::hooks::Native),
        (failing, fail, native_fail),
    ] {
        let function = t.callback(body)?;
        for ((_, kind), hook) in kinds.iter().zip([function.any(), view::pointer(native as *mut c_void)]) {
            t.set_hook(*kind, "__s_maybe_inplace_mutate__", &hook)?;
        }
    }
    let text = t.string(b"a text that is not short")?;
    for (door, place) in [0, 1, 2].into_iter().flat_map(|door| places.map(|place| (door, place))) {
        for (form, kind) in kinds {
            for answer in [view::float(0.5), text.any(), TVMFFIAny::new(kTVMFFIUnchanged, 0)] {
                choose_value(&answer);
                let (value, object) = alone(t, kind, place)?;
                let expected = if answer.type_index == kTVMFFIUnchanged { object } else { answer };
                let changed = given(t, door, value)?;
                let changed = changed.map_err(|raised| t.failure("the call", "success", raised.message))?;
                let found = place.look(t, &changed.any())?;
                t.any_eq(format_args!("what became of the object, hook as {form}, {place:?}"), &found, &expected)?;
            }
        }
        for (form, kind) in failing {
            let (value, _) = alone(t, kind, place)?;
            let kind = given(t, door, value)?.err().map(|raised| raised.kind);
            let what = format!("the error of the whole, hook as {form}, {place:?}");
            t.eq(what, kind.as_deref(), Some("KeyError"))?;
            take_seen();
        }
    }
    Ok(())
}

/// A map or mutation that would change a field without a setter fails, or gives a copy with what became of the field; the object itself keeps what
/// it had.
#[check(VIS_0046)]
fn field_without_setter(t: &Trial) -> Verdict {
    let kind = node_type(t, "verify.visit.WithoutSetter", TREE, [0, 0])?;
    t.set_hook(kind, "__ffi_shallow_copy__", &t.callback(|_, args| copy_of(args))?.any())?;
    for place in [Place::Alone, Place::InArray, Place::InList, Place::MapValue, Place::DictValue] {
        for (first, second) in [(view::int(1), view::float(0.5)), (view::float(0.5), view::int(1))] {
            let object = node(kind, first, second);
            let holder = place.put(t, &object.view())?;
            for (number, door) in DOORS.into_iter().enumerate() {
                let (_owners, rest) = rest(t, number)?;
                let answer = t.answer(door, &[&[holder.any()][..], &rest].concat())?;
                if let Ok(changed) = &answer {
                    let found = place.look(t, &changed.any())?;
                    let found = callback_fields(t, &found)?;
                    let plus = |value: TVMFFIAny| if value.type_index == kTVMFFIInt { view::int(101) } else { value };
                    t.any_eq(format_args!("the first field, {place:?}"), &found[0], &plus(first))?;
                    t.any_eq(format_args!("the second field, {place:?}"), &found[1], &plus(second))?;
                }
                let left = callback_fields(t, &object.view())?;
                t.any_eq(format_args!("the first field of the original, {place:?}"), &left[0], &first)?;
                t.any_eq(format_args!("the second field of the original, {place:?}"), &left[1], &second)?;
            }
        }
    }
    Ok(())
}

fn callback_fields(t: &Trial, value: &TVMFFIAny) -> Verdict<[TVMFFIAny; 2]> {
    t.cell("the object", value.payload() as TVMFFIObjectHandle)
}

/// The functions that change values, a map in either order and a mutation.
const DOORS: [&str; 3] = ["ffi.StructuralMap", "ffi.StructuralMap", "ffi.StructuralMutate"];

/// The arguments of such a call behind the value, which add a hundred to integers, and what owns them.
fn rest(t: &Trial, door: usize) -> Verdict<(Vec<Owned>, Vec<TVMFFIAny>)> {
    let callbacks = [(kTVMFFIInt, add_hundred as callback::Body)];
    Ok(match door {
        2 => {
            let told = triples(t, &callbacks)?;
            let args = vec![told.any()];
            (vec![told], args)
        }
        order => {
            let (some, none) = (entries(t, &callbacks)?, entries(t, &[])?);
            let args = vec![some.any(), none.any(), view::int(order as i64)];
            (vec![some, none], args)
        }
    })
}

/// An object that only a container holds, which only the caller holds.
fn alone(t: &Trial, kind: i32, place: Place) -> Verdict<(Owned, TVMFFIAny)> {
    let object = node(kind, view::int(1), view::int(2));
    let holder = place.put(t, &object.view())?;
    release(object.handle());
    Ok((holder, object.view()))
}

/// What a function answers that is given the one reference to a value.
fn given(t: &Trial, door: usize, value: Owned) -> Verdict<crate::client::Answer> {
    let value = value.into_any();
    let (_owners, rest) = rest(t, door)?;
    let mut slot = value.payload() as TVMFFIObjectHandle;
    let moved = TVMFFIAny::new(kTVMFFIObjectRValueRef, from_mut(&mut slot) as u64);
    let answer = t.answer(DOORS[door], &[&[moved][..], &rest].concat());
    // What was not taken is the client's still.
    drop((!slot.is_null()).then(|| t.own(value)));
    answer
}

/// A type of objects with a field whose getter fails.
fn failing_field(t: &Trial) -> Verdict<i32> {
    t.serve_callbacks();
    let kind = types::new(t, "verify.visit.FailingField");
    let offset = size_of::<TVMFFIObject>() as i64;
    let field = types::field(b"first", kTVMFFIAny, size_of::<TVMFFIAny>() as i64, offset);
    t.ok(t.api.TVMFFITypeRegisterField(kind, &TVMFFIFieldInfo { getter: Some(fail_to_get), ..field }))?;
    set_kind(t, kind, TREE)?;
    // What changes objects may begin with a copy.
    t.set_hook(kind, "__ffi_shallow_copy__", &t.callback(|_, args| copy_of(args))?.any())?;
    Ok(kind)
}

unsafe extern "C" fn fail_to_get(_: *mut c_void, _: *mut TVMFFIAny) -> c_int {
    callback::api().and_then(|api| raise(api, c"KeyError", c"by the getter"));
    -1
}
