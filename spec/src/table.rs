//! The typed table of the ABI's functions, made of the rows that `abi.toml` gives.

// `for_each_function!`.
include!(concat!(env!("OUT_DIR"), "/functions.rs"));

#[allow(non_snake_case, clippy::type_complexity)]
mod rows {
    use std::ffi::{c_char, c_int, c_void};

    use crate::types::*;

    macro_rules! table {
        ($(#[$doc:meta] $name:ident($($param:ident: $ty:ty),*) -> $result:ty;)*) => {
            /// The functions of one library, by name; `None` where it exports none.
            #[derive(Clone, Copy, Debug)]
            pub struct FunctionTable {
                $(#[$doc] pub $name: Option<unsafe extern "C" fn($($param: $ty),*) -> $result>,)*
            }

            impl FunctionTable {
                /// Fills the table from `find`, which answers a symbol's address or NULL.
                ///
                /// # Safety
                /// Each address is NULL or a function of the type that `abi.toml` gives it, for as long as the table is used.
                pub unsafe fn load(mut find: impl FnMut(&'static str) -> *const c_void) -> Self {
                    Self {
                        $(
                            // SAFETY: the caller vouches for the symbol, and a function pointer has the size of a data
                            // pointer.
                            $name: unsafe {
                                std::mem::transmute::<
                                    *const c_void,
                                    Option<unsafe extern "C" fn($($param: $ty),*) -> $result>,
                                >(find(stringify!($name)))
                            },
                        )*
                    }
                }

                /// Whether the library exports a function of that name.
                pub fn has(&self, name: &str) -> bool {
                    match name {
                        $(stringify!($name) => self.$name.is_some(),)*
                        _ => false,
                    }
                }
            }
        };
    }
    for_each_function!(table);
}
pub use rows::FunctionTable;
