//! Objects that a caller gives away with an argument: they are taken, or stay the caller's, also where the call fails.

use tvm_ffi_spec::{clause::id, *};

use super::kit::takers;
use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        given::Given,
        globals,
        homemade::{Homemade, retain},
        view,
    },
    trial::Trial,
};

/// A parameter of any type takes the object out of the caller's slot when it is given an ObjectRValueRef.
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

/// An object that is passed by ObjectRValueRef and by view in one call has the right count of references.
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

/// An argument that gives up the reference in `slot`.
fn moved(slot: &mut TVMFFIObjectHandle) -> TVMFFIAny {
    TVMFFIAny::new(kTVMFFIObjectRValueRef, std::ptr::from_mut(slot) as u64)
}

/// Each function that takes a value of any type takes the object out of the caller's slot, and keeps it or ends it.
#[check(ARG_0007)]
fn object_is_moved_everywhere(t: &Trial) -> Verdict {
    for (taker, function) in takers(t)? {
        for container in taker.containers(t)? {
            let mut given = Given::default();
            let result = t.call(&function, &taker.args(container.as_ref(), given.arg()))?;
            drop((result, container));
            given.is_taken_and_gone(t, taker.name)?;
        }
    }
    Ok(())
}

/// Each function that looks for a value takes the object out of the caller's slot also where it finds that very object, at
/// whatever place it stands, and keeps nothing of it.
#[check(ARG_0007)]
fn object_that_is_found_is_moved(t: &Trial) -> Verdict {
    let numbers = |count: i64| (0..count).map(view::int).collect::<Vec<_>>();
    for (Finders { kind, has_keys, doors }, others) in
        FINDERS.iter().flat_map(|finders| [0, 1, 2, 9].map(|others| (finders, others)))
    {
        let Some(make) = globals::find(t, kind)? else { continue };
        for (door, place) in doors.iter().flat_map(|door| (0..=others).map(move |place| (*door, place))) {
            let Some(function) = globals::find(t, door)? else { continue };
            let object = Homemade::new(kTVMFFIObject, ());
            // In a map each key is its own value, so that the values are tried, too.
            let mut items = numbers(others as i64);
            items.insert(place, object.view());
            let pairs: Vec<_> = items.iter().flat_map(|item| [*item, *item]).collect();
            let container = t.call(&make, if *has_keys { &pairs } else { &items })?;
            retain(object.handle());
            let mut slot = object.handle();
            let args = match door {
                "ffi.ListSetItem" => vec![container.any(), view::int(place as i64), moved(&mut slot)],
                "ffi.DictSetItem" => vec![container.any(), moved(&mut slot), view::int(4711)],
                _ => vec![container.any(), moved(&mut slot)],
            };
            let answer = t.call(&function, &args)?;
            let what = format_args!("an object given to {door} that has it at place {place} of {}", others + 1);
            t.eq(format_args!("the slot of {what}"), slot, std::ptr::null_mut())?;
            drop((answer, container));
            t.eq(format_args!("counts of {what}"), object.counts(), (1, 1))?;
        }
    }
    Ok(())
}

/// A function of two values takes an object out of the caller's slots also where both of them are that object.
#[check(ARG_0007)]
fn one_object_twice(t: &Trial) -> Verdict {
    const COMPARISONS: [(&str, usize); 7] = [
        ("ffi.RecursiveEq", 0),
        ("ffi.RecursiveLt", 0),
        ("ffi.RecursiveLe", 0),
        ("ffi.RecursiveGt", 0),
        ("ffi.RecursiveGe", 0),
        ("ffi.StructuralEqual", 2),
        ("ffi.GetFirstStructuralMismatch", 2),
    ];
    for (name, flags) in COMPARISONS {
        let Some(function) = globals::find(t, name)? else { continue };
        for (make, given) in t.containers()?.into_iter().flat_map(|make| WAYS.map(|given| (make, given))) {
            let object = t.call_global(make, &[view::int(1), view::int(2)])?;
            given.into_iter().filter(|given| *given).for_each(|_| retain(object.handle()));
            let mut slots = [object.handle(); 2];
            let [first, second] = slots.each_mut();
            let mut args = vec![
                if given[0] { moved(first) } else { object.any() },
                if given[1] { moved(second) } else { object.any() },
            ];
            args.resize(2 + flags, view::bool(false));
            let is_answered = t.answer_of(function.handle(), &args)?.is_ok();
            for (slot, _) in slots.into_iter().zip(given).filter(|(_, given)| *given) {
                // Where there is no order, what has not been taken is the caller's.
                if !is_answered && !slot.is_null() {
                    t.api.TVMFFIObjectDecRef(slot);
                    continue;
                }
                let what = format_args!("a slot that had what {make} made, which {name} was given twice");
                t.eq(what, slot, std::ptr::null_mut())?;
            }
            let what = format_args!("counts of what {make} made and {name} was given twice, away: {given:?}");
            t.eq(what, t.counts(object.handle())?, (1, 1))?;
        }
    }
    Ok(())
}

