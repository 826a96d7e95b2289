//! The exported functions by address, so that a backtrace can name them without reading debug information.

use std::ffi::{c_char, c_int, c_void};

use tvm_ffi_spec::*;

use super::{c_api::*, c_api_data::*, c_env_api::*};

/// The beginning and the name of a function.
type Export = (usize, &'static str);

macro_rules! exports {
    ($(#[$doc:meta] $name:ident($($param:ident: $ty:ty),*) -> $result:ty;)*) => {
        [$({
            // The signature is that of the specification, or this does not compile.
            let function: unsafe extern "C" fn($($ty),*) -> $result = $name;
            (function as usize, stringify!($name))
        }),*]
    };
}

/// Every function of the ABI.
fn all() -> [Export; 50] {
    for_each_function!(exports)
}

/// The name of the exported function that begins at an address.
pub fn name_at(address: usize) -> Option<&'static str> {
    all().into_iter().find(|(beginning, _)| *beginning == address).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_found_where_it_begins() {
        assert_eq!(name_at(TVMFFIFunctionCall as *const () as usize), Some("TVMFFIFunctionCall"));
        assert_eq!(name_at(0), None);
    }
}
