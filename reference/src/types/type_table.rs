//! The type table: which types there are, who descends from whom, and what is known of their fields, methods and
//! attributes.
//!
//! Clients hold pointers into the table for the life of the process, so nothing in it ever moves or goes away. Looking up
//! a type by its index takes no lock. Everything else takes a read or write lock on the registry; what clients read
//! through pointers while others register is published item first, count last.

use std::{
    alloc::{self, Layout},
    collections::BTreeMap,
    ffi::c_void,
    ptr,
    sync::{
        LazyLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard,
        atomic::{AtomicI32, AtomicPtr, Ordering},
    },
};

use tvm_ffi_spec::*;

use crate::{
    border::{
        c_pointers,
        error::{Error, Result, log},
    },
    function::arguments::{self, Arguments, Signature},
    object::ObjectRef,
    reflection::{
        create,
        object_def::{MethodDef, ObjectDef},
    },
    scalar::value_hash,
    startup::{
        builtin_types,
        globals::{self, Row},
    },
    types::grow_only::Published,
    value::any::{Any, AnyView},
};

/// `parent_type_index` of a caller that only asks whether the key is registered; also the answer if it is not.
const QUERY_ONLY: i32 = -2;

// ---------------------------------------------------------------------------------------------------------------------
// Entries and the lock-free way to them
// ---------------------------------------------------------------------------------------------------------------------

/// One type: what clients see, then what only the table needs.
#[repr(C)]
struct Entry {
    info: TVMFFITypeInfo,
    metadata: TVMFFITypeMetadata,
    ancestors: Box<[*const TVMFFITypeInfo]>,
    fields: Published<TVMFFIFieldInfo>,
    methods: Published<TVMFFIMethodInfo>,
    /// Indices reserved for the type and its children, from its own index on.
    num_slots: i32,
    /// How many of them are taken.
    allocated_slots: i32,
    /// Whether further children get an index elsewhere.
    can_overflow: bool,
}

const CHUNK: usize = 1 << 16;

/// The entries of `CHUNK` neighbouring indices.
type Chunk = [AtomicPtr<Entry>; CHUNK];

/// Every index that an i32 can hold has its place; chunks are made when the first type in them is.
static CHUNKS: [AtomicPtr<Chunk>; (1 << 31) / CHUNK] = [const { AtomicPtr::new(ptr::null_mut()) }; (1 << 31) / CHUNK];

/// The entry at an index. The registry must have been set up.
fn entry_at(type_index: i32) -> Option<*mut Entry> {
    let index = usize::try_from(type_index).ok()?;
    let chunk = CHUNKS[index / CHUNK].load(Ordering::Acquire);
    // SAFETY: a chunk that has been published is never freed.
    let entry = unsafe { chunk.as_ref() }?[index % CHUNK].load(Ordering::Acquire);
    (!entry.is_null()).then_some(entry)
}

/// Publishes an entry at a free index; only called under the write lock.
fn publish_entry(type_index: i32, entry: Box<Entry>) {
    let index = type_index as usize;
    let mut chunk = CHUNKS[index / CHUNK].load(Ordering::Relaxed);
    if chunk.is_null() {
        let layout = Layout::new::<Chunk>();
        // SAFETY: the layout is not empty; a chunk of zero bytes is one of NULL pointers.
        chunk = unsafe { alloc::alloc_zeroed(layout) }.cast();
        if chunk.is_null() {
            alloc::handle_alloc_error(layout);
        }
        CHUNKS[index / CHUNK].store(chunk, Ordering::Release);
    }
    // SAFETY: a chunk that has been published is never freed.
    let chunk = unsafe { &*chunk };
    chunk[index % CHUNK].store(Box::into_raw(entry), Ordering::Release);
}

// ---------------------------------------------------------------------------------------------------------------------
// The registry
// ---------------------------------------------------------------------------------------------------------------------

/// What needs a lock.
struct Registry {
    indices: BTreeMap<Box<[u8]>, i32>,
    columns: BTreeMap<Box<[u8]>, Box<Column>>,
    /// The next index that no type has reserved.
    next_index: i64,
}

/// An attribute of every type.
#[repr(C)]
struct Column {
    public: TVMFFITypeAttrColumn,
    values: Published<TVMFFIAny>,
}

// SAFETY: the pointers in the registry lead to memory that it owns and never frees, written under the write lock only.
unsafe impl Send for Registry {}
// SAFETY: as above.
unsafe impl Sync for Registry {}

static REGISTRY: LazyLock<RwLock<Registry>> = LazyLock::new(|| RwLock::new(Registry::with_builtin_types()));

// A panic while the lock is held leaves at worst an entry without its last detail, so poisoning is ignored.
fn read() -> RwLockReadGuard<'static, Registry> {
    REGISTRY.read().unwrap_or_else(PoisonError::into_inner)
}

