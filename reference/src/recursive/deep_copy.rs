//! Copies of a value and of all that it refers to, with the same sharing and the same cycles.
//!
//! Each object is copied before what it refers to, so that this can refer to the copy. An Array or a Map is filled while
//! others may refer to it already; the setters of fields get it when it is complete.

use tvm_ffi_spec::*;

use super::children::{Children, VisibleFields, address};
use crate::{
    border::error::{Error, Result},
    container::{
        array,
        held::{Parts, Visited},
        list,
        map::{self, Dict, Mapping},
        sequence::{Array, List},
    },
    function,
    object::{ObjectRef, TypedRef},
    reflection::{
        create,
        field::{self, Field},
    },
    system::memory::RoomFor,
    types::{attribute, builtin_indices::ENUM, lineage, schema::Type, type_table},
    value::any::{Any, AnyView},
    walk::{
        addresses::ByAddress,
        recursion::{Fold, Visit, fold},
        stack_guard,
    },
};

/// A copy of a value. Strings, bytes, shapes, big integers and enumerations are never changed and stay as they are.
///
/// # Errors
/// `InternalError` for an object whose type has no copies, `ValueError` for values nested too deep, and what getters,
/// setters and hooks fail with.
pub fn deep_copy(value: &Any) -> Result<Any> {
    stack_guard::check()?;
    let mut copier = Copier::default();
    let copy = fold(&mut copier, Visited::root(value.clone(), false)).and_then(|copy| {
        copier.set_fields()?;
        Ok(copy)
    });
    copy.inspect_err(|_| copier.break_circles())
}

#[derive(Default)]
struct Copier {
    /// What became of originals that may be met again.
    copies: ByAddress<usize, Copied>,
    /// Whether what was visited last is an Array or a Map that is not complete.
    is_incomplete: bool,
    /// Fields of copies, and the Arrays and Maps for them that were not complete when their turn came.
    later: Vec<(ObjectRef, Field, Any)>,
}

struct Copied {
    /// Held so that no other object takes its address.
    original: ObjectRef,
    copy: Any,
    is_complete: bool,
}

/// An object whose children are being copied.
struct Frame {
    original: Visited,
    children: Parts,
    copy: Copy,
}

enum Copy {
    Array(Array),
    List(List),
    /// A Map or a Dict, and the copy of a key whose value comes next.
    Map(Mapping, Option<Any>),
    /// Any other object, its fields to come, and the original value of the first of them.
    Object(ObjectRef, VisibleFields, Any),
}

impl Fold for Copier {
    type Input = Visited;
    type Output = Any;
    type Frame = Frame;
    const NAME: &'static str = "ObjectGraphDFS";

    fn visit(&mut self, visited: Visited) -> Result<Visit<Frame, Any>> {
        let Some(original) = visited.value.object() else { return Ok(Visit::Done(visited.value.to_owned())) };
        if visited.noted
            && let Some(Copied { copy, is_complete, .. }) = self.copies.get(&address(original))
        {
            self.is_incomplete = !is_complete;
            return Ok(Visit::Done(copy.clone()));
        }
        let type_index = original.type_index();
        if stays_as_it_is(type_index) {
            return Ok(Visit::Done(visited.value.to_owned()));
        }
        // SAFETY: the frame has both the object and its children.
        let Children { values: children, fields, .. } = unsafe { Children::of(original, 0)? };
        let copy = match type_index {
            kTVMFFIArray => Copy::Array(self.keep(&visited, array::with_capacity(children.len())?, false)?),
            kTVMFFIList => Copy::List(self.keep(&visited, list::new(Vec::new())?, true)?),
            kTVMFFIMap | kTVMFFIDict => {
                let copy = map::with_room(type_index, children.len() / 2)?;
                Copy::Map(self.keep(&visited, copy, type_index == kTVMFFIDict)?, None)
            }
            _ => Copy::Object(self.keep(&visited, shallow_copy(original)?, true)?, fields, Any::NONE),
        };
        Ok(Visit::Enter(Frame { original: visited, children, copy }))
    }

