//! Copies of a value and of all that it refers to, with the same sharing and the same cycles.
//!
//! A List, a Dict or an object is copied before what it refers to, so that this can refer to the copy. An Array or a Map
//! can only be made of its complete elements: what refers back to one meanwhile gets the original, and the copy once all
//! is done.

use std::{
    collections::{HashMap, HashSet},
    vec,
};

use tvm_ffi_spec::*;

use super::children::{Children, address};
use crate::{
    border::error::{Error, Result},
    container::{
        array, list,
        map::{self, Dict},
        sequence::{self, List},
    },
    function,
    object::{ObjectRef, TypedRef},
    reflection::{
        create,
        field::{self, Field},
    },
    system::memory,
    types::{attribute, builtin_indices::ENUM, lineage, schema::Type, type_table},
    value::any::{Any, AnyView},
    walk::{
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
    let copy = fold(&mut copier, value.clone())?;
    if copier.has_placeholders {
        copier.replace_placeholders()?;
    }
    Ok(copy)
}

#[derive(Default)]
struct Copier {
    /// Originals, held so that no other object takes their address, and their copies.
    copies: HashMap<usize, (ObjectRef, Any)>,
    /// The Arrays and Maps that are not complete.
    incomplete: HashSet<usize>,
    /// Whether something refers to the original of an Array or Map because its copy was not complete.
    has_placeholders: bool,
}

/// An object whose children are being copied.
struct Frame {
    original: ObjectRef,
    children: vec::IntoIter<Any>,
    copy: Copy,
}

enum Copy {
    /// The elements of an Array, or the keys and values of a Map, copied so far.
    Immutable(Vec<Any>),
    List(List),
    /// A Dict, and the copy of a key whose value comes next.
    Dict(Dict, Option<Any>),
    /// Any other object, its fields to come, and the original value of the first of them.
    Object(ObjectRef, vec::IntoIter<Field>, Any),
}

impl Fold for Copier {
    type Input = Any;
    type Output = Any;
    type Frame = Frame;
    const NAME: &'static str = "ObjectGraphDFS";

    fn visit(&mut self, value: Any) -> Result<Visit<Frame, Any>> {
        let Some(original) = value.view().as_object() else { return Ok(Visit::Done(value)) };
        if let Some((_, copy)) = self.copies.get(&address(&original)) {
            return Ok(Visit::Done(copy.clone()));
        }
        if self.incomplete.contains(&address(&original)) {
            self.has_placeholders = true;
            return Ok(Visit::Done(value));
        }
        let type_index = original.type_index();
        if matches!(type_index, kTVMFFIStr | kTVMFFIBytes | kTVMFFIShape | kTVMFFIBigInt)
            || lineage::is_instance(type_index, ENUM)
        {
            return Ok(Visit::Done(value));
        }
        let Children { values, fields, .. } = Children::of(&original, 0)?;
        let (children, fields) = (values.into_iter(), fields.into_iter());
        let copy = match type_index {
            kTVMFFIArray | kTVMFFIMap => {
                self.incomplete.try_reserve(1)?;
                self.incomplete.insert(address(&original));
                Copy::Immutable(memory::room(children.len())?)
            }
            kTVMFFIList => Copy::List(self.keep(&original, list::new(Vec::new())?)?),
            kTVMFFIDict => Copy::Dict(self.keep(&original, map::new_dict(Vec::new())?)?, None),
            _ => Copy::Object(self.keep(&original, shallow_copy(&original)?)?, fields, Any::NONE),
        };
        Ok(Visit::Enter(Frame { original, children, copy }))
    }

    fn next(&mut self, frame: &mut Frame) -> Result<Option<Any>> {
        let child = frame.children.next();
        if let (Copy::Object(_, _, current), Some(child)) = (&mut frame.copy, &child) {
            *current = child.clone();
        }
        Ok(child)
    }

    fn feed(&mut self, frame: &mut Frame, output: Any) -> Result<()> {
        match &mut frame.copy {
            Copy::Immutable(elements) => elements.push(output),
            Copy::List(list) => list::push(list, output)?,
            Copy::Dict(dict, key) => match key.take() {
                None => *key = Some(output),
                Some(key) => map::insert(dict, key, output)?,
            },
            Copy::Object(object, fields, original) => {
                if let Some(field) = fields.next()
                    && !is_same(original.view(), output.view())
                {
                    // SAFETY: a copy is of the type of its original, which has the field.
                    unsafe { field.set(object, output.view())? };
                }
            }
        }
        Ok(())
    }

    fn finish(&mut self, frame: Frame) -> Result<Any> {
        let elements = match frame.copy {
            Copy::List(copy) => return Ok(copy.into()),
            Copy::Dict(copy, _) => return Ok(copy.into()),
            Copy::Object(copy, ..) => return Ok(copy.into()),
            Copy::Immutable(elements) => elements,
        };
        let copy = match frame.original.type_index() {
            kTVMFFIArray => array::new(elements)?.into_object(),
            _ => map::new(pairs(elements)?)?.into_object(),
        };
        self.incomplete.remove(&address(&frame.original));
        Ok(self.keep(&frame.original, copy)?.into())
    }
}

impl Copier {
    fn keep<T: TypedRef + Clone>(&mut self, original: &ObjectRef, copy: T) -> Result<T> {
        self.copies.try_reserve(1)?;
        self.copies.insert(address(original), (original.clone(), copy.clone().into()));
        Ok(copy)
    }

    /// Has what could only refer to originals refer to their copies.
    fn replace_placeholders(&self) -> Result<()> {
        for (_, copy) in self.copies.values() {
            let Some(copy) = copy.view().as_object() else { continue };
            if let Some(list) = copy.cast_ref() {
                self.mend_list(list)?;
            } else if let Some(dict) = copy.cast_ref() {
                self.mend_dict(dict)?;
            } else if copy.type_index() >= kTVMFFIStaticObjectEnd {
                self.mend_object(&copy)?;
            }
        }
        Ok(())
    }

    fn mend_list(&self, list: &List) -> Result<()> {
        for (index, element) in (0..).zip(&sequence::elements(list)?) {
            if let Some(copy) = self.copy_of(element) {
                list::set(list, index, copy)?;
            }
        }
        Ok(())
    }

    fn mend_dict(&self, dict: &Dict) -> Result<()> {
        for (key, value) in map::entries(dict)? {
            let copies = (self.copy_of(&key), self.copy_of(&value));
            if copies.0.is_some() || copies.1.is_some() {
                map::erase(dict, key.view())?;
                map::insert(dict, copies.0.unwrap_or(key), copies.1.unwrap_or(value))?;
            }
        }
        Ok(())
    }

    fn mend_object(&self, object: &ObjectRef) -> Result<()> {
        for field in field::fields(object.type_index())? {
            // SAFETY: the fields are those of the object's type.
            let value = unsafe { field.get(object)? };
            if let Some(copy) = self.copy_of(&value)
                && !is_same(copy.view(), value.view())
            {
                // SAFETY: as above.
                unsafe { field.set(object, copy.view())? };
            }
        }
        Ok(())
    }

    /// The copy of a value that is an original.
    fn copy_of(&self, value: &Any) -> Option<Any> {
        let object = value.view().as_object()?;
        self.copies.get(&address(&object)).map(|(_, copy)| copy.clone())
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

fn pairs(values: Vec<Any>) -> Result<Vec<(Any, Any)>> {
    let mut pairs = memory::room(values.len() / 2)?;
    let mut values = values.into_iter();
    pairs.extend(std::iter::from_fn(|| values.next().zip(values.next())));
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{recursive::compare, test_values};

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
        for cyclic in [list.into(), copy, element(&second, 0)] {
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
        assert!(compare::equal(&deep_copy(&original).unwrap(), &original).unwrap());
    }

    proptest! {
        #[test]
        fn copies_are_equal(sample in test_values::values()) {
            let original = sample.value();
            prop_assert!(compare::equal(&deep_copy(&original).unwrap(), &original).unwrap());
        }
    }
}
