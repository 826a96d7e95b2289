//! Modules: collections of functions that may import each other.
//!
//! Seen from its handle, a module has its imports and the functions it looked up behind the header; and in front of the
//! header there is a slot for a C++ virtual table, which is why C code knows a module by the address of that slot
//! ([`Module::context`]). Modules made here are those of a [`Library`] and leave the slot empty.

pub mod embedded;
pub mod library;

use std::{
    borrow::Cow,
    cell::UnsafeCell,
    collections::{BTreeMap, BTreeSet},
    ffi::{c_int, c_void},
    ptr::NonNull,
    slice,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, RwLock,
        atomic::{AtomicPtr, Ordering},
    },
};

use tvm_ffi_spec::{TVMFFIAny, TVMFFIObjectHandle, TVMFFISafeCallType, kTVMFFIMap, kTVMFFIModule};

use self::{embedded::Content, library::Library};
use crate::{
    any::{Any, AnyView},
    arguments::Arguments,
    container::array,
    error::{Error, Result, guard},
    function, global,
    globals::{Row, row},
    input,
    object::{self, ObjectRef, Payload},
    once,
    reflection::type_table,
    string,
};

/// Room for the pointer to a virtual table, in front of the header.
const VTABLE_SLOT: usize = 8;

/// What a library module says of itself: it can be serialized into a library, and run.
const PROPERTIES: i64 = 3;
/// The kind of library modules.
const KIND: &str = "library";

/// What every module has behind its header, whoever made it.
#[repr(C)]
struct Fields {
    /// An Array of modules. Modules made here change it under [`IMPORTS`].
    imports: UnsafeCell<ObjectRef>,
    /// A Map that belongs to whoever made the module.
    _lookup_cache: ObjectRef,
}

/// A module made here.
#[repr(C)]
struct LibraryModule {
    fields: Fields,
    /// The functions that the library looked up, which are kept for it. They go before the library does, since a function
    /// that the library made itself needs it to the end.
    looked_up: Mutex<BTreeMap<String, ObjectRef>>,
    library: Arc<Library>,
}

// SAFETY: `repr(C)`, and the ABI has imports and cache behind the header.
unsafe impl Payload for LibraryModule {
    const TYPE_INDEX: i32 = kTVMFFIModule;
    const PREFIX: usize = VTABLE_SLOT;
}

/// A Map without entries: no table, no size, no slots.
#[repr(C)]
struct EmptyMap([u64; 7]);

// SAFETY: `repr(C)`, and all zeros are what the ABI has for a Map without a table.
unsafe impl Payload for EmptyMap {
    const TYPE_INDEX: i32 = kTVMFFIMap;
}

/// Held while the imports of any module are read or changed here.
static IMPORTS: RwLock<()> = RwLock::new(());

/// Modules that the program wants to keep until its end, by address.
static KEPT: Mutex<BTreeMap<usize, Module>> = Mutex::new(BTreeMap::new());

/// The handles of the system library's modules, by prefix. They are kept until the program's end.
static SYSTEM: Mutex<BTreeMap<String, &AtomicPtr<c_void>>> = Mutex::new(BTreeMap::new());

/// Reads the reflected field `imports_`.
///
/// # Safety
/// `field` is the address of the imports of a live module, `result` NULL or writable.
pub unsafe extern "C" fn get_imports(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    guard(|| {
        let (field, result) = (input::required(field, "field")?, input::required(result, "result")?);
        let _reading = IMPORTS.read().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the field holds an array, and the lock is held, so that nobody here changes it.
        unsafe { result.write(Any::from(field.cast::<ObjectRef>().as_ref().clone()).into_raw()) };
        Ok(())
    })
}

/// A reference to a module.
#[derive(Clone, Debug)]
pub struct Module(ObjectRef);

impl Module {
    /// The module that an object is, if it is one.
    pub fn of_object(object: ObjectRef) -> Option<Self> {
        (object.type_index() == kTVMFFIModule).then_some(Self(object))
    }