fn write() -> RwLockWriteGuard<'static, Registry> {
    REGISTRY.write().unwrap_or_else(PoisonError::into_inner)
}

/// What a new type is to be.
#[derive(Clone, Copy, Debug)]
pub struct NewType<'a> {
    /// The unique key.
    pub key: &'a [u8],
    /// The wanted index, or negative for any.
    pub static_index: i32,
    /// How many ancestors it has.
    pub depth: i32,
    /// How many indices to reserve for its children.
    pub num_child_slots: i32,
    /// Whether further children get an index elsewhere.
    pub can_overflow: bool,
    /// The index of its parent; negative for none, -2 to ask only.
    pub parent_index: i32,
}

impl Registry {
    fn with_builtin_types() -> Self {
        let next_index = i64::from(kTVMFFIDynObjectBegin);
        let mut registry = Self { indices: BTreeMap::new(), columns: BTreeMap::new(), next_index };
        registry.register_builtin_types().expect("the built-in types do not contradict one another");
        registry
    }

    fn register_builtin_types(&mut self) -> Result<()> {
        let value = |key: &'static str, static_index| NewType {
            key: key.as_bytes(),
            static_index,
            depth: 0,
            num_child_slots: 0,
            can_overflow: false,
            parent_index: -1,
        };
        let (root_key, root) = builtin_types::ROOT;
        self.get_or_insert(NewType { can_overflow: true, ..value(root_key, root) })?;
        for &(key, index) in builtin_types::VALUES {
            self.get_or_insert(value(key, index))?;
        }
        for &(key, index) in builtin_types::OBJECTS {
            let can_overflow = index == kTVMFFIVisitInterrupt;
            self.get_or_insert(NewType { depth: 1, can_overflow, parent_index: root, ..value(key, index) })?;
        }
        for &(key, index, parent_index) in builtin_types::DYNAMIC {
            let depth = if parent_index == root { 1 } else { 2 };
            let new = NewType { depth, can_overflow: true, parent_index, static_index: -1, ..value(key, index) };
            assert_eq!(self.get_or_insert(new)?, index, "{key}");
        }
        for name in builtin_types::COLUMNS {
            self.column(name.as_bytes());
        }
        self.describe_builtin_types()
    }

    fn describe_builtin_types(&mut self) -> Result<()> {
        for def in builtin_types::OBJECT_DEFS.iter().copied().flatten() {
            self.describe(def)?;
        }
        for method in builtin_types::METHODS.iter().copied().flatten() {
            self.add_builtin_method(method)?;
        }
        for &row in builtin_types::FUNCTION_ATTRIBUTES.iter().copied().flatten() {
            let (type_index, name) = self.type_and_name(row.signature)?;
            self.set_function(type_index, name, globals::typed(Signature::new(row.signature), row.body))?;
        }
        for hook in builtin_types::HOOKS.iter().copied().flatten() {
            let function = TVMFFIAny::new(kTVMFFIOpaquePtr, hook.function as usize as u64);
            self.set_attribute(hook.type_index, hook.attribute.as_bytes(), function)?;
        }
        Ok(())
    }

    /// Registers what is known of a built-in type, with functions that create and copy its objects.
    fn describe(&mut self, def: &'static ObjectDef) -> Result<()> {
        let (type_index, total_size) = (def.type_index, def.size as i32);
        let (doc, creator, structural_eq_hash_kind) = (TVMFFIByteArray::EMPTY, def.creator, def.structural_kind);
        let metadata = TVMFFITypeMetadata { doc, creator, total_size, structural_eq_hash_kind };
        // SAFETY: there is no documentation.
        unsafe { self.set_metadata(type_index, &metadata)? };
        for field in def.fields {
            let metadata = (field.ty.spelled)().metadata();
            let info = TVMFFIFieldInfo {
                name: TVMFFIByteArray::new(field.name.as_bytes()),
                doc: TVMFFIByteArray::new(field.doc.as_bytes()),
                metadata: TVMFFIByteArray::new(metadata.as_bytes()),
                flags: field.flags,
                size: field.ty.size as i64,
                alignment: field.ty.alignment as i64,
                offset: field.offset as i64,
                getter: Some(field.ty.getter),
                setter: field.ty.setter as *mut c_void,
                default_value_or_factory: TVMFFIAny::NONE,
                field_static_type_index: field.ty.static_index,
            };
            // SAFETY: the texts live through the call, and the default is None.
            unsafe { self.add_field(type_index, &info)? };
        }
        // SAFETY: the type has just been registered, and entries are never freed.
        let key = entry_at(type_index).map(|entry| show(key_of_entry(unsafe { &*entry }))).unwrap_or_default();
        if let Some(copy) = def.copy {
            let signature = Signature::leaked(format!("{key}.__ffi_shallow_copy__(0: {key}) -> ffi.Object"));
            let copy = move |args: &Arguments<'_>| Ok(copy(&args.object_ref(0, type_index)?).into());
            self.set_function(type_index, "__ffi_shallow_copy__", globals::typed(signature, copy))?;
        }
        if let Some(creator) = def.creator {
            let signature = Signature::leaked(format!("{key}.__ffi_new__() -> ffi.Object"));
            let new = move |_: &Arguments<'_>| create::call_creator(type_index, creator).map(Any::from);
            self.set_function(type_index, "__ffi_new__", globals::typed(signature, new))?;
        }
        if let Some(is_final) = def.is_final {
            self.set_attribute(type_index, b"__ffi_type_final__", TVMFFIAny::new(kTVMFFIBool, u64::from(is_final)))?;
        }
        Ok(())
    }

    fn add_builtin_method(&mut self, method: &MethodDef) -> Result<()> {
        let Row { signature, body } = method.row;
        let (type_index, name) = self.type_and_name(signature)?;
        let signature = Signature::new(signature);
        let metadata = signature.metadata();
        let function = globals::typed(signature, body);
        let value = Any::from(function.clone());
        let info = TVMFFIMethodInfo {
            name: TVMFFIByteArray::new(name.as_bytes()),
            doc: TVMFFIByteArray::new(method.doc.as_bytes()),
            metadata: TVMFFIByteArray::new(metadata.as_bytes()),
            flags: method.flags,
            method: value.view().raw(),
        };
        // SAFETY: the texts and the function live through the call.
        unsafe { self.add_method(type_index, &info)? };
        if name == "__ffi_init__" { self.set_function(type_index, name, function) } else { Ok(()) }
    }

    /// The type and the last name in the name of a method or attribute.
    fn type_and_name(&self, signature: &'static str) -> Result<(i32, &'static str)> {
        let name = arguments::name_in(signature);
        let (key, name) = name.rsplit_once('.').unwrap_or_default();
        let index = self.indices.get(key.as_bytes()).ok_or_else(|| internal(format!("there is no type {key}")))?;
        Ok((*index, name))
    }

    fn set_function(&mut self, type_index: i32, name: &str, function: ObjectRef) -> Result<()> {
        self.set_attribute(type_index, name.as_bytes(), Any::from(function).into_raw())
    }

    /// The index of a type, registered if it is new. Nothing but the key counts for a type that exists.
    fn get_or_insert(&mut self, new: NewType<'_>) -> Result<i32> {
        if let Some(&index) = self.indices.get(new.key) {
            return Ok(index);
        }
        if new.parent_index == QUERY_ONLY {
            return Ok(QUERY_ONLY);
        }
        let parent = self.parent_of(&new)?;
        let num_slots = new.num_child_slots.checked_add(1).filter(|slots| *slots > 0).ok_or_else(|| {
            internal(format!(
                "Check failed: `num_child_slots` of {} is out of range: {}",
                show(new.key),
                new.num_child_slots
            ))
        })?;
        let index = self.allocate_index(&new, parent, num_slots)?;
        let ancestors = ancestors_of(&new, parent)?;
        // A parent that cannot overflow has only descendants that cannot, or its range would not hold them all.
        // SAFETY: entries are never freed, and the write lock is held.
        let can_overflow = new.can_overflow && parent.is_none_or(|parent| unsafe { (*parent).can_overflow });
        publish_entry(index, new_entry(index, &new, ancestors, num_slots, can_overflow));
        self.indices.insert(new.key.into(), index);
        Ok(index)
    }

    fn parent_of(&self, new: &NewType<'_>) -> Result<Option<*mut Entry>> {
        if new.parent_index < 0 {
            return Ok(None);
        }
        if i64::from(new.parent_index) >= self.next_index {
            return Err(internal(format!(
                "Check failed: parent_type_index < type_table_.size() ({} vs. {}) :  type_key={}, static_index={}",
                new.parent_index,
                self.next_index,
                show(new.key),
                new.static_index
            )));
        }
        Ok(entry_at(new.parent_index))
    }

    /// A free index: the wanted one, else one that the parent has reserved, else the next that nobody has.
    fn allocate_index(&mut self, new: &NewType<'_>, parent: Option<*mut Entry>, num_slots: i32) -> Result<i32> {
        // SAFETY: entries are never freed, and the write lock is held, so nobody else writes this part of one.
        let parent = parent.map(|parent| unsafe { &mut *parent });
        let parent_index = parent.as_ref().map(|parent| parent.info.type_index);
        let index = if new.static_index >= 0 {
            self.check_static_index(new)?;
            new.static_index
        } else {
            let parent = parent.ok_or_else(|| internal("Check not null: parent "))?;
            let taken = parent.allocated_slots.checked_add(num_slots);
            if let Some(taken) = taken.filter(|taken| *taken <= parent.num_slots) {
                let index = parent.info.type_index + parent.allocated_slots;
                parent.allocated_slots = taken;
                index
            } else if parent.can_overflow {
                self.allocate_next(num_slots)?
            } else {
                return Err(internal(format!(
                    "Check failed: (parent->child_slots_can_overflow) is false: Reach maximum number of sub-classes for {}",
                    show(key_of_entry(parent))
                )));
            }
        };
        match parent_index {
            // Clients rely on it: an object with a smaller index than a type's is never an instance of it.
            Some(parent_index) if index <= parent_index => Err(internal(format!(
                "Check failed: allocated_tindex > parent->type_index ({index} vs. {parent_index}) : "
            ))),
            _ => Ok(index),
        }
    }

    fn check_static_index(&self, new: &NewType<'_>) -> Result<()> {
        let index = new.static_index;
        if i64::from(index) >= self.next_index {
            return Err(internal(format!(
                "Check failed: static_type_index < type_table_.size() ({index} vs. {}) : ",
                self.next_index
            )));
        }
        match entry_at(index) {
            Some(taken) => {
                // SAFETY: entries are never freed.
                let owner = show(key_of_entry(unsafe { &*taken }));
                Err(internal(format!(
                    "Check failed: (type_table_[static_type_index] == nullptr) is false: \
                     Conflicting static index {index} between {owner} and {}",
                    show(new.key)
                )))
            }
            None => Ok(()),
        }
    }

    fn allocate_next(&mut self, num_slots: i32) -> Result<i32> {
        let next = self.next_index + i64::from(num_slots);
        if next > i64::from(i32::MAX) {
            return Err(internal("Check failed: there are no more type indices"));
        }
        let index = self.next_index as i32;
        self.next_index = next;
        Ok(index)
    }

    /// # Safety
    /// As for [`register_field`].
    unsafe fn add_field(&mut self, type_index: i32, field: &TVMFFIFieldInfo) -> Result<()> {
        let entry = entry_at(type_index).ok_or_else(|| unknown_index(type_index))?;
        // SAFETY: entries are never freed, and the write lock is held.
        let entry = unsafe { &mut *entry };
        // SAFETY: the caller vouches for the texts.
        let [name, doc, metadata] = unsafe { texts([field.name, field.doc, field.metadata])? };
        if entry.fields.items().iter().any(|existing| name_of(existing) == name) {
            return Err(duplicate_field(name, key_of_entry(entry)));
        }
        warn_of_shadowing(entry, name);
        let has_default = field.flags & kTVMFFIFieldFlagBitMaskHasDefault != 0;
        let default = &field.default_value_or_factory;
        // SAFETY: the caller vouches for the default.
        let default_value_or_factory = if has_default { unsafe { kept_value(default)? } } else { TVMFFIAny::NONE };
        if field.flags & kTVMFFIFieldFlagBitSetterIsFunctionObj != 0 {
            // SAFETY: the flag says that the setter is an object, which the caller vouches for. It is kept for good.
            std::mem::forget(unsafe { ObjectRef::from_borrowed(field.setter) });
        }
        let (name, doc, metadata) = (keep_text(name), keep_text(doc), keep_text(metadata));
        entry.fields.push(TVMFFIFieldInfo { name, doc, metadata, default_value_or_factory, ..*field });
        // SAFETY: the entry is never freed.
        unsafe { entry.fields.publish(&raw mut entry.info.fields, &raw mut entry.info.num_fields) };
        Ok(())
    }

    /// # Safety
    /// As for [`register_method`].
    unsafe fn add_method(&mut self, type_index: i32, method: &TVMFFIMethodInfo) -> Result<()> {
        let entry = entry_at(type_index).ok_or_else(|| unknown_index(type_index))?;
        // SAFETY: entries are never freed, and the write lock is held.
        let entry = unsafe { &mut *entry };
        // SAFETY: the caller vouches for the texts and the function.
        let ([name, doc, metadata], function) =
            unsafe { (texts([method.name, method.doc, method.metadata])?, kept_value(&method.method)?) };
        let (name, doc, metadata) = (keep_text(name), keep_text(doc), keep_text(metadata));
        entry.methods.push(TVMFFIMethodInfo { name, doc, metadata, method: function, ..*method });
        // SAFETY: the entry is never freed.
        unsafe { entry.methods.publish(&raw mut entry.info.methods, &raw mut entry.info.num_methods) };
        Ok(())
    }

    /// # Safety
    /// As for [`register_metadata`].
    unsafe fn set_metadata(&mut self, type_index: i32, metadata: &TVMFFITypeMetadata) -> Result<()> {
        let entry = entry_at(type_index).ok_or_else(|| unknown_index(type_index))?;
        // SAFETY: the caller vouches for the text.
        let [doc] = unsafe { texts([metadata.doc])? };
        // SAFETY: entries are never freed; the write lock is held, and clients read the details only after the pointer
        // to them is set.
        unsafe {
            if !(*entry).info.metadata.is_null() {
                return Err(overriding(key_of_entry(&*entry)));
            }
            (*entry).metadata = TVMFFITypeMetadata { doc: keep_text(doc), ..*metadata };
            let details = (&raw const (*entry).metadata).cast_mut();
            AtomicPtr::from_ptr((&raw mut (*entry).info.metadata).cast()).store(details, Ordering::Release);
        }
        Ok(())
    }

    fn column(&mut self, name: &[u8]) -> &mut Column {
        self.columns.entry(name.into()).or_insert_with(|| {
            let public = TVMFFITypeAttrColumn { data: ptr::null(), size: 0, begin_index: 0 };
            Box::new(Column { public, values: Published::EMPTY })
        })
    }

    /// Stores an owned value; the column keeps it for good.
    fn set_attribute(&mut self, type_index: i32, name: &[u8], value: TVMFFIAny) -> Result<()> {
        let column = self.column(name);
        let at = usize::try_from(type_index).map_err(|_| unknown_index(type_index))?;
        column.values.resize(at + 1, TVMFFIAny::NONE);
        // SAFETY: the column is never freed.
        unsafe { column.values.publish(&raw mut column.public.data, &raw mut column.public.size) };
        let slot = &mut column.values.items_mut()[at];
        if slot.type_index != kTVMFFINone {
            return Err(Error::new(
                "RuntimeError",
                format!(
                    "TypeAttr `{}` is already registered for type index {type_index}. To update the stored value, \
                     register a mutable container (e.g., Dict/List) once and mutate it in place on subsequent calls.",
                    show(name)
                ),
            ));
        }
        // Readers look at the type index first: it goes in last.
        slot.aux = value.aux;
        slot.value = value.value;
        // SAFETY: the field is an aligned i32.
        unsafe { AtomicI32::from_ptr(&raw mut slot.type_index) }.store(value.type_index, Ordering::Release);
        Ok(())
    }
}

