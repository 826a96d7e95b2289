//! Opening the target and finding its functions.
//!
//! The interface to `dlopen` and its kin is here and nowhere else.

use std::{
    collections::BTreeMap,
    ffi::{CStr, CString, c_void},
    mem::MaybeUninit,
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    path::{Path, PathBuf},
};

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_LAZY, RTLD_LOCAL, RTLD_NOW};
use tvm_ffi_spec::{FunctionTable, TVMFFIByteArray, abi};

/// The opened target. It is never closed: its process ends first.
pub struct Opened {
    /// Its functions. A function that came from another library is left out.
    pub table: FunctionTable,
    /// Their names.
    pub functions: Vec<String>,
    /// Functions that came from another library, with that library.
    pub foreign: Vec<(String, String)>,
    /// The C++ symbols that are found through it.
    pub cxx_symbols: Vec<String>,
}

/// Who else finds a library's symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Whatever is loaded later: how clients open the library.
    Global,
    /// Nobody: for several libraries side by side in one process.
    Local,
}

/// Opens a library with every symbol resolved, and makes sure that each function really comes from it.
pub fn open(path: &Path, scope: Scope) -> Result<Opened, String> {
    let scope = match scope {
        Scope::Global => RTLD_GLOBAL,
        Scope::Local => RTLD_LOCAL,
    };
    // SAFETY: the library's constructors run; whoever opens a target means to run it.
    let library = unsafe { Library::open(Some(path), RTLD_NOW | scope) }.map_err(|error| reason(&error))?;
    let library = Box::leak(Box::new(library));
    let home = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut addresses = BTreeMap::new();
    let mut foreign = Vec::new();
    for function in &abi::abi().functions {
        let address = symbol(library, &function.name);
        match origin(address) {
            None => {}
            Some(image) if same_file(&image, &home) => {
                addresses.insert(function.name.as_str(), address);
            }
            Some(image) => foreign.push((function.name.clone(), image.display().to_string())),
        }
    }
    let cxx_symbols = abi::abi().cxx_symbols.iter().map(|symbol| &symbol.name);
    let cxx_symbols = cxx_symbols.filter(|name| !symbol(library, name).is_null()).cloned().collect();
    // SAFETY: that a symbol of this name is such a function is the very claim under test; calls happen in processes
    // that are made to be lost.
    let table = unsafe { FunctionTable::load(|name| addresses.get(name).copied().unwrap_or(std::ptr::null())) };
    Ok(Opened { table, functions: addresses.into_keys().map(str::to_owned).collect(), foreign, cxx_symbols })
}

/// The libraries of this process but that one which have a function of that name.
pub fn others_with(name: &str, home: &Path) -> Vec<PathBuf> {
    let has_it = |path: &PathBuf| {
        // SAFETY: nothing is loaded, and so no constructor runs: what is answered is there already.
        let library = unsafe { Library::open(Some(path), RTLD_LAZY | RTLD_LOCAL | libc::RTLD_NOLOAD) };
        library.is_ok_and(|library| origin(symbol(&library, name)).is_some_and(|image| same_file(&image, path)))
    };
    let others = loaded().into_iter().map(|loaded| loaded.path).filter(|path| !same_file(path, home));
    others.filter(has_it).collect()
}

/// A library of this process.
pub struct Loaded {
    /// Its file.
    pub path: PathBuf,
    /// What the loader has added to each address in the file.
    pub base: usize,
}

/// The libraries of this process, in the order in which they were loaded. The program itself is none.
pub fn loaded() -> Vec<Loaded> {
    /// # Safety
    /// `info` describes a loaded object, and `found` leads to a `Vec<Loaded>`.
    unsafe extern "C" fn note(info: *mut libc::dl_phdr_info, _: libc::size_t, found: *mut c_void) -> libc::c_int {
        // SAFETY: by contract; the name is a C string, which is empty for the program.
        let (name, base, found) = unsafe {
            (CStr::from_ptr((*info).dlpi_name), (*info).dlpi_addr as usize, &mut *found.cast::<Vec<Loaded>>())
        };
        if !name.is_empty() {
            found.push(Loaded { path: PathBuf::from(std::ffi::OsStr::from_bytes(name.to_bytes())), base });
        }
        0
    }
    let mut found: Vec<Loaded> = Vec::new();
    // SAFETY: the callback takes the address of this very vector.
    unsafe { libc::dl_iterate_phdr(Some(note), (&raw mut found).cast()) };
    found
}

