//! Modules: libraries of plain C functions, and the system library.

use std::{
    collections::HashMap,
    ffi::{CStr, CString, c_char, c_void},
    sync::{LazyLock, Mutex, MutexGuard, OnceLock, PoisonError},
};

use tvm_ffi_adapter::types::{PackedFunc, index};

use crate::{
    error::{Error, Result},
    function,
    object::{BEFORE_MODULE, Body, Ref},
};

/// The symbol in which a library has the name of its entry function.
const MAIN: &CStr = c"__tvm_main__";
/// The symbol into which the loader writes where the module is.
const CONTEXT: &[u8] = b"__tvm_module_ctx";
/// The symbol with the modules that were embedded.
const EMBEDDED: &CStr = c"__tvm_dev_mblob";

/// The symbols of libraries into which the addresses of functions are written, beside these; told when this library is loaded.
pub static CONTEXT_FUNCTIONS: OnceLock<[(&str, usize); 7]> = OnceLock::new();

/// Where symbols come from.
enum Source {
    /// A library, which is closed with the module.
    File(Library),
    /// What was registered, under names that begin so.
    System(CString),
}

/// An opened library.
struct Library(*mut c_void);

impl Drop for Library {
    fn drop(&mut self) {
        // SAFETY: it was opened, and nobody uses its functions any more.
        unsafe { libc::dlclose(self.0) };
    }
}

/// What lies behind the header of a module.
pub struct Module {
    source: Source,
    imports: Mutex<Vec<Ref>>,
    /// Functions that were lent, kept so that who was lent one can go on using it.
    lent: Mutex<HashMap<(CString, usize), Ref>>,
}

// SAFETY: the library's handle is only ever asked for symbols.
unsafe impl Send for Module {}
// SAFETY: as above.
unsafe impl Sync for Module {}

impl Body for Module {
    const TYPE_INDEX: u32 = index::MODULE;
}

/// Held while imports change: a circle must not arise from two sides.
static IMPORTING: Mutex<()> = Mutex::new(());
/// The symbols of the system library.
static SYSTEM: LazyLock<Mutex<HashMap<CString, usize>>> = LazyLock::new(Mutex::default);
/// The modules over them, by prefix.
static SYSTEM_MODULES: LazyLock<Mutex<HashMap<CString, Ref>>> = LazyLock::new(Mutex::default);

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn body(module: &Ref) -> Result<&Module> {
    let other = || Error::of_type(format!("an object of type {} is no module", module.type_index()));
    module.body::<Module>().ok_or_else(other)
}

impl Module {
    fn object(source: Source) -> Ref {
        Ref::new(Self { source, imports: Mutex::default(), lent: Mutex::default() })
    }

    /// The address of a symbol, or NULL.
    fn symbol(&self, name: &CStr) -> *mut c_void {
        match &self.source {
            // SAFETY: the library is open.
            Source::File(library) => unsafe { libc::dlsym(library.0, name.as_ptr()) },
            Source::System(prefix) => {
                let with_prefix = joined(prefix, name.to_bytes());
                let symbols = locked(&SYSTEM);
                let found = symbols.get(&with_prefix).or_else(|| symbols.get(name)).copied().unwrap_or(0);
                found as *mut c_void
            }
        }
    }
}

fn joined(prefix: &CStr, name: &[u8]) -> CString {
    CString::new([prefix.to_bytes(), name].concat()).unwrap_or_default()
}

/// Tells a library where its module and the runtime's functions are.
///
/// # Safety
/// The symbols of these names are places for pointers.
unsafe fn fill_in(module: &Ref) -> Result<()> {
    let own = body(module)?;
    let prefix = if let Source::System(prefix) = &own.source { prefix.as_c_str() } else { c"" };
    let write = |name: &CStr, value: *mut c_void| {
        let place = own.symbol(name).cast::<*mut c_void>();
        if !place.is_null() {
            // SAFETY: the caller vouches for the place.
            unsafe { place.write(value) };
        }
    };
    write(&joined(prefix, CONTEXT), module.handle().wrapping_byte_sub(BEFORE_MODULE));
    for (name, address) in CONTEXT_FUNCTIONS.get().into_iter().flatten() {
        write(&joined(c"__", name.as_bytes()), *address as *mut c_void);
    }
    Ok(())
}

