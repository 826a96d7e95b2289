//! Objects whose functions of their own answer what is kept elsewhere, make copies of another type, or lead in a circle.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicI32, AtomicUsize, Ordering},
    },
};

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        api::Api,
        callback::{Body, call, return_none},
        header,
        homemade::strong_count,
        node::{Node, common_node_type, fields_of, get_any, node, node_type, set_any, set_common, set_first},
        samples::Place,
        types, view,
    },
    trial::Trial,
};

/// A List or a Dict that is kept elsewhere, and that the getters of fields answer which do not hold it, is one object in all these fields of a deep copy,
/// and another than the original.
#[check(REC_0017, REC_0016)]
fn copies_of_what_getters_answer(t: &Trial) -> Verdict {
    let kind = common_node_type(t, "verify.copy.Getting", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    let none = TVMFFIAny::NONE;
    for (make, count) in ["ffi.List", "ffi.Dict"].into_iter().flat_map(|make| [1, 2, 5].map(|count| (make, count))) {
        let common = t.call_global(make, &[view::int(1), view::int(2)])?;
        set_common(&common.any());
        let objects: Vec<_> = (0..count).map(|_| t.own(node(kind, none, none).view())).collect();
        let whole = t.call_global("ffi.Array", &objects.iter().map(Owned::any).collect::<Vec<_>>())?;
        drop(objects);
        let copy = t.call_global("ffi.DeepCopy", &[whole.any()])?;
        let mut places = Vec::new();
        for object in t.sequence(copy.handle())?.items {
            t.type_index_eq("the type of an object in the copy", object.type_index, kind)?;
            let Node { first, second } = t.cell("an object in the copy", object.payload() as TVMFFIObjectHandle)?;
            // As the getter answers it.
            places.extend(
                [first, second].map(|field| if field.type_index == kTVMFFINone { common.any() } else { field }),
            );
        }
        let what = format!("what {make} has made and {count} objects have in common, in the copy");
        t.eq(format_args!("places of {what}"), places.len(), 2 * count)?;
        for (number, place) in places.iter().enumerate() {
            t.clause(id::REC_0017);
            t.any_eq(format_args!("place {number} of {what}"), place, &places[0])?;
            t.clause(id::REC_0016);
            t.ne(format_args!("place {number} of {what}"), place.payload(), common.any().payload())?;
        }
    }
    Ok(())
}

/// A deep copy for which the function in `__ffi_shallow_copy__` has answered an instance of a descendant is refused with an error where a later part
/// cannot be copied: what was made is given back, and no field of the descendant is looked for in the original.
#[check(REC_0020, REC_0032)]
fn copies_of_a_descendant(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let base = types::new(t, "verify.copy.Base");
    let derived = types::new_child(t, "verify.copy.Derived", base)?;
    DERIVED.store(derived, Ordering::Release);
    let offset = size_of::<TVMFFIObject>();
    for (kind, name, at, getter, setter) in [
        (base, &b"first"[..], 0, get_any as TVMFFIFieldGetter, set_any as *mut c_void),
        (derived, &b"second"[..], 1, get_of_derived as TVMFFIFieldGetter, set_of_derived as *mut c_void),
    ] {
        let offset = (offset + at * size_of::<TVMFFIAny>()) as i64;
        let field = types::field(name, kTVMFFIAny, size_of::<TVMFFIAny>() as i64, offset);
        let field = TVMFFIFieldInfo { getter: Some(getter), setter, ..field };
        t.ok(t.api.TVMFFITypeRegisterField(kind, &field))?;
    }
    t.set_hook(base, "__ffi_shallow_copy__", &t.callback(copy_as_derived)?.any())?;
    let function = t.function(null_mut(), return_none, None)?;
    for (make, place) in t
        .containers()?
        .into_iter()
        .flat_map(|make| [Place::Alone, Place::InArray, Place::InList].map(|place| (make, place)))
    {
        for able in [true, false] {
            let original = node(base, view::int(1), view::int(2));
            let held = place.put(t, &original.view())?;
            let last = if able { view::int(3) } else { function.any() };
            let whole = t.call_global(make, &[view::int(0), held.any(), view::int(1), last])?;
            let counts =
                || -> Verdict<_> { Ok((original.counts(), t.counts(function.handle())?, t.counts(whole.handle())?)) };
            let before = counts()?;
            let answer = t.answer("ffi.DeepCopy", &[whole.any()])?;
            let what = format!("a copy of {make} with an object, {place:?}, copied as its descendant");
            t.clause(id::REC_0020);
            if !able {
                let got = if answer.is_ok() { "success" } else { "an error" };
                t.that(format_args!("what comes of {what} and a function"), answer.is_err(), "an error", got)?;
            }
            drop(answer);
            t.clause(id::REC_0032);
            let made = std::mem::take(&mut *MADE.lock().unwrap_or_else(PoisonError::into_inner));
            let left = made.iter().filter(|made| strong_count(**made as TVMFFIObjectHandle) != 0).count();
            t.eq(format_args!("instances of the descendant that are left after {what}"), left, 0)?;
            t.eq(format_args!("counts of the object, a function and the container after {what}"), counts()?, before)?;
            let mistaken = MISTAKEN.load(Ordering::Acquire);
            t.eq(format_args!("fields of the descendant that were looked for elsewhere in {what}"), mistaken, 0)?;
        }
    }
    Ok(())
}

/// The type of the copies.
static DERIVED: AtomicI32 = AtomicI32::new(0);
/// The copies that were made, whose memory is kept.
static MADE: Mutex<Vec<usize>> = Mutex::new(Vec::new());
/// How often a field of theirs was read or set in another object.
static MISTAKEN: AtomicUsize = AtomicUsize::new(0);

/// Copies an object of the base as an instance of the descendant.
fn copy_as_derived(_: &Api, args: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    let Node { first, .. } = fields_of(args.first()?)?;
    let copy = node(DERIVED.load(Ordering::Acquire), first, view::int(9));
    MADE.lock().unwrap_or_else(PoisonError::into_inner).push(copy.handle() as usize);
    Some(copy.view())
}

/// Notes whether the second field is one of another object than a descendant.
fn notice(field: *mut c_void) {
    let object = field.wrapping_byte_sub(size_of::<TVMFFIObject>() + size_of::<TVMFFIAny>());
    let is_derived = header::read(object).is_some_and(|header| header.type_index == DERIVED.load(Ordering::Acquire));
    MISTAKEN.fetch_add(usize::from(!is_derived), Ordering::AcqRel);
}

unsafe extern "C" fn get_of_derived(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    notice(field);
    // SAFETY: all objects here have the memory of two fields, and the caller's contract is the same.
    unsafe { get_any(field, result) }
}

unsafe extern "C" fn set_of_derived(field: *mut c_void, value: *const TVMFFIAny) -> c_int {
    notice(field);
    // SAFETY: as above.
    unsafe { set_any(field, value) }
}

/// Objects with functions in `__ffi_eq__` and `__ffi_hash__` that lie in circles and are recursively equal have one recursive hash, however many of them
/// the circles of Lists or Dicts go through.
#[check(REC_0011)]
fn circles_of_hooked_objects_have_one_hash(t: &Trial) -> Verdict {
    let kind = node_type(t, "verify.circle.Hooked", kTVMFFISEqHashKindTreeNode, [0, 0])?;
    t.set_hook(kind, "__ffi_eq__", &t.callback(EQUAL)?.any())?;
    t.set_hook(kind, "__ffi_hash__", &t.callback(HASH)?.any())?;
    for place in [Place::InList, Place::DictValue] {
        let mut circles = Vec::new();
        for length in [1_usize, 2, 3, 6] {
            let objects: Vec<_> =
                (0..length).map(|_| t.own(node(kind, TVMFFIAny::NONE, view::int(7)).view())).collect();
            for (at, object) in objects.iter().enumerate() {
                let next = place.put(t, &objects[(at + 1) % length].any())?;
                set_first(&object.any(), &next.any());
            }
            circles.push((length, objects));
        }
        let (_, first) = &circles[0];
        for (length, other) in &circles {
            let equal = t.answer("ffi.RecursiveEq", &[first[0].any(), other[0].any()])?;
            let hash = |of: &Owned| t.answer("ffi.RecursiveHash", &[of.any()]);
            // A library may refuse to look into a circle.
            let (Ok(equal), Ok(one), Ok(two)) = (equal, hash(&first[0])?, hash(&other[0])?) else { continue };
            if equal.any().payload() != 0 {
                let what = format!("the hash of an object in a circle of {length}, {place:?}, which equals one of 1");
                t.eq(what, two.any().payload(), one.any().payload())?;
            }
        }
        for object in circles.iter().flat_map(|(_, objects)| objects) {
            set_first(&object.any(), &TVMFFIAny::NONE);
        }
    }
    Ok(())
}

/// Compares the first fields.
const EQUAL: Body = |api, args| {
    let [lhs, rhs, go_on] = args else { return None };
    let (lhs, rhs) = (fields_of(lhs)?.first, fields_of(rhs)?.first);
    call(api, go_on.payload() as TVMFFIObjectHandle, &[lhs, rhs])
};

/// Hashes the first field.
const HASH: Body = |api, args| {
    let [object, go_on] = args else { return None };
    call(api, go_on.payload() as TVMFFIObjectHandle, &[fields_of(object)?.first])
};
