//! Library modules: the functions of a library, and what is embedded in it.

use std::{
    cell::{RefCell, UnsafeCell},
    collections::{BTreeMap, VecDeque},
    ffi::{c_char, c_int, c_void},
    mem::ManuallyDrop,
    ptr::{self, NonNull},
    slice,
    sync::{
        Arc,
        atomic::{AtomicPtr, Ordering},
    },
};

use tvm_ffi_spec::{TVMFFIAny, TVMFFISafeCallType, kTVMFFIModule};

use super::{
    context::Naming,
    embedded::{self, Content},
    handle::{Fields, Module, VTABLE_SLOT},
    imports,
    library::Library,
    lookup,
    vtable::{self, MODULE_TYPE_INFO, ObjectOut, StringArg, This, VTable, ValueOut},
};
use crate::{
    border::{
        error::{Error, Result},
        itanium::{SingleBase, Table},
        throw::or_throw,
    },
    container::array,
    environment::once,
    function,
    object::{self, HEADER_SIZE, ObjectRef, Payload, TypedRef},
    system::fork::Exclusive,
    types::schema::Type,
    value::any::{Any, AnyView},
};

/// It can be serialized into a library, and run.
const PROPERTIES: c_int = 3;

/// A library module.
#[repr(C)]
struct LibraryModule {
    fields: ManuallyDrop<Fields>,
    library: ManuallyDrop<Arc<Library>>,
}

// SAFETY: `repr(C)`, and the ABI has imports and cache behind the header.
unsafe impl Payload for LibraryModule {
    const TYPE_INDEX: i32 = kTVMFFIModule;
    const PREFIX: usize = VTABLE_SLOT;
}

/// The handles of the system library's modules, by prefix. They are kept until the program's end.
pub static SYSTEM: Exclusive<BTreeMap<Vec<u8>, &AtomicPtr<c_void>>> = Exclusive::new(BTreeMap::new());

impl Module {
    /// Loads the library in a file.
    ///
    /// # Errors
    /// `InternalError` with what the loader says, and whatever the modules embedded in the library fail with.
    pub fn open(path: &[u8]) -> Result<Self> {
        Self::of_library(Library::open(path)?)
    }

    /// The module of the system library's symbols, preferably those with a prefix: one for each prefix.
    pub fn of_system_library(prefix: &[u8]) -> Result<Self> {
        let handle = *SYSTEM.lock().entry(prefix.to_owned()).or_insert_with(|| Box::leak(Box::default()));
        // Making the module may call loaders that ask for other modules, so no lock is held for that.
        if let Some(_claim) = once::claim(handle)? {
            let module = Self::of_library(Library::System { prefix: prefix.to_owned() })?;
            handle.store(module.into_handle(), Ordering::Release);
        }
        // SAFETY: the handle has been filled, and its reference is never given up.
        let module = unsafe { ObjectRef::from_borrowed(handle.load(Ordering::Acquire)) };
        module
            .and_then(ObjectRef::cast)
            .ok_or_else(|| Error::new("InternalError", "The system library's module is gone"))
    }

    /// The module of a library: its own, or the root of the tree that is embedded in it.
    pub(super) fn of_library(library: Library) -> Result<Self> {
        let library = Arc::new(library);
        // SAFETY: a library that defines such symbols defines them as pointers, and it has just been opened.
        unsafe { library.set_context_symbols() };
        match library.embedded() {
            None => Self::own(&library),
            // SAFETY: a library that defines this symbol defines it as a blob.
            Some((blob, size)) => Self::root_of_tree(&library, unsafe { blob_at(blob, size) }?),
        }
    }

