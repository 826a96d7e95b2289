//! Fields of objects, read and written through what their types registered for them.

use std::{ffi::c_void, mem, ptr, slice};

use tvm_ffi_spec::*;

use crate::{
    border::{
        c_pointers,
        error::{Error, Result},
    },
    container::held::{Held, Holder},
    function::{self, Function},
    object::ObjectRef,
    reflection::field_types,
    system::memory::RoomFor,
    types::{
        lineage::{self, Lineage},
        schema::Type,
    },
    value::any::{Any, AnyView},
};

/// A field of a registered type. What it refers to lives as long as the process.
#[derive(Clone, Copy)]
pub struct Field {
    info: &'static TVMFFIFieldInfo,
    holder: Holder,
}

// SAFETY: what is registered is never changed.
unsafe impl Send for Field {}
// SAFETY: as above.
unsafe impl Sync for Field {}

impl Field {
    /// All that was registered.
    pub fn info(&self) -> &'static TVMFFIFieldInfo {
        self.info
    }

    /// The name.
    pub fn name(&self) -> &'static [u8] {
        bytes_of(&self.info.name)
    }

    /// Whether any of these bits of `TVMFFIFieldFlagBitMask` is set.
    pub fn has(&self, flags: i64) -> bool {
        self.info.flags & flags != 0
    }

    /// The value of the field in an object.
    ///
    /// # Errors
    /// What the getter fails with, and `RuntimeError` if there is none.
    ///
    /// # Safety
    /// The field is one of the object's type.
    #[inline]
    pub unsafe fn get(&self, object: &ObjectRef) -> Result<Any> {
        let getter = self.info.getter.ok_or_else(|| self.lacks("getter"))?;
        let mut result = TVMFFIAny::NONE;
        // SAFETY: the caller says that the field lies in the object.
        match unsafe { getter(self.address(object), &raw mut result) } {
            // SAFETY: on success the result is an owned value.
            0 => Ok(unsafe { Any::from_stored(&result) }),
            _ => Err(Error::raised()),
        }
    }

    /// As [`get`](Self::get), for a walk.
    ///
    /// # Errors
    /// As for [`get`](Self::get).
    ///
    /// # Safety
    /// As for [`get`](Self::get).
    #[inline]
    pub unsafe fn held(&self, object: &ObjectRef) -> Result<Held> {
        // SAFETY: the caller's contract is the same.
        unsafe { self.get(object) }.map(|value| self.hold(value))
    }

    /// Holds the value that [`get`](Self::get) has answered with.
    #[inline]
    pub fn hold(&self, value: Any) -> Held {
        Held::ours(value).had(self.holder)
    }

    #[cold]
    #[inline(never)]
    fn lacks(&self, what: &str) -> Error {
        Error::new("RuntimeError", format!("Field `{}` has no {what}", String::from_utf8_lossy(self.name())))
    }

    /// Replaces the value of the field in an object.
    ///
    /// # Errors
    /// What the setter fails with, `TypeError` in particular, and `RuntimeError` if there is none.
    ///
    /// # Safety
    /// The field is one of the object's type.
    pub unsafe fn set(&self, object: &ObjectRef, value: &AnyView<'_>) -> Result<()> {
        if self.info.setter.is_null() {
            return Err(self.lacks("setter"));
        }
        let address = self.address(object);
        if self.has(kTVMFFIFieldFlagBitSetterIsFunctionObj) {
            let address = TVMFFIAny::new(kTVMFFIOpaquePtr, address as usize as u64);
            // SAFETY: the flag says that the setter is an object, which the table retains.
            let setter: Function = unsafe { c_pointers::reference(self.info.setter, kTVMFFIFunction, "func")? };
            // SAFETY: a pointer owns nothing.
            function::call(&setter, &[unsafe { AnyView::from_raw(&address) }, *value])?;
            return Ok(());
        }
        // SAFETY: the setter is a function of this type, since the flag does not say otherwise.
        let setter = unsafe { mem::transmute::<*mut c_void, TVMFFIFieldSetter>(self.info.setter) };
        // SAFETY: the caller says that the field lies in the object. The value is passed where it lies.
        if unsafe { setter(address, ptr::from_ref(value).cast()) } == 0 { Ok(()) } else { Err(Error::raised()) }
    }

    /// The default value, made anew if there is a factory; `None` if the field has no default.
    pub fn default(&self) -> Result<Option<Any>> {
        if !self.has(kTVMFFIFieldFlagBitMaskHasDefault) {
            return Ok(None);
        }
        // SAFETY: the table keeps the value for good.
        let value = unsafe { AnyView::from_raw(&self.info.default_value_or_factory) };
        if !self.has(kTVMFFIFieldFlagBitMaskDefaultFromFactory) {
            return value.to_owned().map(Some);
        }
        let factory: Function = value.cast().ok_or_else(|| Type::object("ffi.Function").refuse(&value))?;
        function::call(&factory, &[]).map(Some)
    }

    /// Where the field lies in an object.
    pub fn address(&self, object: &ObjectRef) -> *mut c_void {
        object.handle().cast::<u8>().wrapping_offset(self.info.offset as isize).cast()
    }
}

