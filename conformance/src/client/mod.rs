//! What a program in another language would be to the target.

pub mod api;
pub mod containers;
pub mod crumb;
pub mod homemade;
pub mod memory;
pub mod model;
pub mod node;
pub mod reflected;
