//! The types that are declared here, as a frontend writes them.
//!
//! A [`Point`] has a creator, getters and setters of its own. It counts the points that were made and that came to
//! their end. Where the library makes the getters and setters, [`getter`] and [`setter`] ask it to.

use std::{
    ffi::{CStr, c_int, c_void},
    mem::offset_of,
    sync::{
        Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicI32, AtomicUsize, Ordering::Relaxed},
    },
};

use tvm_ffi_spec::*;

use crate::{
    client::{Owned, Verdict, homemade, types, view},
    trial::Trial,
};

/// An instance of a declared type, as the client that declares it lays it out.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Point {
    header: TVMFFIObject,
    pub x: i64,
    pub r: f64,
    pub v: TVMFFIAny,
    end: u64,
}

impl Point {
    /// What the target's memory holds of an instance.
    pub fn read(t: &Trial, point: &Owned) -> Verdict<Self> {
        t.read("instance", point.handle().cast())
    }
}

/// Expects an instance to have these fields.
pub fn holds(t: &Trial, point: &Owned, x: i64, r: f64, v: &TVMFFIAny) -> Verdict {
    let point = Point::read(t, point)?;
    t.eq("x, r and v", (point.x, point.r, point.v.to_bytes()), (x, r, v.to_bytes()))
}

/// The type that the creator makes instances of.
pub static TYPE: AtomicI32 = AtomicI32::new(0);
/// Points that were made.
pub static CREATED: AtomicUsize = AtomicUsize::new(0);
/// Points that came to their end.
pub static ENDED: AtomicUsize = AtomicUsize::new(0);
/// Calls of the default factory.
pub static FACTORY_CALLS: AtomicUsize = AtomicUsize::new(0);
static SETS: Mutex<Vec<usize>> = Mutex::new(Vec::new());
/// The latest point that was made.
static LATEST: AtomicUsize = AtomicUsize::new(0);
/// The target's functions, for callbacks.
static TABLE: OnceLock<FunctionTable> = OnceLock::new();

/// The offsets of the fields that setters were called for, in the order of the calls.
pub fn sets() -> MutexGuard<'static, Vec<usize>> {
    SETS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A new type of points with these fields and the creator.
pub fn declare(t: &Trial, key: &str, parent: i32, fields: &[TVMFFIFieldInfo]) -> Verdict<i32> {
    declare_with(t, key, parent, fields, Some(create_point))
}

/// A new type of points with these fields, and with a creator or without.
pub fn declare_with(
    t: &Trial,
    key: &str,
    parent: i32,
    fields: &[TVMFFIFieldInfo],
    creator: Option<TVMFFIObjectCreator>,
) -> Verdict<i32> {
    TABLE.get_or_init(|| *t.api.table());
    let index = types::new_child(t, key, parent)?;
    let metadata = TVMFFITypeMetadata { creator, ..types::metadata(size_of::<Point>() as i32) };
    t.ok(t.api.TVMFFITypeRegisterMetadata(index, &metadata))?;
    fields.iter().try_for_each(|field| t.ok(t.api.TVMFFITypeRegisterField(index, field)))?;
    TYPE.store(index, Relaxed);
    Ok(index)
}

/// The integer of a point under any name.
pub fn number(name: &'static [u8]) -> TVMFFIFieldInfo {
    field(name, offset_of!(Point, x), 8, kTVMFFIInt, get_number, set_number)
}

/// The double of a point under any name.
pub fn ratio(name: &'static [u8]) -> TVMFFIFieldInfo {
    field(name, offset_of!(Point, r), 8, kTVMFFIFloat, get_ratio, set_ratio)
}

/// The value of a point under any name.
pub fn value(name: &'static [u8]) -> TVMFFIFieldInfo {
    field(name, offset_of!(Point, v), 16, kTVMFFIAny, get_value, set_value)
}

/// A field with these functions.
fn field(
    name: &'static [u8],
    offset: usize,
    size: i64,
    static_type: i32,
    getter: TVMFFIFieldGetter,
    setter: TVMFFIFieldSetter,
) -> TVMFFIFieldInfo {
    let field = types::field(name, static_type, size, offset as i64);
    TVMFFIFieldInfo { getter: Some(getter), setter: setter as *mut c_void, ..field }
}