/// The pointers to all ancestors, root first.
fn ancestors_of(new: &NewType<'_>, parent: Option<*mut Entry>) -> Result<Box<[*const TVMFFITypeInfo]>> {
    if new.depth == 0 {
        return Ok(Box::default());
    }
    let parent = parent.ok_or_else(|| internal("Check not null: parent "))?;
    // SAFETY: entries are never freed, and their ancestors never change.
    let (parent_depth, inherited) = unsafe { ((*parent).info.type_depth, &(*parent).ancestors) };
    if new.depth != parent_depth + 1 {
        return Err(internal(format!(
            "Check failed: type_depth == parent->type_depth + 1 ({} vs. {}) : ",
            new.depth,
            parent_depth + 1
        )));
    }
    Ok(inherited.iter().copied().chain([parent.cast_const().cast()]).collect())
}

fn new_entry(
    type_index: i32,
    new: &NewType<'_>,
    ancestors: Box<[*const TVMFFITypeInfo]>,
    num_slots: i32,
    can_overflow: bool,
) -> Box<Entry> {
    let info = TVMFFITypeInfo {
        type_index,
        type_depth: new.depth,
        type_key: keep_text(new.key),
        type_ancestors: ancestors.as_ptr(),
        type_key_hash: value_hash::std_hash(new.key),
        num_fields: 0,
        num_methods: 0,
        fields: ptr::null(),
        methods: ptr::null(),
        metadata: ptr::null(),
    };
    let doc = TVMFFIByteArray::EMPTY;
    let metadata = TVMFFITypeMetadata { doc, creator: None, total_size: 0, structural_eq_hash_kind: 0 };
    let (fields, methods) = (Published::EMPTY, Published::EMPTY);
    Box::new(Entry { info, metadata, ancestors, fields, methods, num_slots, allocated_slots: 1, can_overflow })
}

