//! C++ type information and virtual tables, laid out as the Itanium C++ ABI has them.
//!
//! Clients carry weak copies of the type information; whoever compares types compares their mangled names, so that ours
//! and theirs are the same types to `catch` and `dynamic_cast`.

use std::ffi::{CStr, c_char, c_long, c_void};

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
}

/// Type information of a class: `__class_type_info`.
#[repr(C)]
pub struct Class {
    vtable: *const c_void,
    name: *const c_char,
}

impl Class {
    /// A class without bases, by its mangled name.
    pub const fn new(name: &'static CStr) -> Self {
        Self::of(&raw const CLASS_TABLE, name.as_ptr())
    }

    /// What all type information begins with: the address point of the table of its own class, and the mangled name.
    const fn of(table: *const [*const c_void; HEAD + 1], name: *const c_char) -> Self {
        Self { vtable: table.cast::<*const c_void>().wrapping_add(HEAD).cast(), name }
    }
}

/// Type information of a class with one public base at its very beginning: `__si_class_type_info`.
#[repr(C)]
pub struct SingleBase {
    class: Class,
    base: *const Class,
}

impl SingleBase {
    /// A class by its mangled name.
    pub const fn new(name: &'static CStr, base: *const Class) -> Self {
        Self { class: Class::of(&raw const SINGLE_BASE_TABLE, name.as_ptr()), base }
    }
}

/// Type information of a class with any other bases: `__vmi_class_type_info`.
#[repr(C)]
pub struct SeveralBases<const COUNT: usize> {
    class: Class,
    flags: u32,
    base_count: u32,
    bases: [Base; COUNT],
}

impl<const COUNT: usize> SeveralBases<COUNT> {
    /// A class by its mangled name, which ends with a NUL.
    pub const fn new(name: *const c_char, bases: [Base; COUNT]) -> Self {
        let class = Class::of(&raw const SEVERAL_BASES_TABLE, name);
        Self { class, flags: 0, base_count: COUNT as u32, bases }
    }
}

/// One of several bases: `__base_class_type_info`.
#[repr(C)]
pub struct Base {
    class: *const Class,
    offset_flags: c_long,
}

impl Base {
    /// `std::exception` at the very beginning.
    pub const STD_EXCEPTION: Self = Self::public(&raw const STD_EXCEPTION, 0);

    /// A public base at an offset.
    pub const fn public(class: *const Class, offset: c_long) -> Self {
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

impl<Methods> Table<Methods> {
    /// The table of a class.
    pub const fn new(type_info: *const Class, methods: Methods) -> Self {
        Self { offset_to_top: 0, type_info, methods }
    }
}

// SAFETY: none of these is ever changed, and their pointers lead to others of them.
unsafe impl Sync for Class {}
// SAFETY: as above.
unsafe impl Sync for SingleBase {}
// SAFETY: as above.
unsafe impl<const COUNT: usize> Sync for SeveralBases<COUNT> {}
// SAFETY: as above.
unsafe impl<Methods> Sync for Table<Methods> {}
