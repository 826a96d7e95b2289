//! Containers as clients read and write them.
//!
//! Clients in C++ compile the containers into their own code. They walk the memory of an Array, a List, a Map or a Dict
//! that the library made, and they append to it, grow it and erase from it without a call. Here is that code, written
//! from the layout alone and independent of any library: [`hash`] tells which keys are the same and where they go,
//! [`sequence`] and [`map`] read containers and hold what they read to the rules of the layout, [`table`] works on the
//! dense layout in place, and [`client`] makes containers of the suite's own and grows those of others.
//!
//! `alike` states what containers of several types promise alike, `ends` when they let go of what they held; [`numbers`] makes
//! containers of integers, and [`keys`] values of every kind beside a model.
//!
//! As in [`homemade`], what acts on a container is not marked `unsafe`: that the memory is laid out as
//! it should be is the claim of a black box, in a process that exists for checks. Readers go through
//! [`memory`](crate::client::memory); a container is read and found sound before it is written to.

use std::{
    ffi::{c_int, c_void},
    fmt::Display,
};

use tvm_ffi_spec::*;

pub use crate::client::map_memory::BufferDeleter;
use crate::client::{connection::Client, expectation::TypeIndex, homemade, order, owned::Raised, verdict::Verdict};

mod alike;
pub mod client;
mod ends;
pub mod hash;
pub mod keys;
pub mod map;
pub mod numbers;
pub mod sequence;
pub mod table;

/// Indices that are small ones in 8, 16 or 32 bits, or once they are multiplied by the size of an element.
pub const WRAPPING: [i64; 11] = [
    1 << 8,
    1 << 16,
    (1 << 31) + 1,
    1 << 32,
    (1 << 32) + 1,
    1 << 60,
    (1 << 60) + 1,
    (1 << 61) + 2,
    i64::MIN,
    i64::MIN + 1,
    i64::MAX,
];

impl Client {
    /// Calls a global function that answers an integer or a boolean.
    pub fn call_int(&self, name: &str, args: &[TVMFFIAny]) -> Verdict<i64> {
        let answer = self.call_global(name, args)?.any();
        let plain = matches!(answer.type_index, kTVMFFIInt | kTVMFFIBool);
        self.that(
            format_args!("type index of the answer of {name}"),
            plain,
            "an integer",
            TypeIndex(answer.type_index),
        )?;
        Ok(answer.payload() as i64)
    }

    /// Calls a global function that answers nothing.
    pub fn call_void(&self, name: &str, args: &[TVMFFIAny]) -> Verdict {
        let answer = self.call_global(name, args)?.any();
        self.any_eq(format_args!("answer of {name}"), &answer, &TVMFFIAny::NONE)
    }

    /// Calls a global function and expects an error of one of these kinds; none given means that any will do.
    pub fn refuses(&self, name: &str, args: &[TVMFFIAny], kinds: &[&str]) -> Verdict<Raised> {
        let function = self.global(name)?;
        let mut result = TVMFFIAny::NONE;
        let code: c_int = self.try_call(&function, args, &mut result);
        let raised = self.raises(code, kinds)?;
        self.that(
            "the result slot of a call that failed",
            result.type_index < kTVMFFIStaticObjectBegin,
            "no object, which nobody would give back",
            TypeIndex(result.type_index),
        )?;
        Ok(raised)
    }

    /// Expects what a container may hold: an owned value of any type, with every byte that it does not use zero.
    pub fn storable(&self, what: impl Display, value: &TVMFFIAny) -> Verdict {
        let TVMFFIAny { type_index, .. } = *value;
        let borrowed = matches!(type_index, kTVMFFIRawStr | kTVMFFIByteArrayPtr | kTVMFFIObjectRValueRef);
        self.that(
            format_args!("type index of {what}"),
            type_index >= 0 && !borrowed,
            "that of an owned value",
            TypeIndex(type_index),
        )?;
        if matches!(type_index, kTVMFFISmallStr | kTVMFFISmallBytes) {
            let (len, bytes) = (value.aux_word() as usize, value.payload().to_ne_bytes());
            self.that(format_args!("length of {what}"), len <= 7, "at most 7", len)?;
            let rest = bytes[len..].iter().all(|byte| *byte == 0);
            return self.that(
                format_args!("bytes behind the text of {what}"),
                rest,
                "zero",
                format_args!("{bytes:02x?}"),
            );
        }
        self.eq(format_args!("padding of {what}"), value.aux_word(), 0)?;
        match type_index {
            kTVMFFINone => self.eq(format_args!("payload of {what}"), value.payload(), 0),
            kTVMFFIBool => {
                self.that(format_args!("payload of {what}"), value.payload() <= 1, "0 or 1", value.payload())
            }
            kTVMFFIStaticObjectBegin.. => {
                let header = self.header(value.payload() as TVMFFIObjectHandle)?;
                self.type_index_eq(format_args!("type index in the header of {what}"), header.type_index, type_index)?;
                self.ne(format_args!("strong count of {what}"), header.combined_ref_count as u32, 0)
            }
            _ => Ok(()),
        }
    }
}

/// The object that a value refers to.
pub fn object_of(value: &TVMFFIAny) -> Option<TVMFFIObjectHandle> {
    (value.type_index >= kTVMFFIStaticObjectBegin).then(|| value.payload() as TVMFFIObjectHandle)
}

/// Takes a reference for a copy of an owned value.
pub fn retain(value: &TVMFFIAny) -> TVMFFIAny {
    if let Some(object) = object_of(value) {
        homemade::retain(object);
    }
    *value
}

/// Ends an owned value.
pub fn release(value: &TVMFFIAny) {
    if let Some(object) = object_of(value) {
        homemade::release(object);
    }
}

/// Where `offset` bytes behind the start of an object are.
fn behind<T>(object: TVMFFIObjectHandle, offset: usize) -> *mut T {
    object.wrapping_byte_add(offset).cast()
}

/// Reads a value where a container has been found to keep one.
fn load<T: Copy>(address: *const T) -> T {
    // SAFETY: the container was read and found sound, or is the suite's own; nobody else works on it in this process.
    unsafe { address.read_unaligned() }
}

/// Writes a value where a container has been found to have room for one.
fn store<T>(address: *mut T, value: T) {
    // SAFETY: as in `load`.
    unsafe { address.write_unaligned(value) };
}

/// Calls the function that a container keeps for the end of its buffer.
fn end_buffer(deleter: Option<BufferDeleter>, buffer: *mut c_void) {
    if let Some(deleter) = deleter {
        order::begins();
        // SAFETY: the container's own deleter, called on the container's own buffer.
        unsafe { deleter(buffer) };
        order::ended();
    }
}
