//! Modules: collections of functions that may import each other.
//!
//! A module is an object with a C++ class: in front of its header is the address of a virtual table ([`vtable`]), which is
//! why C code knows a module by the address of that slot ([`Module::context`]); behind the header are its imports and the
//! functions that it has looked up. The class may be the library's own ([`library_module`]) or a client's, and nothing here
//! can tell the difference.

pub mod embedded;
mod globals;
pub mod library;
pub mod library_module;
mod lookup;
pub mod vtable;

use std::{
    cell::UnsafeCell,
    collections::BTreeMap,
    ffi::c_void,
    sync::{Mutex, MutexGuard, PoisonError, RwLock},
};

use tvm_ffi_spec::{TVMFFIObjectHandle, kTVMFFIModule};

pub use self::globals::{GLOBALS, get_imports};
use crate::{
    border::error::{Error, Result},
    container::array,
    function::{self, registry},
    object::ObjectRef,
    types::schema::Type,
    value::{
        any::{Any, AnyView},
        text,
    },
};

/// Room for the address of the virtual table, in front of the header.
const VTABLE_SLOT: usize = 8;

/// What every module has behind its header, whoever made it.
#[repr(C)]
struct Fields {
    /// An Array of modules. It is changed here under [`IMPORTS`].
    imports: UnsafeCell<ObjectRef>,
    /// A Map from names to functions, see [`lookup`].
    looked_up: UnsafeCell<ObjectRef>,
}

/// Held while the imports of any module are read or changed here.
static IMPORTS: RwLock<()> = RwLock::new(());

/// Modules that the program wants to keep until its end, by address.
static KEPT: Mutex<BTreeMap<usize, Module>> = Mutex::new(BTreeMap::new());

/// A reference to a module.
#[derive(Clone, Debug)]
pub struct Module(ObjectRef);

impl Module {
    /// The module that an object is, if it is one.
    pub fn of_object(object: ObjectRef) -> Option<Self> {
        (object.type_index() == kTVMFFIModule).then_some(Self(object))
    }

    /// The module with a handle.
    ///
    /// # Errors
    /// `ValueError` for NULL, `TypeError` for an object that is not a module.
    ///
    /// # Safety
    /// The handle is NULL or a live object.
    pub unsafe fn of_handle(handle: TVMFFIObjectHandle) -> Result<Self> {
        // SAFETY: the caller's contract is the same.
        let object = unsafe { ObjectRef::from_borrowed(handle) };
        let object = object.ok_or_else(|| Error::new("ValueError", "a module must not be NULL"))?;
        Self::of_object(object).ok_or_else(|| Error::new("TypeError", "the object is not a module"))
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
        unsafe { Self::of_handle(context.byte_add(VTABLE_SLOT)) }
    }

    /// The address by which C code knows the module, and a C++ method the object that it belongs to.
    pub fn context(&self) -> *mut c_void {
        self.handle().wrapping_byte_sub(VTABLE_SLOT)
    }

    /// The handle, for as long as the reference lives.
    pub fn handle(&self) -> TVMFFIObjectHandle {
        self.0.handle()
    }

    /// Loads the module in a file with the loader that is registered for its extension.
    ///
    /// # Errors
    /// `RuntimeError` for a name without extension or with one that has no loader, and whatever the loader fails with.
    pub fn load(path: &[u8]) -> Result<Self> {
        let text = String::from_utf8_lossy(path);
        let Some((_, extension)) = text.rsplit_once('.') else {
            return Err(Error::new("RuntimeError", format!("Failed to get file format from {text}")));
        };
        let format = if ["dll", "dylib", "dso"].contains(&extension) { "so" } else { extension };
        let name = format!("ffi.Module.load_from_file.{format}");
        let Some(load) = registry::get(name.as_bytes()) else {
            let message = format!(
                "Loader for `.{format}` files is not registered, resolved to ({name}) in the global registry.\
                 Ensure that you have loaded the correct runtime code, and\
                 that you are on the correct hardware architecture."
            );
            return Err(Error::new("RuntimeError", message));
        };
        let (path, format) = (text::string(path)?, text::string(format.as_bytes())?);
        Self::made_by(&load, &[*path.view(), *format.view()])
    }

