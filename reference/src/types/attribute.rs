//! Attributes of types that the library itself asks for.
//!
//! A value in a column is never replaced, so what is found stays valid for the life of the process.

use std::sync::atomic::{AtomicI32, AtomicPtr, Ordering};

use tvm_ffi_spec::{TVMFFIAny, TVMFFITypeAttrColumn, kTVMFFINone};

use crate::{system::found::Found, types::type_table, value::any::AnyView};

/// An attribute by name. Its column is looked for once.
pub struct Attribute {
    name: &'static str,
    column: Found<Option<&'static Column>>,
}

struct Column(TVMFFITypeAttrColumn);

// SAFETY: a column is written under the lock of the type table, and atomically, as it is read.
unsafe impl Sync for Column {}

macro_rules! attributes {
    ($($(#[$doc:meta])* $name:ident = $key:literal;)*) => {
        $($(#[$doc])* pub static $name: Attribute = Attribute { name: $key, column: Found::new() };)*
    };
}

attributes! {
    /// `hash(value) -> int`: the hash of objects as keys of maps.
    ANY_HASH = "__any_hash__";
    /// `equal(lhs, rhs) -> bool`: whether objects are the same key of a map.
    ANY_EQUAL = "__any_equal__";
    /// `new() -> object`: an empty object.
    NEW = "__ffi_new__";
    /// `init(...) -> object`: an object made of its arguments.
    #[cfg(test)]
    INIT = "__ffi_init__";
    /// `copy(object) -> object`: another object with the same fields.
    SHALLOW_COPY = "__ffi_shallow_copy__";
    /// `repr(object, repr) -> str`.
    REPR = "__ffi_repr__";
    /// `hash(object, hash) -> int`.
    HASH = "__ffi_hash__";
    /// `eq(lhs, rhs, eq) -> bool`.
    EQ = "__ffi_eq__";
    /// `compare(lhs, rhs, compare) -> int`.
    COMPARE = "__ffi_compare__";
    /// The state of an enum class.
    ENUM = "__ffi_enum__";
    /// `to_json(object) -> value`.
    DATA_TO_JSON = "__data_to_json__";
    /// `from_json(value) -> object`.
    DATA_FROM_JSON = "__data_from_json__";
    /// `equal(lhs, rhs, compare) -> bool`: structural equality.
    S_EQUAL = "__s_equal__";
    /// `hash(object, init, hash) -> int`: structural hash.
    S_HASH = "__s_hash__";
    /// The structural visit of a type.
    S_VISIT = "__s_visit__";
    /// The structural mutation of a type.
    S_MUTATE = "__s_mutate__";
    /// The structural mutation of an object that nobody else refers to.
    S_MAYBE_INPLACE_MUTATE = "__s_maybe_inplace_mutate__";
}

impl Attribute {
    /// What a type has for this attribute; `None` if nothing was registered.
    #[inline]
    pub fn of(&self, type_index: i32) -> Option<AnyView<'static>> {
        let Column(column) = (*self.column.get_or_find(|| self.find_column()))?;
        // An index in front of the column wraps around, to behind its end.
        let offset = type_index.wrapping_sub(column.begin_index).cast_unsigned();
        // SAFETY: the fields are aligned, and whoever registers writes them atomically, the pointer before the count.
        let (size, data) = unsafe {
            let size = AtomicI32::from_ptr((&raw const column.size).cast_mut()).load(Ordering::Acquire);
            let data = AtomicPtr::<TVMFFIAny>::from_ptr((&raw const column.data).cast_mut().cast());
            (size, data.load(Ordering::Relaxed))
        };
        if offset >= size.cast_unsigned() {
            return None;
        }
        // SAFETY: the column has that many values, which live as long as the process. The type index is written last and
        // atomically, after which a value stays as it is.
        unsafe {
            let value = data.add(offset as usize);
            let type_index = AtomicI32::from_ptr(&raw mut (*value).type_index).load(Ordering::Acquire);
            (type_index != kTVMFFINone).then(|| AnyView::from_raw(value))
        }
    }

    #[cold]
    #[inline(never)]
    fn find_column(&self) -> Option<&'static Column> {
        // SAFETY: columns are never freed.
        unsafe { type_table::attribute_column(self.name.as_bytes()).cast::<Column>().as_ref() }
    }
}
