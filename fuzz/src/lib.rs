//! What the fuzz targets share: the libraries that they call, side by side in one process.
//!
//! A fuzz target is a test (`cargo test` tries it on random inputs); `cargo bolero test` runs it under a fuzzing engine.

#![deny(missing_docs)]

use std::ffi::c_int;

use tempfile::TempDir;
use tvm_ffi_fixtures::peers;
use tvm_ffi_spec::*;
use tvm_ffi_verify::{
    library::{self, Scope},
    target::Target,
};

/// The release that the reference is compared with.
pub const PEER: &str = "0.1.15.post2";

/// A library that fuzz targets call.
pub struct Library {
    table: FunctionTable,
    /// Holds the library's file.
    _scratch: TempDir,
}

impl Library {
    /// The reference.
    pub fn reference() -> Self {
        Self::open(None)
    }

    /// The peer, when its wheel is at hand; otherwise says that nothing is compared.
    pub fn peer() -> Option<Self> {
        let wheel = peers::wheel(PEER);
        if wheel.is_none() {
            println!("NOT COMPARED: no wheel of {PEER} in {} (set TVM_FFI_PEERS)", peers::folder().display());
        }
        wheel.map(|wheel| Self::open(Some(&wheel)))
    }

    fn open(argument: Option<&std::path::Path>) -> Self {
        let scratch = tempfile::tempdir().expect("a temporary directory can be made");
        let target = Target::locate(argument, scratch.path()).expect("the library is a target");
        let opened = library::open(&target.path, Scope::Local).expect("the library can be opened");
        Self { table: opened.table, _scratch: scratch }
    }

    /// Parses a data type; the kind of the error where it is none.
    pub fn parse_dtype(&self, text: &[u8]) -> Result<DLDataType, String> {
        let mut dtype = DLDataType::default();
        let parse = self.table.TVMFFIDataTypeFromString.expect("every release has it");
        // SAFETY: both arguments are valid for the call.
        match unsafe { parse(&TVMFFIByteArray::new(text), &mut dtype) } {
            0 => Ok(dtype),
            code => Err(self.raised(code)),
        }
    }

    /// Prints a data type; the kind of the error where it has no name.
    pub fn print_dtype(&self, dtype: DLDataType) -> Result<Vec<u8>, String> {
        let mut out = TVMFFIAny::NONE;
        let print = self.table.TVMFFIDataTypeToString.expect("every release has it");
        // SAFETY: both arguments are valid for the call.
        match unsafe { print(&dtype, &mut out) } {
            0 => {
                assert_eq!(out.type_index, kTVMFFIStr, "a printed data type is a String object");
                let object = out.payload() as TVMFFIObjectHandle;
                // SAFETY: a String object that this call owns: its cell follows its header.
                let bytes = unsafe {
                    let cell = *object.byte_add(size_of::<TVMFFIObject>()).cast::<TVMFFIByteArray>();
                    std::slice::from_raw_parts(cell.data.cast::<u8>(), cell.size).to_vec()
                };
                self.release(object);
                Ok(bytes)
            }
            code => Err(self.raised(code)),
        }
    }

    fn raised(&self, code: c_int) -> String {
        assert_eq!(code, -1, "a failure is -1");
        let mut error = std::ptr::null_mut();
        // SAFETY: `error` is valid for the call.
        unsafe { self.table.TVMFFIErrorMoveFromRaised.expect("every release has it")(&mut error) };
        assert!(!error.is_null(), "a failure raises an error");
        // SAFETY: an Error object that this call owns: its cell follows its header.
        let kind = unsafe {
            let cell = *error.byte_add(size_of::<TVMFFIObject>()).cast::<TVMFFIErrorCell>();
            std::slice::from_raw_parts(cell.kind.data.cast::<u8>(), cell.kind.size).to_vec()
        };
        self.release(error);
        String::from_utf8_lossy(&kind).into_owned()
    }

    fn release(&self, object: TVMFFIObjectHandle) {
        // SAFETY: the caller gives up the reference it owns.
        unsafe { self.table.TVMFFIObjectDecRef.expect("every release has it")(object) };
    }
}
