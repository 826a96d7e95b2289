//! Values: an owned `Any` holds a reference to the object in it, an `AnyView` borrows everything.
//!
//! Both are the 16 bytes of `TVMFFIAny`. The second word is zero for everything but small strings and bytes, and so
//! are unused bytes of the payload, because clients compare and hash the raw bytes.

use std::{
    ffi::{CStr, c_void},
    marker::PhantomData,
    mem::ManuallyDrop,
    ptr::{self, NonNull},
};

use tvm_ffi_spec::*;

use crate::{
    border::{
        c_pointers,
        error::{Error, Result},
    },
    generation::TVMFFIObject,
    object::{self, ObjectRef, TypedRef},
    value::text_layout::{self, Bytes, Str, Text, of_words},
};

/// An owned value.
#[repr(transparent)]
pub struct Any(TVMFFIAny);

/// A `Result<Any>` in two words: a function that is not inlined answers those in registers, and a `Result<Any>` through
/// memory.
#[must_use = "it owns the value or the error"]
pub struct Packed {
    /// The first word of the value, or [`FAILED`](Self::FAILED).
    head: u64,
    /// The second one, or the error.
    rest: u64,
}

impl Packed {
    /// No value begins with this word: its type index would be negative.
    const FAILED: u64 = u64::MAX;
}

impl From<Result<Any>> for Packed {
    #[inline]
    fn from(result: Result<Any>) -> Self {
        match result {
            Ok(value) => {
                let [head, rest] = ManuallyDrop::new(value).view().words();
                Self { head, rest }
            }
            Err(error) => Self { head: Self::FAILED, rest: error.into_word() },
        }
    }
}

impl From<Packed> for Result<Any> {
    #[inline]
    fn from(Packed { head, rest }: Packed) -> Self {
        if head == Packed::FAILED {
            // SAFETY: no value begins like that, so this is an error, and the packed one is used up.
            return Err(unsafe { Error::from_word(rest) });
        }
        Ok(Any(text_layout::of_raw_words([head, rest])))
    }
}

/// A borrowed value, valid for `'a`.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct AnyView<'a>(TVMFFIAny, PhantomData<&'a Any>);

impl Any {
    /// The None value.
    pub const NONE: Self = Self(TVMFFIAny::NONE);

    /// Takes over a value.
    ///
    /// # Safety
    /// `value` is an owned value (never of the types 8, 9 and 10), and the caller gives it up.
    pub const unsafe fn from_raw(value: TVMFFIAny) -> Self {
        Self(value)
    }

    /// Takes over a value that was [stored in parts](text_layout::gathered) a moment ago, as foreign code may do.
    ///
    /// # Safety
    /// As for [`from_raw`](Self::from_raw).
    #[inline(always)]
    pub unsafe fn from_stored(value: &TVMFFIAny) -> Self {
        Self(text_layout::gathered(value))
    }

    /// An owned String, in the value itself if it is short.
    #[inline(always)]
    pub fn of_string(content: &[u8]) -> Result<Self> {
        Self::of_text(kTVMFFISmallStr, content, new_str)
    }

    /// An owned Bytes, in the value itself if it is short.
    #[inline(always)]
    pub fn of_bytes(content: &[u8]) -> Result<Self> {
        Self::of_text(kTVMFFISmallBytes, content, new_bytes)
    }

    /// A text in the value itself, or in an object if it is long.
    #[inline(always)]
    fn of_text<T: TypedRef>(small: i32, content: &[u8], long: impl FnOnce(&[u8]) -> Result<T>) -> Result<Self> {
        match text_layout::small(small, content) {
            Some(small) => Ok(Self(small)),
            None => long(content).map(Self::from),
        }
    }

    /// Hands the value to the caller.
    #[inline]
    pub fn into_raw(self) -> TVMFFIAny {
        ManuallyDrop::new(self).0
    }

    /// The object in the value, if there is one, with the reference that the value has.
    #[inline]
    pub fn into_object(self) -> Option<ObjectRef> {
        let value = ManuallyDrop::new(self);
        // SAFETY: the value owns one reference to the object in it, and gives it up.
        object_in(&value.0).and_then(|object| unsafe { ObjectRef::from_owned(object.as_ptr().cast()) })
    }

