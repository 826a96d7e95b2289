//! Classes that a frontend defines while it runs: their fields are registered one by one, and their objects are made,
//! copied and ended here, knowing nothing but these fields.

use std::ffi::{c_int, c_void};

use tvm_ffi_spec::*;

use crate::{
    any::{Any, AnyView},
    arguments::{Arguments, Signature},
    error::{Error, Result},
    function,
    globals::{self, Row, row},
    object::{self, ObjectRef},
    reflection::{
        convert,
        field::{self, Field},
        init,
        storage::{self, Declared},
        type_table,
    },
};

/// Functions that a frontend defines classes with.
pub const GLOBALS: &[Row] = &[
    row("ffi._RegisterFFIInit(0: int) -> void", |args| init::register(index_argument(args)?).map(|()| Any::NONE)),
    row("ffi.MakeFieldSetter(0: int, 1: int, 2: int) -> ffi.Function", |args| {
        let (converter, convert) = (args.int(1)?, args.int(2)?);
        Ok(setter(index_argument(args)?, converter as *mut c_void, convert as *mut c_void)?.into())
    }),
    row("ffi._PyClassRegisterTypeAttrColumns(0: int, 1: int) -> void", |args| {
        register(index_argument(args)?, args.int(1)? as i32).map(|()| Any::NONE)
    }),
];

/// The function that stands among those of other subjects.
pub const GETTER: &[Row] = &[row("ffi.MakeFieldGetter(0: int) -> int", |args| {
    let type_index = index_argument(args)?;
    let Declared { getter, .. } = declared(type_index, "getter")?;
    Ok((getter as usize as i64).into())
})];

/// A type index; higher bits are lost, as they are in C++.
fn index_argument(args: &Arguments<'_>) -> Result<i32> {
    Ok(args.int(0)? as i32)
}

fn declared(type_index: i32, what: &str) -> Result<Declared> {
    storage::declared(type_index)
        .ok_or_else(|| Error::new("ValueError", format!("Unsupported field type index for {what}: {type_index}")))
}

// ---------------------------------------------------------------------------------------------------------------------
// Setters
// ---------------------------------------------------------------------------------------------------------------------

/// Converts a value: answers 0 and writes an owned value, or answers another number and raises an error.
type Convert = unsafe extern "C" fn(converter: *mut c_void, value: *const TVMFFIAny, result: *mut TVMFFIAny) -> c_int;

/// A converter of the frontend, borrowed: the frontend keeps it as long as the class.
struct Converter {
    converter: *mut c_void,
    convert: Convert,
}

// SAFETY: the converter is only handed back to the frontend, which locks what it needs.
unsafe impl Send for Converter {}
// SAFETY: as above.
unsafe impl Sync for Converter {}

impl Converter {
    fn call(&self, value: &AnyView<'_>) -> Result<Any> {
        let (value, mut result) = (value.raw(), TVMFFIAny::NONE);
        // SAFETY: the frontend vouches for the function and the converter; the value is alive, the result writable.
        match unsafe { (self.convert)(self.converter, &value, &mut result) } {
            // SAFETY: on success the result is an owned value.
            0 => Ok(unsafe { Any::from_raw(result) }),
            _ => Err(Error::Raised),
        }
    }
}

/// A function that converts a value and writes it to a field: `(address, value)`.
fn setter(type_index: i32, converter: *mut c_void, convert: *mut c_void) -> Result<ObjectRef> {
    if convert.is_null() {
        return Err(Error::new("ValueError", "The address of the function that converts values must not be 0"));
    }
    // SAFETY: the frontend passes the address of a function of this type.
    let convert = unsafe { std::mem::transmute::<*mut c_void, Convert>(convert) };
    let converter = Converter { converter, convert };
    Ok(function::from_closure(move |args| {
        let [address, value, ..] = args else {
            let text = format!("A field setter takes the address of a field and a value, but got {}", args.len());
            return Err(Error::new("TypeError", text));
        };
        let address = convert::cast("void*", address)?.view().as_opaque_ptr().unwrap_or_default();
        let value = converter.call(value)?;
        let Declared { setter, .. } = declared(type_index, "setter")?;
        // SAFETY: the caller passes the address of a field of this type; the value is alive. NULL is noticed.
        match unsafe { setter(address, &value.view().raw()) } {
            0 => Ok(Any::NONE),
            _ => Err(Error::Raised),
        }
    }))
}

// ---------------------------------------------------------------------------------------------------------------------
// Objects
// ---------------------------------------------------------------------------------------------------------------------

