//! The type table, filled by one thread or several.

use std::{ptr, slice};

use rstest::rstest;
use tvm_ffi_spec::*;

use super::{entry::name_of, lineage::types, type_table::*};
use crate::{
    border::error::{Error, Failure, Result},
    value::{any::Any, bit_hash},
};

fn new_type(key: &str) -> NewType<'_> {
    NewType {
        key: key.as_bytes(),
        static_index: -1,
        depth: 1,
        num_child_slots: 0,
        can_overflow: true,
        parent_index: kTVMFFIObject,
    }
}

fn register(new: NewType<'_>) -> i32 {
    get_or_register(new).unwrap()
}

fn info_of(type_index: i32) -> &'static TVMFFITypeInfo {
    // SAFETY: entries are never freed, and the tests look at types that nobody else registers for.
    unsafe { &*info(type_index).unwrap() }
}

fn message<T>(result: Result<T>) -> String {
    match result.map_err(Error::into_failure) {
        Err(Failure::New { message, .. }) => message.into_owned(),
        _ => panic!("an error was expected"),
    }
}

#[rstest]
#[case("None", 0, 0)]
#[case("ffi.Unchanged", 13, 0)]
#[case("ffi.Object", 64, 0)]
#[case("ffi.Function", 68, 1)]
#[case("ffi.Dict", 76, 1)]
#[case("ffi.VisitInterrupt", 77, 1)]
#[case("ffi.BigInt", 78, 1)]
fn built_in_types_have_their_indices(#[case] key: &str, #[case] index: i32, #[case] depth: i32) {
    assert_eq!(index_of(key.as_bytes()).unwrap(), index);
    let info = info_of(index);
    assert_eq!(
        (info.type_index, info.type_depth, info.type_key_hash),
        (index, depth, bit_hash::std_hash(key.as_bytes()))
    );
    assert_eq!(key_of(index), key);
}

#[test]
fn a_known_key_wins_over_everything_else() {
    let index = register(new_type("test.known"));
    let other = NewType { static_index: 100, depth: 9, parent_index: -1, ..new_type("test.known") };
    assert_eq!(register(other), index);
    assert_eq!(register(NewType { parent_index: -2, ..new_type("test.unknown") }), -2);
    assert!(index_of(b"test.unknown").is_err());
}

#[test]
fn children_fill_the_slots_and_then_overflow() {
    let parent = register(NewType { num_child_slots: 2, ..new_type("test.parent") });
    let child = |key| register(NewType { depth: 2, parent_index: parent, ..new_type(key) }) - parent;
    assert_eq!((child("test.child.1"), child("test.child.2")), (1, 2));
    assert!(child("test.child.3") > 2);
    let ancestors = info_of(index_of(b"test.child.1").unwrap()).type_ancestors;
    // SAFETY: a type of depth 2 has two ancestors.
    let ancestors = unsafe { slice::from_raw_parts(ancestors, 2) };
    assert_eq!(ancestors, [info(kTVMFFIObject).unwrap(), info(parent).unwrap()]);
}

#[test]
fn a_lineage_begins_with_the_root_whichever_that_is() {
    let root = register(NewType { depth: 0, parent_index: -1, ..new_type("test.lineage.root") });
    let child = register(NewType { parent_index: root, ..new_type("test.lineage.child") });
    let lineage_of = |index| types(index).unwrap().map(|info| info.type_index).collect::<Vec<_>>();
    assert_eq!(lineage_of(child), [root, child]);
    assert_eq!(lineage_of(root), [root]);
    assert_eq!(lineage_of(kTVMFFIDict), [kTVMFFIObject, kTVMFFIDict]);
}

#[test]
fn what_cannot_overflow_has_no_descendant_that_can() {
    let closed = NewType { num_child_slots: 2, can_overflow: false, ..new_type("test.closed") };
    let parent = register(closed);
    let child = |key| NewType { depth: 2, parent_index: parent, num_child_slots: 1, ..new_type(key) };
    let first = register(child("test.closed.1"));
    let grandchild = |key| NewType { depth: 3, parent_index: first, ..new_type(key) };
    assert_eq!(register(grandchild("test.closed.1.1")), first + 1);
    let text = message(get_or_register(grandchild("test.closed.1.2")));
    assert!(text.ends_with("Reach maximum number of sub-classes for test.closed.1"), "{text}");
    let text = message(get_or_register(child("test.closed.2")));
    assert!(text.ends_with("Reach maximum number of sub-classes for test.closed"), "{text}");
}

#[test]
fn a_slot_is_given_only_once() {
    let parent = register(NewType { num_child_slots: 3, ..new_type("test.slots") });
    let child = |key, static_index, num_child_slots| {
        register(NewType { static_index, depth: 2, num_child_slots, parent_index: parent, ..new_type(key) }) - parent
    };
    assert_eq!(child("test.slots.static", parent + 2, 0), 2);
    assert!(child("test.slots.wide", -1, 1) > 3);
    assert_eq!([child("test.slots.first", -1, 0), child("test.slots.last", -1, 0)], [1, 3]);
    let stranger = |static_index| NewType { static_index, ..new_type("test.stranger") };
    let reserving = register(NewType { num_child_slots: 3, ..new_type("test.reserving") });
    assert!(get_or_register(stranger(reserving + 3)).is_err());
}

