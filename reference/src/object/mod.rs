//! Objects: the header with its counts, how objects are made here, and how deep ends are put off.

mod allocation;
mod deferred_end;
mod header;
#[cfg(test)]
mod tests;
pub mod typed_ref;

#[cfg(test)]
pub use self::header::WeakRef;
pub(crate) use self::typed_ref::typed_refs;
pub use self::{
    allocation::{OutOfMemory, Payload, is_made_here, new, new_with_tail, new_zeroed, zeroed_size},
    header::{HEADER_SIZE, ObjectRef, dec_strong, inc_strong},
    typed_ref::TypedRef,
};
