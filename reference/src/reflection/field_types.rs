//! How fields of C++ types lie in objects: their size and alignment, and the functions that read and write them.

use std::{
    ffi::{c_int, c_void},
    mem::offset_of,
    ptr,
};

use tvm_ffi_spec::*;

use crate::{
    border::{
        c_pointers,
        error::{Error, Result},
        guard::guard,
    },
    container::{
        map::Dict,
        sequence::{self, List},
    },
    object::{ObjectRef, TypedRef},
    reflection::convert::Convert,
    system::found::Found,
    types::schema::Type,
    value::any::{Any, AnyView},
};

/// What reflection says of a field because of the C++ type that it is declared with.
pub struct Declared {
    /// The type as signatures spell it.
    pub spelled: fn() -> &'static Type,
    /// The type index that the field is registered with, -1 where values of several types may lie in it.
    pub static_index: i32,
    /// Size in bytes.
    pub size: usize,
    /// Alignment in bytes.
    pub alignment: usize,
    /// Reads a field.
    pub getter: TVMFFIFieldGetter,
    /// Converts a value and writes it to a field.
    pub setter: TVMFFIFieldSetter,
}

/// A C++ type that fields are declared with.
pub trait Field {
    /// What lies in memory.
    type Cell: Cell;
    /// As signatures spell it.
    fn spelled() -> &'static Type;
    /// See [`Declared::static_index`].
    const STATIC_INDEX: i32;
    /// All of it.
    const DECLARED: Declared = Declared {
        spelled: Self::spelled,
        static_index: Self::STATIC_INDEX,
        size: size_of::<Self::Cell>(),
        alignment: align_of::<Self::Cell>(),
        getter: get::<Self::Cell>,
        setter: set::<Self>,
    };
}

/// What fields lie in memory as.
pub trait Cell: Sized {
    /// The content as a value.
    fn to_any(&self) -> Any;
    /// The cell of a value that has been converted to the type of the field.
    ///
    /// # Errors
    /// `ValueError` for one that has no room in it.
    fn from_any(value: Any) -> Result<Self>;
}

impl Cell for Any {
    fn to_any(&self) -> Any {
        self.clone()
    }

    fn from_any(value: Any) -> Result<Self> {
        Ok(value)
    }
}

impl<T: TypedRef + Clone> Cell for Option<T> {
    fn to_any(&self) -> Any {
        self.clone().into()
    }

    fn from_any(value: Any) -> Result<Self> {
        Ok(value.view().cast())
    }
}

impl Cell for i64 {
    fn to_any(&self) -> Any {
        (*self).into()
    }

    fn from_any(value: Any) -> Result<Self> {
        Ok(value.view().as_int().unwrap_or_default())
    }
}

impl Cell for i32 {
    fn to_any(&self) -> Any {
        i64::from(*self).into()
    }

    fn from_any(value: Any) -> Result<Self> {
        let int = i64::from_any(value)?;
        i32::try_from(int).map_err(|_| Error::new("ValueError", format!("{int} does not fit in 32 bits")))
    }
}

impl Cell for f64 {
    fn to_any(&self) -> Any {
        plain(kTVMFFIFloat, self.to_bits())
    }

    fn from_any(value: Any) -> Result<Self> {
        Ok(Self::from_bits(value.view().raw().payload()))
    }
}

/// A C++ `bool`, which a field of zeros or of anything else may lie under.
impl Cell for u8 {
    fn to_any(&self) -> Any {
        (*self != 0).into()
    }

    fn from_any(value: Any) -> Result<Self> {
        Ok(value.view().as_bool().unwrap_or_default().into())
    }
}

impl Cell for *mut c_void {
    fn to_any(&self) -> Any {
        plain(kTVMFFIOpaquePtr, *self as usize as u64)
    }

    fn from_any(value: Any) -> Result<Self> {
        Ok(value.view().as_opaque_ptr().unwrap_or_default())
    }
}

impl Cell for DLDataType {
    fn to_any(&self) -> Any {
        let mut raw = TVMFFIAny::new(kTVMFFIDataType, 0);
        raw.value.v_dtype = *self;
        // SAFETY: a data type owns nothing.
        unsafe { Any::from_raw(raw) }
    }

    fn from_any(value: Any) -> Result<Self> {
        // SAFETY: every bit pattern is a data type, and values are converted before they come here.
        Ok(unsafe { value.view().raw().value.v_dtype })
    }
}

impl Cell for DLDevice {
    fn to_any(&self) -> Any {
        let mut raw = TVMFFIAny::new(kTVMFFIDevice, 0);
        raw.value.v_device = *self;
        // SAFETY: a device owns nothing.
        unsafe { Any::from_raw(raw) }
    }

    fn from_any(value: Any) -> Result<Self> {
        // SAFETY: every bit pattern is a device, and values are converted before they come here.
        Ok(unsafe { value.view().raw().value.v_device })
    }
}

