//! C++ type information and virtual tables, laid out as the Itanium C++ ABI has them.
//!
//! Clients carry weak copies of the type information; whoever compares types compares their mangled names, so that ours
//! and theirs are the same types to `catch` and `dynamic_cast`.

use std::{
    ffi::{c_char, c_long, c_void},
    mem,
};

use crate::{
    border::exception::CxxError,
    module::{
        library_module,
        vtable::{self, VTable},
    },
};

/// Where a virtual table's address points to within the table: behind the offset and the type information.
const HEAD: usize = 2;

unsafe extern "C" {
    // The virtual tables of the classes that type information is made of, and the type information of `std::exception`.
    #[link_name = "_ZTVN10__cxxabiv117__class_type_infoE"]
    static CLASS_TABLE: [*const c_void; HEAD + 1];
    #[link_name = "_ZTVN10__cxxabiv120__si_class_type_infoE"]
    static SINGLE_BASE_TABLE: [*const c_void; HEAD + 1];
    #[link_name = "_ZTVN10__cxxabiv121__vmi_class_type_infoE"]
    static SEVERAL_BASES_TABLE: [*const c_void; HEAD + 1];
    #[link_name = "_ZTISt9exception"]
    static STD_EXCEPTION: Class;
    // What stands in the slot of a method that every subclass must have.
    fn __cxa_pure_virtual();
}

/// Type information of a class: `__class_type_info`.
#[repr(C)]
pub struct Class {
    vtable: *const c_void,
    name: *const c_char,
}

/// Type information of a class with one public base at its very beginning: `__si_class_type_info`.
#[repr(C)]
pub struct SingleBase {
    class: Class,
    base: *const Class,
}

/// Type information of a class with any other bases: `__vmi_class_type_info`.
#[repr(C)]
pub struct SeveralBases<const COUNT: usize> {
    class: Class,
    flags: u32,
    base_count: u32,
    bases: [Base; COUNT],
}

/// One of several bases: `__base_class_type_info`.
#[repr(C)]
struct Base {
    class: *const Class,
    offset_flags: c_long,
}

impl Base {
    /// A public base at an offset.
    const fn public(class: *const Class, offset: c_long) -> Self {
        const PUBLIC: c_long = 2;
        const OFFSET_SHIFT: u32 = 8;
        Self { class, offset_flags: offset << OFFSET_SHIFT | PUBLIC }
    }
}

/// A virtual table.
#[repr(C)]
pub struct Table<Methods> {
    offset_to_top: isize,
    type_info: *const Class,
    /// What objects point to.
    pub methods: Methods,
}

/// The methods of `tvm::ffi::Error`.
#[repr(C)]
pub struct ErrorMethods {
    destructor: unsafe extern "C" fn(*mut CxxError),
    deleting_destructor: unsafe extern "C" fn(*mut CxxError),
    what: unsafe extern "C" fn(*const CxxError) -> *const c_char,
}

// SAFETY: none of these is ever changed, and their pointers lead to others of them.
unsafe impl Sync for Class {}
// SAFETY: as above.
unsafe impl Sync for SingleBase {}
// SAFETY: as above.
unsafe impl<const COUNT: usize> Sync for SeveralBases<COUNT> {}
// SAFETY: as above.
unsafe impl<Methods> Sync for Table<Methods> {}

/// What all type information begins with: the address point of the table of its own class, and the mangled name.
const fn class(table: *const [*const c_void; HEAD + 1], name: *const c_char) -> Class {
    Class { vtable: table.cast::<*const c_void>().wrapping_add(HEAD).cast(), name }
}

// ---------------------------------------------------------------------------------------------------------------------
// Object and ObjectRef: plain classes, of which every client has its own copy
// ---------------------------------------------------------------------------------------------------------------------

static OBJECT: Class = class(&raw const CLASS_TABLE, c"N3tvm3ffi6ObjectE".as_ptr());
static OBJECT_REF: Class = class(&raw const CLASS_TABLE, c"N3tvm3ffi9ObjectRefE".as_ptr());