#[rstest]
#[case::no_parent(NewType { parent_index: -1, ..new_type("test.bad") })]
#[case::unknown_parent(NewType { parent_index: 1 << 30, ..new_type("test.bad") })]
#[case::unused_parent(NewType { parent_index: 100, ..new_type("test.bad") })]
#[case::wrong_depth(NewType { depth: 4, ..new_type("test.bad") })]
#[case::taken_index(NewType { static_index: kTVMFFIStr, ..new_type("test.bad") })]
#[case::slots_of_others(NewType { static_index: 126, num_child_slots: 2, ..new_type("test.bad") })]
#[case::index_beyond_the_table(NewType { static_index: 1 << 30, ..new_type("test.bad") })]
#[case::index_below_the_parent(NewType { static_index: 20, ..new_type("test.bad") })]
#[case::final_parent(NewType { depth: 2, parent_index: kTVMFFIStr, ..new_type("test.bad") })]
#[case::negative_slots(NewType { num_child_slots: -1, ..new_type("test.bad") })]
#[case::too_many_slots(NewType { num_child_slots: i32::MAX, ..new_type("test.bad") })]
#[case::more_slots_than_indices(NewType { num_child_slots: i32::MAX - 1, ..new_type("test.bad") })]
fn what_contradicts_the_table_is_refused(#[case] new: NewType<'_>) {
    assert!(get_or_register(new).is_err());
    assert!(index_of(b"test.bad").is_err());
}

fn field(name: &'static str) -> TVMFFIFieldInfo {
    TVMFFIFieldInfo {
        name: TVMFFIByteArray::new(name.as_bytes()),
        doc: TVMFFIByteArray::EMPTY,
        metadata: TVMFFIByteArray::new(b"{}"),
        flags: 0,
        size: 8,
        alignment: 8,
        offset: 24,
        getter: None,
        setter: ptr::null_mut(),
        default_value_or_factory: TVMFFIAny::new(kTVMFFIInt, 5),
        field_static_type_index: kTVMFFIInt,
    }
}

#[test]
fn fields_are_copied_and_named_once() {
    let index = register(new_type("test.fields"));
    let with_default = TVMFFIFieldInfo { flags: kTVMFFIFieldFlagBitMaskHasDefault, ..field("b") };
    // SAFETY: the fields of the tests refer to constants.
    let register = |field: &TVMFFIFieldInfo| unsafe { register_field(index, field) };
    register(&field("a")).unwrap();
    register(&with_default).unwrap();
    assert!(message(register(&field("a"))).ends_with("Duplicate field name \"a\" in type \"test.fields\""));
    let info = info_of(index);
    // SAFETY: two fields were registered.
    let fields = unsafe { slice::from_raw_parts(info.fields, info.num_fields as usize) };
    assert_eq!(fields.iter().map(|field| field.default_value_or_factory.payload()).collect::<Vec<_>>(), [0, 5]);
    assert_eq!(fields.iter().map(name_of).collect::<Vec<_>>(), [b"a", b"b"]);
    assert!(fields[0].doc.data.is_null());
    // SAFETY: as above.
    assert!(unsafe { register_field(1 << 20, &field("a")) }.is_err());
}

#[test]
fn an_attribute_is_stored_once_in_a_column_that_stays() {
    let (first, second) = (register(new_type("test.attr.1")), register(new_type("test.attr.2")));
    let value = |value: i64| Any::from(value);
    assert!(attribute_column(b"test.attr").is_null());
    register_attribute(kTVMFFINone, b"test.attr", Any::NONE.view()).unwrap();
    let column = attribute_column(b"test.attr");
    register_attribute(kTVMFFINone, b"test.attr", value(0).view()).unwrap();
    assert!(message(register_attribute(kTVMFFINone, b"test.attr", value(3).view())).contains("already registered"));
    register_attribute(first, b"test.attr", value(1).view()).unwrap();
    register_attribute(second, b"test.attr", value(2).view()).unwrap();
    assert!(message(register_attribute(first, b"test.attr", value(3).view())).contains("already registered"));
    assert!(register_attribute(1 << 20, b"test.attr", value(3).view()).is_err());
    assert!(register_attribute(-1, b"test.attr", value(3).view()).is_err());
    assert_eq!(attribute_column(b"test.attr"), column);
    // SAFETY: columns are never freed.
    let values = unsafe { slice::from_raw_parts((*column).data, (*column).size as usize) };
    assert_eq!(values[kTVMFFINone as usize].type_index, kTVMFFIInt);
    assert_eq!((values[first as usize].payload(), values[second as usize].payload()), (1, 2));
    assert_eq!(values[kTVMFFIObject as usize].type_index, kTVMFFINone);
}

#[test]
fn threads_may_register_and_look_up_at_once() {
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                for round in 0..200 {
                    let key = format!("test.thread.{}.{round}", thread % 2);
                    let index = register(new_type(&key));
                    assert_eq!(key_of(index), key);
                    let value = Any::from(i64::from(index));
                    let _ = register_attribute(index, b"test.thread", value.view());
                    let column = attribute_column(b"test.thread");
                    // SAFETY: columns are never freed, and this one has grown beyond the index by now.
                    let stored = unsafe { *(*column).data.add(index as usize) };
                    assert_eq!(stored.payload(), index as u64);
                }
            });
        }
    });
}
