//! What the library does when it is loaded: it tells functions and modules by which of its own they are called.

use tvm_ffi::api::{c_api::*, c_api_data::*, combined::TVMFFIErrorCreate};
use tvm_ffi_adapter::{Adapter, Ffi, Legacy};

use super::{arrays::*, backend::*, errors::*, functions::*, objects::*};
use crate::{function, module};

const FFI: Ffi = Ffi {
    TVMFFIObjectIncRef,
    TVMFFIObjectDecRef,
    TVMFFIObjectCreateOpaque,
    TVMFFIStringFromByteArray,
    TVMFFIBytesFromByteArray,
    TVMFFIFunctionCreate,
    TVMFFIFunctionCall,
    TVMFFIFunctionGetGlobal,
    TVMFFIErrorCreate,
    TVMFFIErrorSetRaised,
    TVMFFIErrorMoveFromRaised,
    TVMFFITensorFromDLPack,
    TVMFFITensorToDLPack,
};

const LEGACY: Legacy = Legacy {
    TVMAPISetLastError,
    TVMGetLastError,
    TVMFuncCall,
    TVMFuncFree,
    TVMFuncGetGlobal,
    TVMFuncCreateFromCFunc,
    TVMCFuncSetReturn,
    TVMObjectRetain,
    TVMObjectFree,
    TVMObjectGetTypeIndex,
    TVMArrayFree,
    TVMArrayFromDLPack,
    TVMArrayToDLPack,
};

extern "C" fn load() {
    let _ = function::ADAPTER.set(Adapter::new(FFI, LEGACY));
    let _ = module::CONTEXT_FUNCTIONS.set([
        ("TVMFuncCall", TVMFuncCall as *const () as usize),
        ("TVMAPISetLastError", TVMAPISetLastError as *const () as usize),
        ("TVMBackendGetFuncFromEnv", TVMBackendGetFuncFromEnv as *const () as usize),
        ("TVMBackendAllocWorkspace", TVMBackendAllocWorkspace as *const () as usize),
        ("TVMBackendFreeWorkspace", TVMBackendFreeWorkspace as *const () as usize),
        ("TVMBackendParallelLaunch", TVMBackendParallelLaunch as *const () as usize),
        ("TVMBackendParallelBarrier", TVMBackendParallelBarrier as *const () as usize),
    ]);
}

// SAFETY: the section holds the addresses of functions without arguments that the loader calls, and this is one.
#[used]
#[unsafe(link_section = ".init_array")]
static LOAD: extern "C" fn() = load;
