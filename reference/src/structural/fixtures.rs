//! Types and values for the tests.

use std::{
    collections::HashMap,
    ffi::{c_int, c_void},
    sync::{LazyLock, Mutex},
};

use tvm_ffi_spec::*;

use crate::{
    border::error::Result,
    container::{array, list, map},
    function,
    object::{self, ObjectRef, Payload},
    types::type_table::{self, NewType},
    value::{
        any::{Any, AnyView},
        text,
    },
};

/// What lies behind the header of the tests' objects: fields `a` and `b`.
#[repr(C)]
#[derive(Clone)]
struct Node {
    a: Any,
    b: Any,
}

// SAFETY: `repr(C)`; the index is replaced by that of the type before the object is used.
unsafe impl Payload for Node {
    const TYPE_INDEX: i32 = kTVMFFIObject;
}

/// What a type says of itself and of its fields.
pub struct NodeType {
    pub key: &'static str,
    pub kind: i32,
    pub flags: [i64; 2],
}

const DEF: i64 = kTVMFFIFieldFlagBitMaskSEqHashDefPattern;
const DEF_SIMPLE: i64 = kTVMFFIFieldFlagBitMaskSEqHashDefSimple;
const IGNORE: i64 = kTVMFFIFieldFlagBitMaskSEqHashIgnore;

pub const TREE: NodeType = NodeType { key: "test.structural.Tree", kind: kTVMFFISEqHashKindTreeNode, flags: [0, 0] };
pub const VAR: NodeType = NodeType { key: "test.structural.Var", kind: kTVMFFISEqHashKindFreeVar, flags: [0, IGNORE] };
pub const DAG: NodeType = NodeType { key: "test.structural.Dag", kind: kTVMFFISEqHashKindDAGNode, flags: [0, 0] };
pub const FUNC: NodeType = NodeType { key: "test.structural.Func", kind: kTVMFFISEqHashKindTreeNode, flags: [DEF, 0] };
pub const LET: NodeType =
    NodeType { key: "test.structural.Let", kind: kTVMFFISEqHashKindTreeNode, flags: [DEF_SIMPLE, 0] };
pub const CONST: NodeType =
    NodeType { key: "test.structural.Const", kind: kTVMFFISEqHashKindConstTreeNode, flags: [0, 0] };
pub const UNIQUE: NodeType =
    NodeType { key: "test.structural.Unique", kind: kTVMFFISEqHashKindUniqueInstance, flags: [0, 0] };
/// Has hooks that lead back for each field.
pub const HOOKED: NodeType =
    NodeType { key: "test.structural.Hooked", kind: kTVMFFISEqHashKindTreeNode, flags: [0, 0] };

impl NodeType {
    /// The index of the type, which is registered if it is not yet.
    pub fn index(&self) -> i32 {
        static INDICES: LazyLock<Mutex<HashMap<&'static str, i32>>> = LazyLock::new(Mutex::default);
        *INDICES.lock().unwrap().entry(self.key).or_insert_with(|| self.register().unwrap())
    }

    fn register(&self) -> Result<i32> {
        let index = type_table::get_or_register(NewType {
            key: self.key.as_bytes(),
            static_index: -1,
            depth: 1,
            num_child_slots: 0,
            can_overflow: false,
            parent_index: kTVMFFIObject,
        })?;
        let fields = [("a", std::mem::offset_of!(Node, a)), ("b", std::mem::offset_of!(Node, b))];
        for ((name, offset), flags) in fields.into_iter().zip(self.flags) {
            let field = TVMFFIFieldInfo {
                name: TVMFFIByteArray::new(name.as_bytes()),
                doc: TVMFFIByteArray::EMPTY,
                metadata: TVMFFIByteArray::EMPTY,
                flags: flags | kTVMFFIFieldFlagBitMaskWritable,
                size: size_of::<Any>() as i64,
                alignment: align_of::<Any>() as i64,
                offset: (object::HEADER_SIZE + offset) as i64,
                getter: Some(get),
                setter: set as *mut c_void,
                default_value_or_factory: TVMFFIAny::NONE,
                field_static_type_index: kTVMFFIAny,
            };
            // SAFETY: the texts are static.
            unsafe { type_table::register_field(index, &field)? };
        }
        let metadata = TVMFFITypeMetadata {
            doc: TVMFFIByteArray::EMPTY,
            creator: None,
            total_size: (object::HEADER_SIZE + size_of::<Node>()) as i32,
            structural_eq_hash_kind: self.kind,
        };
        // SAFETY: there are no texts.
        unsafe { type_table::register_metadata(index, &metadata)? };
        let copy = Any::from(function::from_closure(move |args| {
            // SAFETY: the function is only called for objects of the type.
            let node = args[0].as_object().map(|object| unsafe { object.data::<Node>() }.clone());
            Ok(node.map(|node| with_type(object::new(node), index)).into())
        }));
        type_table::register_attribute(index, b"__ffi_shallow_copy__", copy.view())?;
        if self.key == HOOKED.key {
            register_hooks(index)?;
        }
        Ok(index)
    }

