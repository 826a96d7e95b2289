//! Reflection: the types of a process, their fields, methods and attributes, and what can be done knowing only these.

pub mod access_path;
pub mod attribute;
pub mod builtin_types;
pub mod class;
pub mod convert;
pub mod create;
pub mod enums;
pub mod field;
pub mod init;
pub mod native;
pub mod object_def;
pub mod published;
pub mod storage;
pub mod structural_objects;
pub mod type_table;
