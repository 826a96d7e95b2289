//! Files for use: what they are, and how they are written into a folder.

mod kit;
mod reference;

pub use kit::{Item, Kit, install};
pub use reference::reference;
