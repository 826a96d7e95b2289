//! Libraries: where the symbols of a module come from. A library is a shared object that is opened for it, or the system
//! library, whose symbols a statically linked program registers one by one.

use std::{
    collections::BTreeMap,
    ffi::{CStr, CString, c_int, c_void},
    mem::MaybeUninit,
    ptr::NonNull,
};

use tvm_ffi_spec::TVMFFISafeCallType;

use crate::{
    border::{
        error::{Error, Result},
        log::log,
    },
    system::{fork::Exclusive, memory},
};

/// What precedes the name of a function in its symbol.
const FUNCTION: &[u8] = b"__tvm_ffi_";
/// What precedes the name of a function in the symbol of the function that returns its metadata.
const METADATA: &[u8] = b"__tvm_ffi__metadata_";
/// What precedes the name of a function in the symbol of the function that returns its documentation.
const DOC: &[u8] = b"__tvm_ffi__doc_";
/// A pointer that is set to the module of the library.
const CONTEXT: &[u8] = b"__tvm_ffi__library_ctx";
/// Modules that are embedded in the library.
const EMBEDDED: &[u8] = b"__tvm_ffi__library_bin";

/// A source of symbols.
#[derive(Debug)]
pub enum Library {
    /// A shared object.
    Shared(SharedObject),
    /// The registered symbols, preferably those with a prefix.
    System {
        /// The prefix.
        prefix: Vec<u8>,
    },
}

impl Library {
    /// Opens a shared object, resolving its functions when they are first called and keeping its symbols to itself.
    ///
    /// # Errors
    /// `InternalError` with what the loader says.
    pub fn open(path: &[u8]) -> Result<Self> {
        SharedObject::open(path).map(Library::Shared)
    }

    /// A function of the module.
    pub fn function(&self, name: &[u8]) -> Option<TVMFFISafeCallType> {
        let symbol = match self {
            Library::Shared(object) => object.symbol(&[FUNCTION, name]),
            Library::System { prefix } => {
                let prefixed = system_symbol(&[FUNCTION, prefix, name]);
                prefixed.or_else(|| system_symbol(&[FUNCTION, name]))
            }
        };
        symbol.map(as_function)
    }

    /// The function that returns the metadata of a function.
    pub fn metadata(&self, name: &[u8]) -> Option<TVMFFISafeCallType> {
        self.symbol(&[METADATA, name]).map(as_function)
    }

    /// The function that returns the documentation of a function.
    pub fn doc(&self, name: &[u8]) -> Option<TVMFFISafeCallType> {
        self.symbol(&[DOC, name]).map(as_function)
    }

    /// The pointer to be set to the library's module.
    pub fn context(&self) -> Option<NonNull<*mut c_void>> {
        self.symbol(&[CONTEXT]).map(NonNull::cast)
    }

    /// The modules that are embedded in the library: their beginning, and how many bytes there are if the library says so.
    pub fn embedded(&self) -> Option<(NonNull<u8>, Option<usize>)> {
        let beginning = self.symbol(&[EMBEDDED])?;
        let size = match self {
            Library::Shared(_) => size_of_symbol(beginning),
            Library::System { .. } => None,
        };
        Some((beginning.cast(), size))
    }

    /// The address of the symbol whose name these parts are.
    fn symbol(&self, name: &[&[u8]]) -> Option<NonNull<c_void>> {
        match self {
            Library::Shared(object) => object.symbol(name),
            Library::System { prefix } => {
                concatenated(name, |name| system_symbol(&[prefix, name]).or_else(|| system_symbol(&[name])))
            }
        }
    }

    /// Stores the registered values in the library's symbols of the same names.
    ///
    /// # Safety
    /// Those symbols are pointers, which nobody reads meanwhile.
    pub unsafe fn set_context_symbols(&self) {
        // A copy, so that no lock is held while the loader works.
        for (name, value) in context_symbols() {
            if let Some(place) = self.symbol(&[&name]) {
                // SAFETY: the symbol is a pointer that may be written, as the caller says.
                unsafe { place.cast::<*mut c_void>().write(value) };
            }
        }
    }
}

/// The function at an address. Whoever calls it answers for its being one.
fn as_function(symbol: NonNull<c_void>) -> TVMFFISafeCallType {
    // SAFETY: a function pointer is an address that is not NULL, of the same size; it is `unsafe` to call.
    unsafe { std::mem::transmute(symbol) }
}

