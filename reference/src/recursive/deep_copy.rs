//! Copies of a value and of all that it refers to, with the same sharing and the same cycles.
//!
//! A List, a Dict or an object is copied before what it refers to, so that this can refer to the copy. An Array or a Map
//! can only be made of its complete elements: what refers back to one meanwhile gets the original, and the copy once all
//! is done.

use tvm_ffi_spec::*;

use super::children::{Children, VisibleFields, address};
use crate::{
    border::error::{Error, Result},
    container::{
        array,
        held::{Parts, Visited},
        list,
        map::{self, Dict},
        sequence::{self, List},
    },
    function,
    object::{ObjectRef, TypedRef},
    reflection::{create, field},
    system::memory,
    types::{attribute, builtin_indices::ENUM, lineage, schema::Type, type_table},
    value::any::{Any, AnyView},
    walk::{
        addresses::{Addresses, ByAddress},
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
    let copy = fold(&mut copier, Visited::root(value.clone(), false))?;
    for copy in std::mem::take(&mut copier.with_placeholders) {
        copier.replace_placeholders(&copy)?;
    }
    Ok(copy)
}

#[derive(Default)]
struct Copier {
    /// Originals that may be met again, held so that no other object takes their address, and their copies.
    copies: ByAddress<usize, (ObjectRef, Any)>,
    /// The Arrays and Maps that are not complete.
    incomplete: Addresses,
    /// Whether what was visited last is the original of an Array or Map because its copy is not complete.
    is_placeholder: bool,
    /// The copies that refer to such originals.
    with_placeholders: Vec<ObjectRef>,
}

/// An object whose children are being copied.
struct Frame {
    original: Visited,
    children: Parts,
    copy: Copy,
    has_placeholders: bool,
}

enum Copy {
    /// The elements of an Array, or the keys and values of a Map, copied so far.
    Immutable(Vec<Any>),
    List(List),
    /// A Dict, and the copy of a key whose value comes next.
    Dict(Dict, Option<Any>),
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
        if visited.noted {
            if let Some((_, copy)) = self.copies.get(&address(original)) {
                return Ok(Visit::Done(copy.clone()));
            }
            if self.incomplete.contains(address(original)) {
                self.is_placeholder = true;
                return Ok(Visit::Done(visited.value.to_owned()));
            }
        }
        let type_index = original.type_index();
        if stays_as_it_is(type_index) {
            return Ok(Visit::Done(visited.value.to_owned()));
        }
        // SAFETY: the frame has both the object and its children.
        let Children { values: children, fields, .. } = unsafe { Children::of(original, 0)? };
        let copy = match type_index {
            kTVMFFIArray | kTVMFFIMap => {
                if visited.noted {
                    self.incomplete.insert(address(original))?;
                }
                Copy::Immutable(memory::room(children.len())?)
            }
            kTVMFFIList => Copy::List(self.keep(&visited, list::new(Vec::new())?)?),
            kTVMFFIDict => Copy::Dict(self.keep(&visited, map::new_dict(Vec::new())?)?, None),
            _ => Copy::Object(self.keep(&visited, shallow_copy(original)?)?, fields, Any::NONE),
        };
        Ok(Visit::Enter(Frame { original: visited, children, copy, has_placeholders: false }))
    }

    #[inline]
    fn next(&mut self, frame: &mut Frame) -> Result<Option<Visited>> {
        for child in frame.children.by_ref() {
            match &mut frame.copy {
                // What is no object needs no visit.
                Copy::Immutable(elements) if child.object().is_none() => elements.push(child.to_owned()),
                Copy::Object(_, _, current) => {
                    *current = child.to_owned();
                    return Ok(Some(frame.original.part(child)));
                }
                _ => return Ok(Some(frame.original.part(child))),
            }
        }
        Ok(None)
    }

    fn feed(&mut self, frame: &mut Frame, output: Any) -> Result<()> {
        frame.has_placeholders |= std::mem::take(&mut self.is_placeholder);
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
        let mut elements = match frame.copy {
            Copy::List(copy) => return self.complete(copy, frame.has_placeholders),
            Copy::Dict(copy, _) => return self.complete(copy, frame.has_placeholders),
            Copy::Object(copy, ..) => return self.complete(copy, frame.has_placeholders),
            Copy::Immutable(elements) => elements,
        };
        let original = frame.original.value.object();
        let copy = match original.map(ObjectRef::type_index) {
            Some(kTVMFFIMap) => map::of_last(&mut elements, 0)?.into_object(),
            _ => array::of_last(&mut elements, 0)?.into_object(),
        };
        if frame.original.noted
            && let Some(original) = original
        {
            self.incomplete.remove(address(original));
        }
        Ok(self.keep(&frame.original, copy)?.into())
    }
}

impl Copier {
    /// Notes what the copy of an object is.
    fn keep<T: TypedRef + Clone>(&mut self, original: &Visited, copy: T) -> Result<T> {
        if original.noted
            && let Some(original) = original.value.object()
        {
            self.copies.try_reserve(1)?;
            self.copies.insert(address(original), (original.clone(), copy.clone().into()));
        }
        Ok(copy)
    }

    /// A copy that can be changed once all is done.
    fn complete<T: TypedRef + Clone>(&mut self, copy: T, has_placeholders: bool) -> Result<Any> {
        if has_placeholders {
            self.with_placeholders.try_reserve(1)?;
            self.with_placeholders.push(copy.clone().into_object());
        }
        Ok(copy.into())
    }

    /// Has a copy that could only refer to originals refer to their copies.
    fn replace_placeholders(&self, copy: &ObjectRef) -> Result<()> {
        if let Some(list) = copy.cast_ref() {
            self.mend_list(list)
        } else if let Some(dict) = copy.cast_ref() {
            self.mend_dict(dict)
        } else {
            self.mend_object(copy)
        }
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
        let entries = map::entries(dict)?;
        // The entries stay in their order: a value takes the place of another, and for a key all are put in again.
        if entries.iter().any(|(key, _)| self.copy_of(key).is_some()) {
            map::clear(dict);
            for (key, value) in entries {
                let copies = (self.copy_of(&key), self.copy_of(&value));
                map::insert(dict, copies.0.unwrap_or(key), copies.1.unwrap_or(value))?;
            }
            return Ok(());
        }
        for (key, value) in entries {
            if let Some(copy) = self.copy_of(&value) {
                map::insert(dict, key, copy)?;
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
