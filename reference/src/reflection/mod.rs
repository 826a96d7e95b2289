//! Reflection: the fields, methods and classes of types, and what can be done knowing only these.

pub mod access_path;
pub mod bigint;
pub mod class;
pub mod convert;
pub mod create;
pub mod enums;
pub mod field;
pub mod field_types;
pub mod init;
pub mod native;
pub mod object_def;
pub mod structural_objects;
