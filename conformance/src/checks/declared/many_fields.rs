//! Generated initialisers of types with many fields, whose parameters have to stay in order.

use std::{
    ffi::{CStr, CString, c_int, c_void},
    sync::atomic::{AtomicI32, Ordering::Relaxed},
};

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{Owned, Verdict, homemade::Homemade, types, view},
    trial::Trial,
};

/// The most fields that a type has here.
const MOST: usize = 64;

/// The numbers of fields: few, and so many that a library may put them in order in another way.
const SIZES: [usize; 10] = [1, 2, 5, 16, 20, 21, 22, 33, 40, MOST];

const DEFAULT: i64 = kTVMFFIFieldFlagBitMaskHasDefault;
const BY_NAME: i64 = kTVMFFIFieldFlagBitMaskKwOnly;
const NONE: i64 = kTVMFFIFieldFlagBitMaskInitOff;

/// The flags of each field, by its place.
type Flags = fn(usize) -> i64;

/// Flags, and how they are called.
const PATTERNS: [(&str, Flags); 7] = [
    ("without defaults", |_| 0),
    ("all with defaults", |_| DEFAULT),
    ("every second with a default", |at| if at % 2 == 0 { DEFAULT } else { 0 }),
    ("all but every fifth with a default", |at| if at % 5 == 4 { 0 } else { DEFAULT }),
    ("the first ones with a default", |at| if at < 12 { DEFAULT } else { 0 }),
    ("some by name alone", |at| [0, DEFAULT, BY_NAME, DEFAULT | BY_NAME][at % 4]),
    ("some by name alone, and some no parameters", |at| {
        [DEFAULT, NONE, 0, BY_NAME, 0, DEFAULT, DEFAULT | NONE][at % 7]
    }),
];

/// A generated initialiser sets each of many fields to the argument that is the field's by their order, or to its default: those without a
/// default come first, then those with one, each in the order in which they were registered, those of a parent before.
#[check(DCL_0001, DCL_0003, DCL_0013, patient = 2)]
fn order_of_many(t: &Trial) -> Verdict {
    for (size, (pattern, flags)) in SIZES.into_iter().flat_map(|size| PATTERNS.map(|pattern| (size, pattern))) {
        for inherited in (0..=size / 3).step_by((size / 3).max(1)) {
            t.clause(if inherited == 0 { id::DCL_0001 } else { id::DCL_0013 });
            let init =
                initialiser(t, size, inherited, &format!("{size} fields, {inherited} inherited, {pattern}"), flags)?;
            let of_kind = |wanted: i64| (0..size).filter(move |&at| flags(at) & (DEFAULT | BY_NAME | NONE) == wanted);
            let (required, optional): (Vec<_>, Vec<_>) = (of_kind(0).collect(), of_kind(DEFAULT).collect());
            let places = [&required[..], &optional[..]].concat();
            // Those that are given by name: what has to be, and all that may be.
            let (few, all) = (of_kind(BY_NAME).collect::<Vec<_>>(), of_kind(DEFAULT | BY_NAME));
            let all: Vec<_> = few.iter().copied().chain(all).collect();
            for (positional, named) in [
                (places.len(), &all),
                (places.len(), &few),
                (required.len(), &few),
                (required.len() + optional.len() / 2, &all),
            ] {
                let given = |at: &usize| view::int(GIVEN + *at as i64);
                let mut args: Vec<_> = places[..positional].iter().map(given).collect();
                let sentinel = t.call_global("ffi.GetKwargsObject", &[])?;
                if !named.is_empty() {
                    args.push(sentinel.any());
                    args.extend(named.iter().flat_map(|at| [view::c_str(name(*at)), given(at)]));
                }
                let row = t.call(&init, &args)?;
                let found: [i64; MOST] = t.cell("the instance", row.handle())?;
                let is_given = |at: usize| places[..positional].contains(&at) || named.contains(&at);
                let left_out = |at: usize| if flags(at) & DEFAULT == 0 { AS_CREATED } else { LEFT_OUT + at as i64 };
                let expected = (0..size).map(|at| if is_given(at) { GIVEN + at as i64 } else { left_out(at) });
                t.eq(
                    format_args!("{size} fields, {inherited} of them inherited, {pattern}, for {positional} arguments"),
                    found[..size].to_vec(),
                    expected.collect(),
                )?;
            }
        }
    }
    Ok(())
}

/// What the fields of an instance hold: the argument, the default, and what the creator has left there; the first two with the place added.
const GIVEN: i64 = 1000;
const LEFT_OUT: i64 = 500;
const AS_CREATED: i64 = -1;

/// The type that the creator makes instances of.
static TYPE: AtomicI32 = AtomicI32::new(0);

/// The initialiser of a new type with so many fields, the first of which are its parent's.
fn initialiser(t: &Trial, size: usize, inherited: usize, key: &str, flags: Flags) -> Verdict<Owned> {
    let mut index = kTVMFFIObject;
    for (part, fields) in [("parent", 0..inherited), ("type", inherited..size)] {
        if fields.is_empty() {
            continue;
        }
        index = types::new_child(t, &format!("verify.many.{part}, {key}"), index)?;
        let total = size_of::<TVMFFIObject>() + size_of::<[i64; MOST]>();
        let metadata = TVMFFITypeMetadata { creator: Some(create), ..types::metadata(total as i32) };
        t.ok(t.api.TVMFFITypeRegisterMetadata(index, &metadata))?;
        for at in fields {
            let offset = size_of::<TVMFFIObject>() + at * size_of::<i64>();
            let field = TVMFFIFieldInfo {
                flags: flags(at),
                getter: Some(get),
                setter: set as *mut c_void,
                default_value_or_factory: match flags(at) & DEFAULT {
                    0 => TVMFFIAny::NONE,
                    _ => view::int(LEFT_OUT + at as i64),
                },
                ..types::field(name(at).to_bytes(), kTVMFFIInt, 8, offset as i64)
            };
            t.ok(t.api.TVMFFITypeRegisterField(index, &field))?;
        }
    }
    TYPE.store(index, Relaxed);
    t.call_global("ffi._RegisterFFIInit", &[view::int(index.into())])?;
    types::function_in(t, "__ffi_init__", index)
}

/// The name of a field, which lives as long as the process. By their names they are in another order.
fn name(at: usize) -> &'static CStr {
    let name = CString::new(format!("f{}", at * 37 % MOST)).unwrap_or_default();
    Box::leak(name.into_boxed_c_str())
}

unsafe extern "C" fn create(result: *mut TVMFFIObjectHandle) -> c_int {
    let row = Homemade::new(TYPE.load(Relaxed), [AS_CREATED; MOST]);
    // SAFETY: the caller gives a place for the handle.
    unsafe { *result = row.handle() };
    0
}

unsafe extern "C" fn get(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the caller gives the field of an instance and a place for its value.
    unsafe { *result = view::int(*field.cast::<i64>()) };
    0
}

unsafe extern "C" fn set(field: *mut c_void, value: *const TVMFFIAny) -> c_int {
    // SAFETY: the caller gives the field of an instance and a value.
    unsafe { *field.cast::<i64>() = (*value).payload() as i64 };
    0
}