    /// The module that C code knows by the address in front of its header.
    ///
    /// # Errors
    /// `ValueError` for NULL, `TypeError` for an object that is not a module.
    ///
    /// # Safety
    /// `context` is NULL or comes from [`context`](Module::context), and the module is alive.
    pub unsafe fn of_context(context: *mut c_void) -> Result<Self> {
        if context.is_null() {
            return Err(Error::new("ValueError", "`library_ctx` must not be NULL"));
        }
        // SAFETY: the header lies behind the slot, and the module is alive.
        let object = unsafe { ObjectRef::from_borrowed(context.byte_add(VTABLE_SLOT) as TVMFFIObjectHandle) };
        object.and_then(Self::of_object).ok_or_else(|| Error::new("TypeError", "`library_ctx` is not a module"))
    }

    /// The address by which C code knows the module.
    pub fn context(&self) -> *mut c_void {
        self.0.handle().wrapping_byte_sub(VTABLE_SLOT)
    }

    /// Loads the library in a file.
    ///
    /// # Errors
    /// `InternalError` with what the loader says, and whatever the modules embedded in the library fail with.
    pub fn open(path: &[u8]) -> Result<Self> {
        Self::of_library(Library::open(path)?)
    }

    /// The module of the system library's symbols, preferably those with a prefix: one for each prefix.
    pub fn of_system_library(prefix: &str) -> Result<Self> {
        let handle = *lock(&SYSTEM).entry(prefix.to_owned()).or_insert_with(|| Box::leak(Box::default()));
        // Making the module may call loaders that ask for other modules, so no lock is held for that.
        if let Some(_claim) = once::claim(handle)? {
            let Self(module) = Self::of_library(Library::System { prefix: prefix.to_owned() })?;
            handle.store(module.into_handle(), Ordering::Release);
        }
        // SAFETY: the handle has been filled, and its reference is never given up.
        let module = unsafe { ObjectRef::from_borrowed(handle.load(Ordering::Acquire)) };
        module.map(Self).ok_or_else(|| Error::new("InternalError", "The system library's module is gone"))
    }

    /// The module of a library: its own, or the root of the tree that is embedded in it.
    fn of_library(library: Library) -> Result<Self> {
        let library = Arc::new(library);
        // SAFETY: a library that defines such symbols defines them as pointers, and it has just been opened.
        unsafe { library.set_context_symbols() };
        match library.embedded() {
            None => Self::own(&library),
            // SAFETY: a library that defines this symbol defines it as a blob.
            Some(blob) => Self::root_of_tree(&library, unsafe { blob_at(blob) }?),
        }
    }

    /// The module of the library's own functions, which the library gets to know.
    fn own(library: &Arc<Library>) -> Result<Self> {
        let fields =
            Fields { imports: UnsafeCell::new(array::new(vec![])?), _lookup_cache: object::new(EmptyMap([0; 7])) };
        let looked_up = Mutex::new(BTreeMap::new());
        let module = Self(object::new(LibraryModule { fields, looked_up, library: library.clone() }));
        if let Some(place) = library.context() {
            // SAFETY: a library that defines this symbol defines it as a pointer to be set at load.
            unsafe { place.write(module.context()) };
        }
        Ok(module)
    }

