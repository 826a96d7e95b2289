//! Types that a frontend such as Python declares at run time, and what the library generates for them.
//!
//! - [`initialiser`]: the function that `ffi._RegisterFFIInit` generates from a type's fields;
//! - [`many_fields`]: the same for types with up to 64 fields;
//! - [`defaults`]: defaults that are easily taken for none, and who gives them to fields;
//! - [`entered`]: factories and setters that make other instances of the type, and errors of creators and converters;
//! - [`packed_args`]: instances from `ffi.MakeObjectFromPackedArgs`;
//! - [`given`]: objects that are given away to either of these;
//! - [`accessor`]: the getters and setters of `ffi.MakeFieldGetter` and `ffi.MakeFieldSetter`;
//! - [`reentrant`]: converters, and ends of what a field held, that use the field themselves;
//! - [`other_forms`]: such setters with values of another kind than the field holds;
//! - [`class`]: whole classes, registered as Python registers them;
//! - [`inherited_cells`]: classes whose fields come from a C++ class, in cells of every size;
//! - [`frontend_class`]: the types that are declared, with all that a frontend writes for them.

mod accessor;
mod class;
mod defaults;
mod entered;
mod frontend_class;
mod given;
mod inherited_cells;
mod initialiser;
mod many_fields;
mod one_factory;
mod other_forms;
mod packed_args;
mod reentrant;
