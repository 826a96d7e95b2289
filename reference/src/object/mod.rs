//! Objects: the header with its counts, how objects are made here, and how deep ends are put off.

mod allocation;
mod deferred_end;
mod header;
pub mod storage;
#[cfg(test)]
mod tests;
pub mod typed_ref;

pub(crate) use self::typed_ref::typed_refs;
#[cfg(test)]
pub use self::{allocation::new, header::WeakRef};
pub use self::{
    allocation::{Payload, is_made_here, new_surely_with_tail, new_with_tail, new_zeroed, try_new, zeroed_size},
    header::{HEADER_SIZE, ObjectRef, dec_strong, immortal_header, inc_strong},
    storage::OutOfMemory,
    typed_ref::TypedRef,
};