/// Which of two arguments are given away.
const WAYS: [[bool; 2]; 3] = [[true, false], [false, true], [true, true]];

/// A kind of container, and the functions that look for a value in it, or put it where it stands already.
struct Finders {
    kind: &'static str,
    has_keys: bool,
    doors: &'static [&'static str],
}

const FINDERS: [Finders; 4] = [
    Finders { kind: "ffi.Array", has_keys: false, doors: &["ffi.ArrayContains"] },
    Finders { kind: "ffi.List", has_keys: false, doors: &["ffi.ListContains", "ffi.ListSetItem", "ffi.ListAppend"] },
    Finders { kind: "ffi.Map", has_keys: true, doors: &["ffi.MapCount", "ffi.MapGetItem", "ffi.MapGetItemOrMissing"] },
    Finders {
        kind: "ffi.Dict",
        has_keys: true,
        doors: &["ffi.DictCount", "ffi.DictGetItem", "ffi.DictGetItemOrMissing", "ffi.DictSetItem", "ffi.DictErase"],
    },
];

/// An object given to a call that is refused stays in its slot or ends: nothing keeps it.
#[check(ARG_0001)]
fn given_to_a_refused_call(t: &Trial) -> Verdict {
    for (taker, function) in takers(t)? {
        let container = taker.container(t)?;
        let count = taker.args(container.as_ref(), TVMFFIAny::NONE).len();
        for wrong in 0..=count {
            let mut given = Given::default();
            let mut args = taker.args(container.as_ref(), given.arg());
            // One argument after the other is of no use: a text where an index, a container or a pair is wanted, or one more.
            if wrong == count {
                args.push(view::c_str(c"one too many"));
            } else if args[wrong].type_index != kTVMFFIObjectRValueRef {
                args[wrong] = view::c_str(c"a text of no use here");
            }
            let answer = t.answer_of(function.handle(), &args)?;
            drop(answer);
            // What was taken may be in the container, of which another is made for the next call.
            if let Some(container) = &container {
                empty(t, container)?;
            }
            given.is_accounted_for(t, format!("{} with a wrong argument {wrong}", taker.name))?;
        }
    }
    Ok(())
}

/// Takes everything out of a container that can be changed, and puts back what the functions need.
fn empty(t: &Trial, container: &Owned) -> Verdict {
    let (clear, put, args) = match container.any().type_index {
        kTVMFFIList => ("ffi.ListClear", "ffi.ListAppend", vec![view::int(2)]),
        kTVMFFIDict => ("ffi.DictClear", "ffi.DictSetItem", vec![view::int(1), view::int(2)]),
        _ => return Ok(()),
    };
    t.call_void(clear, &[container.any()])?;
    // Two elements, or twice the one entry.
    for _ in 0..2 {
        t.call_void(put, &[vec![container.any()], args.clone()].concat())?;
    }
    Ok(())
}

/// An object given to a function of a List with an index outside of it stays in its slot or ends.
#[check(ARG_0001, LST_0020)]
fn given_with_a_wrong_index(t: &Trial) -> Verdict {
    t.clause(id::LST_0020);
    let list = t.call_global("ffi.List", &[view::int(1), view::int(2)])?;
    for name in ["ffi.ListInsert", "ffi.ListSetItem"] {
        for index in [-1, 3, i64::MAX] {
            let mut given = Given::default();
            t.refuses(name, &[list.any(), view::int(index), given.arg()], &["IndexError"])?;
            given.is_accounted_for(t, format!("{name} with the index {index}"))?;
        }
    }
    t.holds_ints(list.handle(), &[1, 2])
}

