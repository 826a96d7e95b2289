//! Holds the exported C functions to the specification: one of another type does not compile.

use std::ffi::{c_char, c_int, c_void};

use tvm_ffi_spec::*;

use super::{c_api::*, c_api_data::*, c_env_api::*, combined::*};

macro_rules! exports {
    ($(#[$doc:meta] $name:ident($($param:ident: $ty:ty),*) -> $result:ty;)*) => {
        $(const _: unsafe extern "C" fn($($ty),*) -> $result = $name;)*
    };
}

for_each_function!(exports);
