//! Objects that are given away to what makes an instance, in every place of many: its fields alone hold them.

use std::{
    ffi::{CStr, CString, c_int, c_void},
    sync::atomic::{AtomicI32, Ordering::Relaxed},
};

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Verdict, callback,
        given::Given,
        homemade::{Homemade, release},
        types, view,
    },
    trial::Trial,
};

/// The numbers of fields.
const SIZES: [usize; 5] = [1, 2, 5, 9, MOST];
/// The most fields that a type has here.
const MOST: usize = 20;

/// A generated initialiser, by order and by name, and ffi.MakeObjectFromPackedArgs set each of up to twenty fields to the object that is given away in
/// its place, alone and with all that follow, beside what is lent; nobody but the field holds it, and where it was not taken, the caller does.
#[check(DCL_0001, DCL_0006, INS_0020, ARG_0007)]
fn in_every_place(t: &Trial) -> Verdict {
    t.serve_callbacks();
    let (make, lent) = (t.global("ffi.MakeObjectFromPackedArgs")?, Homemade::new(kTVMFFIObject, ()));
    let sentinel = t.call_global("ffi.GetKwargsObject", &[])?;
    for size in SIZES {
        let index = declare(t, size)?;
        t.call_global("ffi._RegisterFFIInit", &[view::int(index.into())])?;
        let init = types::function_in(t, "__ffi_init__", index)?;
        let by_index = view::int(index.into());
        for (door, clause, function, head, named) in [
            ("an initialiser", id::DCL_0001, &init, vec![], false),
            ("an initialiser by names", id::DCL_0006, &init, vec![sentinel.any()], true),
            ("ffi.MakeObjectFromPackedArgs", id::INS_0020, &make, vec![by_index], true),
        ] {
            for (first, last) in (0..size).flat_map(|place| [(place, place), (place, size - 1)]) {
                let mut given: Vec<_> = (first..=last).map(|_| Given::default()).collect();
                let mut values: Vec<_> =
                    (0..size).map(|at| if at % 2 == 0 { lent.view() } else { view::int(at as i64) }).collect();
                values[first..=last].iter_mut().zip(&mut given).for_each(|(value, given)| *value = given.arg());
                let mut args = head.clone();
                args.extend((0..size).flat_map(|at| {
                    let name = named.then(|| view::c_str(NAMES[at]));
                    name.into_iter().chain([values[at]])
                }));
                let what = format!("{door} of {size} fields, in the places {first} to {last}");
                t.clause(clause);
                let row = t.call(function, &args)?;
                let found: [TVMFFIAny; MOST] = t.cell("the instance", row.handle())?;
                for (at, found) in found[..size].iter().enumerate() {
                    let is_given = (first..=last).contains(&at);
                    let expected = if is_given { given[at - first].view() } else { values[at] };
                    t.any_eq(format_args!("field {at}, by {what}"), found, &expected)?;
                }
                t.clause(id::ARG_0007);
                drop(row);
                given.iter().try_for_each(|given| given.is_accounted_for(t, &what))?;
                t.eq(format_args!("counts of an object lent to {what}"), lent.counts(), (1, 1))?;
            }
        }
    }
    Ok(())
}

/// The names of the fields.
const NAMES: [&CStr; MOST] = [
    c"a", c"b", c"c", c"d", c"e", c"f", c"g", c"h", c"i", c"j", c"k", c"l", c"m", c"n", c"o", c"p", c"q", c"r", c"s",
    c"t",
];

/// The type that the creator makes instances of.
static TYPE: AtomicI32 = AtomicI32::new(0);

/// A new type with so many fields of any values.
fn declare(t: &Trial, size: usize) -> Verdict<i32> {
    let key = CString::new(format!("verify.given.To{size}")).unwrap_or_default();
    let index = types::new(t, &key.to_string_lossy());
    let total = size_of::<TVMFFIObject>() + size_of::<[TVMFFIAny; MOST]>();
    let metadata = TVMFFITypeMetadata { creator: Some(create), ..types::metadata(total as i32) };
    t.ok(t.api.TVMFFITypeRegisterMetadata(index, &metadata))?;
    for (at, name) in NAMES[..size].iter().enumerate() {
        let offset = size_of::<TVMFFIObject>() + at * size_of::<TVMFFIAny>();
        let field = TVMFFIFieldInfo {
            getter: Some(get),
            setter: set as *mut c_void,
            ..types::field(name.to_bytes(), kTVMFFIAny, 16, offset as i64)
        };
        t.ok(t.api.TVMFFITypeRegisterField(index, &field))?;
    }
    TYPE.store(index, Relaxed);
    Ok(index)
}

unsafe extern "C" fn create(result: *mut TVMFFIObjectHandle) -> c_int {
    let row = Homemade::with_deleter(TYPE.load(Relaxed), [TVMFFIAny::NONE; MOST], Some(delete));
    // SAFETY: the caller gives a place for the handle.
    unsafe { *result = row.handle() };
    0
}

/// The deleter of instances, whose memory is kept.
unsafe extern "C" fn delete(row: *mut c_void, flags: c_int) {
    if flags & kTVMFFIObjectDeleterFlagBitMaskStrong == 0 {
        return;
    }
    // SAFETY: made by `create`, and nobody uses the fields any more.
    let fields = unsafe { row.wrapping_byte_add(size_of::<TVMFFIObject>()).cast::<[TVMFFIAny; MOST]>().read() };
    for field in fields.iter().filter(|field| field.type_index >= kTVMFFIStaticObjectBegin) {
        release(field.payload() as TVMFFIObjectHandle);
    }
}

unsafe extern "C" fn get(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the caller gives the field of an instance and a place for its value.
    unsafe { crate::client::node::get_any(field, result) }
}

/// A setter as C++ has it: the field owns the value, which it takes out of the caller's slot if it is in one.
unsafe extern "C" fn set(field: *mut c_void, value: *const TVMFFIAny) -> c_int {
    let Some(to_owned) = callback::api().and_then(|api| api.table().TVMFFIAnyViewToOwnedAny) else { return -1 };
    // SAFETY: the caller gives the field of an instance, which held None, and a value.
    unsafe { to_owned(value, field.cast()) }
}