/// A key given to a function of a map that does not find it stays in its slot or ends.
#[check(ARG_0001)]
fn given_key_is_missing(t: &Trial) -> Verdict {
    for others in [0, 9] {
        for kind in ["ffi.Map", "ffi.Dict"] {
            let entries: Vec<_> = (0..2 * others).map(view::int).collect();
            if globals::find(t, kind)?.is_none() {
                continue;
            }
            let map = t.call_global(kind, &entries)?;
            for door in ["GetItem", "Count", "GetItemOrMissing", "Erase"] {
                let name = format!("{kind}{door}");
                let Some(function) = globals::find(t, &name)? else { continue };
                let mut given = Given::default();
                drop(t.answer_of(function.handle(), &[map.any(), given.arg()])?);
                given.is_accounted_for(t, format!("{name} that does not have it"))?;
            }
        }
    }
    Ok(())
}

/// A call that fails at any of its arguments keeps nothing of the others, be they lent or given.
#[check(ARG_0001)]
fn failing_at_one(t: &Trial) -> Verdict {
    for name in MAKERS {
        let Some(function) = globals::find(t, name)? else { continue };
        for at in 0..6 {
            let lent: [Homemade<()>; 5] = std::array::from_fn(|_| Homemade::new(kTVMFFIObject, ()));
            let mut given = Given::default();
            fail_at(t, &function, at, &lent.each_ref().map(Homemade::view), given.arg())?;
            let what = format!("{name} whose argument {at} was given away before");
            for object in &lent {
                t.eq(format_args!("counts of an object lent to {what}"), object.counts(), (1, 1))?;
            }
            given.is_accounted_for(t, what)?;
        }
    }
    Ok(())
}

/// An object whose slot is given twice in one call, which is empty by the second time, is taken once and ends once, or stays
/// where it was.
#[check(ARG_0001, ARR_0022)]
fn one_slot_given_twice(t: &Trial) -> Verdict {
    let (one, text) = (view::int(1), view::c_str(c"a text that has to be copied, and is not short"));
    for name in MAKERS {
        let Some(function) = globals::find(t, name)? else { continue };
        t.clause(if name == "ffi.Array" { id::ARR_0022 } else { id::ARG_0001 });
        for places in [[0, 1], [0, 3], [1, 2], [2, 5]] {
            let (mut given, lent) = (Given::default(), Homemade::new(kTVMFFIObject, ()));
            let mut args = [one, text, lent.view(), one, text, lent.view()];
            places.into_iter().for_each(|place| args[place] = given.arg());
            drop(t.answer_of(function.handle(), &args)?);
            let what = format_args!("{name} in the places {places:?}");
            given.is_accounted_for(t, what)?;
            t.eq(format_args!("counts of an object lent to {what}"), lent.counts(), (1, 1))?;
        }
    }
    for (taker, function) in takers(t)? {
        let container = taker.container(t)?;
        let mut given = Given::default();
        let arg = given.arg();
        let mut args = taker.args(container.as_ref(), arg);
        // In the place of an index it is refused.
        args.iter_mut().filter(|other| other.type_index == kTVMFFIInt).for_each(|other| *other = arg);
        args.push(arg);
        drop((t.answer_of(function.handle(), &args)?, container));
        given.is_accounted_for(t, format!("{}, twice", taker.name))?;
    }
    Ok(())
}

/// Calls that fail at any of their arguments leave no memory behind of the others, which were copied.
#[check(ARG_0001, ARR_0022, patient = 2)]
fn failing_at_one_no_growth(t: &Trial) -> Verdict {
    let texts = [view::c_str(c"a text that has to be copied, and is not short"); 5];
    for name in MAKERS {
        let Some(function) = globals::find(t, name)? else { continue };
        t.clause(if name == "ffi.Array" { id::ARR_0022 } else { id::ARG_0001 });
        t.no_growth(format!("memory of {name} that fails"), || {
            (0..6).try_for_each(|at| fail_at(t, &function, at, &texts, view::int(1)))
        })?;
    }
    Ok(())
}

/// Functions that make a container of all their arguments.
const MAKERS: [&str; 5] = ["ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict", "ffi.Shape"];

/// Calls one with an argument that was given away before at this place among those, and with an odd number, for those that take pairs.
fn fail_at(t: &Trial, function: &Owned, at: usize, lent: &[TVMFFIAny; 5], given: TVMFFIAny) -> Verdict {
    let mut nothing = std::ptr::null_mut();
    let mut args = lent.to_vec();
    args[(at + 1) % 5] = given;
    args.insert(at, moved(&mut nothing));
    drop(t.answer_of(function.handle(), &args)?);
    drop(t.answer_of(function.handle(), lent)?);
    Ok(())
}
