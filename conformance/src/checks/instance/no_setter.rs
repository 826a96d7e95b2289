//! Classes with a field that no value can be put into.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
    sync::atomic::{AtomicI32, Ordering},
};

use tvm_ffi_spec::*;

use super::kit::MAKE;
use crate::{
    checks::check,
    client::{
        Verdict,
        homemade::{Homemade, release, retain},
        memory,
        node::get_any,
        types, view,
    },
    trial::Trial,
};

/// How many fields a class has at the most, in this many bytes each.
const FIELDS: usize = 9;
const ROOM: usize = size_of::<TVMFFIAny>();

/// The names of the fields.
const NAMES: [&[u8]; FIELDS] =
    [b"a", b"second", b"the third of all fields", b"d", b"e", b"f", b"seventh", b"h", b"the last"];

/// The type that is made.
static KIND: AtomicI32 = AtomicI32::new(0);

unsafe extern "C" fn make(result: *mut TVMFFIObjectHandle) -> c_int {
    let made = Homemade::with_deleter(KIND.load(Ordering::Acquire), [TVMFFIAny::NONE; FIELDS], Some(end));
    // SAFETY: the target passes where to write the object.
    unsafe { result.write(made.handle()) };
    0
}

/// Gives up what the fields hold.
unsafe extern "C" fn end(object: TVMFFIObjectHandle, flags: c_int) {
    let fields = memory::read(object.wrapping_byte_add(size_of::<TVMFFIObject>()).cast::<[TVMFFIAny; FIELDS]>());
    if flags & kTVMFFIObjectDeleterFlagBitMaskStrong != 0 {
        let held = fields.into_iter().flatten().filter(|value| value.type_index >= kTVMFFIStaticObjectBegin);
        held.for_each(|value| release(value.payload() as TVMFFIObjectHandle));
    }
}

/// Puts all of a value into a field that has room for one.
unsafe extern "C" fn put(field: *mut c_void, value: *const TVMFFIAny) -> c_int {
    // SAFETY: the target passes the address of a field of an object that was made here, and a value.
    let (before, value) = unsafe { (field.cast::<TVMFFIAny>().read(), value.read()) };
    if value.type_index >= kTVMFFIStaticObjectBegin {
        retain(value.payload() as TVMFFIObjectHandle);
    }
    // SAFETY: as above.
    unsafe { field.cast::<TVMFFIAny>().write(value) };
    if before.type_index >= kTVMFFIStaticObjectBegin {
        release(before.payload() as TVMFFIObjectHandle);
    }
    0
}

/// What the last field without a setter has instead of a value that is given.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Given {
    Value,
    Default,
    Factory,
}

/// ffi.MakeObjectFromPackedArgs raises an error for a value of a field that has no setter, of whatever kind the field is, wherever it stands among
/// those of a class and of its parent, whether the value is given or is a default, and in whatever order all are given.
#[check(INS_0029)]
fn make_needs_a_setter(t: &Trial) -> Verdict {
    t.short_backtraces();
    let object = Homemade::new(kTVMFFIError, ());
    let text = t.string(b"a text that is long enough")?;
    let values = [
        (kTVMFFIInt, 8, view::int(5)),
        (kTVMFFIFloat, 8, view::float(0.5)),
        (kTVMFFIBool, 1, view::bool(true)),
        (kTVMFFIOpaquePtr, 8, view::pointer(std::ptr::dangling_mut())),
        (kTVMFFIDataType, 4, TVMFFIAny::new(kTVMFFIDataType, 0x0004_2002)),
        (kTVMFFIDevice, 8, TVMFFIAny::new(kTVMFFIDevice, 1)),
        (kTVMFFIStr, 8, text.any()),
        (kTVMFFIObject, 8, object.view()),
        (kTVMFFIAny, 16, view::int(7)),
    ];
    let factory = t.callback(|_, _| Some(view::int(1)))?;
    let function = t.global(MAKE)?;
    let mut number = 0;
    for (at, count) in (0..values.len()).flat_map(|at| [1, 3, values.len()].map(|count| (at, count))) {
        // The one without a setter is first, last, or between others; with all of them, each is tried in its own place.
        let places = if count == values.len() { vec![at] } else { (0..count).collect() };
        let given = [Given::Value, Given::Default, Given::Factory];
        for (place, given, has_parent) in places.into_iter().flat_map(|place| {
            given.into_iter().flat_map(move |given| [false, true].map(|has_parent| (place, given, has_parent)))
        }) {
            let class: Vec<_> =
                (0..count).map(|field| values[(at + values.len() + field - place) % values.len()]).collect();
            number += 1;
            // How many of the fields are the parent's, if there is one.
            let inherited = if has_parent { [count, 1, count / 2][number / 2 % 3] } else { 0 };
            let key = format!("verify.NoSetter{number}");
            let parent = if has_parent { types::new(t, &format!("{key}.Parent")) } else { kTVMFFIObject };
            let index = types::new_child(t, &key, parent)?;
            for (field, (kind, size, value)) in class.iter().enumerate() {
                let mut info =
                    types::field(NAMES[field], *kind, *size, (size_of::<TVMFFIObject>() + ROOM * field) as i64);
                info.getter = Some(get_any);
                info.setter = if field == place { null_mut() } else { put as *mut c_void };
                if field == place && given != Given::Value {
                    info.flags |= kTVMFFIFieldFlagBitMaskHasDefault;
                    info.default_value_or_factory = *value;
                    if given == Given::Factory {
                        info.flags |= kTVMFFIFieldFlagBitMaskDefaultFromFactory;
                        info.default_value_or_factory = factory.any();
                    }
                }
                // A setter may be a function object: none is none as well.
                if field == place && number % 5 == 4 {
                    info.flags |= kTVMFFIFieldFlagBitSetterIsFunctionObj;
                }
                let of = if field < inherited { parent } else { index };
                t.ok(t.api.TVMFFITypeRegisterField(of, &info))?;
            }
            KIND.store(index, Ordering::Release);
            let metadata = types::metadata((size_of::<TVMFFIObject>() + ROOM * FIELDS) as i32);
            t.ok(t.api.TVMFFITypeRegisterMetadata(index, &TVMFFITypeMetadata { creator: Some(make), ..metadata }))?;
            let names: Vec<_> = NAMES.iter().map(|name| t.string(name)).collect::<Verdict<_>>()?;
            let mut pairs: Vec<_> = (0..count)
                .filter(|field| *field != place || given == Given::Value)
                .map(|field| [names[field].any(), class[field].2])
                .collect();
            if number / 3 % 2 == 1 {
                pairs.reverse();
            }
            let args = [&[view::int(index.into())], pairs.as_flattened()].concat();
            let refused = t.call_fails(&function, &args, &[]);
            drop(refused.map_err(|failure| {
                let kind = class[place].0;
                let what =
                    format!("field {place} of {count}, {inherited} of which the parent has, of type index {kind}");
                failure.noting(format!("{what}, has no setter, and is given a value as this: {given:?}"))
            })?);
        }
    }
    Ok(())
}
