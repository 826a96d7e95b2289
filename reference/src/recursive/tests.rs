//! Walks whose hooks lead back into them.

use std::sync::Mutex;

use rstest::rstest;
use tvm_ffi_spec::*;

use super::{hash::recursive_hash, repr::repr};
use crate::{
    border::error::{Error, Result},
    function::{self, Function, from_closure},
    object::{self, Payload},
    types::type_table::{self, NewType},
    value::any::Any,
};

/// An object of a type that is registered for a test.
#[repr(C)]
struct Plain;

// SAFETY: a plain object has no data.
unsafe impl Payload for Plain {
    const TYPE_INDEX: i32 = kTVMFFIObject;
}

#[test]
fn texts_are_ordered_byte_by_byte() {
    let text = |text: &str| crate::value::text::string(text.as_bytes()).unwrap();
    let less = |lhs: &str, rhs: &str| {
        let args = [text(lhs), text(rhs)];
        let args = args.each_ref().map(|arg| *arg.view());
        crate::startup::globals::call_builtin("ffi.RecursiveLt", &args).unwrap().view().as_bool()
    };
    assert_eq!(
        [less("z", "é"), less("é", "z"), less("a", "b"), less("a", "a")].map(Option::unwrap),
        [true, false, true, false]
    );
}

/// An object of a new type whose hook is this function.
fn hooked(
    key: &str,
    attributes: &[&str],
    hook: impl Fn(&[crate::value::any::AnyView<'_>]) -> Result<Any> + Send + Sync + 'static,
) -> Any {
    let type_index = type_table::get_or_register(NewType {
        key: key.as_bytes(),
        static_index: -1,
        depth: 1,
        num_child_slots: 0,
        can_overflow: true,
        parent_index: kTVMFFIObject,
    });
    let type_index = type_index.unwrap();
    let hook = Any::from(from_closure(hook));
    for attribute in attributes {
        type_table::register_attribute(type_index, attribute.as_bytes(), hook.view()).unwrap();
    }
    let object = object::new(Plain);
    // SAFETY: the object is new, and a type without fields asks nothing of it.
    unsafe { (*object.handle().cast::<TVMFFIObject>()).type_index = type_index };
    object.into()
}

/// A walk over a value, or over two.
type Walk = fn(&Any) -> Result<()>;

const REPR: Walk = |value| repr(value).map(drop);
const HASH: Walk = |value| recursive_hash(value.view()).map(drop);

/// Each round of such a hook starts a further walk within the one before.
#[rstest]
#[case::repr("test.recursive.EndlessRepr", "__ffi_repr__", REPR)]
#[case::hash("test.recursive.EndlessHash", "__ffi_hash__", HASH)]
fn hooks_that_never_stop_are_stopped(#[case] key: &str, #[case] attribute: &str, #[case] walk: Walk) {
    let value = hooked(key, &[attribute], move |args| {
        // Another object each time, so that no walk meets one again.
        let fresh = object::new(Plain);
        // SAFETY: the object is new, and a type without fields asks nothing of it.
        unsafe { (*fresh.handle().cast::<TVMFFIObject>()).type_index = args[0].type_index() };
        function::call(args[1].cast_ref().unwrap(), &[*Any::from(fresh).view()])
    });
    let error = walk(&value).err().unwrap().into_object();
    assert!(error.type_index() == kTVMFFIError);
}

#[test]
fn the_function_for_a_hook_ends_with_its_walk() {
    static KEPT: Mutex<Option<Function>> = Mutex::new(None);
    let value = hooked("test.recursive.Keeping", &["__ffi_repr__"], |args| {
        let go_on = args[1].cast().unwrap();
        let text = function::call(&go_on, &[*Any::from(7).view()]);
        *KEPT.lock().unwrap() = Some(go_on);
        text
    });
    assert_eq!(repr(&value).unwrap(), b"7");
    let kept = KEPT.lock().unwrap().take().unwrap();
    assert!(function::call(&kept, &[*Any::from(7).view()]).is_err());
}

#[test]
fn a_walk_goes_on_after_a_hook_has_failed() {
    let value =
        hooked("test.recursive.Failing", &["__ffi_repr__", "__ffi_hash__"], |_| Err(Error::new("ValueError", "no")));
    let both = crate::container::list::new(vec![value.clone(), value]).unwrap();
    assert!(repr(&both.clone().into()).is_err() && recursive_hash(Any::from(both).view()).is_err());
}

#[rstest]
#[case(2)]
#[case(3)]
#[case(7)]
fn circles_of_any_length_have_one_hash(#[case] length: usize) {
    let call = |name: &str, args: &[&Any]| {
        let args: Vec<_> = args.iter().map(|arg| *arg.view()).collect();
        crate::startup::globals::call_builtin(name, &args).unwrap()
    };
    let circle = |length: usize| {
        let lists: Vec<_> = (0..length).map(|_| call("ffi.List", &[&Any::from(7)])).collect();
        for (at, list) in lists.iter().enumerate() {
            call("ffi.ListAppend", &[list, &lists[(at + 1) % length]]);
        }
        lists
    };
    let (one, other) = (circle(1), circle(length));
    assert_eq!(call("ffi.RecursiveEq", &[&one[0], &other[0]]).view().as_bool(), Some(true));
    assert_eq!(recursive_hash(one[0].view()).unwrap(), recursive_hash(other[0].view()).unwrap());
    for list in one.iter().chain(&other) {
        call("ffi.ListClear", &[list]);
    }
}

#[test]
fn equality_without_a_hash_is_pointed_out() {
    let value = hooked("test.recursive.Unhashed", &["__ffi_eq__"], |_| Ok(true.into()));
    let text = "ValueError: RecursiveHash: type 'test.recursive.Unhashed' defines __ffi_eq__ or __ffi_compare__ but \
                not __ffi_hash__. Add a __ffi_hash__ hook to maintain the invariant RecursiveEq(a,b) => \
                RecursiveHash(a)==RecursiveHash(b).";
    assert_eq!(recursive_hash(value.view()).unwrap_err().to_string(), text);
}