/// A copy of `text` that is never freed, NUL-terminated; no pointer for an empty text.
fn keep_text(text: &[u8]) -> TVMFFIByteArray {
    if text.is_empty() {
        return TVMFFIByteArray::EMPTY;
    }
    let kept = Box::leak([text, b"\0"].concat().into_boxed_slice());
    TVMFFIByteArray::new(&kept[..text.len()])
}

fn key_of_entry(entry: &Entry) -> &[u8] {
    // SAFETY: the key is a span that the table keeps for good.
    unsafe { c_pointers::span(entry.info.type_key, "type_key") }.unwrap_or_default()
}

fn find(type_index: i32) -> Result<*mut Entry> {
    LazyLock::force(&REGISTRY);
    entry_at(type_index).ok_or_else(|| unknown_index(type_index))
}

// ---------------------------------------------------------------------------------------------------------------------
// What the rest of the library calls
// ---------------------------------------------------------------------------------------------------------------------

/// The index of the type with this key, registered if it is new; -2 for an unknown key that is only asked for.
pub fn get_or_register(new: NewType<'_>) -> Result<i32> {
    if let Some(&index) = read().indices.get(new.key) {
        return Ok(index);
    }
    write().get_or_insert(new)
}

/// The index of a registered key.
pub fn index_of(key: &[u8]) -> Result<i32> {
    read().indices.get(key).copied().ok_or_else(|| {
        let text = "Check failed: (it != type_key2index_.end()) is false: Cannot find type";
        internal(format!("{text} `{}`", show(key)))
    })
}

