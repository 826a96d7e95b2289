//! The virtual table of modules: how C++ code calls a module of ours, and how the library calls any module.
//!
//! Every module has the address of such a table in front of its header, and everything that a subclass may do in its own
//! way is done through it. The types say how C++ code on x86-64 calls a method: a result that is no plain value is written
//! to an address that is passed in front of all arguments, and returned; and the object itself is the address of the
//! module's table, not of its header.
//!
//! A method reports what goes wrong by throwing, so methods are called under [`catch`] and written with [`or_throw`].

use std::{
    convert::identity,
    ffi::{c_char, c_int, c_void},
    mem,
};

use tvm_ffi_spec::{TVMFFIAny, TVMFFIObjectHandle};

use super::handle::Module;
use crate::{
    border::{
        error::{Error, Result},
        exception::catch,
        itanium::{Base, Class, SeveralBases, Table},
        throw::or_throw,
    },
    container::array,
    generation,
    object::{ObjectRef, TypedRef},
    value::{any::Any, text},
};

#[cfg(not(target_arch = "x86_64"))]
compile_error!("how C++ methods are called is written down here for x86-64 only");

/// The object that a method belongs to: [`Module::context`].
pub type This = *mut c_void;
/// A `String const&`, which has the layout of a value.
pub type StringArg = *const Any;
/// Where a result goes that is an object: `Optional<Function>`, `Array<String>`.
pub type ObjectOut = *mut TVMFFIObjectHandle;
/// Where a result goes that has the layout of a value: `String`, `Bytes`, `Optional<String>`.
pub type ValueOut = *mut TVMFFIAny;

/// `kind() const -> const char*`.
pub type Kind = unsafe extern "C-unwind" fn(This) -> *const c_char;
/// `GetFunction(String const&) -> Optional<Function>`.
pub type Function = unsafe extern "C-unwind" fn(ObjectOut, This, StringArg) -> ObjectOut;

/// The methods of a module.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct VTable {
    /// What kind of module it is; the text belongs to the module.
    pub kind: Kind,
    /// What can be done with it, in bits.
    pub property_mask: unsafe extern "C-unwind" fn(This) -> c_int,
    /// A function of the module.
    pub function: Function,
    /// Whether the module has a function.
    pub implements_function: unsafe extern "C-unwind" fn(This, StringArg) -> bool,
    /// The documentation of a function, in generations that have any.
    pub function_doc:
        [unsafe extern "C-unwind" fn(ValueOut, This, StringArg) -> ValueOut; generation::MODULES_HAVE_DOCS as usize],
    /// The metadata of a function.
    pub function_metadata: unsafe extern "C-unwind" fn(ValueOut, This, StringArg) -> ValueOut,
    /// Writes the module to a file (the first text) in a format (the second).
    pub write_to_file: unsafe extern "C-unwind" fn(This, StringArg, StringArg),
    /// The formats that it can be written in.
    pub write_formats: unsafe extern "C-unwind" fn(ObjectOut, This) -> ObjectOut,
    /// The module as bytes.
    pub save_to_bytes: unsafe extern "C-unwind" fn(ValueOut, This) -> ValueOut,
    /// The source of the module in a format.
    pub inspect_source: unsafe extern "C-unwind" fn(ValueOut, This, StringArg) -> ValueOut,
    /// Adds an import.
    pub import_module: unsafe extern "C-unwind" fn(This, *const TVMFFIObjectHandle),
    /// Forgets all imports.
    pub clear_imports: unsafe extern "C-unwind" fn(This),
}

// ---------------------------------------------------------------------------------------------------------------------
// Calling a module
// ---------------------------------------------------------------------------------------------------------------------

impl Module {
    /// Calls a method.
    fn call<T>(&self, method: impl FnOnce(&VTable, This) -> T) -> Result<T> {
        // SAFETY: every module has the address of its table, or NULL, in front of its header.
        let vtable = unsafe { (*self.context().cast::<*const VTable>()).as_ref() };
        let vtable = vtable.ok_or_else(|| Error::new("TypeError", "The module has no methods"))?;
        Ok(catch(|| method(vtable, self.context()))?)
    }

    /// Calls a method that answers an object, or none.
    fn call_for_object(&self, method: impl FnOnce(&VTable, This, ObjectOut)) -> Result<Option<ObjectRef>> {
        let mut result = std::ptr::null_mut();
        self.call(|vtable, this| method(vtable, this, &raw mut result))?;
        // SAFETY: a method that returns has written NULL or a reference that is the caller's.
        Ok(unsafe { ObjectRef::from_owned(result) })
    }