    fn root_of_tree(library: &Arc<Library>, blob: &[u8]) -> Result<Self> {
        let tree = embedded::parse(blob)?;
        let make = |content: &Content<'_>| match content {
            Content::Library => Self::own(library),
            Content::Serialized { kind, bytes } => Self::of_bytes(kind, bytes),
        };
        let modules: Vec<Self> = tree.iter().map(|node| make(&node.content)).collect::<Result<_>>()?;
        for (module, node) in modules.iter().zip(&tree) {
            for &import in &node.imports {
                module.import(&modules[import])?;
            }
        }
        Ok(modules[0].clone())
    }

    /// Has the module of a kind that this library does not know made by the loader that is registered for it.
    fn of_bytes(kind: &str, bytes: &[u8]) -> Result<Self> {
        let loader = format!("ffi.Module.load_from_bytes.{kind}");
        let Some(load) = global::get(loader.as_bytes()) else {
            let message = format!(
                "Library binary was created using {{{kind}}} but a loader of that name is not registered. \
                 Make sure to have runtime that registers {loader}"
            );
            return Err(Error::new("RuntimeError", message));
        };
        let module = function::call(&load, &[*string::bytes(bytes)?.view()])?;
        module.view().as_object().and_then(Self::of_object).ok_or_else(|| cannot_convert(module.view(), "ffi.Module"))
    }

    /// Loads the module in a file with the loader that is registered for its extension.
    ///
    /// # Errors
    /// `RuntimeError` for a name without extension or with one that has no loader, and whatever the loader fails with.
    pub fn load(path: &[u8]) -> Result<Any> {
        let text = String::from_utf8_lossy(path);
        let Some((_, extension)) = text.rsplit_once('.') else {
            return Err(Error::new("RuntimeError", format!("Failed to get file format from {text}")));
        };
        let format = if ["dll", "dylib", "dso"].contains(&extension) { "so" } else { extension };
        let name = format!("ffi.Module.load_from_file.{format}");
        let Some(load) = global::get(name.as_bytes()) else {
            let message = format!(
                "Loader for `.{format}` files is not registered, resolved to ({name}) in the global registry.\
                 Ensure that you have loaded the correct runtime code, and\
                 that you are on the correct hardware architecture."
            );
            return Err(Error::new("RuntimeError", message));
        };
        let module =
            function::call(&load, &[*string::string(path)?.view(), *string::string(format.as_bytes())?.view()])?;
        match module.view().type_index() {
            kTVMFFIModule => Ok(module),
            _ => Err(cannot_convert(module.view(), "ffi.Module")),
        }
    }

    /// Adds a module to the end of the imports.
    ///
    /// # Errors
    /// `RuntimeError` when that module imports this one already, be it through others.
    pub fn import(&self, other: &Module) -> Result<()> {
        // These are dropped after the lock: a module that ends may run code of its own.
        let (imported, _old);
        let _changing = IMPORTS.write().unwrap_or_else(PoisonError::into_inner);
        imported = other.with_imports();
        if imported.iter().any(|module| module.is(self)) {
            return Err(Error::new("RuntimeError", "Cyclic dependency detected during import"));
        }
        // SAFETY: the lock is held for writing, so this is the only access made here.
        unsafe {
            let imports = self.fields().imports.get();
            let longer = array::with_pushed(&*imports, Any::from(other.0.clone()))?;
            _old = std::mem::replace(&mut *imports, longer);
        }
        Ok(())
    }

    /// Forgets all imports.
    pub fn clear_imports(&self) -> Result<()> {
        let none = array::new(vec![])?;
        // Dropped after the lock, as above.
        let _old;
        let _changing = IMPORTS.write().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the lock is held for writing, so this is the only access made here.
        _old = unsafe { std::mem::replace(&mut *self.fields().imports.get(), none) };
        Ok(())
    }

    /// A function of the module or, when asked for, of the first of its imports that has it.
    pub fn function(&self, name: &str, query_imports: bool) -> Result<Option<ObjectRef>> {
        self.first(query_imports, |module| module.own_function(name))
    }

    /// The metadata of such a function.
    pub fn function_metadata(&self, name: &str, query_imports: bool) -> Result<Option<Any>> {
        self.first(query_imports, |module| call_for_text(module.made_here()?.library.metadata(name)))
    }

    /// The documentation of such a function.
    pub fn function_doc(&self, name: &str, query_imports: bool) -> Result<Option<Any>> {
        self.first(query_imports, |module| call_for_text(module.made_here()?.library.doc(name)))
    }

    /// Finds a function among the imports, else among the global functions, for the library of this module. The handle
    /// is borrowed from the module, which keeps the function from now on.
    ///
    /// # Errors
    /// `RuntimeError` when there is none.
    pub fn look_up(&self, name: &str) -> Result<TVMFFIObjectHandle> {
        let looked_up = &self.made_here()?.looked_up;
        if let Some(function) = lock(looked_up).get(name) {
            return Ok(function.handle());
        }
        let found = match self.function_of_imports(name)? {
            Some(function) => Some(function),
            None => global::get(name.as_bytes()),
        };
        let found = found.ok_or_else(|| {
            let message = format!("Cannot find function {name} in the imported modules or global registry.");
            Error::new("RuntimeError", message)
        })?;
        // Another thread may have been faster, and its caller relies on what it found.
        Ok(lock(looked_up).entry(name.to_owned()).or_insert(found).handle())
    }

    fn function_of_imports(&self, name: &str) -> Result<Option<ObjectRef>> {
        let modules = self.with_imports_now(true);
        modules.iter().skip(1).find_map(|module| module.own_function(name).transpose()).transpose()
    }

    fn own_function(&self, name: &str) -> Result<Option<ObjectRef>> {
        let Some(function) = self.made_here()?.library.function(name) else { return Ok(None) };
        // The function keeps the module, which keeps the library loaded.
        let module = self.clone();
        Ok(Some(function::from_closure(move |args| {
            let _kept = &module;
            // SAFETY: the library defines the symbol as a function, and stays loaded.
            unsafe { call_symbol(function, args) }
        })))
    }

    /// What `look` finds in the module or, when asked for, in the first of its imports where it finds anything.
    fn first<T>(&self, query_imports: bool, look: impl Fn(&Module) -> Result<Option<T>>) -> Result<Option<T>> {
        let modules = self.with_imports_now(query_imports);
        modules.iter().find_map(|module| look(module).transpose()).transpose()
    }

    /// The module, and all that it imports if `query_imports`. No lock is held when this returns.
    fn with_imports_now(&self, query_imports: bool) -> Vec<Module> {
        if !query_imports {
            return vec![self.clone()];
        }
        let _reading = IMPORTS.read().unwrap_or_else(PoisonError::into_inner);
        self.with_imports()
    }

    /// The module and all that it imports, be it through others: each once, depth first, in the order of the imports.
    /// The caller holds [`IMPORTS`].
    fn with_imports(&self) -> Vec<Module> {
        let (mut modules, mut seen, mut pending) = (vec![], BTreeSet::new(), vec![self.clone()]);
        while let Some(module) = pending.pop() {
            if !seen.insert(module.address()) {
                continue;
            }
            // SAFETY: the lock is held, so that nobody here changes the array.
            let imports = unsafe { array::elements(&*module.fields().imports.get()) };
            pending.extend(imports.iter().rev().filter_map(|import| Module::of_object(import.as_object()?)));
            modules.push(module);
        }
        modules
    }

    fn is(&self, other: &Module) -> bool {
        self.address() == other.address()
    }

    fn address(&self) -> usize {
        self.0.handle().addr()
    }

    fn fields(&self) -> &Fields {
        // SAFETY: every module begins with these fields.
        unsafe { self.0.data() }
    }

    /// The module's own data.
    ///
    /// # Errors
    /// `RuntimeError` for a module that was made in C++, whose methods are in its virtual table.
    fn made_here(&self) -> Result<&LibraryModule> {
        // SAFETY: every module has the slot in front of its header.
        let vtable = unsafe { *self.context().cast::<*const c_void>() };
        if !vtable.is_null() {
            return Err(Error::new("RuntimeError", "The module has C++ methods, which cannot be called from here"));
        }
        // SAFETY: only modules made here leave the slot empty.
        Ok(unsafe { self.0.data() })
    }

    /// Keeps the module until the program's end.
    pub fn keep(&self) {
        lock(&KEPT).insert(self.address(), self.clone());
    }

    /// Takes [`keep`](Module::keep) back.
    pub fn forget(&self) {
        let kept = lock(&KEPT).remove(&self.address());
        // The module may end now, and run code of its own: not under the lock.
        drop(kept);
    }
}