/// What is known of a type; the address stays valid for the life of the process. Takes no lock.
pub fn info(type_index: i32) -> Result<*const TVMFFITypeInfo> {
    find(type_index).map(|entry| entry.cast_const().cast())
}

/// The key of a type, for messages.
pub fn key_of(type_index: i32) -> String {
    match find(type_index) {
        // SAFETY: entries are never freed.
        Ok(entry) => show(key_of_entry(unsafe { &*entry })),
        Err(_) => format!("<unknown type index {type_index}>"),
    }
}

/// All registered keys by ascending index.
pub fn keys() -> Vec<Box<[u8]>> {
    let registry = read();
    let mut keys: Vec<_> = registry.indices.iter().map(|(key, &index)| (index, key.clone())).collect();
    drop(registry);
    keys.sort_unstable();
    keys.into_iter().map(|(_, key)| key).collect()
}

/// Adds a field to a type; its texts are copied, its default and its setter, if it is a function object, are retained.
///
/// # Safety
/// What `field` points to is readable, and its default and setter are alive.
pub unsafe fn register_field(type_index: i32, field: &TVMFFIFieldInfo) -> Result<()> {
    // SAFETY: the caller's contract is the same.
    unsafe { write().add_field(type_index, field) }
}

/// Adds a method to a type; its texts are copied, its function is retained.
///
/// # Safety
/// What `method` points to is readable, and its function is alive.
pub unsafe fn register_method(type_index: i32, method: &TVMFFIMethodInfo) -> Result<()> {
    // SAFETY: the caller's contract is the same.
    unsafe { write().add_method(type_index, method) }
}

