//! The indices of built-in types for which the ABI has no constants: the first that are free.

use crate::generation::dynamic_index;

/// The state of an enumeration.
pub const ENUM_STATE: i32 = dynamic_index(0);
/// An object of an enumeration.
pub const ENUM: i32 = dynamic_index(1);
/// An object of an enumeration that stands for an integer.
pub const INT_ENUM: i32 = dynamic_index(2);
/// An object of an enumeration that stands for a string.
pub const STR_ENUM: i32 = dynamic_index(3);
/// A step of an access path.
pub const ACCESS_STEP: i32 = dynamic_index(4);
/// An access path.
pub const ACCESS_PATH: i32 = dynamic_index(5);
/// A visitor.
pub const STRUCTURAL_VISITOR: i32 = dynamic_index(6);
/// The context of an error.
pub const VISIT_ERROR_CONTEXT: i32 = dynamic_index(7);
/// A mutator.
pub const STRUCTURAL_MUTATOR: i32 = dynamic_index(8);
/// A key that is compared by structure.
pub const STRUCTURAL_KEY: i32 = dynamic_index(9);
