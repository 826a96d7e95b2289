//! The type table: which types there are, who descends from whom, and what is known of their fields, methods and
//! attributes.
//!
//! Clients hold pointers into the table for the life of the process, so nothing in it ever moves or goes away. Looking
//! something up takes no lock, whether by index or by name; changes are made under one. The table is filled with the
//! built-in types when it is first used, by whoever was named with [`fill_with`].

use std::{
    ops::Range,
    ptr,
    sync::{
        MutexGuard, OnceLock,
        atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU64, Ordering},
    },
};

use tvm_ffi_spec::*;

use crate::{
    border::{
        error::{Error, Result},
        log::log,
    },
    object::{ObjectRef, storage},
    system::{
        fork::Exclusive,
        memory::{self, RoomFor},
    },
    types::{
        entry::{
            Entry, entries_in, entry_at, field_added, internal, keep_texts, make_place, name_of, no_memory,
            publish_entry, shadowing, show, texts,
        },
        grow_only::Published,
        slots::{Slots, unfit},
    },
    value::{
        any::{Any, AnyView},
        bit_hash,
        names::{Names, Outgrown},
    },
};

pub use super::slots::NewType;

/// `parent_type_index` of a caller that only asks whether the key is registered; also the answer if it is not.
const QUERY_ONLY: i32 = -2;

/// What it takes to change the table, which is whoever has the lock on this.
pub struct TypeTable {
    /// Which indices are to be had.
    slots: Slots,
    /// What `INDICES` and `COLUMNS` have outgrown, which is kept: nobody says that he looks anything up.
    outgrown_indices: Vec<Outgrown<i32>>,
    outgrown_columns: Vec<Outgrown<ColumnRef>>,
}

/// The indices of all types by their keys. Nothing leaves these tables.
static INDICES: Names<i32> = Names::new();

/// The columns of all attributes by their names.
static COLUMNS: Names<ColumnRef> = Names::new();

/// An attribute of every type.
#[repr(C)]
struct Column {
    public: TVMFFITypeAttrColumn,
    values: Published<TVMFFIAny>,
}

/// A column, which is never freed. It is only changed under the lock of the table.
#[derive(Clone, Copy)]
struct ColumnRef(*mut Column);

// SAFETY: whoever reads a column without the lock reads what was published in it.
unsafe impl Send for ColumnRef {}
// SAFETY: as above.
unsafe impl Sync for ColumnRef {}

/// Registers the built-in types in a new table. It must not look anything up but in the table that it is given.
type Fill = fn(&mut TypeTable);

static FILL: OnceLock<Fill> = OnceLock::new();

/// The table, never destroyed.
pub static TABLE: Exclusive<TypeTable> =
    Exclusive::new(TypeTable { slots: Slots::UNUSED, outgrown_indices: Vec::new(), outgrown_columns: Vec::new() });

static IS_FILLED: AtomicBool = AtomicBool::new(false);

/// Says how the table is filled when it is first used. Only the first call counts.
pub fn fill_with(fill: Fill) {
    let _ = FILL.set(fill);
}

#[inline]
fn ensure_filled() {
    if !IS_FILLED.load(Ordering::Acquire) {
        drop(write());
    }
}

// A panic while the lock is held leaves at worst an entry without its last detail.
fn write() -> MutexGuard<'static, TypeTable> {
    let mut table = TABLE.lock();
    if !IS_FILLED.load(Ordering::Acquire) {
        let fill = FILL.get().expect("the library names its built-in types when it is loaded");
        memory::surely(|| storage::without_allocator(|| fill(&mut table)));
        IS_FILLED.store(true, Ordering::Release);
    }
    table
}