    /// Views of values that lie one behind the other.
    pub fn views(values: &[Self]) -> &[AnyView<'_>] {
        // SAFETY: as for each of them.
        unsafe { &*(ptr::from_ref(values) as *const [AnyView<'_>]) }
    }

    /// A view of the value.
    pub fn view(&self) -> &AnyView<'_> {
        // SAFETY: both types are the same sixteen bytes, and the view lives no longer than `self`.
        unsafe { &*(&raw const *self).cast() }
    }
}

impl Drop for Any {
    fn drop(&mut self) {
        if let Some(object) = object_in(&self.0) {
            // SAFETY: the value owns one reference to the object in it.
            unsafe { object::dec_strong(object) };
        }
    }
}

impl Clone for Any {
    fn clone(&self) -> Self {
        if let Some(object) = object_in(&self.0) {
            // SAFETY: `self` keeps the object alive.
            unsafe { object::inc_strong(object) };
        }
        Self(text_layout::copied(&self.0))
    }
}

impl Default for Any {
    fn default() -> Self {
        Self::NONE
    }
}

impl<T: TypedRef> From<T> for Any {
    fn from(object: T) -> Self {
        let object = object.into_object();
        let type_index = object.type_index();
        Self(of_words(type_index, 0, object.into_handle() as usize as u64))
    }
}

impl<T: TypedRef> From<Option<T>> for Any {
    fn from(object: Option<T>) -> Self {
        object.map_or(Self::NONE, Self::from)
    }
}

impl From<()> for Any {
    fn from((): ()) -> Self {
        Self::NONE
    }
}

impl From<i64> for Any {
    fn from(value: i64) -> Self {
        Self(TVMFFIAny::new(kTVMFFIInt, value as u64))
    }
}

impl From<f64> for Any {
    fn from(value: f64) -> Self {
        Self(TVMFFIAny::new(kTVMFFIFloat, value.to_bits()))
    }
}

impl From<bool> for Any {
    fn from(value: bool) -> Self {
        Self(TVMFFIAny::new(kTVMFFIBool, u64::from(value)))
    }
}

impl<'a> AnyView<'a> {
    /// A view of an object.
    #[inline]
    pub fn of(object: &'a ObjectRef) -> Self {
        Self(of_words(object.type_index(), 0, object.handle() as usize as u64), PhantomData)
    }

    /// A view of what `value` points to.
    ///
    /// # Safety
    /// `value` is readable, and what it refers to stays alive for `'a`.
    pub unsafe fn from_raw(value: *const TVMFFIAny) -> Self {
        // SAFETY: the caller vouches for the pointer.
        Self(unsafe { *value }, PhantomData)
    }

    /// The views in an argument list.
    ///
    /// # Safety
    /// `values` points to `count` values that stay alive for `'a`; it may be NULL if there are none.
    pub unsafe fn slice(values: *const TVMFFIAny, count: usize) -> &'a [Self] {
        let values = if count == 0 { ptr::dangling() } else { values.cast() };
        // SAFETY: a view has the layout of the value; the caller vouches for the rest.
        unsafe { std::slice::from_raw_parts(values, count) }
    }

    /// The sixteen bytes.
    pub fn raw(&self) -> TVMFFIAny {
        self.0
    }

    /// The sixteen bytes as two words, to be compared.
    #[inline]
    pub fn words(&self) -> [u64; 2] {
        // SAFETY: the value is two words of memory, all of it initialised.
        unsafe { (&raw const self.0).cast::<[u64; 2]>().read() }
    }

    /// The same view, of a value that was [stored in parts](text_layout::gathered) a moment ago.
    #[inline(always)]
    pub fn in_words(&self) -> Self {
        Self(text_layout::gathered(&self.0), PhantomData)
    }

    /// What the value is.
    pub fn type_index(&self) -> i32 {
        self.0.type_index
    }

    /// Whether the value is None.
    pub fn is_none(&self) -> bool {
        self.0.type_index == kTVMFFINone
    }

    /// An integer, or a boolean as 0 or 1.
    pub fn as_int(&self) -> Option<i64> {
        matches!(self.0.type_index, kTVMFFIInt | kTVMFFIBool).then(|| self.0.payload() as i64)
    }

    /// A boolean, or whether an integer differs from 0.
    pub fn as_bool(&self) -> Option<bool> {
        self.as_int().map(|value| value != 0)
    }

    /// A pointer that is not interpreted; None is NULL.
    pub fn as_opaque_ptr(&self) -> Option<*mut c_void> {
        match self.0.type_index {
            kTVMFFINone => Some(ptr::null_mut()),
            kTVMFFIOpaquePtr => Some(self.pointer()),
            _ => None,
        }
    }

    /// The content of a string in any of its three forms.
    pub fn as_str(&self) -> Option<&[u8]> {
        match self.0.type_index {
            // SAFETY: such a view holds a NUL-terminated string that stays alive for `'a`.
            kTVMFFIRawStr => Some(unsafe { CStr::from_ptr(self.pointer().cast()) }.to_bytes()),
            kTVMFFIStr | kTVMFFISmallStr => Some(self.content()),
            _ => None,
        }
    }

    /// The content of bytes in any of their three forms.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self.0.type_index {
            // SAFETY: such a view points to a span that stays alive for `'a`.
            kTVMFFIByteArrayPtr => unsafe { c_pointers::bytes(self.pointer().cast(), "bytes") }.ok(),
            kTVMFFIBytes | kTVMFFISmallBytes => Some(self.content()),
            _ => None,
        }
    }

    /// Whether there is an object in the value.
    #[inline]
    pub fn has_object(&self) -> bool {
        object_in(&self.0).is_some()
    }

    /// A new reference to the object in the value.
    pub fn as_object(&self) -> Option<ObjectRef> {
        let object = object_in(&self.0)?;
        // SAFETY: the view keeps the object alive.
        unsafe { ObjectRef::from_borrowed(object.as_ptr().cast()) }
    }

    /// A new reference to the object in the value if it is of exactly this type.
    pub fn as_object_of(&self, type_index: i32) -> Option<ObjectRef> {
        if self.0.type_index == type_index { self.as_object() } else { None }
    }

    /// The object in the value, borrowed, if it is of exactly this type.
    pub fn borrow_object_of(&self, type_index: i32) -> Option<&ObjectRef> {
        (self.0.type_index == type_index).then(|| object_in(&self.0)).flatten()?;
        // SAFETY: the payload is an object's address and not NULL, which is what a reference is too; the view keeps the
        // object alive.
        Some(unsafe { &*(&raw const self.0.value).cast() })
    }

    /// A new reference to the object in the value if it is of this kind.
    pub fn cast<T: TypedRef>(&self) -> Option<T> {
        self.cast_ref::<T>()?;
        // SAFETY: the kind was looked at.
        self.as_object().map(|object| unsafe { object.cast_unchecked() })
    }

    /// The object in the value, borrowed, if it is of this kind.
    pub fn cast_ref<T: TypedRef>(&self) -> Option<&T> {
        if !T::admits(self.0.type_index) {
            return None;
        }
        object_in(&self.0)?;
        // SAFETY: the payload is an object's address and not NULL, which is what a reference is too; the view keeps the
        // object alive.
        Some(unsafe { &*(&raw const self.0.value).cast() })
    }

    /// An owned value of the same meaning: a new reference to an object, a String of a C string, a Bytes of a byte
    /// array, and the object itself, taken from its owner, of an r-value reference.
    #[inline]
    #[expect(clippy::wrong_self_convention, reason = "named as `ToOwned` has it; a view is read where it lies")]
    pub fn to_owned(&self) -> Result<Any> {
        match self.kept() {
            Some(value) => Ok(value),
            None => self.convert(),
        }
    }

    /// As [`to_owned`](Self::to_owned), where nothing has to be made for it.
    #[inline]
    pub fn kept(&self) -> Option<Any> {
        if (0..kTVMFFIRawStr).contains(&self.0.type_index) {
            return Some(Any(of_words(self.0.type_index, 0, self.0.payload())));
        }
        (!self.is_only_argument()).then(|| self.clone_plain())
    }

    /// Writes such an owned value, or nothing if that fails.
    ///
    /// # Safety
    /// `to` is writable; what it holds is overwritten.
    #[inline]
    pub unsafe fn write_owned(&self, to: *mut Any) -> Result<()> {
        let value = self.to_owned()?;
        // SAFETY: the caller's contract is the same.
        unsafe { to.write(value) };
        Ok(())
    }

    /// Whether values of this type are only passed, but never kept.
    #[inline]
    pub fn is_only_argument(&self) -> bool {
        matches!(self.0.type_index, kTVMFFIRawStr | kTVMFFIByteArrayPtr | kTVMFFIObjectRValueRef)
    }

    /// The same value with a reference of its own, and with padding of zeros whatever it was.
    #[inline]
    fn clone_plain(&self) -> Any {
        if let Some(object) = object_in(&self.0) {
            // SAFETY: the view keeps the object alive.
            unsafe { object::inc_strong(object) };
        }
        let has_length = matches!(self.0.type_index, kTVMFFISmallStr | kTVMFFISmallBytes);
        let aux = if has_length { self.0.aux_word() } else { 0 };
        Any(of_words(self.0.type_index, aux, self.0.payload()))
    }

    /// What [only arguments](Self::is_only_argument) can be, as what it stands for.
    #[inline]
    pub fn convert(&self) -> Result<Any> {
        // SAFETY: the payload of such a view is what its type says.
        unsafe { convert_passed(self.0.type_index, self.pointer()) }.into()
    }

    /// The content of a value that is known to be a string or bytes, inline or in an object.
    fn content(&self) -> &[u8] {
        match self.cast_ref::<Text>() {
            Some(text) => text.content(),
            None => text_layout::small_content(&self.0),
        }
    }

    fn pointer(&self) -> *mut c_void {
        // SAFETY: every payload that the callers ask for is a pointer.
        unsafe { self.0.value.v_ptr }
    }
}

