//! Tensors and DLPack.
//!
//! The producer of every tensor here is a `Producer` on the check's own stack; its deleters only count. What a Tensor says
//! of itself is compared field by field with what its producer said, with values that tell the fields apart.

mod calls;
mod export;
mod import;
mod kit;
mod one_block;
mod ownership;
mod requirements;
mod view;