impl TypeTable {
    /// The index of a type, registered if it is new. Nothing but the key counts for a type that exists.
    pub fn get_or_insert(&mut self, new: NewType<'_>) -> Result<i32> {
        if let Some(index) = self.index_of(new.key) {
            return Ok(index);
        }
        if new.parent_index == QUERY_ONLY {
            return Ok(QUERY_ONLY);
        }
        let parent = self.slots.parent_of(&new)?;
        make_room(&INDICES, &mut self.outgrown_indices)?;
        let range = self.slots.find(&new, parent)?;
        let index = range.start;
        let ancestors = ancestors_of(&new, parent)?;
        make_place(index)?;
        // A parent that cannot overflow has only descendants that cannot, or its range would not hold them all.
        // SAFETY: entries are never freed, and the write lock is held.
        let can_overflow = new.can_overflow && parent.is_none_or(|parent| unsafe { (*parent).can_overflow });
        let [key] = keep_texts([new.key])?;
        let name = memory::kept_copy(&[new.key]).ok_or_else(no_memory)?;
        let entry = memory::kept(new_entry(&range, &new, key, ancestors, can_overflow)).ok_or_else(no_memory)?;
        // Nothing can go wrong any more.
        publish_entry(index, entry);
        self.slots.take(&range, parent);
        // SAFETY: the lock is held. The key is new, so that nothing is replaced.
        unsafe { INDICES.put(name, index) };
        Ok(index)
    }

    /// The index of a registered key.
    pub fn index_of(&self, key: &[u8]) -> Option<i32> {
        INDICES.get(key).copied()
    }

    /// Makes sure that an attribute has a column.
    pub fn add_column(&mut self, name: &[u8]) -> Result<()> {
        self.column(name).map(drop)
    }

    /// Adds a field to a type, and answers what there is to be warned of, if anything.
    /// # Safety
    /// As for [`register_field`].
    pub unsafe fn add_field(&mut self, type_index: i32, field: &TVMFFIFieldInfo) -> Result<String> {
        let entry = entry_at(type_index).ok_or_else(|| unknown_index(type_index))?;
        // SAFETY: entries are never freed, and the write lock is held.
        let entry = unsafe { &mut *entry };
        // SAFETY: the caller vouches for the texts.
        let [name, doc, metadata] = unsafe { texts([field.name, field.doc, field.metadata])? };
        if entry.fields.items().iter().any(|existing| name_of(existing) == name) {
            return Err(duplicate_field(name, entry.key()));
        }
        let warning = shadowing(entry, name);
        // SAFETY: the caller vouches for the default.
        let default = unsafe { default_of(field)? };
        entry.fields.make_room(entry.fields.items().len() + 1).ok_or_else(no_memory)?;
        let [name, doc, metadata] = keep_texts([name, doc, metadata])?;
        let default_value_or_factory = default.into_raw();
        entry.fields.push(TVMFFIFieldInfo { name, doc, metadata, default_value_or_factory, ..*field });
        if field.flags & kTVMFFIFieldFlagBitSetterIsFunctionObj != 0 {
            // SAFETY: the flag says that the setter is an object, which the caller vouches for. It is kept for good.
            std::mem::forget(unsafe { ObjectRef::from_borrowed(field.setter) });
        }
        // SAFETY: the entry is never freed.
        unsafe { entry.fields.publish(&raw mut entry.info.fields, &raw mut entry.info.num_fields) };
        field_added();
        Ok(warning)
    }

    /// Adds a method to a type.
    /// # Safety
    /// As for [`register_method`].
    pub unsafe fn add_method(&mut self, type_index: i32, method: &TVMFFIMethodInfo) -> Result<()> {
        let entry = entry_at(type_index).ok_or_else(|| unknown_index(type_index))?;
        // SAFETY: entries are never freed, and the write lock is held.
        let entry = unsafe { &mut *entry };
        // SAFETY: the caller vouches for the texts and the function.
        let (texts, function) = unsafe {
            let texts = texts([method.name, method.doc, method.metadata])?;
            (texts, AnyView::from_raw(&method.method).to_owned()?)
        };
        entry.methods.make_room(entry.methods.items().len() + 1).ok_or_else(no_memory)?;
        let [name, doc, metadata] = keep_texts(texts)?;
        entry.methods.push(TVMFFIMethodInfo { name, doc, metadata, method: function.into_raw(), ..*method });
        // SAFETY: the entry is never freed.
        unsafe { entry.methods.publish(&raw mut entry.info.methods, &raw mut entry.info.num_methods) };
        Ok(())
    }

