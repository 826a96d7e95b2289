//! Looking at the target's memory: an address that leads nowhere is an unmet expectation.

use std::{ffi::c_void, fmt::Display};

use tvm_ffi_spec::*;

use crate::client::{connection::Client, expectation::TypeIndex, header, layout, memory, program, verdict::Verdict};

/// Looking at the target's memory.
impl Client {
    /// Notes that what comes next is what lies in a struct of the ABI.
    pub fn looks_at<S: 'static>(&self) {
        self.crumbs.look_at(layout::set_of::<S>());
    }

    /// The value at an address that the target gave out.
    pub fn read<T: Copy + 'static>(&self, what: impl Display, address: *const T) -> Verdict<T> {
        self.looks_at::<T>();
        if program::is_on()
            && let Some(bytes) = memory::read_bytes(address.cast(), size_of::<T>())
        {
            program::looks(&what, address as usize, &bytes, Some(std::any::type_name::<T>()));
        }
        memory::read(address).ok_or_else(|| {
            self.failure(what, format!("{} readable bytes", size_of::<T>()), format!("address {address:p}"))
        })
    }

    /// The bytes at an address that the target gave out.
    pub fn read_bytes(&self, what: impl Display, address: *const c_void, len: usize) -> Verdict<Vec<u8>> {
        let bytes = memory::read_bytes(address, len);
        if let (true, Some(bytes)) = (program::is_on(), &bytes) {
            program::looks(&what, address as usize, bytes, None);
        }
        bytes.ok_or_else(|| self.failure(what, format!("{len} readable bytes"), format!("address {address:p}")))
    }

    /// The bytes of a byte array that the target gave out.
    pub fn read_array(&self, what: impl Display, array: TVMFFIByteArray) -> Verdict<Vec<u8>> {
        self.read_bytes(what, array.data.cast(), array.size)
    }

    /// What follows the header of an object.
    pub fn cell<C: Copy + 'static>(&self, what: impl Display, object: TVMFFIObjectHandle) -> Verdict<C> {
        self.read(what, object.wrapping_byte_add(size_of::<TVMFFIObject>()).cast_const().cast())
    }

    /// The header of an object.
    pub fn header(&self, object: TVMFFIObjectHandle) -> Verdict<TVMFFIObject> {
        self.read("object header", object.cast_const().cast()).map(header::turned)
    }

    /// An object's strong and weak counts.
    pub fn counts(&self, object: TVMFFIObjectHandle) -> Verdict<(u32, u32)> {
        let combined = self.header(object)?.combined_ref_count;
        Ok((combined as u32, (combined >> 32) as u32))
    }

    /// The bytes of a string or bytes value in any of its forms.
    pub fn text(&self, any: &TVMFFIAny) -> Verdict<Vec<u8>> {
        match any.type_index {
            kTVMFFISmallStr | kTVMFFISmallBytes => {
                let len = any.aux_word() as usize;
                self.that("length of a small string", len <= 7, "at most 7", len)?;
                Ok(any.payload().to_ne_bytes()[..len].to_vec())
            }
            kTVMFFIStr | kTVMFFIBytes => {
                let cell: TVMFFIByteArray = self.cell("string cell", any.payload() as *mut c_void)?;
                self.read_array("string content", cell)
            }
            kTVMFFIRawStr => memory::read_c_str(any.payload() as *const c_void, usize::MAX)
                .ok_or_else(|| self.failure("C string", "readable bytes", format!("{:#x}", any.payload()))),
            other => Err(self.failure("type index", "a string or bytes", TypeIndex(other))),
        }
    }
}

/// The content of a string or bytes value in any of its forms, for a callback that is handed one; `None` for another
/// value and for one that leads nowhere.
pub fn text_of(any: &TVMFFIAny) -> Option<Vec<u8>> {
    match any.type_index {
        kTVMFFISmallStr | kTVMFFISmallBytes => {
            any.payload().to_ne_bytes().get(..any.aux_word() as usize).map(Vec::from)
        }
        kTVMFFIStr | kTVMFFIBytes => {
            let cell = (any.payload() as *const TVMFFIByteArray).wrapping_byte_add(size_of::<TVMFFIObject>());
            let content = memory::read(cell)?;
            memory::read_bytes(content.data.cast(), content.size)
        }
        kTVMFFIRawStr => memory::read_c_str(any.payload() as *const c_void, usize::MAX),
        _ => None,
    }
}