impl From<Module> for Any {
    fn from(Module(object): Module) -> Self {
        Any::from(object)
    }
}

/// The global functions about modules.
pub const GLOBALS: &[Row] = &[
    row("ffi.ModuleLoadFromFile(0: str) -> ffi.Module", |args| Module::load(args.str(0)?)),
    row("ffi.ModuleImplementsFunction(0: ffi.Module, 1: str, 2: bool) -> bool", |args| {
        let function = module_argument(args, 0)?.function(&name_argument(args, 1)?, args.bool(2)?)?;
        Ok(function.is_some().into())
    }),
    row("ffi.ModuleGetFunctionMetadata(0: ffi.Module, 1: str, 2: bool) -> Optional<str>", |args| {
        let text = module_argument(args, 0)?.function_metadata(&name_argument(args, 1)?, args.bool(2)?)?;
        Ok(text.unwrap_or_default())
    }),
    row("ffi.ModuleGetFunctionDoc(0: ffi.Module, 1: str, 2: bool) -> Optional<str>", |args| {
        let text = module_argument(args, 0)?.function_doc(&name_argument(args, 1)?, args.bool(2)?)?;
        Ok(text.unwrap_or_default())
    }),
    row("ffi.ModuleGetFunction(0: ffi.Module, 1: str, 2: bool) -> Optional<ffi.Function>", |args| {
        Ok(module_argument(args, 0)?.function(&name_argument(args, 1)?, args.bool(2)?)?.into())
    }),
    row("ffi.ModuleGetPropertyMask(0: ffi.Module) -> int", |args| {
        module_argument(args, 0)?.made_here()?;
        Ok(PROPERTIES.into())
    }),
    row("ffi.ModuleInspectSource(0: ffi.Module, 1: str) -> str", |args| {
        let (module, _format) = (module_argument(args, 0)?, args.str(1)?);
        module.made_here()?;
        string::string(b"")
    }),
    row("ffi.ModuleGetKind(0: ffi.Module) -> str", |args| {
        module_argument(args, 0)?.made_here()?;
        string::string(KIND.as_bytes())
    }),
    row("ffi.ModuleGetWriteFormats(0: ffi.Module) -> Array<str>", |args| {
        module_argument(args, 0)?.made_here()?;
        Ok(array::new(vec![])?.into())
    }),
    row("ffi.ModuleWriteToFile(0: ffi.Module, 1: str, 2: str) -> void", |args| {
        let (module, _path, _format) = (module_argument(args, 0)?, args.str(1)?, args.str(2)?);
        module.made_here()?;
        Err(Error::new("RuntimeError", format!("Module[{KIND}] does not support WriteToFile")))
    }),
    row("ffi.ModuleImportModule(0: ffi.Module, 1: ffi.Module) -> void", |args| {
        module_argument(args, 0)?.import(&module_argument(args, 1)?)?;
        Ok(Any::NONE)
    }),
    row("ffi.ModuleClearImports(0: ffi.Module) -> void", |args| {
        module_argument(args, 0)?.clear_imports()?;
        Ok(Any::NONE)
    }),
    row("ffi.ModuleGlobalsAdd(0: ffi.Module) -> void", |args| {
        module_argument(args, 0)?.keep();
        Ok(Any::NONE)
    }),
    row("ffi.ModuleGlobalsRemove(0: ffi.Module) -> void", |args| {
        module_argument(args, 0)?.forget();
        Ok(Any::NONE)
    }),
    row("ffi.SystemLib", |args| {
        let prefix = match args.all().first() {
            None => b"",
            Some(prefix) => prefix.as_str().ok_or_else(|| cannot_convert(prefix, "str"))?,
        };
        Ok(Module::of_system_library(&String::from_utf8_lossy(prefix))?.into())
    }),
    row("ffi.Module.load_from_file.so(0: str, 1: str) -> ffi.Module", |args| {
        args.str(1)?;
        Ok(Module::open(args.str(0)?)?.into())
    }),
];