    /// Says once what a type is beyond its fields and methods; `false` if that has been said.
    ///
    /// # Safety
    /// As for [`register_metadata`].
    pub unsafe fn set_metadata(&mut self, type_index: i32, metadata: &TVMFFITypeMetadata) -> Result<bool> {
        let entry = entry_at(type_index).ok_or_else(|| unknown_index(type_index))?;
        // SAFETY: the caller vouches for the text.
        let [doc] = unsafe { texts([metadata.doc])? };
        // SAFETY: entries are never freed; the write lock is held, and clients read the details only after the pointer
        // to them is set.
        unsafe {
            if !(*entry).info.metadata.is_null() {
                return Ok(false);
            }
            (*entry).metadata = TVMFFITypeMetadata { doc: keep_texts([doc])?[0], ..*metadata };
            let details = (&raw const (*entry).metadata).cast_mut();
            AtomicPtr::from_ptr((&raw mut (*entry).info.metadata).cast()).store(details, Ordering::Release);
        }
        Ok(true)
    }

    /// The column of an attribute, which comes into being.
    fn column(&mut self, name: &[u8]) -> Result<&mut Column> {
        let column = match COLUMNS.get(name) {
            Some(ColumnRef(column)) => *column,
            None => {
                make_room(&COLUMNS, &mut self.outgrown_columns)?;
                let name = memory::kept_copy(&[name]).ok_or_else(no_memory)?;
                let public = TVMFFITypeAttrColumn { data: ptr::null(), size: 0, begin_index: 0 };
                let column = memory::kept(Column { public, values: Published::EMPTY }).ok_or_else(no_memory)?;
                // SAFETY: the lock is held. The name is new, so that nothing is replaced.
                unsafe { COLUMNS.put(name, ColumnRef(column)) };
                column
            }
        };
        // SAFETY: columns are never freed, and the lock is held.
        Ok(unsafe { &mut *column })
    }

    /// The place for an attribute of a type, which has none yet.
    fn attribute(&mut self, type_index: i32, name: &[u8]) -> Result<&mut TVMFFIAny> {
        let column = self.column(name)?;
        let at = usize::try_from(type_index).map_err(|_| unknown_index(type_index))?;
        column.values.make_room(at + 1).ok_or_else(no_memory)?;
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
        Ok(slot)
    }

    /// Stores an owned value; the column keeps it for good.
    pub fn set_attribute(&mut self, type_index: i32, name: &[u8], value: TVMFFIAny) -> Result<()> {
        let slot = self.attribute(type_index, name)?;
        // Readers look at the type index first: it goes in last.
        slot.aux = value.aux;
        slot.value = value.value;
        // SAFETY: the field is an aligned i32.
        unsafe { AtomicI32::from_ptr(&raw mut slot.type_index) }.store(value.type_index, Ordering::Release);
        Ok(())
    }
}

/// Makes room for a further name in a table from which nothing is ever taken. The lock is held.
fn make_room<T>(names: &Names<T>, outgrown: &mut Vec<Outgrown<T>>) -> Result<()> {
    outgrown.room_for(1)?;
    // SAFETY: the lock is held, and what was outgrown is kept.
    outgrown.extend(unsafe { names.make_room() }.ok_or_else(no_memory)?);
    Ok(())
}

/// The pointers to all ancestors, root first.
fn ancestors_of(new: &NewType<'_>, parent: Option<*mut Entry>) -> Result<Box<[*const TVMFFITypeInfo]>> {
    if new.depth == 0 {
        return Ok(Box::default());
    }
    let parent = parent.ok_or_else(|| internal("Check not null: parent "))?;
    // SAFETY: entries are never freed, and their ancestors never change.
    let (parent_depth, inherited) = unsafe { ((*parent).info.type_depth, &(*parent).ancestors) };
    let (depth, expected) = (new.depth, parent_depth + 1);
    if depth != expected {
        return Err(unfit(new, "type_depth == parent->type_depth + 1", depth.into(), expected.into()));
    }
    let mut ancestors = memory::kept_room(inherited.len() + 1).ok_or_else(no_memory)?;
    ancestors.extend_from_slice(inherited);
    ancestors.push(parent.cast_const().cast());
    Ok(ancestors.into_boxed_slice())
}