/// The size that a library gives for one of its symbols, unless it leaves it open.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn size_of_symbol(address: NonNull<c_void>) -> Option<usize> {
    const WITH_SYMBOL: c_int = 1;
    let mut info = MaybeUninit::uninit();
    let mut symbol = std::ptr::null_mut();
    // SAFETY: both results are writable, and a symbol is what the flag asks for.
    let found = unsafe { libc::dladdr1(address.as_ptr(), info.as_mut_ptr(), &mut symbol, WITH_SYMBOL) } != 0;
    // SAFETY: where there is a symbol, it is one of a library that is open.
    let size = unsafe { symbol.cast::<libc::Elf64_Sym>().as_ref() }?.st_size as usize;
    (found && size > 0).then_some(size)
}

/// Other loaders do not tell.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn size_of_symbol(_address: NonNull<c_void>) -> Option<usize> {
    None
}

/// A shared object, closed when it is dropped.
#[derive(Debug)]
pub struct SharedObject(NonNull<c_void>);

// SAFETY: the loader's functions may be called from any thread.
unsafe impl Send for SharedObject {}
// SAFETY: as above.
unsafe impl Sync for SharedObject {}

impl SharedObject {
    fn open(path: &[u8]) -> Result<Self> {
        let c_path = CString::new(path).map_err(|_| load_failure(path, "the path contains a NUL byte"))?;
        // SAFETY: the path is a C string. What the library's own initialisers do is for the caller to answer for.
        let handle = unsafe { libc::dlopen(c_path.as_ptr(), libc::RTLD_LAZY | libc::RTLD_LOCAL) };
        NonNull::new(handle).map(Self).ok_or_else(|| load_failure(path, &last_error()))
    }

    /// The address of the symbol whose name these parts are.
    fn symbol(&self, name: &[&[u8]]) -> Option<NonNull<c_void>> {
        terminated(name, |name| {
            let c_name = name.as_ptr().cast();
            // SAFETY: the handle is open, and the name is a C string; with a NUL inside it is none of a symbol.
            unsafe {
                let is_whole = libc::strlen(c_name) + 1 == name.len();
                if is_whole { NonNull::new(libc::dlsym(self.0.as_ptr(), c_name)) } else { None }
            }
        })
    }
}

impl Drop for SharedObject {
    fn drop(&mut self) {
        // SAFETY: the handle is open and not used afterwards.
        unsafe { libc::dlclose(self.0.as_ptr()) };
    }
}

#[cold]
fn load_failure(path: &[u8], why: &str) -> Error {
    let path = String::from_utf8_lossy(path);
    let failed = "Check failed: (lib_handle_ != nullptr) is false: Failed to load dynamic shared library";
    Error::new("InternalError", format!("{failed} {path} {why}"))
}

fn last_error() -> String {
    // SAFETY: the loader answers NULL or a C string that stays valid until this thread's next call to it.
    unsafe {
        match libc::dlerror() {
            text if text.is_null() => "for no known reason".to_owned(),
            text => CStr::from_ptr(text).to_string_lossy().into_owned(),
        }
    }
}

/// An address that a program registered. It is only ever handed on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Address(*mut c_void);

// SAFETY: the address is a number until somebody follows it, who answers for the target.
unsafe impl Send for Address {}

/// The values for symbols of libraries that are opened later, in the order of their registration.
pub static CONTEXT_SYMBOLS: Exclusive<Vec<(Box<[u8]>, Address)>> = Exclusive::new(Vec::new());
/// The symbols of the system library.
pub static SYSTEM_SYMBOLS: Exclusive<BTreeMap<Box<[u8]>, Address>> = Exclusive::new(BTreeMap::new());

/// Registers a value that is stored in the symbol of that name of every library opened from now on.
///
/// # Errors
/// `MemoryError` if there is no memory to keep it.
pub fn register_context_symbol(name: &[u8], value: *mut c_void) -> Result<()> {
    let name = kept_name(name)?;
    let mut symbols = CONTEXT_SYMBOLS.lock();
    if symbols.len() == symbols.capacity() {
        let mut larger = memory::kept_room(2 * symbols.len().max(4)).ok_or_else(no_memory)?;
        larger.append(&mut symbols);
        *symbols = larger;
    }
    symbols.push((name, Address(value)));
    Ok(())
}

fn kept_name(name: &[u8]) -> Result<Box<[u8]>> {
    memory::kept_copy(&[name]).ok_or_else(no_memory)
}

#[cold]
fn no_memory() -> Error {
    Error::out_of_memory("a symbol")
}