fn plain(type_index: i32, payload: u64) -> Any {
    // SAFETY: the callers pass types that own nothing.
    unsafe { Any::from_raw(TVMFFIAny::new(type_index, payload)) }
}

/// The static index of fields that hold values of several types.
pub const ANY: i32 = -1;

macro_rules! fields {
    ($($(#[$doc:meta])* $name:ident: $cell:ty = $spelling:literal, $index:expr;)*) => {
        $($(#[$doc])*
        pub struct $name;

        impl Field for $name {
            type Cell = $cell;
            const STATIC_INDEX: i32 = $index;

            fn spelled() -> &'static Type {
                static SPELLED: Found<Type> = Found::new();
                SPELLED.get_or_find(|| Type::parse($spelling))
            }
        })*
    };
}

fields! {
    /// `Any`.
    AnyField: Any = "Any", ANY;
    /// `int32_t`, and enumerations of that size.
    Int32: i32 = "int", kTVMFFIInt;
    /// `int64_t`.
    Int64: i64 = "int", kTVMFFIInt;
    /// `double`.
    Float64: f64 = "float", kTVMFFIFloat;
    /// `bool`.
    Bool: u8 = "bool", kTVMFFIBool;
    /// `void*`.
    Pointer: *mut c_void = "void*", kTVMFFIOpaquePtr;
    /// `DLDataType`.
    DataType: DLDataType = "DataType", kTVMFFIDataType;
    /// `DLDevice`.
    Device: DLDevice = "Device", kTVMFFIDevice;
    /// `ObjectRef`.
    Object: Option<ObjectRef> = "ffi.Object", kTVMFFIObject;
    /// `String`.
    Str: Any = "str", ANY;
    /// `Array<Any>`.
    Array: Option<sequence::Array> = "Array<Any>", kTVMFFIArray;
    /// `List<ObjectRef>`.
    ListOfObjects: Option<List> = "List<ffi.Object>", kTVMFFIList;
    /// `Dict<Any, ObjectRef>`.
    DictOfObjects: Option<Dict> = "Dict<Any, ffi.Object>", kTVMFFIObject;
    /// `Dict<String, Dict<ObjectRef, Any>>`.
    DictOfColumns: Option<Dict> = "Dict<str, Dict<ffi.Object, Any>>", kTVMFFIObject;
    /// `Optional<ObjectRef>`.
    OptionalObject: Option<ObjectRef> = "Optional<ffi.Object>", ANY;
    /// `Optional<AccessStep>`.
    OptionalStep: Option<ObjectRef> = "Optional<ffi.reflection.AccessStep>", ANY;
}

/// What a field is declared with that a frontend defines by a type index; `None` if there are no such fields.
pub fn declared(type_index: i32) -> Option<Declared> {
    match type_index {
        kTVMFFIInt => Some(Int64::DECLARED),
        kTVMFFIFloat => Some(Float64::DECLARED),
        kTVMFFIBool => Some(Bool::DECLARED),
        kTVMFFIOpaquePtr => Some(Pointer::DECLARED),
        kTVMFFIDataType => Some(DataType::DECLARED),
        kTVMFFIDevice => Some(Device::DECLARED),
        ANY | kTVMFFINone => Some(AnyField::DECLARED),
        kTVMFFIStaticObjectBegin.. => Some(Object::DECLARED),
        _ => None,
    }
}

/// Where in a field the reference lies to the object that a getter answers with, if it is known to answer with no other.
pub fn reference_in(getter: TVMFFIFieldGetter) -> Option<usize> {
    if ptr::fn_addr_eq(getter, Object::DECLARED.getter) {
        Some(0)
    } else if ptr::fn_addr_eq(getter, AnyField::DECLARED.getter) {
        Some(offset_of!(TVMFFIAny, value))
    } else {
        None
    }
}

unsafe extern "C" fn get<C: Cell>(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    guard(|| {
        let (field, result) =
            (c_pointers::required(field.cast::<C>(), "field")?, c_pointers::required(result, "result")?);
        // SAFETY: the caller passes the address of a live field of this type, and a writable result.
        unsafe { result.write(field.as_ref().to_any().into_raw()) };
        Ok(())
    })
}

unsafe extern "C" fn set<F: Field + ?Sized>(field: *mut c_void, value: *const TVMFFIAny) -> c_int {
    guard(|| {
        let (field, value) =
            (c_pointers::required(field.cast::<F::Cell>(), "field")?, c_pointers::required(value, "value")?);
        // SAFETY: the caller passes a value that is alive during the call.
        let value = unsafe { AnyView::from_raw(value.as_ptr()) };
        let value = F::spelled().cast(&value)?;
        // SAFETY: the caller passes the address of a live field of this type that nobody else uses meanwhile. What was
        // in it is dropped after it is in order again, since that may run foreign code.
        drop(unsafe { field.replace(F::Cell::from_any(value)?) });
        Ok(())
    })
}