fn find(type_index: i32) -> Result<*mut Entry> {
    ensure_filled();
    entry_at(type_index).ok_or_else(|| unknown_index(type_index))
}

// ---------------------------------------------------------------------------------------------------------------------
// What the rest of the library calls
// ---------------------------------------------------------------------------------------------------------------------

/// The index of the type with this key, registered if it is new; -2 for an unknown key that is only asked for.
pub fn get_or_register(new: NewType<'_>) -> Result<i32> {
    ensure_filled();
    match INDICES.get(new.key) {
        Some(index) => Ok(*index),
        None => write().get_or_insert(new),
    }
}

/// The index of a registered key.
pub fn index_of(key: &[u8]) -> Result<i32> {
    ensure_filled();
    INDICES.get(key).copied().ok_or_else(|| unknown_key(key))
}

/// As [`info`], of a type that is there already in a table that has been filled.
#[inline]
pub fn known_info(type_index: i32) -> Option<*const TVMFFITypeInfo> {
    let entry = if IS_FILLED.load(Ordering::Acquire) { entry_at(type_index) } else { None };
    entry.map(|entry| entry.cast_const().cast())
}

/// What is known of a type; the address stays valid for the life of the process. Takes no lock.
pub fn info(type_index: i32) -> Result<*const TVMFFITypeInfo> {
    find(type_index).map(|entry| entry.cast_const().cast())
}

/// The key of a type, for messages.
pub fn key_of(type_index: i32) -> String {
    match find(type_index) {
        // SAFETY: entries are never freed.
        Ok(entry) => show(unsafe { &*entry }.key()),
        Err(_) => format!("<unknown type index {type_index}>"),
    }
}

/// All registered keys by ascending index.
///
/// # Errors
/// `MemoryError` if there is no memory for them.
pub fn keys() -> Result<Vec<&'static [u8]>> {
    ensure_filled();
    let count = INDICES.len();
    let mut keys = memory::room(count)?;
    // SAFETY: entries are never freed, and their keys never change.
    keys.extend(entries_in(0..i32::MAX).take(count).map(|entry| unsafe { (*entry).key() }));
    Ok(keys)
}

/// Adds a field to a type; its texts are copied, its default and its setter, if it is a function object, are retained.
///
/// # Safety
/// What `field` points to is readable, and its default and setter are alive.
pub unsafe fn register_field(type_index: i32, field: &TVMFFIFieldInfo) -> Result<()> {
    // An allocator of the client may run when the default is made, so that no lock is held.
    // SAFETY: the caller's contract is the same.
    let default = unsafe { default_of(field)? };
    let field = TVMFFIFieldInfo { default_value_or_factory: default.view().raw(), ..*field };
    // SAFETY: as above, and the default is alive.
    let warning = unsafe { write().add_field(type_index, &field)? };
    // Writing may take long, and no lock is held meanwhile.
    if !warning.is_empty() {
        log(format_args!("{warning}"));
    }
    Ok(())
}

/// The default of a field, owned; None if it has none.
///
/// # Safety
/// The default is alive.
unsafe fn default_of(field: &TVMFFIFieldInfo) -> Result<Any> {
    if field.flags & kTVMFFIFieldFlagBitMaskHasDefault == 0 {
        return Ok(Any::NONE);
    }
    // SAFETY: the caller's contract is the same.
    unsafe { AnyView::from_raw(&field.default_value_or_factory) }.to_owned()
}

/// Adds a method to a type; its texts are copied, its function is retained.
///
/// # Safety
/// What `method` points to is readable, and its function is alive.
pub unsafe fn register_method(type_index: i32, method: &TVMFFIMethodInfo) -> Result<()> {
    // SAFETY: the caller vouches for the function. As for a default, it becomes an owned value before the lock is taken.
    let function = unsafe { AnyView::from_raw(&method.method) }.to_owned()?;
    let method = TVMFFIMethodInfo { method: function.view().raw(), ..*method };
    // SAFETY: the caller's contract is the same, and the function is alive.
    unsafe { write().add_method(type_index, &method) }
}