    /// Calls a method that answers a value.
    fn call_for_value(&self, method: impl FnOnce(&VTable, This, ValueOut)) -> Result<Any> {
        let mut result = TVMFFIAny::NONE;
        self.call(|vtable, this| method(vtable, this, &raw mut result))?;
        // SAFETY: a method that returns has written a value that is the caller's.
        Ok(unsafe { Any::from_raw(result) })
    }

    /// What kind of module it is: the name of its loader.
    pub fn kind(&self) -> Result<Any> {
        // SAFETY: the method is called as its type says.
        let kind = self.call(|vtable, this| unsafe { (vtable.kind)(this) })?;
        // SAFETY: the method answers a text that belongs to the module.
        text::string(unsafe { crate::border::c_pointers::c_str(kind, "kind") }?)
    }

    /// What can be done with the module: 1, it can be serialized; 2, run; 4, exported to be compiled.
    pub fn property_mask(&self) -> Result<i64> {
        // SAFETY: the method is called as its type says.
        self.call(|vtable, this| unsafe { (vtable.property_mask)(this) }).map(i64::from)
    }

    /// A function of the module itself.
    pub fn own_function(&self, name: &Any) -> Result<Option<ObjectRef>> {
        // SAFETY: the method is called as its type says.
        self.call_for_object(|vtable, this, result| unsafe {
            (vtable.function)(result, this, name);
        })
    }

    /// Whether the module itself has a function.
    pub fn implements_own_function(&self, name: &Any) -> Result<bool> {
        // SAFETY: the method is called as its type says.
        self.call(|vtable, this| unsafe { (vtable.implements_function)(this, name) })
    }

    /// The documentation of a function of the module itself; None without.
    pub fn own_function_doc(&self, name: &Any) -> Result<Any> {
        // SAFETY: the method is called as its type says.
        self.call_for_value(|vtable, this, result| unsafe {
            if let Some(function_doc) = vtable.function_doc.first() {
                function_doc(result, this, name);
            }
        })
    }

    /// The metadata of a function of the module itself; None without.
    pub fn own_function_metadata(&self, name: &Any) -> Result<Any> {
        // SAFETY: the method is called as its type says.
        self.call_for_value(|vtable, this, result| unsafe {
            (vtable.function_metadata)(result, this, name);
        })
    }

    /// Writes the module to a file.
    pub fn write_to_file(&self, file: &Any, format: &Any) -> Result<()> {
        // SAFETY: the method is called as its type says.
        self.call(|vtable, this| unsafe { (vtable.write_to_file)(this, file, format) })
    }

    /// The formats that the module can be written in.
    pub fn write_formats(&self) -> Result<Option<ObjectRef>> {
        // SAFETY: the method is called as its type says.
        self.call_for_object(|vtable, this, result| unsafe {
            (vtable.write_formats)(result, this);
        })
    }

    /// The source of the module.
    pub fn inspect_source(&self, format: &Any) -> Result<Any> {
        // SAFETY: the method is called as its type says.
        self.call_for_value(|vtable, this, result| unsafe {
            (vtable.inspect_source)(result, this, format);
        })
    }

    /// Adds an import.
    pub fn import_module(&self, other: &Module) -> Result<()> {
        let handle = other.handle();
        // SAFETY: the method is called as its type says.
        self.call(|vtable, this| unsafe { (vtable.import_module)(this, &handle) })
    }