/// Every registered value with the name of its symbol, in the order of their registration.
pub fn context_symbols() -> Vec<(Box<[u8]>, *mut c_void)> {
    CONTEXT_SYMBOLS.lock().iter().map(|(name, value)| (name.clone(), value.0)).collect()
}

/// Registers a symbol of the system library. A second registration replaces the first one, and says so on stderr.
///
/// # Errors
/// `MemoryError` if there is no memory to keep it.
pub fn register_system_symbol(name: &[u8], address: *mut c_void) -> Result<()> {
    let key = kept_name(name)?;
    // A map cannot be told to try.
    if !memory::has(memory::ROOM_IN_MAP) {
        return Err(no_memory());
    }
    let previous = SYSTEM_SYMBOLS.lock().insert(key, Address(address));
    if let Some(Address(previous)) = previous.filter(|previous| !previous.0.is_null() && previous.0 != address) {
        let name = String::from_utf8_lossy(name);
        log(format_args!("Warning: the system library's symbol {name} moves from {previous:?} to {address:?}"));
    }
    Ok(())
}

/// The symbol whose name these parts are.
fn system_symbol(name: &[&[u8]]) -> Option<NonNull<c_void>> {
    concatenated(name, |name| SYSTEM_SYMBOLS.lock().get(name).and_then(|address| NonNull::new(address.0)))
}

/// Runs `body` with the parts behind each other.
fn concatenated<T>(parts: &[&[u8]], body: impl FnOnce(&[u8]) -> T) -> T {
    terminated(parts, |text| body(&text[..text.len() - 1]))
}

/// Runs `body` with the parts and a NUL behind each other, which most often needs no memory.
fn terminated<T>(parts: &[&[u8]], body: impl FnOnce(&[u8]) -> T) -> T {
    let mut room = [0; 64];
    let mut len = 0;
    for part in parts {
        let end = len + part.len();
        if end >= room.len() {
            return body(&[&parts.concat()[..], b"\0"].concat());
        }
        room[len..end].copy_from_slice(part);
        len = end;
    }
    body(&room[..len + 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(number: usize) -> *mut c_void {
        std::ptr::without_provenance_mut(number)
    }

    fn number(found: Option<TVMFFISafeCallType>) -> Option<usize> {
        found.map(|found| found as usize)
    }

    #[test]
    fn system_symbols_are_found_with_the_prefix_first() {
        for (name, number) in [
            ("__tvm_ffi_lib_test_f", 8),
            ("__tvm_ffi_lib_test_p_f", 16),
            ("__tvm_ffi_lib_test_g", 24),
            ("lib_test_p___tvm_ffi__doc_f", 32),
            ("__tvm_ffi__metadata_lib_test_f", 40),
        ] {
            register_system_symbol(name.as_bytes(), address(number)).unwrap();
        }
        let plain = Library::System { prefix: Vec::new() };
        let prefixed = Library::System { prefix: b"lib_test_p_".to_vec() };
        let functions = ["lib_test_f", "lib_test_g", "lib_test_h"].map(|name| number(plain.function(name.as_bytes())));
        assert_eq!(functions, [Some(8), Some(24), None]);
        let functions = ["f", "lib_test_f", "lib_test_g"].map(|name| number(prefixed.function(name.as_bytes())));
        assert_eq!(functions, [Some(16), Some(8), Some(24)]);
        assert_eq!((number(plain.doc(b"f")), number(prefixed.doc(b"f"))), (None, Some(32)));
        assert_eq!(number(prefixed.metadata(b"lib_test_f")), Some(40));
    }

    #[test]
    fn a_symbol_can_appear_and_move() {
        let library = Library::System { prefix: Vec::new() };
        for (registered, expected) in [(0, None), (8, Some(8)), (16, Some(16))] {
            register_system_symbol(b"__tvm_ffi_lib_test_moving", address(registered)).unwrap();
            assert_eq!(number(library.function(b"lib_test_moving")), expected);
        }
    }

    #[test]
    fn a_symbol_has_a_size() {
        let library = SharedObject::open(b"libstdc++.so.6").unwrap();
        let name = library.symbol(&[b"_ZTSSt9exception"]).unwrap();
        assert_eq!(size_of_symbol(name), Some("St9exception\0".len()));
        assert_eq!(size_of_symbol(NonNull::dangling()), None);
    }

    #[test]
    fn a_file_that_is_no_library_is_an_error() {
        assert!(Library::open(b"/nonexistent/libnothing.so").is_err());
        assert!(Library::open(b"nul\0inside").is_err());
    }
}