/// Says once what a type is beyond its fields and methods; the documentation is copied.
///
/// # Safety
/// The documentation is readable.
pub unsafe fn register_metadata(type_index: i32, metadata: &TVMFFITypeMetadata) -> Result<()> {
    // SAFETY: the caller's contract is the same.
    let is_new = unsafe { write().set_metadata(type_index, metadata)? };
    if is_new { Ok(()) } else { Err(overriding(type_index)) }
}

/// Stores an attribute of a type, once. With None for the type of None the attribute only comes into being.
pub fn register_attribute(type_index: i32, name: &[u8], value: &AnyView<'_>) -> Result<()> {
    if type_index == kTVMFFINone && value.type_index() == kTVMFFINone {
        return write().add_column(name);
    }
    find(type_index)?;
    let value = value.to_owned()?;
    write().set_attribute(type_index, name, value.view().raw())?;
    // The column has it now.
    std::mem::forget(value);
    Ok(())
}

/// Stores several attributes of a type, once: all of them, or none where one of them cannot be stored.
pub fn register_attributes<const COUNT: usize>(type_index: i32, attributes: [(&[u8], Any); COUNT]) -> Result<()> {
    find(type_index)?;
    let mut table = write();
    for (name, _) in &attributes {
        table.attribute(type_index, name)?;
    }
    for (name, value) in attributes {
        table.set_attribute(type_index, name, value.view().raw())?;
        // The column has it now.
        std::mem::forget(value);
    }
    Ok(())
}

/// The column of an attribute, or NULL; the address stays valid for the life of the process.
pub fn attribute_column(name: &[u8]) -> *const TVMFFITypeAttrColumn {
    ensure_filled();
    // SAFETY: columns are never freed.
    COLUMNS.get(name).map_or(ptr::null(), |ColumnRef(column)| unsafe { &raw const (**column).public })
}

fn new_entry(
    range: &Range<i32>,
    new: &NewType<'_>,
    type_key: TVMFFIByteArray,
    ancestors: Box<[*const TVMFFITypeInfo]>,
    can_overflow: bool,
) -> Entry {
    let info = TVMFFITypeInfo {
        type_index: range.start,
        type_depth: new.depth,
        type_key,
        type_ancestors: ancestors.as_ptr(),
        type_key_hash: bit_hash::std_hash(new.key),
        num_fields: 0,
        num_methods: 0,
        fields: ptr::null(),
        methods: ptr::null(),
        metadata: ptr::null(),
    };
    let doc = TVMFFIByteArray::EMPTY;
    let metadata = TVMFFITypeMetadata { doc, creator: None, total_size: 0, structural_eq_hash_kind: 0 };
    let (fields, methods) = (Published::EMPTY, Published::EMPTY);
    Entry {
        info,
        metadata,
        ancestors,
        fields,
        found_of_fields: AtomicU64::new(0),
        methods,
        num_slots: range.end - range.start,
        taken_slots: 1,
        can_overflow,
    }
}

#[cold]
fn unknown_key(key: &[u8]) -> Error {
    let text = "Check failed: (it != type_key2index_.end()) is false: Cannot find type";
    internal(format!("{text} `{}`", show(key)))
}

pub(super) fn unknown_index(type_index: impl std::fmt::Display) -> Error {
    let text = "Check failed: (entry != nullptr) is false: Cannot find type info for type_index";
    internal(format!("{text}={type_index}"))
}

fn duplicate_field(name: &[u8], key: &[u8]) -> Error {
    let text = "Check failed: (std::string_view(existing.name.data, existing.name.size) != new_name) is false:";
    internal(format!("{text} Duplicate field name \"{}\" in type \"{}\"", show(name), show(key)))
}

fn overriding(type_index: i32) -> Error {
    let message = format!(
        "Overriding {}, possible causes:\n\
         - two ObjectDef<T>() calls for the same T \n\
         - when we forget to assign _type_key to ObjectRef<Y> that inherits from T\n\
         - another type with the same key is already registered\n\
         Cross check the reflection registration.",
        key_of(type_index)
    );
    // Such a mistake is made while libraries load, where a returned error is easily lost.
    log(format_args!("RuntimeError: {message}"));
    Error::new("RuntimeError", message)
}