/// Says once what a type is beyond its fields and methods; the documentation is copied.
///
/// # Safety
/// The documentation is readable.
pub unsafe fn register_metadata(type_index: i32, metadata: &TVMFFITypeMetadata) -> Result<()> {
    // SAFETY: the caller's contract is the same.
    unsafe { write().set_metadata(type_index, metadata) }
}

/// Stores an attribute of a type, once. With the index of None the attribute only comes into being.
pub fn register_attribute(type_index: i32, name: &[u8], value: &AnyView<'_>) -> Result<()> {
    if type_index == kTVMFFINone {
        write().column(name);
        return Ok(());
    }
    find(type_index)?;
    let value = value.to_owned()?;
    write().set_attribute(type_index, name, value.view().raw())?;
    // The column has it now.
    std::mem::forget(value);
    Ok(())
}

/// The column of an attribute, or NULL; the address stays valid for the life of the process.
pub fn attribute_column(name: &[u8]) -> *const TVMFFITypeAttrColumn {
    read().columns.get(name).map_or(ptr::null(), |column| &raw const column.public)
}

fn name_of(field: &TVMFFIFieldInfo) -> &[u8] {
    // SAFETY: the names of fields in the table are spans that it keeps for good.
    unsafe { c_pointers::span(field.name, "name") }.unwrap_or_default()
}

fn warn_of_shadowing(entry: &Entry, name: &[u8]) {
    for &ancestor in &entry.ancestors {
        // SAFETY: every ancestor is an entry of this table.
        let ancestor = unsafe { &*ancestor.cast::<Entry>() };
        if ancestor.fields.items().iter().any(|field| name_of(field) == name) {
            log(format_args!(
                "[WARNING] Field \"{}\" in type \"{}\" duplicates an ancestor field in \"{}\". \
                 Child types should not re-register inherited fields.",
                show(name),
                show(key_of_entry(entry)),
                show(key_of_entry(ancestor))
            ));
        }
    }
}

/// The texts of an info, of which none may be NULL unless it is empty.
///
/// # Safety
/// The texts are readable for `'a`.
unsafe fn texts<'a, const N: usize>(texts: [TVMFFIByteArray; N]) -> Result<[&'a [u8]; N]> {
    let mut readable = [[].as_slice(); N];
    for (readable, text) in readable.iter_mut().zip(texts) {
        // SAFETY: the caller vouches for the text.
        *readable = unsafe { c_pointers::span(text, "info")? };
    }
    Ok(readable)
}

/// An owned copy of a value, kept for good.
///
/// # Safety
/// What the value refers to is alive.
unsafe fn kept_value(value: &TVMFFIAny) -> Result<TVMFFIAny> {
    // SAFETY: the caller vouches for the value.
    Ok(unsafe { AnyView::from_raw(value) }.to_owned()?.into_raw())
}

fn internal(message: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Error::new("InternalError", message)
}

fn unknown_index(type_index: i32) -> Error {
    let text = "Check failed: (entry != nullptr) is false: Cannot find type info for type_index";
    internal(format!("{text}={type_index}"))
}