    /// Forgets all imports.
    pub fn clear_imports(&self) -> Result<()> {
        // SAFETY: the method is called as its type says.
        self.call(|vtable, this| unsafe { (vtable.clear_imports)(this) })
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// What a module does whose class does not say otherwise
// ---------------------------------------------------------------------------------------------------------------------

/// The methods of a class that brings only those that it must.
pub const fn of_subclass(kind: Kind, function: Function) -> VTable {
    VTable {
        kind,
        property_mask: no_properties,
        function,
        implements_function,
        function_doc: [no_text; _],
        function_metadata: no_text,
        write_to_file,
        write_formats: no_formats,
        save_to_bytes,
        inspect_source: no_source,
        import_module,
        clear_imports,
    }
}

unsafe extern "C-unwind" fn no_properties(_this: This) -> c_int {
    0
}

unsafe extern "C-unwind" fn implements_function(this: This, name: StringArg) -> bool {
    // SAFETY: the method gets a module and a name, as its type says.
    or_throw(|| unsafe { Ok(Module::of_context(this)?.own_function(&*name)?.is_some()) })
}

unsafe extern "C-unwind" fn no_text(result: ValueOut, _this: This, _name: StringArg) -> ValueOut {
    // SAFETY: the method gets room for its result.
    unsafe { result.write(TVMFFIAny::NONE) };
    result
}

unsafe extern "C-unwind" fn write_to_file(this: This, _file: StringArg, _format: StringArg) {
    // SAFETY: the method gets a module.
    or_throw(|| Err(unsafe { unsupported(this, "WriteToFile") }))
}

unsafe extern "C-unwind" fn no_formats(result: ObjectOut, _this: This) -> ObjectOut {
    or_throw(|| {
        // SAFETY: the method gets room for its result.
        unsafe { result.write(array::new(vec![])?.into_object().into_handle()) };
        Ok(result)
    })
}

unsafe extern "C-unwind" fn save_to_bytes(_result: ValueOut, this: This) -> ValueOut {
    // SAFETY: the method gets a module.
    or_throw(|| Err(unsafe { unsupported(this, "SaveToBytes") }))
}

unsafe extern "C-unwind" fn no_source(result: ValueOut, _this: This, _format: StringArg) -> ValueOut {
    or_throw(|| {
        // SAFETY: the method gets room for its result.
        unsafe { result.write(text::string(b"")?.into_raw()) };
        Ok(result)
    })
}

/// Adds a module to the end of the imports.
///
/// # Safety
/// `this` is a module, and `other` holds one.
pub unsafe extern "C-unwind" fn import_module(this: This, other: *const TVMFFIObjectHandle) {
    // SAFETY: the caller's contract is the same.
    or_throw(|| unsafe { Module::of_context(this)?.import(&Module::of_handle(*other)?) })
}

/// Forgets all imports.
///
/// # Safety
/// `this` is a module.
pub unsafe extern "C-unwind" fn clear_imports(this: This) {
    // SAFETY: the caller's contract is the same.
    or_throw(|| unsafe { Module::of_context(this)?.forget_imports() })
}

/// # Safety
/// `this` is a module.
#[cold]
unsafe fn unsupported(this: This, method: &str) -> Error {
    // SAFETY: the caller's contract is the same.
    let kind = unsafe { Module::of_context(this) }.and_then(|module| module.kind());
    kind.map_or_else(identity, |kind| {
        let kind = String::from_utf8_lossy(kind.view().as_str().unwrap_or_default());
        Error::new("RuntimeError", format!("Module[{kind}] does not support {method}"))
    })
}

// ---------------------------------------------------------------------------------------------------------------------
// The class `tvm::ffi::ModuleObj`: an Object behind the pointer to its virtual table
// ---------------------------------------------------------------------------------------------------------------------

unsafe extern "C" {
    // What stands in the slot of a method that every subclass must have.
    fn __cxa_pure_virtual();
}

/// The class of objects, which every client has its own copy of.
static OBJECT: Class = Class::new(c"N3tvm3ffi6ObjectE");

/// The mangled name of the class.
#[unsafe(export_name = "_ZTSN3tvm3ffi9ModuleObjE")]
pub static MODULE_NAME: [u8; 21] = *b"N3tvm3ffi9ModuleObjE\0";

/// The type information of the class.
#[unsafe(export_name = "_ZTIN3tvm3ffi9ModuleObjE")]
pub static MODULE_TYPE_INFO: SeveralBases<1> =
    SeveralBases::new((&raw const MODULE_NAME).cast(), [Base::public(&raw const OBJECT, 8)]);

/// The virtual table of the class, whose subclasses must bring two of the methods.
#[unsafe(export_name = "_ZTVN3tvm3ffi9ModuleObjE")]
pub static MODULE_TABLE: Table<VTable> = Table::new(
    (&raw const MODULE_TYPE_INFO).cast(),
    // SAFETY: the function takes no arguments, looks at none, and does not return; as a method it can be called.
    of_subclass(unsafe { mem::transmute::<PureVirtual, Kind>(__cxa_pure_virtual) }, unsafe {
        mem::transmute::<PureVirtual, Function>(__cxa_pure_virtual)
    }),
);

type PureVirtual = unsafe extern "C" fn();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sizes_are_those_of_the_abi() {
        assert_eq!((size_of_val(&MODULE_TYPE_INFO), size_of_val(&MODULE_TABLE)), (40, 112));
    }
}
