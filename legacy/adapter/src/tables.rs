//! The functions of both libraries that an adapter calls.

use std::ffi::{CStr, c_char, c_int, c_void};

use tvm_ffi_spec::*;

use crate::types::*;

macro_rules! table {
    ($(#[$doc:meta])* $name:ident { $($function:ident: fn($($ty:ty),*) $(-> $result:ty)?;)* }) => {
        $(#[$doc])*
        #[allow(non_snake_case, missing_docs)]
        #[derive(Clone, Copy, Debug)]
        pub struct $name {
            $(pub $function: unsafe extern "C" fn($($ty),*) $(-> $result)?,)*
        }

        impl $name {
            /// Fills the table from `find`, which answers a symbol's address or NULL. An error is the name of what is missing.
            ///
            /// # Safety
            /// Each address is NULL or that of the function that the generation has under this name, for as long as the table is used.
            pub unsafe fn load(mut find: impl FnMut(&CStr) -> *const c_void) -> Result<Self, &'static str> {
                Ok(Self {
                    $($function: {
                        const NAME: &str = concat!(stringify!($function), "\0");
                        let name = CStr::from_bytes_with_nul(NAME.as_bytes()).expect("it ends with a NUL");
                        let address = find(name);
                        if address.is_null() {
                            return Err(stringify!($function));
                        }
                        // SAFETY: the caller vouches for the symbol.
                        unsafe {
                            std::mem::transmute::<
                                *const c_void,
                                unsafe extern "C" fn($($ty),*) $(-> $result)?,
                            >(address)
                        }
                    },)*
                })
            }
        }
    };
}

table! {
    /// Functions of today's ABI.
    Ffi {
        TVMFFIObjectIncRef: fn(TVMFFIObjectHandle) -> c_int;
        TVMFFIObjectDecRef: fn(TVMFFIObjectHandle) -> c_int;
        TVMFFIObjectCreateOpaque: fn(*mut c_void, i32, Option<unsafe extern "C" fn(*mut c_void)>, *mut TVMFFIObjectHandle) -> c_int;
        TVMFFIStringFromByteArray: fn(*const TVMFFIByteArray, *mut TVMFFIAny) -> c_int;
        TVMFFIBytesFromByteArray: fn(*const TVMFFIByteArray, *mut TVMFFIAny) -> c_int;
        TVMFFIFunctionCreate: fn(*mut c_void, Option<TVMFFISafeCallType>, Option<unsafe extern "C" fn(*mut c_void)>, *mut TVMFFIObjectHandle) -> c_int;
        TVMFFIFunctionCall: fn(TVMFFIObjectHandle, *mut TVMFFIAny, i32, *mut TVMFFIAny) -> c_int;
        TVMFFIFunctionGetGlobal: fn(*const TVMFFIByteArray, *mut TVMFFIObjectHandle) -> c_int;
        TVMFFIErrorCreate: fn(*const TVMFFIByteArray, *const TVMFFIByteArray, *const TVMFFIByteArray, *mut TVMFFIObjectHandle) -> c_int;
        TVMFFIErrorSetRaised: fn(TVMFFIObjectHandle);
        TVMFFIErrorMoveFromRaised: fn(*mut TVMFFIObjectHandle);
        TVMFFITensorFromDLPack: fn(*mut DLManagedTensor, i32, i32, *mut TVMFFIObjectHandle) -> c_int;
        TVMFFITensorToDLPack: fn(TVMFFIObjectHandle, *mut *mut DLManagedTensor) -> c_int;
    }
}

table! {
    /// Functions of the legacy generation.
    Legacy {
        TVMAPISetLastError: fn(*const c_char);
        TVMGetLastError: fn() -> *const c_char;
        TVMFuncCall: fn(*mut c_void, *mut TVMValue, *mut c_int, c_int, *mut TVMValue, *mut c_int) -> c_int;
        TVMFuncFree: fn(*mut c_void) -> c_int;
        TVMFuncGetGlobal: fn(*const c_char, *mut *mut c_void) -> c_int;
        TVMFuncCreateFromCFunc: fn(Option<FrontendFunc>, *mut c_void, Option<Finalizer>, *mut *mut c_void) -> c_int;
        TVMCFuncSetReturn: fn(*mut c_void, *mut TVMValue, *mut c_int, c_int) -> c_int;
        TVMObjectRetain: fn(*mut c_void) -> c_int;
        TVMObjectFree: fn(*mut c_void) -> c_int;
        TVMObjectGetTypeIndex: fn(*mut c_void, *mut u32) -> c_int;
        TVMArrayFree: fn(*mut DLTensor) -> c_int;
        TVMArrayFromDLPack: fn(*mut DLManagedTensor, *mut *mut DLTensor) -> c_int;
        TVMArrayToDLPack: fn(*mut DLTensor, *mut *mut DLManagedTensor) -> c_int;
    }
}