    #[inline]
    fn next(&mut self, frame: &mut Frame) -> Result<Option<Visited>> {
        for child in frame.children.by_ref() {
            match &mut frame.copy {
                // By this reference the value counts as one that may be met again, as getters answer what they like.
                Copy::Object(_, _, current) => *current = child.to_owned(),
                // What is no object needs no visit.
                copy if child.object().is_none() => {
                    copy.add(child.to_owned())?;
                    continue;
                }
                _ => {}
            }
            return Ok(Some(frame.original.part(child)));
        }
        Ok(None)
    }

    fn feed(&mut self, frame: &mut Frame, output: Any) -> Result<()> {
        let is_incomplete = std::mem::take(&mut self.is_incomplete);
        let Copy::Object(object, fields, original) = &mut frame.copy else { return frame.copy.add(output) };
        let Some(field) = fields.next().filter(|_| !is_same(original.view(), output.view())) else { return Ok(()) };
        if is_incomplete {
            self.later.room_for(1)?;
            self.later.push((object.clone(), field, output));
            return Ok(());
        }
        // SAFETY: a copy is an instance of the type of its original, which has the field.
        unsafe { field.set(object, output.view()) }
    }

    fn finish(&mut self, frame: Frame) -> Result<Any> {
        Ok(match frame.copy {
            Copy::List(copy) => copy.into(),
            Copy::Object(copy, ..) => copy.into(),
            Copy::Array(copy) => self.complete(&frame.original, copy.into()),
            Copy::Map(copy, _) => self.complete(&frame.original, copy.into()),
        })
    }
}

impl Copy {
    /// Adds an element, or a key or the value behind it, to a container.
    #[inline]
    fn add(&mut self, value: Any) -> Result<()> {
        match self {
            // SAFETY: the array was made for as many elements as its original has, which nobody changes meanwhile.
            Self::Array(array) => unsafe { array::append(array, value) },
            Self::List(list) => return list::push(list, value),
            Self::Map(map, key) => match key.take() {
                None => *key = Some(value),
                Some(key) => return map::insert(map, key, value),
            },
            Self::Object(..) => {}
        }
        Ok(())
    }
}

impl Copier {
    /// Notes what the copy of an object is.
    fn keep<T: TypedRef + Clone>(&mut self, original: &Visited, copy: T, is_complete: bool) -> Result<T> {
        if original.noted
            && let Some(original) = original.value.object()
        {
            self.copies.room_for(1)?;
            let copied = Copied { original: original.clone(), copy: copy.clone().into(), is_complete };
            self.copies.insert(address(original), copied);
        }
        Ok(copy)
    }

    /// Notes that a copy has all its elements.
    fn complete(&mut self, original: &Visited, copy: Any) -> Any {
        if original.noted
            && let Some(copied) = original.value.object().and_then(|original| self.copies.get_mut(&address(original)))
        {
            copied.is_complete = true;
        }
        copy
    }

    /// Sets the fields that had to wait.
    fn set_fields(&mut self) -> Result<()> {
        for (object, field, value) in self.later.drain(..) {
            // SAFETY: the object has the field.
            unsafe { field.set(&object, value.view())? };
        }
        Ok(())
    }

    /// Takes copies that nobody gets apart, as they may refer to one another.
    fn break_circles(&mut self) {
        for Copied { original, copy, .. } in self.copies.values() {
            if let Some(list) = copy.view().cast_ref::<List>() {
                let _ = list::clear(list);
            } else if let Some(dict) = copy.view().cast_ref::<Dict>() {
                map::clear(dict);
            } else {
                let Some(object) = copy.view().cast_ref::<ObjectRef>() else { continue };
                // The fields become those of the original again, which has fewer than a copy of a type that descends from its own.
                for field in field::fields(original.type_index()).into_iter().flatten() {
                    // SAFETY: the original is of the type that has the field, and so is the copy.
                    let _ = unsafe { field.get(original).and_then(|value| field.set(object, value.view())) };
                }
            }
        }
    }
}

/// Whether values of a type are never changed, so that they are their own copies.
fn stays_as_it_is(type_index: i32) -> bool {
    match type_index {
        kTVMFFIStr | kTVMFFIBytes | kTVMFFIShape | kTVMFFIBigInt => true,
        kTVMFFIArray | kTVMFFIMap | kTVMFFIList | kTVMFFIDict => false,
        _ => lineage::is_instance(type_index, ENUM),
    }
}

