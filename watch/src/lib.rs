//! A library that stands between a client and `libtvm_ffi.so`: it looks at every call, and writes down what the client does wrong.
//!
//! It is written in C, under `interposer/`, because it runs in processes of others before anything else does: it brings no runtime, and
//! what it needs of libc is there at any time. The build script writes one function for each of the library's from `abi.toml`, and
//! compiles all of it. Programs load it through `LD_PRELOAD`; [`RECORDS`] names the file that it appends to.

/// The library, to be written into a folder.
pub const LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libtvm_ffi_watch.so"));

/// Its file name.
pub const FILE_NAME: &str = "libtvm_ffi_watch.so";

/// The variable of the environment that names the file to which it appends a line of JSON for each thing that it has to say. Where it
/// is not set, the library passes every call on and says nothing.
pub const RECORDS: &str = "TVM_FFI_WATCH_RECORDS";

/// The variable of the environment that, set to anything, has it look for lost objects when a process ends.
pub const LOST: &str = "TVM_FFI_WATCH_LOST";

/// The variable of the environment that names the library that takes the place of any other `libtvm_ffi.so` that the program loads by path.
pub const LIBRARY_IN_PLACE: &str = "TVM_FFI_WATCH_LIBRARY";