    /// The module of the library's own functions, which the library gets to know.
    fn own(library: &Arc<Library>) -> Result<Self> {
        let fields = Fields::new()?;
        // Only an object that is made has a deleter, which ends both.
        let module = object::try_new(|| LibraryModule {
            fields: ManuallyDrop::new(fields),
            library: ManuallyDrop::new(library.clone()),
        })?;
        // SAFETY: it was made with this type index.
        let module: Self = unsafe { module.cast_unchecked() };
        // SAFETY: the object was made with room for the address.
        unsafe { module.context().cast::<*const VTable>().write(&raw const LIBRARY_MODULE_TABLE.methods) };
        if let Some(place) = library.context() {
            // SAFETY: a library that defines this symbol defines it as a pointer to be set at load, and the module keeps the library.
            unsafe { Naming::new(place, module.context()).begin() }?;
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
        // By then a module that is imported imports nothing itself, unless its loader has seen to that: looking for circles
        // takes no time.
        for at in embedded::importers_first(&tree).ok_or_else(imports::circle)? {
            for &import in &tree[at].imports {
                modules[at].import(&modules[import])?;
            }
        }
        Ok(modules[0].clone())
    }
}

/// The blob at an address, without its leading count.
///
/// # Safety
/// At the address there are `size` bytes or, where that is not known, a count and so many bytes, readable for `'a`.
unsafe fn blob_at<'a>(address: NonNull<u8>, size: Option<usize>) -> Result<&'a [u8]> {
    let size = size.unwrap_or(isize::MAX as usize);
    let room = size.checked_sub(embedded::COUNT).ok_or_else(embedded::malformed)?;
    // SAFETY: the count is inside of the bytes, and so is what is behind it once that has been looked at.
    unsafe {
        let length = embedded::length(address.cast().read())?;
        let blob = || slice::from_raw_parts(address.add(embedded::COUNT).as_ptr(), length);
        (length <= room).then(blob).ok_or_else(embedded::malformed)
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// The methods
// ---------------------------------------------------------------------------------------------------------------------

/// The type information of library modules, a class of its own.
static LIBRARY_MODULE_TYPE_INFO: SingleBase =
    SingleBase::new(c"N3tvm3ffi16LibraryModuleObjE", (&raw const MODULE_TYPE_INFO).cast());

/// What library modules do in their own way.
static LIBRARY_MODULE_TABLE: Table<VTable> = Table::new(
    (&raw const LIBRARY_MODULE_TYPE_INFO).cast(),
    VTable { property_mask, function_doc: [function_doc; _], function_metadata, ..vtable::of_subclass(kind, function) },
);

unsafe extern "C-unwind" fn kind(_this: This) -> *const c_char {
    c"library".as_ptr()
}

unsafe extern "C-unwind" fn property_mask(_this: This) -> c_int {
    PROPERTIES
}

unsafe extern "C-unwind" fn function(result: ObjectOut, this: This, name: StringArg) -> ObjectOut {
    or_throw(|| {
        // SAFETY: the method gets a library module, a name, and room for its result.
        unsafe {
            let found = function_of(&*Module::borrow_context(this)?, &*name)?;
            result.write(found.map_or(ptr::null_mut(), ObjectRef::into_handle));
        }
        Ok(result)
    })
}

impl Module {
    /// As [`own_function`](Module::own_function), but of library modules, as most are, without their method: they throw
    /// nothing, so that there is nothing to be caught.
    pub(super) fn own_function_at_once(&self, name: &Any) -> Result<Option<ObjectRef>> {
        if !object::is_made_here::<LibraryModule>(self) {
            return self.own_function(name);
        }
        // SAFETY: it is a library module.
        unsafe { function_of(self, name) }
    }
}

/// # Safety
/// It is a library module.
unsafe fn function_of(module: &Module, name: &Any) -> Result<Option<ObjectRef>> {
    // SAFETY: the caller's contract is the same.
    let library = unsafe { library_of(module.context()) };
    let Some(symbol) = library.function(name.view().as_str().unwrap_or_default()) else { return Ok(None) };
    // The function keeps the module, which keeps the library loaded.
    // SAFETY: what a library defines as a function follows the calling convention.
    Ok(Some(unsafe { function::from_symbol(symbol, module.clone().into()) }?.into()))
}

unsafe extern "C-unwind" fn function_doc(result: ValueOut, this: This, name: StringArg) -> ValueOut {
    // SAFETY: the method gets a library module, a name, and room for its result.
    unsafe { write_text(result, || library_of(this).doc((*name).view().as_str().unwrap_or_default())) }
}

unsafe extern "C-unwind" fn function_metadata(result: ValueOut, this: This, name: StringArg) -> ValueOut {
    // SAFETY: as above.
    unsafe { write_text(result, || library_of(this).metadata((*name).view().as_str().unwrap_or_default())) }
}

/// Writes what a function without parameters that returns a `str` says, or None if there is none.
///
/// # Safety
/// The result is writable; the function belongs to a library that stays loaded.
unsafe fn write_text(result: ValueOut, function: impl FnOnce() -> Option<TVMFFISafeCallType>) -> ValueOut {
    or_throw(|| {
        let text = match function() {
            None => Any::NONE,
            // SAFETY: libraries define the symbols for metadata and documentation as functions.
            Some(function) => unsafe { call_symbol(function, &[]) }?,
        };
        if !text.view().is_none() && text.view().as_str().is_none() {
            return Err(Type::Str.refuse(text.view()));
        }
        // SAFETY: the caller passes room for the result.
        unsafe { result.write(text.into_raw()) };
        Ok(result)
    })
}

/// # Safety
/// `this` is a library module that outlives `'a`.
unsafe fn library_of<'a>(this: This) -> &'a Library {
    // SAFETY: the module's data lies behind its header, which lies behind the slot.
    unsafe { &(*this.byte_add(VTABLE_SLOT + HEADER_SIZE).cast::<LibraryModule>()).library }
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
        return Err(Error::raised());
    }
    // SAFETY: on success the result is an owned value.
    Ok(unsafe { Any::from_raw(result) })
}

// ---------------------------------------------------------------------------------------------------------------------
// The end
// ---------------------------------------------------------------------------------------------------------------------

/// What is left of modules that have ended, and has to end one after the other: a module may be the first of a chain of
/// imports that is longer than the stack is deep.
#[derive(Default)]
struct Remains {
    fields: VecDeque<Fields>,
    /// They are closed when nothing else is left, the last first: the deleter of an import may be in the library that
    /// imports it.
    libraries: Vec<Arc<Library>>,
}

thread_local! {
    /// What is left to be ended by the thread, if it is at it. It has no destructor, so that it serves to the very end of
    /// the thread.
    static REMAINS: RefCell<ManuallyDrop<Option<Remains>>> = const { RefCell::new(ManuallyDrop::new(None)) };
}

impl Drop for LibraryModule {
    fn drop(&mut self) {
        if let Some(place) = self.library.context() {
            let context = ptr::from_mut(self).wrapping_byte_sub(HEADER_SIZE + VTABLE_SLOT);
            // SAFETY: the library is still open.
            unsafe { Naming::new(place, context.cast()).end() };
        }
        // SAFETY: neither is used afterwards.
        let (fields, library) =
            unsafe { (ManuallyDrop::take(&mut self.fields), ManuallyDrop::take(&mut self.library)) };
        REMAINS.with(|remains| end(remains, fields, library));
    }
}

/// Ends the fields and the library now or, where that is being done for another module further up, afterwards.
fn end(remains: &RefCell<ManuallyDrop<Option<Remains>>>, fields: Fields, library: Arc<Library>) {
    let nested = remains.borrow().is_some();
    remains.borrow_mut().get_or_insert_default().push(fields, library);
    if nested {
        return;
    }
    // What is dropped may run code that ends other modules, so nothing is borrowed meanwhile.
    while let Some(part) = next_of(remains) {
        drop(part);
    }
    // With the last part goes the memory.
    drop(remains.borrow_mut().take());
}

fn next_of(remains: &RefCell<ManuallyDrop<Option<Remains>>>) -> Option<(Option<Fields>, Option<Arc<Library>>)> {
    remains.borrow_mut().as_mut()?.pop()
}

impl Remains {
    fn push(&mut self, fields: Fields, library: Arc<Library>) {
        self.fields.push_back(fields);
        self.libraries.push(library);
    }

    /// One of either.
    fn pop(&mut self) -> Option<(Option<Fields>, Option<Arc<Library>>)> {
        match self.fields.pop_front() {
            None => self.libraries.pop().map(|library| (None, Some(library))),
            fields => Some((fields, None)),
        }
    }
}

impl Fields {
    /// No imports, and nothing looked up.
    fn new() -> Result<Self> {
        Ok(Self { imports: UnsafeCell::new(array::new(vec![])?), looked_up: UnsafeCell::new(lookup::no_functions()?) })
    }
}