fn module_argument(args: &Arguments<'_>, index: usize) -> Result<Module> {
    args.object(index, kTVMFFIModule).map(Module)
}

fn name_argument<'a>(args: &Arguments<'a>, index: usize) -> Result<Cow<'a, str>> {
    args.str(index).map(String::from_utf8_lossy)
}

/// The blob at an address, without its leading count.
///
/// # Safety
/// The address is that of a count and so many bytes, readable for `'a`.
unsafe fn blob_at<'a>(address: NonNull<u8>) -> Result<&'a [u8]> {
    // SAFETY: the count is readable, and so are the bytes behind it.
    unsafe {
        let length = embedded::length(address.cast::<[u8; 8]>().read())?;
        Ok(slice::from_raw_parts(address.add(8).as_ptr(), length))
    }
}

/// Calls a function that a library defines.
///
/// # Safety
/// It is a function of the ABI's type, in a library that is still loaded.
unsafe fn call_symbol(function: TVMFFISafeCallType, args: &[AnyView<'_>]) -> Result<Any> {
    let mut result = TVMFFIAny::NONE;
    // SAFETY: the arguments live through the call, their number came as an i32, and the result is writable.
    let code = unsafe { function(std::ptr::null_mut(), args.as_ptr().cast(), args.len() as i32, &mut result) };
    if code != 0 {
        return Err(Error::Raised);
    }
    // SAFETY: on success the result is an owned value.
    Ok(unsafe { Any::from_raw(result) })
}

/// What a function without parameters that returns a `str` says, if there is one.
fn call_for_text(function: Option<TVMFFISafeCallType>) -> Result<Option<Any>> {
    let Some(function) = function else { return Ok(None) };
    // SAFETY: libraries define the symbols for metadata and documentation as functions, and the caller holds the library.
    let text = unsafe { call_symbol(function, &[]) }?;
    if text.view().as_str().is_none() {
        return Err(cannot_convert(text.view(), "str"));
    }
    Ok(Some(text))
}

#[cold]
fn cannot_convert(value: &AnyView<'_>, to: &str) -> Error {
    let from = type_table::key_of(value.type_index());
    Error::new("TypeError", format!("Cannot convert from type `{from}` to `{to}`"))
}

/// Nothing is left half done when a thread panics under these locks, so a poisoned one is as good as any.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::{ffi::c_int, ptr, sync::atomic::Ordering::Relaxed};

    use tvm_ffi_spec::kTVMFFIInt;

    use super::*;
    use crate::global::{Global, Override};

    unsafe extern "C" fn seven(
        handle: *mut c_void,
        _: *const TVMFFIAny,
        num_args: i32,
        result: *mut TVMFFIAny,
    ) -> c_int {
        assert!(handle.is_null() && num_args == 0);
        // SAFETY: the tests pass a writable result.
        unsafe { result.write(TVMFFIAny::new(kTVMFFIInt, 7)) };
        0
    }

    unsafe extern "C" fn text(_: *mut c_void, _: *const TVMFFIAny, _: i32, result: *mut TVMFFIAny) -> c_int {
        let text = string::string(b"some text").unwrap_or_default();
        // SAFETY: the tests pass a writable result.
        unsafe { result.write(text.into_raw()) };
        0
    }

    /// The module of a system library of its own with these symbols.
    fn module(prefix: &str, symbols: &[(&str, TVMFFISafeCallType)]) -> Module {
        for (name, function) in symbols {
            library::register_system_symbol(name, *function as *mut c_void);
        }
        Module::of_system_library(prefix).unwrap()
    }

    fn message<T>(result: Result<T>) -> String {
        match result {
            Ok(_) => "no error".to_owned(),
            Err(Error::New { kind, message }) => format!("{kind}: {message}"),
            Err(Error::Object(_) | Error::Raised) => "raised".to_owned(),
        }
    }

    #[test]
    fn functions_and_what_is_said_of_them() {
        let module = module(
            "m1_",
            &[("__tvm_ffi_m1_f", seven), ("m1___tvm_ffi__doc_f", text), ("m1___tvm_ffi__metadata_f", seven)],
        );
        let function = module.function("f", false).unwrap().unwrap();
        assert_eq!(function::call(&function, &[]).unwrap().view().as_int(), Some(7));
        assert!(module.function("g", true).unwrap().is_none());
        let doc = module.function_doc("f", false).unwrap().unwrap();
        assert_eq!(doc.view().as_str(), Some(&b"some text"[..]));
        assert!(module.function_doc("g", false).unwrap().is_none());
        let metadata = module.function_metadata("f", false);
        assert_eq!(message(metadata), "TypeError: Cannot convert from type `int` to `str`");
    }

    #[test]
    fn the_layout_is_that_of_the_abi() {
        let module = module("m2_", &[]);
        assert_eq!(module.context().addr() + VTABLE_SLOT, module.0.handle().addr());
        // SAFETY: a module has a slot in front of its header, and an Array and a Map behind it.
        unsafe {
            assert!((*module.context().cast::<*mut c_void>()).is_null());
            let [imports, cache] = *module.0.data::<[TVMFFIObjectHandle; 2]>();
            let indices = [imports, cache].map(|handle| ObjectRef::from_borrowed(handle).unwrap().type_index());
            assert_eq!(indices, [tvm_ffi_spec::kTVMFFIArray, kTVMFFIMap]);
            assert!(Module::of_context(module.context()).unwrap().is(&module));
        }
    }

    #[test]
    fn imports_are_searched_in_order_and_never_in_circles() {
        let root = module("m3_root_", &[]);
        let (left, right) = (module("m3_left_", &[]), module("m3_right_", &[("__tvm_ffi_m3_right_f", seven)]));
        root.import(&left).unwrap();
        root.import(&right).unwrap();
        left.import(&right).unwrap();
        let order: Vec<_> = root.with_imports_now(true).iter().map(Module::address).collect();
        assert_eq!(order, [&root, &left, &right].map(Module::address));
        for (importer, imported) in [(&root, &root), (&right, &root), (&left, &root)] {
            let refused = message(importer.import(imported));
            assert_eq!(refused, "RuntimeError: Cyclic dependency detected during import");
        }
        assert!(root.function("f", true).unwrap().is_some());
        assert!(root.function("f", false).unwrap().is_none());
        left.clear_imports().unwrap();
        right.import(&left).unwrap();
    }

    #[test]
    fn look_ups_find_imports_then_globals_and_stay() {
        let (root, import) = (module("m4_root_", &[]), module("m4_import_", &[("__tvm_ffi_m4_import_f", seven)]));
        root.import(&import).unwrap();
        let global = Global {
            function: function::from_closure(|_| Ok(Any::NONE)),
            doc: Box::default(),
            metadata: Box::default(),
        };
        let in_table = global.function.handle();
        global::register(b"m4.global", global, Override::Refuse).unwrap();
        let found = root.look_up("f").unwrap();
        assert_eq!(root.look_up("m4.global").unwrap(), in_table);
        root.clear_imports().unwrap();
        assert_eq!(root.look_up("f").unwrap(), found);
        let missing = "RuntimeError: Cannot find function g in the imported modules or global registry.";
        assert_eq!(message(root.look_up("g")), missing);
    }

    #[test]
    fn a_library_gets_its_context_and_registered_values() {
        static CONTEXT: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
        static VALUE: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
        library::register_system_symbol("m5___tvm_ffi__library_ctx", CONTEXT.as_ptr().cast());
        library::register_system_symbol("m5_value", VALUE.as_ptr().cast());
        library::register_context_symbol("m5_value", ptr::without_provenance_mut(8));
        library::register_context_symbol("m5_value", ptr::without_provenance_mut(16));
        let module = module("m5_", &[]);
        assert_eq!(CONTEXT.load(Relaxed), module.context());
        assert_eq!(VALUE.load(Relaxed).addr(), 16);
        assert!(Module::of_system_library("m5_").unwrap().is(&module));
    }

    #[test]
    fn embedded_modules_are_loaded_by_kind() {
        let number = |number: u64| number.to_le_bytes().to_vec();
        let bytes = |bytes: &[u8]| [number(bytes.len() as u64), bytes.to_vec()].concat();
        let numbers = |numbers: &[u64]| {
            [number(numbers.len() as u64), numbers.iter().copied().flat_map(number).collect()].concat()
        };
        let tree = [numbers(&[0, 1, 1]), numbers(&[1]), bytes(b"m6"), bytes(b"content"), bytes(b"_lib")].concat();
        let blob = bytes(&tree).leak();
        library::register_system_symbol("m6___tvm_ffi__library_bin", blob.as_mut_ptr().cast());
        let missing = "RuntimeError: Library binary was created using {m6} but a loader of that name is not registered. \
                       Make sure to have runtime that registers ffi.Module.load_from_bytes.m6";
        assert_eq!(message(Module::of_system_library("m6_")), missing);
        let load = function::from_closure(|args| {
            assert_eq!(args[0].as_bytes(), Some(&b"content"[..]));
            Ok(Module::of_system_library("m6_loaded_by_kind_")?.into())
        });
        let global = Global { function: load, doc: Box::default(), metadata: Box::default() };
        global::register(b"ffi.Module.load_from_bytes.m6", global, Override::Refuse).unwrap();
        library::register_system_symbol("__tvm_ffi_m6_f", seven as *mut c_void);
        let root = Module::of_system_library("m6_").unwrap();
        assert_eq!(root.with_imports_now(true).len(), 2);
        assert!(root.function("f", false).unwrap().is_none());
        assert!(root.function("f", true).unwrap().is_some());
    }

    #[test]
    fn a_file_is_loaded_by_its_extension() {
        assert_eq!(message(Module::load(b"noextension")), "RuntimeError: Failed to get file format from noextension");
        assert!(message(Module::load(b"a.xyz")).starts_with("RuntimeError: Loader for `.xyz` files is not registered"));
        assert_eq!(message(Module::load(b"/nonexistent.dylib")), "raised");
    }
}