    /// Has a module made from bytes by the loader that is registered for its kind.
    ///
    /// # Errors
    /// `RuntimeError` for a kind that has no loader, and whatever the loader fails with.
    pub fn of_bytes(kind: &str, bytes: &[u8]) -> Result<Self> {
        let loader = format!("ffi.Module.load_from_bytes.{kind}");
        let Some(load) = registry::get(loader.as_bytes()) else {
            let message = format!(
                "Library binary was created using {{{kind}}} but a loader of that name is not registered. \
                 Make sure to have runtime that registers {loader}"
            );
            return Err(Error::new("RuntimeError", message));
        };
        Self::made_by(&load, &[*text::bytes(bytes)?.view()])
    }

    fn made_by(load: &ObjectRef, args: &[AnyView<'_>]) -> Result<Self> {
        let module = function::call(load, args)?;
        module
            .view()
            .as_object()
            .and_then(Self::of_object)
            .ok_or_else(|| Type::object("ffi.Module").refuse(module.view()))
    }

    fn fields(&self) -> &Fields {
        // SAFETY: every module begins with these fields.
        unsafe { self.0.data() }
    }

    fn is(&self, other: &Module) -> bool {
        self.address() == other.address()
    }

    fn address(&self) -> usize {
        self.handle().addr()
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

// ---------------------------------------------------------------------------------------------------------------------
// Imports
// ---------------------------------------------------------------------------------------------------------------------

impl Module {
    /// Adds a module to the end of the imports.
    ///
    /// # Errors
    /// `RuntimeError` when that module imports this one already, be it through others.
    pub fn import(&self, other: &Module) -> Result<()> {
        // What is made before the lock is dropped after it: a module that ends may run code of its own.
        let mut walk = Walk::new(other.clone(), true);
        let _old;
        let _changing = IMPORTS.write().unwrap_or_else(PoisonError::into_inner);
        while let Some(module) = walk.next() {
            if module.is(self) {
                return Err(Error::new("RuntimeError", "Cyclic dependency detected during import"));
            }
        }
        // SAFETY: the lock is held for writing, so this is the only access made here.
        unsafe {
            let imports = self.fields().imports.get();
            let longer = array::with_pushed(&*imports, Any::from(other.clone()))?;
            _old = std::mem::replace(&mut *imports, longer);
        }
        Ok(())
    }

    /// Forgets all imports.
    pub fn forget_imports(&self) -> Result<()> {
        let none = array::new(vec![])?;
        // Dropped after the lock, as above.
        let _old;
        let _changing = IMPORTS.write().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the lock is held for writing, so this is the only access made here.
        _old = unsafe { std::mem::replace(&mut *self.fields().imports.get(), none) };
        Ok(())
    }

    /// The modules that this one imports itself. The caller holds [`IMPORTS`].
    fn imports(&self) -> impl DoubleEndedIterator<Item = Module> {
        // SAFETY: the lock is held, so that nobody here changes the array.
        let imports = unsafe { array::elements(&*self.fields().imports.get()) };
        imports.iter().filter_map(|import| Module::of_object(import.as_object()?))
    }
}

/// Goes through a module and what it imports, be it through others: each once, depth first, in the order of the imports.
/// What a module imports is read when the next one is asked for, as looking at a module may make it import others.
struct Walk {
    imports_too: bool,
    pending: Vec<Module>,
    last: Option<Module>,
    /// By address. They are held, lest another module gets the address of one that has ended.
    seen: BTreeMap<usize, Module>,
}

impl Walk {
    fn new(root: Module, imports_too: bool) -> Self {
        Self { imports_too, pending: vec![root], last: None, seen: BTreeMap::new() }
    }

    /// The next module. The caller holds [`IMPORTS`].
    fn next(&mut self) -> Option<Module> {
        if let Some(last) = self.last.take().filter(|_| self.imports_too) {
            self.pending.extend(last.imports().rev());
        }
        while let Some(module) = self.pending.pop() {
            if self.seen.insert(module.address(), module.clone()).is_none() {
                self.last = Some(module.clone());
                return Some(module);
            }
        }
        None
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Looking for functions
// ---------------------------------------------------------------------------------------------------------------------

impl Module {
    /// A function of the module or, when asked for, of the first of its imports that has it.
    pub fn function(&self, name: &Any, query_imports: bool) -> Result<Option<ObjectRef>> {
        self.first(query_imports, |module| module.own_function(name))
    }

    /// Whether the module or, when asked for, any of its imports has a function.
    pub fn implements_function(&self, name: &Any, query_imports: bool) -> Result<bool> {
        let found = self.first(query_imports, |module| Ok(module.implements_own_function(name)?.then_some(())))?;
        Ok(found.is_some())
    }

    /// The metadata of such a function; None without.
    pub fn function_metadata(&self, name: &Any, query_imports: bool) -> Result<Any> {
        let text = self.first(query_imports, |module| some(module.own_function_metadata(name)?))?;
        Ok(text.unwrap_or_default())
    }

    /// The documentation of such a function; None without.
    pub fn function_doc(&self, name: &Any, query_imports: bool) -> Result<Any> {
        let text = self.first(query_imports, |module| some(module.own_function_doc(name)?))?;
        Ok(text.unwrap_or_default())
    }

    /// What `look` finds in the module or, when asked for, in the first of its imports where it finds anything.
    fn first<T>(&self, query_imports: bool, look: impl Fn(&Module) -> Result<Option<T>>) -> Result<Option<T>> {
        let mut walk = Walk::new(self.clone(), query_imports);
        while let Some(module) = next_unlocked(&mut walk) {
            if let Some(found) = look(&module)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Finds a function among the imports, else among the global functions, for the library of this module. The handle
    /// is borrowed from the module, which keeps the function from now on.
    ///
    /// # Errors
    /// `RuntimeError` when there is none.
    pub fn look_up(&self, name: &[u8]) -> Result<TVMFFIObjectHandle> {
        let name = text::string(name)?;
        if let Some(function) = self.looked_up(&name)? {
            return Ok(function);
        }
        let own = self.address();
        let imported = self.first(true, |module| match module.address() == own {
            true => Ok(None),
            false => module.own_function(&name),
        })?;
        let text = name.view().as_str().unwrap_or_default();
        let found = imported.or_else(|| registry::get(text)).ok_or_else(|| {
            let text = String::from_utf8_lossy(text);
            let message = format!("Cannot find function {text} in the imported modules or global registry.");
            Error::new("RuntimeError", message)
        })?;
        self.keep_looked_up(name, found)
    }
}

/// The next module of a walk. No lock is held when this returns.
fn next_unlocked(walk: &mut Walk) -> Option<Module> {
    let _reading = IMPORTS.read().unwrap_or_else(PoisonError::into_inner);
    walk.next()
}

fn some(value: Any) -> Result<Option<Any>> {
    Ok(if value.view().is_none() { None } else { Some(value) })
}

/// Nothing is left half done when a thread panics under these locks, so a poisoned one is as good as any.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::{
        ffi::c_int,
        ptr,
        sync::atomic::{AtomicPtr, Ordering::Relaxed},
    };

    use tvm_ffi_spec::{TVMFFIAny, TVMFFIErrorCell, TVMFFISafeCallType, kTVMFFIInt, kTVMFFIMap};

    use super::*;
    use crate::{
        border::c_pointers,
        function::registry::{Global, Override},
    };

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
        let text = text::string(b"some text").unwrap_or_default();
        // SAFETY: the tests pass a writable result.
        unsafe { result.write(text.into_raw()) };
        0
    }

    /// The module of a system library of its own with these symbols.
    fn module(prefix: &str, symbols: &[(&str, TVMFFISafeCallType)]) -> Module {
        for (name, function) in symbols {
            library::register_system_symbol(name.as_bytes(), *function as *mut c_void);
        }
        Module::of_system_library(prefix.as_bytes()).unwrap()
    }

    fn message<T>(result: Result<T>) -> String {
        match result {
            Ok(_) => "no error".to_owned(),
            Err(error) => message_of(error.into_object()),
        }
    }

    /// The kind and the message of an Error object.
    fn message_of(error: ObjectRef) -> String {
        // SAFETY: the object is an error, whose texts are readable.
        let [kind, message] = unsafe {
            let cell = error.data::<TVMFFIErrorCell>();
            [c_pointers::span(cell.kind, "kind"), c_pointers::span(cell.message, "message")]
        };
        [kind, message].map(|text| String::from_utf8_lossy(text.unwrap()).into_owned()).join(": ")
    }

    fn name(name: &str) -> Any {
        text::string(name.as_bytes()).unwrap()
    }

    /// The module and all that it imports, be it through others.
    fn all(module: &Module) -> Vec<Module> {
        let mut walk = Walk::new(module.clone(), true);
        std::iter::from_fn(|| next_unlocked(&mut walk)).collect()
    }

    #[test]
    fn functions_and_what_is_said_of_them() {
        let module = module(
            "m1_",
            &[("__tvm_ffi_m1_f", seven), ("m1___tvm_ffi__doc_f", text), ("m1___tvm_ffi__metadata_f", seven)],
        );
        let function = module.function(&name("f"), false).unwrap().unwrap();
        assert_eq!(function::call(&function, &[]).unwrap().view().as_int(), Some(7));
        assert!(module.function(&name("g"), true).unwrap().is_none());
        let doc = module.function_doc(&name("f"), false).unwrap();
        assert_eq!(doc.view().as_str(), Some(&b"some text"[..]));
        assert!(module.function_doc(&name("g"), false).unwrap().view().is_none());
        let metadata = module.function_metadata(&name("f"), false);
        assert_eq!(message(metadata), "TypeError: Cannot convert from type `int` to `str`");
    }

    #[test]
    fn the_layout_is_that_of_the_abi() {
        let module = module("m2_", &[]);
        assert_eq!(module.context().addr() + VTABLE_SLOT, module.0.handle().addr());
        // SAFETY: a module has a slot in front of its header, and an Array and a Map behind it.
        unsafe {
            assert!(!(*module.context().cast::<*mut c_void>()).is_null());
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
        let order: Vec<_> = all(&root).iter().map(Module::address).collect();
        assert_eq!(order, [&root, &left, &right].map(Module::address));
        for (importer, imported) in [(&root, &root), (&right, &root), (&left, &root)] {
            let refused = message(importer.import(imported));
            assert_eq!(refused, "RuntimeError: Cyclic dependency detected during import");
        }
        assert!(root.function(&name("f"), true).unwrap().is_some());
        assert!(root.function(&name("f"), false).unwrap().is_none());
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
        registry::register(b"m4.global", global, Override::Refuse).unwrap();
        let found = root.look_up(b"f").unwrap();
        assert_eq!(root.look_up(b"m4.global").unwrap(), in_table);
        root.clear_imports().unwrap();
        assert_eq!(root.look_up(b"f").unwrap(), found);
        let missing = "RuntimeError: Cannot find function g in the imported modules or global registry.";
        assert_eq!(message(root.look_up(b"g")), missing);
    }

    #[test]
    fn a_library_gets_its_context_and_registered_values() {
        static CONTEXT: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
        static VALUE: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
        library::register_system_symbol(b"m5___tvm_ffi__library_ctx", CONTEXT.as_ptr().cast());
        library::register_system_symbol(b"m5_value", VALUE.as_ptr().cast());
        library::register_context_symbol(b"m5_value", ptr::without_provenance_mut(8));
        library::register_context_symbol(b"m5_value", ptr::without_provenance_mut(16));
        let module = module("m5_", &[]);
        assert_eq!(CONTEXT.load(Relaxed), module.context());
        assert_eq!(VALUE.load(Relaxed).addr(), 16);
        assert!(Module::of_system_library(b"m5_").unwrap().is(&module));
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
        library::register_system_symbol(b"m6___tvm_ffi__library_bin", blob.as_mut_ptr().cast());
        let missing = "RuntimeError: Library binary was created using {m6} but a loader of that name is not registered. \
                       Make sure to have runtime that registers ffi.Module.load_from_bytes.m6";
        assert_eq!(message(Module::of_system_library(b"m6_")), missing);
        let load = function::from_closure(|args| {
            assert_eq!(args[0].as_bytes(), Some(&b"content"[..]));
            Ok(Module::of_system_library(b"m6_loaded_by_kind_")?.into())
        });
        let global = Global { function: load, doc: Box::default(), metadata: Box::default() };
        registry::register(b"ffi.Module.load_from_bytes.m6", global, Override::Refuse).unwrap();
        library::register_system_symbol(b"__tvm_ffi_m6_f", seven as *mut c_void);
        let root = Module::of_system_library(b"m6_").unwrap();
        assert_eq!(all(&root).len(), 2);
        assert!(root.function(&name("f"), false).unwrap().is_none());
        assert!(root.function(&name("f"), true).unwrap().is_some());
    }

    #[test]
    fn a_file_is_loaded_by_its_extension() {
        assert_eq!(message(Module::load(b"noextension")), "RuntimeError: Failed to get file format from noextension");
        assert!(message(Module::load(b"a.xyz")).starts_with("RuntimeError: Loader for `.xyz` files is not registered"));
        assert_eq!(message(Module::load(b"/nonexistent.dylib")).split(": ").next(), Some("InternalError"));
    }

    #[test]
    fn what_a_class_does_not_say_is_the_same_for_all() {
        let module = module("m7_", &[("__tvm_ffi_m7_f", seven)]);
        let kind = module.kind().unwrap();
        assert_eq!((kind.view().as_str(), module.property_mask().unwrap()), (Some(&b"library"[..]), 3));
        assert!(module.implements_function(&name("f"), false).unwrap());
        assert!(!module.implements_function(&name("g"), true).unwrap());
        assert_eq!(module.inspect_source(&name("c")).unwrap().view().as_str(), Some(&b""[..]));
        assert_eq!(module.write_formats().unwrap().unwrap().type_index(), tvm_ffi_spec::kTVMFFIArray);
        let refused = message(module.write_to_file(&name("file"), &name("format")));
        assert_eq!(refused, "RuntimeError: Module[library] does not support WriteToFile");
    }

    #[test]
    fn a_chain_of_imports_may_be_longer_than_the_stack_is_deep() {
        let library = || Module::of_library(library::Library::System { prefix: b"m8_".to_vec() }).unwrap();
        library::register_system_symbol(b"__tvm_ffi_m8_f", seven as *mut c_void);
        let root = library();
        let mut last = root.clone();
        for _ in 0..100_000 {
            let next = library();
            last.import(&next).unwrap();
            last = next;
        }
        assert_eq!(message(last.import_module(&root)), "RuntimeError: Cyclic dependency detected during import");
        assert!(root.function(&name("no such function"), true).unwrap().is_none());
        drop(last);
        drop(root);
    }

    #[test]
    fn modules_that_import_each_other_are_searched_once() {
        let (one, other) = (module("m9_one_", &[]), module("m9_other_", &[]));
        one.import(&other).unwrap();
        // SAFETY: nobody else uses the modules. A client can do the same inline.
        unsafe { *other.fields().imports.get() = array::new(vec![one.clone().into()]).unwrap() };
        assert!(one.function(&name("f"), true).unwrap().is_none());
        assert_eq!(all(&one).len(), 2);
        other.forget_imports().unwrap();
    }
}
