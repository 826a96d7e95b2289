//! Structural equality, hashes and keys: values compared by their shape, as compilers compare programs.
//!
//! Objects are those of types that a check registers as a client would: two fields of any value, with the kind and the
//! flags that are to be judged. The objects are made by the suite, and the target only reads them.

mod asked;
mod at_depth;
mod elsewhere;
mod extreme;
mod held;
mod in_maps;
mod keys_in_keys;
mod large;
mod mismatch;
mod narrow;
mod object;
mod object_keys;
mod odd_tensor;
mod region;
mod tensor;
mod value;