/// Names that are not `x`, though some begin or end like it.
pub const OTHER_NAMES: [&[u8]; 9] =
    [b"", b"\0", b"y", b"X", b"xx", b"x\0", b"x\0tail", b"\0x", b"x, and a name that is no longer short"];

/// A field with a default.
pub fn with_default(field: TVMFFIFieldInfo, default: TVMFFIAny) -> TVMFFIFieldInfo {
    let flags = field.flags | kTVMFFIFieldFlagBitMaskHasDefault;
    TVMFFIFieldInfo { flags, default_value_or_factory: default, ..field }
}

/// A field with a default factory that counts its calls and answers their number.
pub fn with_factory(t: &Trial, field: TVMFFIFieldInfo) -> Verdict<TVMFFIFieldInfo> {
    // The field keeps the factory for the life of the process.
    let factory = t.function(std::ptr::null_mut(), count_calls, Some(ignore))?.into_any();
    let field = with_default(field, factory);
    Ok(TVMFFIFieldInfo { flags: field.flags | kTVMFFIFieldFlagBitMaskDefaultFromFactory, ..field })
}

/// A field with a default factory that fails with a KeyError.
pub fn with_failing_factory(t: &Trial, field: TVMFFIFieldInfo) -> Verdict<TVMFFIFieldInfo> {
    let factory = t.function(std::ptr::null_mut(), fail, Some(ignore))?.into_any();
    let field = with_default(field, factory);
    Ok(TVMFFIFieldInfo { flags: field.flags | kTVMFFIFieldFlagBitMaskDefaultFromFactory, ..field })
}

