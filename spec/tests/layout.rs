//! The Rust types are laid out as `abi.toml` says, and neither knows a struct or field that the other lacks.

use std::{
    any::type_name,
    collections::BTreeSet,
    ffi::c_char,
    mem::{align_of, size_of},
};

use tvm_ffi_spec::{
    abi::{Abi, Field, Struct, abi},
    types::*,
};

/// How Rust lays a type out.
struct Layout {
    name: &'static str,
    size: usize,
    align: usize,
    fields: Vec<FieldLayout>,
}

#[derive(Debug, PartialEq)]
struct FieldLayout {
    name: String,
    offset: usize,
    size: usize,
    /// The type as [`plain_rust_type`] writes it.
    ty: String,
}

/// The size and the name of the type that `field` leads to.
fn type_of<T, F>(_field: fn(*const T) -> *const F) -> (usize, &'static str) {
    (size_of::<F>(), type_name::<F>())
}

/// One row of the table. The fields of a struct are all of its fields, or the row does not compile (32-bit machines
/// have one more, for padding). A C compiler knows the members of an anonymous union as fields of the struct; Rust has
/// them in a union of its own.
macro_rules! layout {
    ($ty:ident { $($field:ident $(: $union:ident { $($member:ident),* })?),* }) => {{
        #[cfg(target_pointer_width = "64")]
        let _every_field = |$ty { $($field: _),* }: $ty| {};
        let mut fields = Vec::new();
        $(layout!(@push fields, $ty, $field $(, $union { $($member),* })?);)*
        Layout { name: stringify!($ty), size: size_of::<$ty>(), align: align_of::<$ty>(), fields }
    }};
    (@push $fields:ident, $ty:ident, $field:ident) => {
        // SAFETY: the closure is never called; only its type is used.
        let (size, ty) = type_of(|object: *const $ty| unsafe { &raw const (*object).$field });
        let offset = memoffset::offset_of!($ty, $field);
        $fields.push(FieldLayout { name: stringify!($field).to_owned(), offset, size, ty: plain_rust_type(ty) });
    };
    (@push $fields:ident, $ty:ident, $field:ident, $union:ident { $($member:ident),* }) => {$(
        // SAFETY: the closure is never called; only its type is used.
        let (size, ty) = type_of(|object: *const $union| unsafe { &raw const (*object).$member });
        let offset = memoffset::offset_of!($ty, $field) + memoffset::offset_of_union!($union, $member);
        $fields.push(FieldLayout { name: stringify!($member).to_owned(), offset, size, ty: plain_rust_type(ty) });
    )*};
}

fn layouts() -> Vec<Layout> {
    vec![
        layout!(DLPackVersion { major, minor }),
        layout!(DLDevice { device_type, device_id }),
        layout!(DLDataType { code, bits, lanes }),
        layout!(DLTensor { data, device, ndim, dtype, shape, strides, byte_offset }),
        layout!(DLManagedTensor { dl_tensor, manager_ctx, deleter }),
        layout!(DLManagedTensorVersioned { version, manager_ctx, deleter, flags, dl_tensor }),
        layout!(TVMFFIVersion { major, minor, patch }),
        layout!(TVMFFIObject { combined_ref_count, type_index, __padding, deleter }),
        layout!(TVMFFIAny {
            type_index,
            aux: TVMFFIAnyAux { zero_padding, small_str_len },
            value: TVMFFIAnyValue { v_int64, v_float64, v_ptr, v_c_str, v_obj, v_dtype, v_device, v_bytes, v_uint64 }
        }),
        layout!(TVMFFIByteArray { data, size }),
        layout!(TVMFFIShapeCell { data, size }),
        layout!(TVMFFISeqCell { data, size, capacity, data_deleter }),
        layout!(TVMFFIErrorCell { kind, message, backtrace, update_backtrace, cause_chain, extra_context }),
        layout!(TVMFFIFunctionCell { safe_call, cpp_call }),
        layout!(TVMFFIOpaqueObjectCell { handle }),
        layout!(TVMFFIObjectAllocHeader { delete_space }),
        layout!(TVMFFICustomAllocator { allocate, context }),
        layout!(TVMFFIFieldInfo {
            name,
            doc,
            metadata,
            flags,
            size,
            alignment,
            offset,
            getter,
            setter,
            default_value_or_factory,
            field_static_type_index
        }),
        layout!(TVMFFIMethodInfo { name, doc, metadata, flags, method }),
        layout!(TVMFFITypeMetadata { doc, creator, total_size, structural_eq_hash_kind }),
        layout!(TVMFFITypeAttrColumn { data, size, begin_index }),
        layout!(TVMFFITypeInfo {
            type_index,
            type_depth,
            type_key,
            type_ancestors,
            type_key_hash,
            num_fields,
            num_methods,
            fields,
            methods,
            metadata
        }),
    ]
}

/// Fields that C needs for padding and Rust expresses otherwise.
const ONLY_IN_C: &[(&str, &str)] = &[("TVMFFIObject", "__ensure_align")];

/// The unions that stand for the anonymous unions of C.
const ONLY_IN_RUST: &[&str] = &["TVMFFIAnyAux", "TVMFFIAnyValue"];

