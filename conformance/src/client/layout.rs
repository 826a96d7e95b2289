//! Structs whose layout clients compile in: which of them was looked at, so that what followed from another layout is not
//! taken for news.

use std::any::TypeId;

use tvm_ffi_spec::*;

use crate::client::map_memory::{DenseMapCell, MapCell};

macro_rules! structs {
    ($($name:ident),*) => {
        /// The structs that checks decide the layout of. What is read of the later ones may go through the earlier.
        pub const STRUCTS: &[&str] = &[$(stringify!($name)),*];

        /// A set with that struct alone, or the empty one if it is not among [`STRUCTS`].
        pub(super) fn set_of<S: 'static>() -> Set {
            let place = [$(TypeId::of::<$name>()),*].iter().position(|id| *id == TypeId::of::<S>());
            place.map_or(0, |place| 1 << place)
        }
    };
}
structs!(
    TVMFFIObject,
    TVMFFIByteArray,
    TVMFFIErrorCell,
    TVMFFIFunctionCell,
    TVMFFIShapeCell,
    TVMFFISeqCell,
    MapCell,
    DenseMapCell,
    DLTensor,
    TVMFFITypeInfo,
    TVMFFIFieldInfo,
    TVMFFIMethodInfo,
    TVMFFITypeMetadata
);

/// Some of [`STRUCTS`], a bit for each.
pub(super) type Set = u32;

/// The structs in a set.
pub(super) fn names(set: Set) -> Vec<String> {
    let named = STRUCTS.iter().enumerate().filter(|(place, _)| set >> place & 1 == 1);
    named.map(|(_, name)| (*name).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_struct_is_told_by_its_type() {
        assert_eq!(names(set_of::<DLTensor>() | set_of::<TVMFFIObject>()), ["TVMFFIObject", "DLTensor"]);
        assert_eq!(set_of::<u64>(), 0);
    }
}