/// What a value stands for that is only passed.
///
/// # Safety
/// The payload is that of a view of this type.
#[inline(never)]
unsafe fn convert_passed(type_index: i32, payload: *mut c_void) -> Packed {
    match type_index {
        // SAFETY: such a view holds a C string.
        kTVMFFIRawStr => unsafe { c_pointers::c_str(payload.cast(), "v_c_str") }
            .and_then(|content| Any::of_text(kTVMFFISmallStr, content, text_layout::new_str)),
        // SAFETY: such a view points to a span.
        kTVMFFIByteArrayPtr => unsafe { c_pointers::bytes(payload.cast(), "v_ptr") }
            .and_then(|content| Any::of_text(kTVMFFISmallBytes, content, text_layout::new_bytes)),
        // SAFETY: such a view points to a handle whose owner lets it be taken.
        _ => unsafe { take_rvalue(payload.cast()) },
    }
    .into()
}

/// # Safety
/// `slot` is NULL or holds a reference that may be taken, or NULL.
#[inline]
unsafe fn take_rvalue(slot: *mut TVMFFIObjectHandle) -> Result<Any> {
    let slot = c_pointers::required(slot, "v_ptr")?;
    // SAFETY: the caller vouches for the slot.
    match unsafe { ObjectRef::from_owned(slot.replace(ptr::null_mut())) } {
        Some(object) => Ok(object.into()),
        None => Err(already_moved()),
    }
}