/// Another object of the same type with the same fields.
fn shallow_copy(original: &ObjectRef) -> Result<ObjectRef> {
    let type_index = original.type_index();
    let copy = create::function_of(&attribute::SHALLOW_COPY, type_index).ok_or_else(|| {
        let key = type_table::key_of(type_index);
        let text = format!("Cannot deep copy object of type \"{key}\" because it is not copy-constructible");
        Error::new("InternalError", format!("Check failed: (copy_fn.has_value()) is false: {text}"))
    })?;
    let value = Any::from(original.clone());
    let copy = function::call(&copy, &[*value.view()])?;
    // The fields are about to be set, so it must have them.
    let object = copy.view().as_object().filter(|copy| lineage::is_instance(copy.type_index(), type_index));
    object.ok_or_else(|| Type::Object(type_table::key_of(type_index).into()).refuse(copy.view()))
}

/// Whether two values are the same sixteen bytes.
fn is_same(lhs: &AnyView<'_>, rhs: &AnyView<'_>) -> bool {
    lhs.raw().to_bytes() == rhs.raw().to_bytes()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{container::sequence, recursive::compare, test_values};

    fn element(sequence: &Any, index: usize) -> Any {
        sequence::get(sequence.view().cast_ref().unwrap(), index).unwrap()
    }

    fn are_one(lhs: &Any, rhs: &Any) -> bool {
        is_same(lhs.view(), rhs.view())
    }

    #[test]
    fn what_was_shared_is_shared() {
        let shared = Any::from(list::new(vec![1.into()]).unwrap());
        let original = Any::from(array::new(vec![shared.clone(), shared.clone()]).unwrap());
        let copy = deep_copy(&original).unwrap();
        assert!(!are_one(&copy, &original) && !are_one(&element(&copy, 0), &shared));
        assert!(are_one(&element(&copy, 0), &element(&copy, 1)));
    }

    #[test]
    fn cycles_are_copied_with_their_turns() {
        let list = test_values::cyclic_list();
        let copy = deep_copy(&list.clone().into()).unwrap();
        assert!(are_one(&element(&copy, 0), &copy) && !are_one(&copy, &list.clone().into()));
        // A list within an array that refers to the array: the copy of the list refers to the copy of the array.
        list::clear(&list).unwrap();
        let array = Any::from(array::new(vec![list.clone().into()]).unwrap());
        list::push(&list, array.clone()).unwrap();
        let second = deep_copy(&array).unwrap();
        assert!(are_one(&element(&element(&second, 0), 0), &second) && !are_one(&second, &array));
        // Another array in the circle, which is complete before the one around it.
        let outer = Any::from(array::new(vec![element(&array, 0)]).unwrap());
        let third = deep_copy(&outer).unwrap();
        let third_list = element(&third, 0);
        let inner = element(&third_list, 0);
        assert!(are_one(&element(&inner, 0), &third_list) && !are_one(&third_list, &element(&array, 0)));
        for cyclic in [list.into(), copy, element(&second, 0), third_list] {
            test_values::break_cycle(cyclic.view().cast_ref().unwrap());
        }
    }

    #[test]
    fn what_has_no_copies_is_refused() {
        let function = function::from_closure(|_| Ok(Any::NONE));
        let text = "InternalError: Check failed: (copy_fn.has_value()) is false: Cannot deep copy object of type \
                    \"ffi.Function\" because it is not copy-constructible";
        assert_eq!(deep_copy(&function.into()).err().unwrap().to_string(), text);
    }

    #[test]
    fn depth_is_no_danger() {
        let original = Any::from(test_values::nested_lists(100_000));
        assert!(compare::equal(deep_copy(&original).unwrap().view(), original.view()).unwrap());
    }

    proptest! {
        #[test]
        fn copies_are_equal(sample in test_values::values()) {
            let original = sample.value();
            prop_assert!(compare::equal(deep_copy(&original).unwrap().view(), original.view()).unwrap());
        }
    }
}