    /// An object of the type.
    pub fn make(&self, a: impl Into<Any>, b: impl Into<Any>) -> ObjectRef {
        with_type(object::new(Node { a: a.into(), b: b.into() }), self.index())
    }
}

fn with_type(object: ObjectRef, type_index: i32) -> ObjectRef {
    // SAFETY: nobody else has the object yet.
    unsafe { (*object.handle().cast::<TVMFFIObject>()).type_index = type_index };
    object
}

unsafe extern "C" fn get(field: *mut c_void, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the field is a live value, and the result is writable.
    unsafe { result.write((*field.cast::<Any>()).clone().into_raw()) };
    0
}

unsafe extern "C" fn set(field: *mut c_void, value: *const TVMFFIAny) -> c_int {
    // SAFETY: the field and the value are live.
    unsafe { *field.cast::<Any>() = AnyView::from_raw(value).to_owned().unwrap() };
    0
}

fn register_hooks(index: i32) -> Result<()> {
    let field = |value: &AnyView<'_>, second: bool| {
        let object = value.as_object().unwrap();
        // SAFETY: the hooks are only called for objects of the type.
        let Node { a, b } = unsafe { object.data::<Node>() };
        if second { b.clone() } else { a.clone() }
    };
    let equal = Any::from(function::from_closure(move |args| {
        let callback = args[2].cast_ref().unwrap();
        for (second, name) in [(false, "a"), (true, "b")] {
            let (lhs, rhs) = (field(&args[0], second), field(&args[1], second));
            let (kind, name) = (Any::from(0), text::string(name.as_bytes())?);
            let args = [*lhs.view(), *rhs.view(), *kind.view(), *name.view()];
            if function::call(callback, &args)?.view().as_bool() != Some(true) {
                return Ok(false.into());
            }
        }
        Ok(true.into())
    }));
    let hash = Any::from(function::from_closure(move |args| {
        let callback = args[2].cast_ref().unwrap();
        let mut hash = args[1].to_owned()?;
        for second in [false, true] {
            let (value, kind) = (field(&args[0], second), Any::from(0));
            hash = function::call(callback, &[*value.view(), *hash.view(), *kind.view()])?;
        }
        Ok(hash)
    }));
    type_table::register_attribute(index, b"__s_equal__", equal.view())?;
    type_table::register_attribute(index, b"__s_hash__", hash.view())
}

/// A string.
pub fn text(text: &str) -> Any {
    text::string(text.as_bytes()).unwrap()
}

/// An Array.
pub fn array_of<const N: usize>(elements: [Any; N]) -> Any {
    array::new(elements.into()).unwrap().into()
}

/// A List.
pub fn list_of<const N: usize>(elements: [Any; N]) -> Any {
    list::new(elements.into()).unwrap().into()
}

/// A Map.
pub fn map_of<const N: usize>(entries: [(Any, Any); N]) -> Any {
    map::new(entries.into()).unwrap().into()
}

/// A Dict.
pub fn dict_of<const N: usize>(entries: [(Any, Any); N]) -> Any {
    map::new_dict(entries.into()).unwrap().into()
}
