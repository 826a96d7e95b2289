//! What walks through all that a value refers to: copies, texts, hashes and comparisons.
//!
//! Types take part with hooks, which are given a function to go on with. That function works only as long as the walk
//! that made it, and the state of a walk is never locked while a hook runs.

pub mod compare;
pub mod deep_copy;
pub mod hash;
pub mod repr;

pub use deep_copy::deep_copy;
pub use hash::recursive_hash;
pub use repr::repr;

use tvm_ffi_spec::*;

use crate::{
    border::error::{Error, Result},
    container::{map, sequence},
    function::row::{Row, row},
    object::ObjectRef,
    reflection::field::{self, Field},
    value::{any::Any, text},
};

/// Functions of this subject.
pub const GLOBALS: &[Row] = &[
    row("ffi.DeepCopy(0: Any) -> Any", |args| deep_copy(&args.any(0).to_owned()?)),
    row("ffi.ReprPrint(0: Any) -> str", |args| text::string(&repr(&args.any(0).to_owned()?)?)),
    row("ffi.RecursiveHash(0: Any) -> int", |args| Ok(recursive_hash(&args.any(0).to_owned()?)?.into())),
];

/// The five comparisons.
pub const COMPARISONS: &[Row] = &[
    row("ffi.RecursiveEq(0: Any, 1: Any) -> bool", |args| {
        compare::equal(&args.any(0).to_owned()?, &args.any(1).to_owned()?).map(Any::from)
    }),
    row("ffi.RecursiveLt(0: Any, 1: Any) -> bool", |args| {
        compare::order(&args.any(0).to_owned()?, &args.any(1).to_owned()?).map(|order| (order < 0).into())
    }),
    row("ffi.RecursiveLe(0: Any, 1: Any) -> bool", |args| {
        compare::order(&args.any(0).to_owned()?, &args.any(1).to_owned()?).map(|order| (order <= 0).into())
    }),
    row("ffi.RecursiveGt(0: Any, 1: Any) -> bool", |args| {
        compare::order(&args.any(0).to_owned()?, &args.any(1).to_owned()?).map(|order| (order > 0).into())
    }),
    row("ffi.RecursiveGe(0: Any, 1: Any) -> bool", |args| {
        compare::order(&args.any(0).to_owned()?, &args.any(1).to_owned()?).map(|order| (order >= 0).into())
    }),
];

/// What an object consists of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The elements of an Array or a List.
    Sequence,
    /// The entries of a Map or a Dict.
    Map,
    /// The fields of any other object.
    Object,
}

/// The values that an object refers to, as they are now.
struct Children {
    kind: Kind,
    /// Of maps, each key and its value in turn.
    values: Vec<Any>,
    /// Of other objects, the field of each value.
    fields: Vec<Field>,
}

impl Children {
    /// All of an object but the fields with any of these flags.
    fn of(object: &ObjectRef, skipped: i64) -> Result<Self> {
        let of = |kind, values| Self { kind, values, fields: Vec::new() };
        Ok(match object.type_index() {
            kTVMFFIArray | kTVMFFIList => of(Kind::Sequence, sequence::elements(object)),
            kTVMFFIMap | kTVMFFIDict => {
                let entries = map::entries(object);
                of(Kind::Map, entries.into_iter().flat_map(|(key, value)| [key, value]).collect())
            }
            type_index => {
                let fields: Vec<_> = field::fields(type_index)?.filter(|field| !field.has(skipped)).collect();
                let values = fields.iter().map(|field| field.get(object)).collect::<Result<_>>()?;
                Self { kind: Kind::Object, values, fields }
            }
        })
    }
}

/// The address of an object, which is what walks know it by. It is theirs as long as they hold a reference.
fn address(object: &ObjectRef) -> usize {
    object.handle() as usize
}

#[cold]
fn ended() -> Error {
    Error::new("RuntimeError", "The function was called after the walk that it belongs to")
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use rstest::rstest;

    use super::*;
    use crate::{
        function::{self, from_closure},
        object::{self, Payload},
        types::type_table::{self, NewType},
    };

    /// An object of a type that is registered for a test.
    #[repr(C)]
    struct Plain;

    // SAFETY: a plain object has no data.
    unsafe impl Payload for Plain {
        const TYPE_INDEX: i32 = kTVMFFIObject;
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
    const HASH: Walk = |value| recursive_hash(value).map(drop);

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
            function::call(&args[1].as_object().unwrap(), &[*Any::from(fresh).view()])
        });
        let error = walk(&value).err().unwrap().into_object();
        assert!(error.type_index() == kTVMFFIError);
    }

    #[test]
    fn the_function_for_a_hook_ends_with_its_walk() {
        static KEPT: Mutex<Option<ObjectRef>> = Mutex::new(None);
        let value = hooked("test.recursive.Keeping", &["__ffi_repr__"], |args| {
            let go_on = args[1].as_object().unwrap();
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
        let value = hooked("test.recursive.Failing", &["__ffi_repr__", "__ffi_hash__"], |_| {
            Err(Error::new("ValueError", "no"))
        });
        let both = crate::container::list::new(vec![value.clone(), value]).unwrap();
        assert!(repr(&both.clone().into()).is_err() && recursive_hash(&both.into()).is_err());
    }

    #[test]
    fn equality_without_a_hash_is_pointed_out() {
        let value = hooked("test.recursive.Unhashed", &["__ffi_eq__"], |_| Ok(true.into()));
        let text = "ValueError: RecursiveHash: type 'test.recursive.Unhashed' defines __ffi_eq__ or __ffi_compare__ but \
                    not __ffi_hash__. Add a __ffi_hash__ hook to maintain the invariant RecursiveEq(a,b) => \
                    RecursiveHash(a)==RecursiveHash(b).";
        assert_eq!(recursive_hash(&value).unwrap_err().to_string(), text);
    }
}
