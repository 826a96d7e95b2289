//! Objects that a caller gives away with an argument.

use std::{fmt::Display, ptr::null_mut};

use tvm_ffi_spec::*;

use crate::client::{connection::Client, homemade::Homemade, owned::Owned, verdict::Verdict};

/// An object with the slot that holds the caller's only reference to it, which a call may take out.
pub struct Given<C = ()> {
    object: Homemade<C>,
    slot: Box<TVMFFIObjectHandle>,
}

impl Default for Given {
    /// A new object in its slot.
    fn default() -> Self {
        Self::of_type(kTVMFFIObject)
    }
}

impl Given {
    /// A new object of that type in its slot.
    pub fn of_type(type_index: i32) -> Self {
        Self::new(Homemade::new(type_index, ()))
    }
}

impl<C> Given<C> {
    /// A new object, whose one reference is in the slot.
    pub fn new(object: Homemade<C>) -> Self {
        let slot = Box::new(object.handle());
        Self { object, slot }
    }

    /// The argument that only lends the object.
    pub fn view(&self) -> TVMFFIAny {
        self.object.view()
    }

    /// The argument that gives the object away.
    pub fn arg(&mut self) -> TVMFFIAny {
        TVMFFIAny::new(kTVMFFIObjectRValueRef, std::ptr::from_mut(&mut *self.slot) as u64)
    }

    /// Expects the object to have been taken out of its slot and, since nothing holds it any more, to have ended once.
    pub fn is_taken_and_gone(&self, client: &Client, what: impl Display) -> Verdict {
        client.eq(format_args!("the slot of an object given to {what}"), *self.slot, null_mut())?;
        client.ended_once(format!("ends of an object given to {what}"), &self.object)
    }

    /// Expects the object to be the caller's as before, or to have been taken and ended: nothing holds it any more.
    pub fn is_accounted_for(&self, client: &Client, what: impl Display) -> Verdict {
        if self.slot.is_null() {
            return self.is_taken_and_gone(client, what);
        }
        client.eq(format_args!("the slot of an object given to {what}"), *self.slot, self.object.handle())?;
        client.eq(format_args!("counts of an object given to {what}"), self.object.counts(), (1, 1))
    }
}

impl Client {
    /// What a global function answers whose first argument gives this reference away.
    pub fn call_giving(&self, name: &str, value: Owned, others: &[TVMFFIAny]) -> Verdict<Owned> {
        let value = value.into_any();
        let mut slot = value.payload() as TVMFFIObjectHandle;
        let given = TVMFFIAny::new(kTVMFFIObjectRValueRef, std::ptr::from_mut(&mut slot) as u64);
        let answer = self.call_global(name, &[&[given][..], others].concat());
        // What was not taken is the client's still.
        drop((!slot.is_null()).then(|| self.own(value)));
        answer
    }
}