#[cold]
fn already_moved() -> Error {
    Error::new("InternalError", "Check failed: (obj_addr[0] != nullptr) is false: RValueRef already moved")
}

/// A long String, apart from where short ones are made.
#[inline(never)]
fn new_str(content: &[u8]) -> Result<Str> {
    text_layout::new_str(content)
}

/// A long Bytes, as well.
#[inline(never)]
fn new_bytes(content: &[u8]) -> Result<Bytes> {
    text_layout::new_bytes(content)
}

/// The object in a value, if it holds one.
#[inline]
fn object_in(value: &TVMFFIAny) -> Option<NonNull<TVMFFIObject>> {
    if value.type_index < kTVMFFIStaticObjectBegin {
        return None;
    }
    // SAFETY: at these type indices the payload is an object pointer. NULL does not occur in sound values; it is
    // tolerated as it costs nothing.
    NonNull::new(unsafe { value.value.v_obj }.cast())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::value::text::{self, string};

    fn owned(value: TVMFFIAny) -> Result<Any> {
        // SAFETY: the values of the tests refer to what lives through the call.
        unsafe { AnyView::from_raw(&value) }.to_owned()
    }

    fn pointing(type_index: i32, to: *const c_void) -> TVMFFIAny {
        TVMFFIAny::new(type_index, to as usize as u64)
    }

    #[rstest]
    #[case(kTVMFFINone, 0)]
    #[case(kTVMFFIInt, -7i64 as u64)]
    #[case(kTVMFFIBool, 1)]
    #[case(kTVMFFIFloat, 1.5f64.to_bits())]
    #[case(kTVMFFIOpaquePtr, 0x1234)]
    #[case(kTVMFFIDataType, 0x0001_2000)]
    #[case(kTVMFFIDevice, 0x2_0000_0001)]
    #[case(kTVMFFIDLTensorPtr, 0x5678)]
    #[case(kTVMFFIUnchanged, 0)]
    fn plain_values_are_copied_with_zero_padding(#[case] type_index: i32, #[case] payload: u64) {
        let value = TVMFFIAny::new(type_index, payload);
        let dirty = TVMFFIAny { aux: TVMFFIAnyAux { zero_padding: 0xdead }, ..value };
        assert_eq!(owned(dirty).unwrap().into_raw().to_bytes(), value.to_bytes());
    }

    #[rstest]
    #[case(c"", kTVMFFISmallStr)]
    #[case(c"1234567", kTVMFFISmallStr)]
    #[case(c"12345678", kTVMFFIStr)]
    fn c_strings_become_strings(#[case] text: &CStr, #[case] type_index: i32) {
        let value = owned(pointing(kTVMFFIRawStr, text.as_ptr().cast())).unwrap();
        assert_eq!(value.view().type_index(), type_index);
        assert_eq!(value.view().as_str(), Some(text.to_bytes()));
    }

    #[rstest]
    #[case(b"a\0b", kTVMFFISmallBytes)]
    #[case(b"12345\0x", kTVMFFISmallBytes)]
    #[case(b"12345678\0", kTVMFFIBytes)]
    fn byte_arrays_become_bytes(#[case] content: &[u8], #[case] type_index: i32) {
        let array = TVMFFIByteArray::new(content);
        let value = owned(pointing(kTVMFFIByteArrayPtr, (&raw const array).cast())).unwrap();
        assert_eq!(value.view().type_index(), type_index);
        assert_eq!(value.view().as_bytes(), Some(content));
    }

    #[rstest]
    #[case(kTVMFFIRawStr)]
    #[case(kTVMFFIByteArrayPtr)]
    #[case(kTVMFFIObjectRValueRef)]
    fn null_is_refused_where_something_is_pointed_to(#[case] type_index: i32) {
        assert!(owned(TVMFFIAny::new(type_index, 0)).is_err_and(|error| error.to_string().starts_with("ValueError")));
    }

    #[test]
    fn an_object_gets_a_reference_of_its_own() {
        let object = text::string_object(b"shared").unwrap();
        let value = owned(pointing(kTVMFFIStr, object.handle())).unwrap();
        assert!(!object.is_unique());
        drop(value);
        assert!(object.is_unique());
    }

    #[test]
    fn an_rvalue_reference_is_taken_once() {
        let mut slot = text::string_object(b"moved").unwrap().into_handle();
        let view = pointing(kTVMFFIObjectRValueRef, (&raw mut slot).cast());
        let value = owned(view).unwrap();
        assert!(slot.is_null());
        assert!(value.view().as_object().is_some_and(|object| !object.is_unique()));
        assert!(owned(view).is_err_and(|error| error.to_string().starts_with("InternalError")));
    }

    #[test]
    fn clones_share_the_object() {
        let value = string(b"a longer string").unwrap();
        let clone = value.clone();
        assert_eq!(value.view().raw().to_bytes(), clone.view().raw().to_bytes());
        drop(value);
        assert_eq!(clone.view().as_str(), Some(b"a longer string".as_slice()));
    }

    #[rstest]
    #[case(Any::from(3), Some(3), Some(true))]
    #[case(Any::from(0), Some(0), Some(false))]
    #[case(Any::from(true), Some(1), Some(true))]
    #[case(Any::NONE, None, None)]
    fn integers_and_booleans_stand_in_for_each_other(
        #[case] value: Any,
        #[case] int: Option<i64>,
        #[case] bool: Option<bool>,
    ) {
        assert_eq!((value.view().as_int(), value.view().as_bool()), (int, bool));
    }
}