fn duplicate_field(name: &[u8], key: &[u8]) -> Error {
    let text = "Check failed: (std::string_view(existing.name.data, existing.name.size) != new_name) is false:";
    internal(format!("{text} Duplicate field name \"{}\" in type \"{}\"", show(name), show(key)))
}

fn overriding(key: &[u8]) -> Error {
    let message = format!(
        "Overriding {}, possible causes:\n\
         - two ObjectDef<T>() calls for the same T \n\
         - when we forget to assign _type_key to ObjectRef<Y> that inherits from T\n\
         - another type with the same key is already registered\n\
         Cross check the reflection registration.",
        show(key)
    );
    // Such a mistake is made while libraries load, where a returned error is easily lost.
    log(format_args!("RuntimeError: {message}"));
    Error::new("RuntimeError", message)
}

fn show(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

#[cfg(test)]
mod tests {
    use std::slice;

    use rstest::rstest;

    use super::*;
    use crate::border::error::Failure;

    fn new_type(key: &str) -> NewType<'_> {
        NewType {
            key: key.as_bytes(),
            static_index: -1,
            depth: 1,
            num_child_slots: 0,
            can_overflow: true,
            parent_index: kTVMFFIObject,
        }
    }

    fn register(new: NewType<'_>) -> i32 {
        get_or_register(new).unwrap()
    }

    fn info_of(type_index: i32) -> &'static TVMFFITypeInfo {
        // SAFETY: entries are never freed, and the tests look at types that nobody else registers for.
        unsafe { &*info(type_index).unwrap() }
    }

    fn message<T>(result: Result<T>) -> String {
        match result.map_err(Error::into_failure) {
            Err(Failure::New { message, .. }) => message.into_owned(),
            _ => panic!("an error was expected"),
        }
    }

    #[rstest]
    #[case("None", 0, 0)]
    #[case("ffi.Unchanged", 13, 0)]
    #[case("ffi.Object", 64, 0)]
    #[case("ffi.Function", 68, 1)]
    #[case("ffi.Dict", 76, 1)]
    #[case("ffi.VisitInterrupt", 77, 1)]
    #[case("ffi.BigInt", 78, 1)]
    fn built_in_types_have_their_indices(#[case] key: &str, #[case] index: i32, #[case] depth: i32) {
        assert_eq!(index_of(key.as_bytes()).unwrap(), index);
        let info = info_of(index);
        assert_eq!(
            (info.type_index, info.type_depth, info.type_key_hash),
            (index, depth, value_hash::std_hash(key.as_bytes()))
        );
        assert_eq!(key_of(index), key);
    }

    #[test]
    fn a_known_key_wins_over_everything_else() {
        let index = register(new_type("test.known"));
        let other = NewType { static_index: 100, depth: 9, parent_index: -1, ..new_type("test.known") };
        assert_eq!(register(other), index);
        assert_eq!(register(NewType { parent_index: QUERY_ONLY, ..new_type("test.unknown") }), QUERY_ONLY);
        assert!(index_of(b"test.unknown").is_err());
    }

    #[test]
    fn children_fill_the_slots_and_then_overflow() {
        let parent = register(NewType { num_child_slots: 2, ..new_type("test.parent") });
        let child = |key| register(NewType { depth: 2, parent_index: parent, ..new_type(key) }) - parent;
        assert_eq!((child("test.child.1"), child("test.child.2")), (1, 2));
        assert!(child("test.child.3") > 2);
        let ancestors = info_of(index_of(b"test.child.1").unwrap()).type_ancestors;
        // SAFETY: a type of depth 2 has two ancestors.
        let ancestors = unsafe { slice::from_raw_parts(ancestors, 2) };
        assert_eq!(ancestors, [info(kTVMFFIObject).unwrap(), info(parent).unwrap()]);
    }

    #[test]
    fn what_cannot_overflow_has_no_descendant_that_can() {
        let closed = NewType { num_child_slots: 2, can_overflow: false, ..new_type("test.closed") };
        let parent = register(closed);
        let child = |key| NewType { depth: 2, parent_index: parent, num_child_slots: 1, ..new_type(key) };
        let first = register(child("test.closed.1"));
        let grandchild = |key| NewType { depth: 3, parent_index: first, ..new_type(key) };
        assert_eq!(register(grandchild("test.closed.1.1")), first + 1);
        let text = message(get_or_register(grandchild("test.closed.1.2")));
        assert!(text.ends_with("Reach maximum number of sub-classes for test.closed.1"), "{text}");
        let text = message(get_or_register(child("test.closed.2")));
        assert!(text.ends_with("Reach maximum number of sub-classes for test.closed"), "{text}");
    }

    #[rstest]
    #[case::no_parent(NewType { parent_index: -1, ..new_type("test.bad") })]
    #[case::unknown_parent(NewType { parent_index: 1 << 30, ..new_type("test.bad") })]
    #[case::unused_parent(NewType { parent_index: 100, ..new_type("test.bad") })]
    #[case::wrong_depth(NewType { depth: 4, ..new_type("test.bad") })]
    #[case::taken_index(NewType { static_index: kTVMFFIStr, ..new_type("test.bad") })]
    #[case::index_beyond_the_table(NewType { static_index: 1 << 30, ..new_type("test.bad") })]
    #[case::index_below_the_parent(NewType { static_index: 20, ..new_type("test.bad") })]
    #[case::final_parent(NewType { depth: 2, parent_index: kTVMFFIStr, ..new_type("test.bad") })]
    #[case::negative_slots(NewType { num_child_slots: -1, ..new_type("test.bad") })]
    #[case::too_many_slots(NewType { num_child_slots: i32::MAX, ..new_type("test.bad") })]
    #[case::more_slots_than_indices(NewType { num_child_slots: i32::MAX - 1, ..new_type("test.bad") })]
    fn what_contradicts_the_table_is_refused(#[case] new: NewType<'_>) {
        assert!(get_or_register(new).is_err());
        assert!(index_of(b"test.bad").is_err());
    }

    fn field(name: &'static str) -> TVMFFIFieldInfo {
        TVMFFIFieldInfo {
            name: TVMFFIByteArray::new(name.as_bytes()),
            doc: TVMFFIByteArray::EMPTY,
            metadata: TVMFFIByteArray::new(b"{}"),
            flags: 0,
            size: 8,
            alignment: 8,
            offset: 24,
            getter: None,
            setter: ptr::null_mut(),
            default_value_or_factory: TVMFFIAny::new(kTVMFFIInt, 5),
            field_static_type_index: kTVMFFIInt,
        }
    }

    #[test]
    fn fields_are_copied_and_named_once() {
        let index = register(new_type("test.fields"));
        let with_default = TVMFFIFieldInfo { flags: kTVMFFIFieldFlagBitMaskHasDefault, ..field("b") };
        // SAFETY: the fields of the tests refer to constants.
        let register = |field: &TVMFFIFieldInfo| unsafe { register_field(index, field) };
        register(&field("a")).unwrap();
        register(&with_default).unwrap();
        assert!(message(register(&field("a"))).ends_with("Duplicate field name \"a\" in type \"test.fields\""));
        let info = info_of(index);
        // SAFETY: two fields were registered.
        let fields = unsafe { slice::from_raw_parts(info.fields, info.num_fields as usize) };
        assert_eq!(fields.iter().map(|field| field.default_value_or_factory.payload()).collect::<Vec<_>>(), [0, 5]);
        assert_eq!(fields.iter().map(name_of).collect::<Vec<_>>(), [b"a", b"b"]);
        assert!(fields[0].doc.data.is_null());
        // SAFETY: as above.
        assert!(unsafe { register_field(1 << 20, &field("a")) }.is_err());
    }

    #[test]
    fn an_attribute_is_stored_once_in_a_column_that_stays() {
        let (first, second) = (register(new_type("test.attr.1")), register(new_type("test.attr.2")));
        let value = |value: i64| crate::value::any::Any::from(value);
        assert!(attribute_column(b"test.attr").is_null());
        register_attribute(kTVMFFINone, b"test.attr", value(0).view()).unwrap();
        let column = attribute_column(b"test.attr");
        register_attribute(first, b"test.attr", value(1).view()).unwrap();
        register_attribute(second, b"test.attr", value(2).view()).unwrap();
        assert!(message(register_attribute(first, b"test.attr", value(3).view())).contains("already registered"));
        assert!(register_attribute(1 << 20, b"test.attr", value(3).view()).is_err());
        assert!(register_attribute(-1, b"test.attr", value(3).view()).is_err());
        assert_eq!(attribute_column(b"test.attr"), column);
        // SAFETY: columns are never freed.
        let values = unsafe { slice::from_raw_parts((*column).data, (*column).size as usize) };
        assert_eq!((values[first as usize].payload(), values[second as usize].payload()), (1, 2));
        assert_eq!(values[kTVMFFIObject as usize].type_index, kTVMFFINone);
    }

    #[test]
    fn threads_may_register_and_look_up_at_once() {
        std::thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    for round in 0..200 {
                        let key = format!("test.thread.{}.{round}", thread % 2);
                        let index = register(new_type(&key));
                        assert_eq!(key_of(index), key);
                        let value = crate::value::any::Any::from(i64::from(index));
                        let _ = register_attribute(index, b"test.thread", value.view());
                        let column = attribute_column(b"test.thread");
                        // SAFETY: columns are never freed, and this one has grown beyond the index by now.
                        let stored = unsafe { *(*column).data.add(index as usize) };
                        assert_eq!(stored.payload(), index as u64);
                    }
                });
            }
        });
    }
}