/// Opens a library, and what is embedded in it.
pub fn open(path: &CStr) -> Result<Ref> {
    // SAFETY: opening a library runs its initialisers, which is what the caller asks for.
    let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_LAZY | libc::RTLD_LOCAL) };
    if handle.is_null() {
        // SAFETY: the loader's text stays until it is asked again on this thread.
        let why = unsafe { CStr::from_ptr(libc::dlerror()) }.to_string_lossy();
        return Err(Error::runtime(format!("{} cannot be loaded: {why}", path.to_string_lossy())));
    }
    let module = Module::object(Source::File(Library(handle)));
    // SAFETY: generated libraries have places under these names.
    unsafe { fill_in(&module) }?;
    let blob = body(&module)?.symbol(EMBEDDED).cast::<u8>();
    if blob.is_null() {
        return Ok(module);
    }
    // SAFETY: the blob begins with the count of bytes that follow.
    let blob = unsafe {
        let size = u64::from_le_bytes(blob.cast::<[u8; 8]>().read_unaligned());
        let size = usize::try_from(size).ok().filter(|size| isize::try_from(*size).is_ok());
        std::slice::from_raw_parts(
            blob.add(8),
            size.ok_or_else(|| short("it says that it has more bytes than there are"))?,
        )
    };
    with_embedded(module, blob)
}

fn short(why: &str) -> Error {
    Error::value(format!("the modules embedded in __tvm_dev_mblob cannot be read: {why}"))
}

/// Reads numbers and texts one after the other.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: u64) -> Result<&'a [u8]> {
        let count = usize::try_from(count).ok().filter(|count| *count <= self.0.len());
        let (taken, rest) = self.0.split_at(count.ok_or_else(|| short("it ends too early"))?);
        self.0 = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.bytes(8)?.try_into().expect("eight bytes")))
    }

    fn text(&mut self) -> Result<&'a [u8]> {
        let count = self.number()?;
        self.bytes(count)
    }

    fn numbers(&mut self) -> Result<Vec<u64>> {
        let count = self.number()?;
        let bytes = self.bytes(count.checked_mul(8).ok_or_else(|| short("it ends too early"))?)?;
        Ok(bytes.chunks_exact(8).map(|chunk| u64::from_le_bytes(chunk.try_into().expect("eight bytes"))).collect())
    }
}

/// A library with the modules that are embedded in it: the first of them, which may be the library itself.
fn with_embedded(library: Ref, blob: &[u8]) -> Result<Ref> {
    let mut reader = Reader(blob);
    let mut modules = Vec::new();
    let mut tree: Option<(Vec<u64>, Vec<u64>)> = None;
    for _ in 0..reader.number()? {
        match reader.text()? {
            b"_lib" => modules.push(library.clone()),
            b"_import_tree" => tree = Some((reader.numbers()?, reader.numbers()?)),
            key => {
                let key = String::from_utf8_lossy(key);
                return Err(Error::runtime(format!(
                    "the library has an embedded module of the kind {key}, for which there is no runtime.module.loadbinary_{key}"
                )));
            }
        }
    }
    match tree {
        None => modules
            .iter()
            .filter(|module| module.handle() != library.handle())
            .try_for_each(|each| import(&library, each))?,
        Some((rows, children)) => {
            for (parent, row) in modules.iter().zip(rows.windows(2)) {
                let row = usize::try_from(row[0]).ok().zip(usize::try_from(row[1]).ok());
                let of_row = row.and_then(|(from, to)| children.get(from..to));
                for child in of_row.ok_or_else(|| short("its tree of imports leads nowhere"))? {
                    let child = usize::try_from(*child).ok().and_then(|child| modules.get(child));
                    import(parent, child.ok_or_else(|| short("its tree of imports leads nowhere"))?)?;
                }
            }
        }
    }
    Ok(modules.into_iter().next().unwrap_or(library))
}