/// Of a pair of figures, the one for the machine that runs the test.
fn here((wide, narrow): (u32, u32)) -> usize {
    if cfg!(target_pointer_width = "64") { wide as usize } else { narrow as usize }
}

/// A Rust type, written so that it can be compared: constness of pointers is left to the C compiler to compare, and
/// function pointers are alike.
fn plain_rust_type(name: &str) -> String {
    let name = name.replace("*const ", "*").replace("*mut ", "*");
    if name.starts_with("core::option::Option<unsafe extern \"C\" fn") { "fn".to_owned() } else { name }
}

/// What [`plain_rust_type`] says of the Rust type for a C type.
fn rust_type_of(abi: &Abi, c: &str) -> String {
    let c = c.strip_prefix("const ").unwrap_or(c);
    if c.contains("(*)") {
        return "fn".to_owned();
    }
    if let Some(target) = c.strip_suffix('*') {
        return format!("*{}", rust_type_of(abi, target));
    }
    if let Some((element, length)) = c.trim_end_matches(']').split_once('[') {
        return format!("[{}; {length}]", rust_type_of(abi, element));
    }
    if let Some(typedef) = abi.typedefs.iter().find(|typedef| typedef.name == c) {
        return rust_type_of(abi, &typedef.ty);
    }
    if let Some(group) = abi.enums.iter().find(|group| group.name == c) {
        return group.ty.clone();
    }
    let scalar = match c {
        "void" => "core::ffi::c_void",
        "char" => type_name::<c_char>(),
        "double" => "f64",
        "uint8_t" => "u8",
        "uint16_t" => "u16",
        "int32_t" => "i32",
        "uint32_t" => "u32",
        "int64_t" => "i64",
        "uint64_t" => "u64",
        "size_t" => "usize",
        _ => return type_name::<TVMFFIAny>().replace("TVMFFIAny", c),
    };
    scalar.to_owned()
}

fn fields_in_rust(described: &Struct) -> impl Iterator<Item = &Field> {
    described.fields.iter().filter(|field| !ONLY_IN_C.contains(&(described.name.as_str(), field.name.as_str())))
}

#[test]
fn rust_types_are_laid_out_as_described() {
    let layouts = layouts();
    for described in &abi().structs {
        let name = &described.name;
        let layout = layouts.iter().find(|layout| layout.name == name).unwrap_or_else(|| panic!("{name} has no row"));
        assert_eq!(layout.size, here(described.size), "size of {name}");
        assert_eq!(layout.align, here(described.align), "alignment of {name}");
        let expected: Vec<_> = fields_in_rust(described)
            .map(|field| FieldLayout {
                name: field.name.clone(),
                offset: here(field.offset),
                size: here(field.size),
                ty: rust_type_of(abi(), &field.ty),
            })
            .collect();
        assert_eq!(layout.fields, expected, "fields of {name}");
    }
}

#[test]
fn no_struct_is_forgotten() {
    let described: BTreeSet<_> = abi().structs.iter().map(|described| described.name.as_str()).collect();
    let rows: BTreeSet<_> = layouts().iter().map(|layout| layout.name).collect();
    assert_eq!(rows, described, "the table of this test and abi.toml");

    let declared = include_str!("../src/types.rs")
        .lines()
        .filter_map(|line| line.strip_prefix("pub struct ").or_else(|| line.strip_prefix("pub union ")))
        .map(|rest| rest.split([' ', '<', '(', ';']).next().expect("split yields at least one piece"))
        .filter(|name| !ONLY_IN_RUST.contains(name));
    assert_eq!(declared.collect::<BTreeSet<_>>(), described, "types.rs and abi.toml");
}

#[test]
fn no_callback_is_forgotten() {
    let declared: BTreeSet<_> = include_str!("../src/types.rs")
        .lines()
        .filter_map(|line| line.strip_prefix("pub type ")?.split(' ').next())
        .filter(|name| !["TVMFFIObjectDeleter", "DLPackSetError"].contains(name)) // C has no names for these
        .collect();
    assert_eq!(declared, abi().typedefs.iter().map(|typedef| typedef.name.as_str()).collect());
}

/// Within one struct, every field lies inside it, is aligned no worse than the struct, and follows or shares the place
/// of the one before, on both kinds of machine.
#[test]
fn described_layouts_make_sense() {
    for described in &abi().structs {
        for pick in [|pair: (u32, u32)| pair.0, |pair: (u32, u32)| pair.1] {
            let mut end = 0;
            let mut last = 0;
            for field in &described.fields {
                let (offset, size) = (pick(field.offset), pick(field.size));
                let label = format!("{}.{}", described.name, field.name);
                assert!(offset == last || offset >= end, "{label} overlaps the field before it");
                assert!(offset + size <= pick(described.size), "{label} sticks out");
                (last, end) = (offset, end.max(offset + size));
            }
            assert_eq!(pick(described.size) % pick(described.align), 0, "size of {}", described.name);
            assert!(
                pick(described.size) - end < pick(described.align),
                "{} has room for another field",
                described.name
            );
        }
    }
}