// ---------------------------------------------------------------------------------------------------------------------
// Error: a std::exception in front of an ObjectRef
// ---------------------------------------------------------------------------------------------------------------------

/// The mangled name of `tvm::ffi::Error`.
#[unsafe(export_name = "_ZTSN3tvm3ffi5ErrorE")]
pub static ERROR_NAME: [u8; 17] = *b"N3tvm3ffi5ErrorE\0";

/// The type information of `tvm::ffi::Error`.
#[unsafe(export_name = "_ZTIN3tvm3ffi5ErrorE")]
pub static ERROR_TYPE_INFO: SeveralBases<2> = SeveralBases {
    class: class(&raw const SEVERAL_BASES_TABLE, (&raw const ERROR_NAME).cast()),
    flags: 0,
    base_count: 2,
    bases: [Base::public(&raw const OBJECT_REF, 8), Base::public(&raw const STD_EXCEPTION, 0)],
};

/// The virtual table of `tvm::ffi::Error`.
#[unsafe(export_name = "_ZTVN3tvm3ffi5ErrorE")]
pub static ERROR_TABLE: Table<ErrorMethods> = Table {
    offset_to_top: 0,
    type_info: (&raw const ERROR_TYPE_INFO).cast(),
    methods: ErrorMethods {
        destructor: CxxError::end,
        deleting_destructor: CxxError::end_and_free,
        what: CxxError::what,
    },
};

// ---------------------------------------------------------------------------------------------------------------------
// ModuleObj: an Object behind the pointer to its virtual table
// ---------------------------------------------------------------------------------------------------------------------

/// The mangled name of `tvm::ffi::ModuleObj`.
#[unsafe(export_name = "_ZTSN3tvm3ffi9ModuleObjE")]
pub static MODULE_NAME: [u8; 21] = *b"N3tvm3ffi9ModuleObjE\0";

/// The type information of `tvm::ffi::ModuleObj`.
#[unsafe(export_name = "_ZTIN3tvm3ffi9ModuleObjE")]
pub static MODULE_TYPE_INFO: SeveralBases<1> = SeveralBases {
    class: class(&raw const SEVERAL_BASES_TABLE, (&raw const MODULE_NAME).cast()),
    flags: 0,
    base_count: 1,
    bases: [Base::public(&raw const OBJECT, 8)],
};

/// The virtual table of `tvm::ffi::ModuleObj`, whose subclasses must bring two of the methods.
#[unsafe(export_name = "_ZTVN3tvm3ffi9ModuleObjE")]
pub static MODULE_TABLE: Table<VTable> = Table {
    offset_to_top: 0,
    type_info: (&raw const MODULE_TYPE_INFO).cast(),
    // SAFETY: the function takes no arguments, looks at none, and does not return; as a method it can be called.
    methods: vtable::of_subclass(unsafe { mem::transmute::<PureVirtual, vtable::Kind>(__cxa_pure_virtual) }, unsafe {
        mem::transmute::<PureVirtual, vtable::Function>(__cxa_pure_virtual)
    }),
};

type PureVirtual = unsafe extern "C" fn();

/// The type information of library modules, a class of its own.
static LIBRARY_MODULE_TYPE_INFO: SingleBase = SingleBase {
    class: class(&raw const SINGLE_BASE_TABLE, c"N3tvm3ffi16LibraryModuleObjE".as_ptr()),
    base: (&raw const MODULE_TYPE_INFO).cast(),
};

/// The virtual table of library modules.
pub static LIBRARY_MODULE_TABLE: Table<VTable> = Table {
    offset_to_top: 0,
    type_info: (&raw const LIBRARY_MODULE_TYPE_INFO).cast(),
    methods: library_module::METHODS,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sizes_are_those_of_the_abi() {
        assert_eq!((size_of_val(&ERROR_TYPE_INFO), size_of_val(&ERROR_TABLE)), (56, 40));
        assert_eq!((size_of_val(&MODULE_TYPE_INFO), size_of_val(&MODULE_TABLE)), (40, 112));
    }
}