unsafe extern "C" fn fail(_: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> c_int {
    raise(c"KeyError", c"no default today")
}

/// A factory that answers how often it was called.
unsafe extern "C" fn count_calls(_: *mut c_void, _: *const TVMFFIAny, count: i32, result: *mut TVMFFIAny) -> c_int {
    let calls = FACTORY_CALLS.fetch_add(1, Relaxed) + 1;
    MOST_ARGUMENTS.fetch_max(count, Relaxed);
    // SAFETY: the caller gives a place for the result.
    unsafe {
        RESULT_BEFORE.fetch_max((*result).type_index, Relaxed);
        *result = view::int(calls as i64);
    }
    0
}

/// The most arguments that a factory was called with.
pub static MOST_ARGUMENTS: AtomicI32 = AtomicI32::new(0);

/// The greatest type index that a factory, a setter or a converter has found in its result.
pub static RESULT_BEFORE: AtomicI32 = AtomicI32::new(0);

/// The bytes of each value that a setter or a converter was given.
static GIVEN: Mutex<Vec<[u8; 16]>> = Mutex::new(Vec::new());

/// The bytes of each value that setters and converters were given since this was asked last.
pub fn given() -> Vec<[u8; 16]> {
    std::mem::take(&mut *GIVEN.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Remembers what a setter or a converter was given.
fn note_given(value: &TVMFFIAny) {
    GIVEN.lock().unwrap_or_else(PoisonError::into_inner).push(value.to_bytes());
}

/// A value that is set by a function object.
pub fn set_value_by_function(t: &Trial, value: TVMFFIFieldInfo) -> Verdict<TVMFFIFieldInfo> {
    unsafe extern "C" fn set(_: *mut c_void, args: *const TVMFFIAny, count: i32, result: *mut TVMFFIAny) -> c_int {
        if count != 2 {
            return raise(c"TypeError", c"a setter takes a field and a value");
        }
        // SAFETY: the caller gives as many arguments as it says, a place for the result, and the field of a point.
        unsafe {
            RESULT_BEFORE.fetch_max((*result).type_index, Relaxed);
            note_given(&*args);
            set_value((*args).payload() as *mut c_void, args.add(1))
        }
    }
    // The field keeps the setter for the life of the process.
    let setter = t.function(std::ptr::null_mut(), set, Some(ignore))?.into_any();
    let flags = value.flags | kTVMFFIFieldFlagBitSetterIsFunctionObj;
    Ok(TVMFFIFieldInfo { flags, setter: setter.payload() as *mut c_void, ..value })
}

/// A number that is set by a function object, which stores it a hundredfold.
pub fn set_by_function(t: &Trial, number: TVMFFIFieldInfo) -> Verdict<TVMFFIFieldInfo> {
    // The field keeps the setter for the life of the process.
    let setter = t.function(std::ptr::null_mut(), set_number_as_function, Some(ignore))?.into_any();
    let flags = number.flags | kTVMFFIFieldFlagBitSetterIsFunctionObj;
    Ok(TVMFFIFieldInfo { flags, setter: setter.payload() as *mut c_void, ..number })
}

/// A setter that is a function object, and stores an integer a hundredfold.
unsafe extern "C" fn set_number_as_function(
    _: *mut c_void,
    args: *const TVMFFIAny,
    count: i32,
    result: *mut TVMFFIAny,
) -> c_int {
    // SAFETY: the caller gives a place for the result.
    RESULT_BEFORE.fetch_max(unsafe { (*result).type_index }, Relaxed);
    if count != 2 {
        return raise(c"TypeError", c"a setter takes a field and a value");
    }
    // SAFETY: the caller gives as many arguments as it says.
    let (field, value) = unsafe { (*args, *args.add(1)) };
    if field.type_index != kTVMFFIOpaquePtr {
        return raise(c"TypeError", c"a field is given as a pointer");
    }
    // SAFETY: the field of a point, by the caller's word.
    unsafe { note_and_store(field.payload() as *mut c_void, &value, kTVMFFIInt, 100) }
}

/// What [`fail_to_create`] says.
pub const NO_ROOM: &str = "no room for a point";

/// A creator that fails, with a MemoryError.
pub unsafe extern "C" fn fail_to_create(_: *mut TVMFFIObjectHandle) -> c_int {
    raise(c"MemoryError", c"no room for a point")
}

/// The creator of declared types.
pub unsafe extern "C" fn create_point(result: *mut TVMFFIObjectHandle) -> c_int {
    CREATED.fetch_add(1, Relaxed);
    let header = TVMFFIObject {
        combined_ref_count: 0x1_0000_0001,
        type_index: TYPE.load(Relaxed),
        __padding: 0,
        deleter: Some(delete_point),
    };
    let point = Box::into_raw(Box::new(Point { header, x: 0, r: 1.5, v: TVMFFIAny::NONE, end: 0 }));
    LATEST.store(point as usize, Relaxed);
    // SAFETY: the caller gives a place for the handle.
    unsafe { *result = point.cast() };
    0
}

/// The deleter of points.
unsafe extern "C" fn delete_point(point: *mut c_void, flags: c_int) {
    let point: *mut Point = point.cast();
    if flags & kTVMFFIObjectDeleterFlagBitMaskStrong != 0 {
        ENDED.fetch_add(1, Relaxed);
        // SAFETY: the point is there until its memory is freed, below.
        give_up(unsafe { (*point).v });
    }
    if flags & kTVMFFIObjectDeleterFlagBitMaskWeak != 0 {
        // SAFETY: made by `create_point`, and this is the last that is heard of it.
        drop(unsafe { Box::from_raw(point) });
    }
}

/// Releases what a value refers to.
fn give_up(value: TVMFFIAny) {
    if value.type_index >= kTVMFFIStaticObjectBegin {
        homemade::release(value.payload() as TVMFFIObjectHandle);
    }
}

unsafe extern "C" fn get_number(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the caller gives the field of a point and a place for its value.
    unsafe { *result = view::int(*field.cast::<i64>()) };
    0
}

unsafe extern "C" fn get_ratio(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: as above.
    unsafe { *result = view::float(*field.cast::<f64>()) };
    0
}

unsafe extern "C" fn get_value(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: as above.
    let value = unsafe { *field.cast::<TVMFFIAny>() };
    if value.type_index >= kTVMFFIStaticObjectBegin {
        homemade::retain(value.payload() as TVMFFIObjectHandle);
    }
    // SAFETY: as above.
    unsafe { *result = value };
    0
}

unsafe extern "C" fn set_number(field: *mut c_void, value: *const TVMFFIAny) -> c_int {
    // SAFETY: the caller gives the field of a point and a value.
    unsafe { note_and_store(field, &*value, kTVMFFIInt, 1) }
}

unsafe extern "C" fn set_ratio(field: *mut c_void, value: *const TVMFFIAny) -> c_int {
    // SAFETY: as above.
    unsafe { note_and_store(field, &*value, kTVMFFIFloat, 1) }
}

/// A number that the setters and the converter of this kit refuse, with a KeyError.
pub const UNLUCKY: TVMFFIAny = TVMFFIAny::new(kTVMFFIInt, 13);

/// Stores a number of that type, its payload multiplied by `factor`.
///
/// # Safety
/// `field` is a number of a point.
unsafe fn note_and_store(field: *mut c_void, value: &TVMFFIAny, type_index: i32, factor: u64) -> c_int {
    note_set(field);
    if value.type_index != type_index {
        return raise(c"TypeError", c"a value of another type");
    }
    if value.to_bytes() == UNLUCKY.to_bytes() {
        return raise(c"KeyError", c"an unlucky number");
    }
    // SAFETY: the caller's promise.
    unsafe { *field.cast::<u64>() = value.payload().wrapping_mul(factor) };
    0
}

unsafe extern "C" fn set_value(field: *mut c_void, value: *const TVMFFIAny) -> c_int {
    note_set(field);
    // SAFETY: the caller gives a value.
    note_given(unsafe { &*value });
    let Some(to_owned) = TABLE.get().and_then(|table| table.TVMFFIAnyViewToOwnedAny) else { return -1 };
    let mut owned = TVMFFIAny::NONE;
    // SAFETY: the caller gives a value, and the field of a point, which holds a value.
    unsafe {
        if to_owned(value, &mut owned) != 0 {
            return -1;
        }
        give_up(std::mem::replace(&mut *field.cast::<TVMFFIAny>(), owned));
    }
    0
}

/// Remembers for which field of the latest point a setter was called.
fn note_set(field: *mut c_void) {
    let offset = (field as usize).wrapping_sub(LATEST.load(Relaxed));
    sets().push(offset);
}

/// A deleter of a function that has no state.
pub unsafe extern "C" fn ignore(_: *mut c_void) {}

/// Raises an error; answers the status of a function that does.
fn raise(kind: &CStr, message: &CStr) -> c_int {
    if let Some(set_raised) = TABLE.get().and_then(|table| table.TVMFFIErrorSetRaisedFromCStr) {
        // SAFETY: a function of the ABI is given two C strings.
        unsafe { set_raised(kind.as_ptr(), message.as_ptr()) };
    }
    -1
}

/// The getter that the target makes for a type index.
pub fn getter(t: &Trial, index: i32) -> Verdict<TVMFFIFieldGetter> {
    let address = t.call_global("ffi.MakeFieldGetter", &[view::int(index.into())])?.any();
    t.type_index_eq("type_index of the getter's address", address.type_index, kTVMFFIInt)?;
    t.ne("address of the getter", address.payload(), 0)?;
    // SAFETY: the target says that it is a getter; the process exists for this check.
    Ok(unsafe { std::mem::transmute::<*const c_void, TVMFFIFieldGetter>(address.payload() as *const c_void) })
}

/// The state that [`setter`] gives to the converter.
const STATE: i64 = 0x5151;

/// The setter that the target makes for a type index, with a converter that takes all values but the unlucky one.
pub fn setter(t: &Trial, index: i32) -> Verdict<Owned> {
    TABLE.get_or_init(|| *t.api.table());
    let converter = convert as *const () as i64;
    t.call_global("ffi.MakeFieldSetter", &[view::int(index.into()), view::int(STATE), view::int(converter)])
}

/// The converter of every [`setter`].
unsafe extern "C" fn convert(state: *mut c_void, value: *const TVMFFIAny, result: *mut TVMFFIAny) -> c_int {
    if state as i64 != STATE {
        return raise(c"RuntimeError", c"the converter was given another state");
    }
    let Some(to_owned) = TABLE.get().and_then(|table| table.TVMFFIAnyViewToOwnedAny) else { return -1 };
    // SAFETY: the caller gives a value and a place for the result.
    unsafe {
        note_given(&*value);
        RESULT_BEFORE.fetch_max((*result).type_index, Relaxed);
        match (*value).to_bytes() == UNLUCKY.to_bytes() {
            true => raise(c"KeyError", c"an unlucky number"),
            false => to_owned(value, result),
        }
    }
}
