//! Typed references: references to objects of one kind, made only where the type index was looked at.

use std::mem::{self, ManuallyDrop};

use tvm_ffi_spec::TVMFFIObjectHandle;

use super::header::ObjectRef;

/// A strong reference to an object of a kind. What lies behind the header is then known.
///
/// # Safety
/// The type is `repr(transparent)` over [`ObjectRef`].
pub unsafe trait TypedRef: Sized {
    /// Whether objects with this type index are of the kind.
    fn admits(type_index: i32) -> bool;

    /// The same reference to an object of any type.
    #[inline]
    fn into_object(self) -> ObjectRef {
        // SAFETY: the layout is that of an `ObjectRef`, and the reference in `self` is given up.
        unsafe { mem::transmute_copy(&ManuallyDrop::new(self)) }
    }

    /// Hands the reference to the caller as a handle.
    #[inline]
    fn into_handle(self) -> TVMFFIObjectHandle {
        self.into_object().into_handle()
    }
}

// SAFETY: the type itself.
unsafe impl TypedRef for ObjectRef {
    #[inline]
    fn admits(_type_index: i32) -> bool {
        true
    }
}

impl ObjectRef {
    /// The same reference, if the object is of this kind.
    #[inline]
    pub fn cast<T: TypedRef>(self) -> Option<T> {
        // SAFETY: the kind was looked at.
        T::admits(self.type_index()).then(|| unsafe { self.cast_unchecked() })
    }

    /// The same reference, borrowed, if the object is of this kind.
    #[inline]
    pub fn cast_ref<T: TypedRef>(&self) -> Option<&T> {
        // SAFETY: the layout of a typed reference is that of an `ObjectRef`, and the kind was looked at.
        T::admits(self.type_index()).then(|| unsafe { &*(&raw const *self).cast() })
    }

    /// The same reference to an object that is known to be of this kind.
    ///
    /// # Safety
    /// The kind admits the object's type index.
    #[inline]
    pub unsafe fn cast_unchecked<T: TypedRef>(self) -> T {
        debug_assert!(T::admits(self.type_index()));
        // SAFETY: the layout of a typed reference is that of an `ObjectRef`, and the reference in `self` is given up.
        unsafe { mem::transmute_copy(&ManuallyDrop::new(self)) }
    }
}

/// Declares typed references: each by its name, what it is besides, and the type indices of its objects, as a pattern.
macro_rules! typed_refs {
    ($($(#[$doc:meta])* $name:ident: $base:ty = $($type_index:ident)|+ $(if $guard:expr)?;)*) => {
        $($(#[$doc])*
        #[repr(transparent)]
        #[derive(Clone, Debug)]
        pub struct $name($base);

        // SAFETY: the base is an `ObjectRef` or a typed reference itself.
        unsafe impl $crate::object::typed_ref::TypedRef for $name {
            #[inline]
            fn admits(type_index: i32) -> bool {
                matches!(type_index, $($type_index)|+ $(if $guard)?)
            }
        }

        impl From<$name> for $base {
            #[inline]
            fn from($name(base): $name) -> $base {
                base
            }
        }

        impl std::ops::Deref for $name {
            type Target = $base;

            #[inline]
            fn deref(&self) -> &$base {
                &self.0
            }
        })*
    };
}

pub(crate) use typed_refs;