/// A function of a module, or of one that it imports.
pub fn function(module: &Ref, name: &CStr, with_imports: bool) -> Result<Option<Ref>> {
    let own = body(module)?;
    let address = if name == MAIN { entry(own)? } else { own.symbol(name) };
    if !address.is_null() {
        // SAFETY: what a library exports under the name of a function is one of this type.
        let address = unsafe { std::mem::transmute::<*mut c_void, PackedFunc>(address) };
        return Ok(Some(function::generated(address, module.clone())));
    }
    if with_imports { in_imports(own, name) } else { Ok(None) }
}

fn in_imports(module: &Module, name: &CStr) -> Result<Option<Ref>> {
    let imports = locked(&module.imports).clone();
    for import in &imports {
        if let Some(found) = function(import, name, true)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The entry function, which the library names in a text.
fn entry(module: &Module) -> Result<*mut c_void> {
    let name = module.symbol(MAIN).cast::<c_char>();
    if name.is_null() {
        return Err(Error::runtime("Symbol __tvm_main__ is not presented: the module has no entry function"));
    }
    // SAFETY: the symbol is a text of the library's.
    Ok(module.symbol(unsafe { CStr::from_ptr(name) }))
}

/// Has a module import another.
pub fn import(module: &Ref, dependency: &Ref) -> Result<()> {
    let _alone = locked(&IMPORTING);
    let own = body(module)?;
    if reaches(dependency, module)? {
        return Err(Error::runtime("a module cannot import itself, nor one that imports it: that would be a circle"));
    }
    locked(&own.imports).push(dependency.clone());
    Ok(())
}

fn reaches(from: &Ref, to: &Ref) -> Result<bool> {
    if from.handle() == to.handle() {
        return Ok(true);
    }
    let imports = locked(&body(from)?.imports).clone();
    imports.iter().try_fold(false, |found, import| Ok(found || reaches(import, to)?))
}

/// A function that the code of a module asks for: of its imports, else a global one. It stays for as long as the module.
///
/// # Safety
/// `context` is what was written into `__tvm_module_ctx`.
pub unsafe fn lend(
    context: *mut c_void,
    name: &CStr,
    global: impl Fn(&CStr) -> Result<Option<Ref>>,
) -> Result<*mut c_void> {
    if context.is_null() {
        return Err(Error::value(
            "the module's context is NULL: __tvm_module_ctx is filled when a library is loaded as a module",
        ));
    }
    // SAFETY: the context lies before the module's handle.
    let module = unsafe { Ref::from_borrowed(context.wrapping_byte_add(BEFORE_MODULE)) };
    let module = module.ok_or_else(|| Error::value("the module's context is NULL"))?;
    let own = body(&module)?;
    let from_import = (name.to_owned(), 0);
    if let Some(known) = locked(&own.lent).get(&from_import) {
        return Ok(known.handle());
    }
    let (key, found) = match in_imports(own, name)? {
        Some(found) => (from_import, found),
        // Globals change, so they are looked up each time; and each that was lent is kept.
        None => match global(name)? {
            Some(found) => ((name.to_owned(), found.handle() as usize), found),
            None => {
                let name = name.to_string_lossy();
                return Err(Error::value(format!(
                    "Cannot find function {name} in the imported modules or global registry"
                )));
            }
        },
    };
    Ok(locked(&own.lent).entry(key).or_insert(found).handle())
}

/// Makes a symbol of the system library known.
pub fn register_system_symbol(name: &CStr, address: *mut c_void) {
    let before = locked(&SYSTEM).insert(name.to_owned(), address as usize);
    if before.is_some_and(|before| before != address as usize) {
        let name = name.to_string_lossy();
        eprintln!("warning: SystemLib symbol {name} has another address now; the latest is used");
    }
}

/// The module over the symbols that were registered under names with that prefix.
pub fn system(prefix: &[u8]) -> Result<Ref> {
    let prefix = CString::new(prefix).map_err(|_| Error::value("a prefix has a NUL in it"))?;
    if let Some(module) = locked(&SYSTEM_MODULES).get(&prefix) {
        return Ok(module.clone());
    }
    let module = Module::object(Source::System(prefix.clone()));
    // SAFETY: generated code registers places under these names.
    unsafe { fill_in(&module) }?;
    Ok(locked(&SYSTEM_MODULES).entry(prefix).or_insert(module).clone())
}