/// Gives a class the attributes that its objects are made and copied with.
fn register(type_index: i32, total_size: i32) -> Result<()> {
    init::register(type_index)?;
    let new = globals::typed(Signature("() -> ffi.Object"), move |_| new_object(type_index, total_size).map(Any::from));
    type_table::register_attribute(type_index, b"__ffi_new__", Any::from(new).view())?;
    let copy = globals::typed(Signature("(0: ffi.Object) -> ffi.Object"), move |args| {
        copy_object(&args.object_ref(0, kTVMFFIObject)?, type_index, total_size).map(Any::from)
    });
    type_table::register_attribute(type_index, b"__ffi_shallow_copy__", Any::from(copy).view())
}

/// An object with all fields zero, which is None for values and objects.
fn new_object(type_index: i32, total_size: i32) -> Result<ObjectRef> {
    let failed = || {
        let key = type_table::key_of(type_index);
        Error::new("RuntimeError", format!("Failed to allocate {total_size} bytes for type {key}"))
    };
    let size = usize::try_from(total_size).map_err(|_| failed())?;
    // Fields may have been registered behind the end that was told.
    let end = field::fields(type_index)?.filter_map(|field| extent(&field)).map(|(_, end)| end).max().unwrap_or(0);
    object::new_zeroed(type_index, size.max(end), end_object).map_err(|_| failed())
}

fn copy_object(source: &ObjectRef, type_index: i32, total_size: i32) -> Result<ObjectRef> {
    if !field::is_instance(source.type_index(), type_index) {
        return Err(convert::mismatch(&type_table::key_of(type_index), Any::from(source.clone()).view()));
    }
    let copy = new_object(type_index, total_size)?;
    let readable = source.zeroed_size().unwrap_or(usize::MAX);
    for field in field::fields(type_index)? {
        let Some((offset, end)) = extent(&field).filter(|(_, end)| *end <= readable) else { continue };
        let (from, to) = (field.address(source), field.address(&copy));
        // SAFETY: the field lies within both objects, and is of the kind that was registered. What is replaced is what
        // another field at the same place has put there.
        unsafe {
            match Kind::of(&field) {
                Kind::Any => drop(to.cast::<Any>().replace((*from.cast::<Any>()).clone())),
                Kind::Object => drop(to.cast::<Handle>().replace((*from.cast::<Handle>()).clone())),
                Kind::Plain => to.cast::<u8>().copy_from_nonoverlapping(from.cast(), end - offset),
            }
        }
    }
    Ok(copy)
}

/// Drops what the fields of an object hold.
fn end_object(object: TVMFFIObjectHandle, size: usize) {
    // SAFETY: the object is ending, and its header is still there.
    let type_index = unsafe { (*object.cast::<TVMFFIObject>()).type_index };
    let Ok(fields) = field::fields(type_index) else { return };
    for field in fields {
        let Some((offset, _)) = extent(&field).filter(|(_, end)| *end <= size) else { continue };
        // SAFETY: the field lies within the object, and is of the kind that was registered. Another field at the same
        // place finds it empty.
        unsafe {
            let address = object.cast::<u8>().add(offset);
            match Kind::of(&field) {
                Kind::Any => drop(address.cast::<Any>().replace(Any::NONE)),
                Kind::Object => drop(address.cast::<Handle>().replace(None)),
                Kind::Plain => {}
            }
        }
    }
}

type Handle = Option<ObjectRef>;

/// What a field holds.
enum Kind {
    /// A value of any type.
    Any,
    /// An object or NULL.
    Object,
    /// Nothing that must be given up.
    Plain,
}

impl Kind {
    fn of(field: &Field) -> Self {
        let info = field.info();
        match info.field_static_type_index {
            // C++ declares optional objects like values of any type, but stores a mere handle.
            storage::ANY | kTVMFFINone if info.size == size_of::<Any>() as i64 => Self::Any,
            storage::ANY | kTVMFFIStaticObjectBegin.. if info.size == size_of::<Handle>() as i64 => Self::Object,
            _ => Self::Plain,
        }
    }
}

/// Where a field begins and ends in its object; `None` if it does not lie behind the header.
fn extent(field: &Field) -> Option<(usize, usize)> {
    let info = field.info();
    let (offset, size) = (usize::try_from(info.offset).ok()?, usize::try_from(info.size).ok()?);
    (offset >= object::HEADER_SIZE).then_some((offset, offset.checked_add(size)?))
}
