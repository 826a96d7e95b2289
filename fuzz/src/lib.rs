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

/// Text put together from pieces of a language, since random bytes rarely get past the first character of it.
pub fn text(choices: &[u8], pieces: &[&str]) -> Vec<u8> {
    choices.iter().flat_map(|&choice| pieces[choice as usize % pieces.len()].bytes()).collect()
}

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

    /// The newest peer, unless comparisons are left out.
    pub fn peer() -> Option<Self> {
        peers::newest().map(|wheel| Self::open(Some(&wheel)))
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
        let mut out = Value { library: self, raw: TVMFFIAny::NONE };
        let print = self.table.TVMFFIDataTypeToString.expect("every release has it");
        // SAFETY: both arguments are valid for the call.
        match unsafe { print(&dtype, &mut out.raw) } {
            0 => {
                assert_eq!(out.raw.type_index, kTVMFFIStr, "a printed data type is a String object");
                Ok(out.content())
            }
            code => Err(self.raised(code)),
        }
    }

    /// Reads a text as JSON and writes it again; the kind of the error where it is none.
    pub fn reprint_json(&self, text: &[u8]) -> Result<Vec<u8>, String> {
        let value = self.call("ffi.json.Parse", &[self.string(text).raw])?;
        Ok(self.call("ffi.json.Stringify", &[value.raw, TVMFFIAny::NONE])?.content())
    }

    /// Makes the value of a JSON graph, and a graph of that again; the kind of the error where there is none.
    pub fn remake_graph(&self, text: &[u8]) -> Result<Vec<u8>, String> {
        let value = self.call("ffi.FromJSONGraphString", &[self.string(text).raw])?;
        Ok(self.call("ffi.ToJSONGraphString", &[value.raw, TVMFFIAny::NONE])?.content())
    }

    fn call(&self, name: &str, args: &[TVMFFIAny]) -> Result<Value<'_>, String> {
        let (mut function, mut out) = (std::ptr::null_mut(), Value { library: self, raw: TVMFFIAny::NONE });
        // SAFETY: all arguments are valid for the calls, and the function is released once.
        let code = unsafe {
            let name = TVMFFIByteArray::new(name.as_bytes());
            assert_eq!(self.table.TVMFFIFunctionGetGlobal.expect("every release has it")(&name, &mut function), 0);
            let call = self.table.TVMFFIFunctionCall.expect("every release has it");
            let code = call(function, args.as_ptr().cast_mut(), args.len() as i32, &mut out.raw);
            self.release(function);
            code
        };
        if code == 0 { Ok(out) } else { Err(self.raised(code)) }
    }

    fn string(&self, text: &[u8]) -> Value<'_> {
        let mut out = Value { library: self, raw: TVMFFIAny::NONE };
        let make = self.table.TVMFFIStringFromByteArray.expect("every release has it");
        // SAFETY: both arguments are valid for the call.
        assert_eq!(unsafe { make(&TVMFFIByteArray::new(text), &mut out.raw) }, 0, "any bytes make a string");
        out
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

/// A value that a library made.
struct Value<'a> {
    library: &'a Library,
    raw: TVMFFIAny,
}

impl Value<'_> {
    /// The content of a string.
    fn content(&self) -> Vec<u8> {
        if self.raw.type_index == kTVMFFISmallStr {
            return self.raw.to_bytes()[8..][..self.raw.aux_word() as usize].to_vec();
        }
        assert_eq!(self.raw.type_index, kTVMFFIStr, "a text is a string");
        let object = self.raw.payload() as TVMFFIObjectHandle;
        // SAFETY: a String object that this value owns: its cell follows its header.
        unsafe {
            let cell = *object.byte_add(size_of::<TVMFFIObject>()).cast::<TVMFFIByteArray>();
            std::slice::from_raw_parts(cell.data.cast::<u8>(), cell.size).to_vec()
        }
    }
}

impl Drop for Value<'_> {
    fn drop(&mut self) {
        if self.raw.type_index >= kTVMFFIStaticObjectBegin {
            self.library.release(self.raw.payload() as TVMFFIObjectHandle);
        }
    }
}