/// The fields of a type, those of its ancestors first.
pub fn fields(type_index: i32) -> Result<Fields> {
    lineage::types(type_index).and_then(fields_of)
}

/// As [`fields`], of a type that has been looked up.
///
/// # Errors
/// `MemoryError` if there is too little to look at them.
#[inline]
pub fn fields_of(types: Lineage) -> Result<Fields> {
    let found = types.found_of_fields(find_out)?;
    let holder = if found & COUNTED == 0 { Holder::Foreign } else { Holder::Walk };
    Ok(Fields { types, fields: [].iter(), holder })
}

/// Whether objects of a type have fields. Apart, so that loops over values that are no objects stay short.
///
/// # Errors
/// For an index that no type has.
#[inline(never)]
pub fn has_any(type_index: i32) -> Result<bool> {
    let mut types = lineage::types(type_index)?;
    // Most have some of their own.
    Ok(!own_fields(types.own).is_empty() || types.any(|info| !own_fields(info).is_empty()))
}

/// Whether one of the fields of a type has the name of another, which it hides.
///
/// # Errors
/// As [`fields`].
pub fn has_hidden(type_index: i32) -> Result<bool> {
    let found = lineage::types(type_index)?.found_of_fields(find_out)?;
    Ok(found & HIDING != 0)
}

/// In what is found out of the fields of a type: each object that they refer to is referred to once for each of them.
const COUNTED: u8 = 1;
/// In what is found out of the fields of a type: some have the same name.
const HIDING: u8 = 2;

/// What is to be known of all fields of a type together, found once. Two at one place have one reference between them, and
/// getters of clients answer what they like, such as an object that many fields have in common and none refers to.
#[cold]
fn find_out(types: Lineage) -> Result<u8> {
    let (mut names, mut references, mut is_counted) = (Vec::new(), Vec::new(), true);
    for info in types.flat_map(own_fields) {
        names.room_for(1)?;
        names.push(bytes_of(&info.name));
        if let Some(place) = info.getter.and_then(field_types::reference_in) {
            references.room_for(1)?;
            references.push(info.offset.wrapping_add(place as i64));
        } else {
            // Those that are said to be plain data have no object.
            is_counted &= (kTVMFFIInt..kTVMFFIStaticObjectBegin).contains(&info.field_static_type_index);
        }
    }
    let is_counted = is_counted && !has_repeated(&mut references);
    Ok(if is_counted { COUNTED } else { 0 } | if has_repeated(&mut names) { HIDING } else { 0 })
}

fn has_repeated<T: Ord>(items: &mut [T]) -> bool {
    items.sort_unstable();
    items.windows(2).any(|pair| pair[0] == pair[1])
}

/// A walk over the fields of a type.
#[derive(Clone)]
pub struct Fields {
    /// The types whose fields are still to come.
    types: Lineage,
    /// What is left of those of the type before.
    fields: slice::Iter<'static, TVMFFIFieldInfo>,
    holder: Holder,
}

impl Fields {
    /// Whose references the values are: what a walk knows of the objects that it gets from the fields.
    #[inline]
    pub fn holder(&self) -> Holder {
        self.holder
    }
}

impl Iterator for Fields {
    type Item = Field;

    #[inline]
    fn next(&mut self) -> Option<Field> {
        loop {
            if let Some(info) = self.fields.next() {
                return Some(Field { info, holder: self.holder });
            }
            self.fields = own_fields(self.types.next()?).iter();
        }
    }
}

/// The fields that a type itself registered.
fn own_fields(info: &'static TVMFFITypeInfo) -> &'static [TVMFFIFieldInfo] {
    // SAFETY: registration publishes the pointer before the count, and keeps outgrown arrays.
    unsafe {
        let count = std::sync::atomic::AtomicI32::from_ptr((&raw const info.num_fields).cast_mut());
        let count = count.load(std::sync::atomic::Ordering::Acquire);
        if count <= 0 { &[] } else { slice::from_raw_parts((&raw const info.fields).read_volatile(), count as usize) }
    }
}

/// The bytes of a text that the table keeps.
fn bytes_of(text: &'static TVMFFIByteArray) -> &'static [u8] {
    // SAFETY: the texts of the table are spans that it keeps for good.
    unsafe { c_pointers::span(*text, "text") }.unwrap_or_default()
}