/// The address of a symbol among all that is loaded, or NULL.
pub fn anywhere(name: &CStr) -> *mut c_void {
    // SAFETY: looks a name up.
    unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) }
}

/// Has a target do what nearly every client has it do first, and forgets what comes of it: the first backtrace in a process reads
/// the symbols of all that is loaded, and tables of functions and types may be filled when they are first asked, both of which takes
/// longer than most checks do. Whether the target survives it is for the caller to find out first.
pub fn rehearse(opened: &Opened) {
    let table = &opened.table;
    let (mut function, mut index) = (std::ptr::null_mut(), 0);
    // SAFETY: calls as the header allows them: names are read, and what is answered is written. No function has that name, so that
    // there is nothing to give back; the key is that of the type of all objects.
    unsafe {
        if let Some(backtrace) = table.TVMFFIBacktrace {
            backtrace(std::ptr::null(), 0, std::ptr::null(), 0);
        }
        if let Some(get_global) = table.TVMFFIFunctionGetGlobal {
            get_global(&TVMFFIByteArray::new(b"tvm-ffi-verify.rehearsal"), &mut function);
        }
        if let Some(key_to_index) = table.TVMFFITypeKeyToIndex {
            key_to_index(&TVMFFIByteArray::new(b"ffi.Object"), &mut index);
        }
    }
}

/// Opens a library for all that are loaded later.
pub fn load_for_all(path: &Path) -> Result<(), String> {
    // SAFETY: the library's constructors run; whoever names it means to run it.
    let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_GLOBAL) }.map_err(|error| reason(&error))?;
    std::mem::forget(library);
    Ok(())
}

/// Opens a fixture or a kernel, whose own calls into the ABI find the target, and looks a symbol up in it.
pub fn fixture_symbol(path: &Path, name: &str) -> Result<*const c_void, String> {
    // SAFETY: the library's constructors run: a fixture of ours has none, and whoever names a kernel means to run it.
    let library = unsafe { Library::open(Some(path), RTLD_LAZY | RTLD_LOCAL) }.map_err(|error| reason(&error))?;
    let address = symbol(Box::leak(Box::new(library)), name);
    if address.is_null() { Err(format!("{} has no symbol {name}", path.display())) } else { Ok(address) }
}

fn symbol(library: &Library, name: &str) -> *const c_void {
    let Ok(name) = CString::new(name) else { return std::ptr::null() };
    // SAFETY: the address is only kept, not used.
    match unsafe { library.get::<*const c_void>(name.as_bytes_with_nul()) } {
        Ok(symbol) => symbol.into_raw().cast_const(),
        Err(_) => std::ptr::null(),
    }
}

/// The file that an address was loaded from.
fn origin(address: *const c_void) -> Option<PathBuf> {
    if address.is_null() {
        return None;
    }
    let mut info = MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: dladdr only writes to `info`, and when it answers non-zero it has filled it in.
    let name = unsafe {
        if libc::dladdr(address, info.as_mut_ptr()) == 0 {
            return Some(PathBuf::from("<unknown>"));
        }
        info.assume_init().dli_fname
    };
    // SAFETY: a C string that belongs to the dynamic loader for as long as the library stays loaded.
    let name = unsafe { CStr::from_ptr(name) };
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(name.to_bytes())))
}

fn same_file(one: &Path, other: &Path) -> bool {
    match (one.metadata(), other.metadata()) {
        (Ok(one), Ok(other)) => (one.dev(), one.ino()) == (other.dev(), other.ino()),
        _ => false,
    }
}

/// The dynamic loader's own words.
fn reason(error: &libloading::Error) -> String {
    match error {
        libloading::Error::DlOpen { .. } => {
            std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
        }
        other => other.to_string(),
    }
}
