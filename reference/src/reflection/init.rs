//! Constructors that follow from the fields of a type: `__ffi_init__`.
//!
//! Positional arguments fill the fields in order, those without a default first. Behind the sentinel for keyword
//! arguments come names and values in turn. Fields that nobody fills get their defaults.

use std::convert::identity;

use tvm_ffi_spec::*;

use crate::{
    border::{
        error::{Error, Result},
        error_object,
    },
    function::{self, Function, sentinels},
    object::ObjectRef,
    reflection::{
        convert::Convert,
        create,
        field::{self, Field},
    },
    types::{schema::Type, type_table},
    value::any::{Any, AnyView},
};

/// Gives a type a constructor that follows from the fields that it has now.
///
/// # Errors
/// `RuntimeError` if the type has a constructor.
pub fn register(type_index: i32) -> Result<()> {
    type_table::register_attribute(type_index, b"__ffi_init__", Any::from(of_fields(type_index)?).view())
}

/// A constructor for a type that follows from the fields that it has now.
pub fn of_fields(type_index: i32) -> Result<Function> {
    let parameters = Parameters::of(type_index)?;
    function::try_from_closure(move |args| {
        let object = create::empty_object(type_index)?;
        // SAFETY: the object was made for the type that has the parameters.
        unsafe { parameters.bind(&object, args)? };
        Ok(object.into())
    })
}

/// The fields of a type as parameters.
struct Parameters {
    /// The type.
    key: String,
    /// All fields, those of ancestors first.
    fields: Vec<Field>,
    /// Which of them the positional arguments fill.
    positional: Vec<usize>,
    /// Which of them arguments with names fill, by these.
    named: Vec<(&'static [u8], usize)>,
}

impl Parameters {
    fn of(type_index: i32) -> Result<Self> {
        let fields: Vec<_> = field::fields(type_index)?.collect();
        let is_positional = |field: &Field| takes_part(field) && !field.has(kTVMFFIFieldFlagBitMaskKwOnly);
        let mut positional: Vec<_> = (0..fields.len()).filter(|&index| is_positional(&fields[index])).collect();
        positional.sort_by_key(|&index| has_default(&fields[index]));
        let taking = (0..fields.len()).rev().filter(|&index| takes_part(&fields[index]));
        let mut named: Vec<_> = taking.map(|index| (fields[index].name(), index)).collect();
        // A field that has the name of an inherited one hides it.
        named.sort_by_key(|(name, _)| *name);
        named.dedup_by_key(|(name, _)| *name);
        Ok(Self { key: type_table::key_of(type_index), fields, positional, named })
    }

    /// Fills the fields of a new object.
    ///
    /// # Safety
    /// The object is of the type that has the parameters.
    unsafe fn bind(&self, object: &ObjectRef, args: &[AnyView<'_>]) -> Result<()> {
        let mut filled = vec![false; self.fields.len()];
        // SAFETY: the contract of each part is the caller's.
        unsafe {
            match args.iter().position(sentinels::is_kwargs) {
                Some(at) => {
                    self.bind_positional(object, &args[..at], &mut filled)?;
                    self.check_count(at)?;
                    self.bind_named(object, &args[at + 1..], &mut filled)?;
                }
                None => {
                    self.check_count(args.len())?;
                    self.bind_positional(object, args, &mut filled)?;
                }
            }
            self.bind_defaults(object, &filled)
        }
    }

    /// # Safety
    /// As for [`bind`](Self::bind).
    unsafe fn bind_positional(&self, object: &ObjectRef, args: &[AnyView<'_>], filled: &mut [bool]) -> Result<()> {
        let mut arguments = self.positional.iter().zip(args);
        // SAFETY: the caller's contract is the same.
        arguments.try_for_each(|(&index, value)| unsafe { self.set(object, index, value, filled) })
    }

    fn check_count(&self, given: usize) -> Result<()> {
        let most = self.positional.len();
        if given <= most {
            return Ok(());
        }
        Err(self.error(format!("takes at most {most} positional argument(s), but {given} were given")))
    }

    /// # Safety
    /// As for [`bind`](Self::bind).
    unsafe fn bind_named(&self, object: &ObjectRef, args: &[AnyView<'_>], filled: &mut [bool]) -> Result<()> {
        let (pairs, []) = args.as_chunks::<2>() else {
            return Err(self.error("KWARGS requires an even number of key-value arguments".into()));
        };
        for [name, value] in pairs {
            let name = Type::Str.cast(name)?;
            let name = name.view().as_str().unwrap_or_default();
            let shown = String::from_utf8_lossy(name);
            let found = self.named.binary_search_by_key(&name, |(name, _)| *name);
            let found = found.map_err(|_| self.error(format!("got an unexpected keyword argument '{shown}'")))?;
            let (_, index) = self.named[found];
            if filled[index] {
                return Err(self.error(format!("got multiple values for argument '{shown}'")));
            }
            // SAFETY: the caller's contract is the same.
            unsafe { self.set(object, index, value, filled)? };
        }
        Ok(())
    }

    /// # Safety
    /// As for [`bind`](Self::bind).
    unsafe fn bind_defaults(&self, object: &ObjectRef, filled: &[bool]) -> Result<()> {
        for (field, _) in self.fields.iter().zip(filled).filter(|(_, filled)| !**filled) {
            if let Some(value) = field.default()? {
                // SAFETY: the object is of the type that has the field.
                let set = unsafe { field.set(object, value.view()) };
                set.map_err(|error| self.nested("default for field", field, error))?;
            } else if takes_part(field) {
                let only = if field.has(kTVMFFIFieldFlagBitMaskKwOnly) { "keyword-only " } else { "" };
                let name = String::from_utf8_lossy(field.name());
                return Err(self.error(format!("missing required {only}argument: '{name}'")));
            }
        }
        Ok(())
    }

    /// # Safety
    /// As for [`bind`](Self::bind).
    unsafe fn set(&self, object: &ObjectRef, index: usize, value: &AnyView<'_>, filled: &mut [bool]) -> Result<()> {
        let field = &self.fields[index];
        // SAFETY: the object is of the type that has the field.
        unsafe { field.set(object, value) }.map_err(|error| self.nested("field", field, error))?;
        filled[index] = true;
        Ok(())
    }

    #[cold]
    fn error(&self, what: String) -> Error {
        Error::new("TypeError", format!("{}.__ffi_init__() {what}", self.key))
    }

    /// The error of a field: it is of the same kind as its cause, and tells which field it is about.
    #[cold]
    fn nested(&self, what: &str, field: &Field, cause: Error) -> Error {
        let cause = cause.into_object();
        let (name, message) = (String::from_utf8_lossy(field.name()), String::from_utf8_lossy(cause.message()));
        let message = message.replace('\n', "\n  ");
        let message = format!("{}.__ffi_init__() {what} '{name}':\n  {message}", self.key);
        error_object::new_object(cause.kind(), message.as_bytes(), &cause.backtrace(), Some(cause.clone()), None)
            .map_or_else(identity, Error::object)
    }
}

/// Whether an argument can fill a field.
fn takes_part(field: &Field) -> bool {
    !field.has(kTVMFFIFieldFlagBitMaskInitOff)
}

fn has_default(field: &Field) -> bool {
    field.has(kTVMFFIFieldFlagBitMaskHasDefault)
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use rstest::rstest;

    use super::*;
    use crate::{
        border::error::ErrorObject,
        container::list,
        reflection::class::tests::{class, field, refused, with_default},
        types::attribute,
        value::text,
    };

    /// `a`, `b = 2`, `c`, `d` that is not in the constructor, and `e` for its name only.
    static CLASS: LazyLock<i32> = LazyLock::new(|| {
        let flagged = |field: TVMFFIFieldInfo, flag| TVMFFIFieldInfo { flags: field.flags | flag, ..field };
        let fields = [
            field("a", kTVMFFIInt, 24),
            with_default(field("b", kTVMFFIInt, 32), 2.into()),
            field("c", -1, 40),
            flagged(field("d", -1, 56), kTVMFFIFieldFlagBitMaskInitOff),
            flagged(field("e", -1, 72), kTVMFFIFieldFlagBitMaskKwOnly),
        ];
        class("test.init", kTVMFFIObject, 1, &fields)
    });

    fn kwargs() -> Any {
        crate::startup::globals::call_builtin("ffi.GetKwargsObject", &[]).unwrap()
    }

    fn text(text: &str) -> Any {
        text::string(text.as_bytes()).unwrap()
    }

    fn init(args: &[Any]) -> std::result::Result<Vec<Option<i64>>, ErrorObject> {
        let init = create::function_of(&attribute::INIT, *CLASS).unwrap();
        let args: Vec<_> = args.iter().map(|arg| *arg.view()).collect();
        let made = function::call(&init, &args).map_err(Error::into_object)?.view().as_object().unwrap();
        // SAFETY: the object was made for the class.
        let get = |field: Field| unsafe { field.get(&made) }.unwrap().view().as_int();
        Ok(field::fields(*CLASS).unwrap().map(get).collect())
    }

    fn message(error: &ErrorObject) -> String {
        [error.kind(), error.message()].map(String::from_utf8_lossy).join(": ")
    }

    #[rstest]
    #[case::required_ones_first(vec![1.into(), 3.into(), 4.into(), kwargs(), text("e"), 5.into()], [1, 4, 3, 0, 5])]
    #[case::defaults(vec![1.into(), 3.into(), kwargs(), text("e"), 5.into()], [1, 2, 3, 0, 5])]
    #[case::all_by_name(
        vec![kwargs(), text("e"), 5.into(), text("c"), 3.into(), text("b"), 7.into(), text("a"), true.into()],
        [1, 7, 3, 0, 5]
    )]
    fn arguments_fill_fields(#[case] args: Vec<Any>, #[case] expected: [i64; 5]) {
        let values = init(&args).unwrap();
        // What is not in the constructor stays empty.
        let expected = expected.map(|value| Some(value).filter(|value| *value != 0));
        assert_eq!(values, expected);
    }

    #[rstest]
    #[case(vec![1.into(), 2.into(), 3.into(), 4.into()], "takes at most 3 positional argument(s), but 4 were given")]
    #[case(vec![1.into(), 2.into(), 3.into(), 4.into(), kwargs()], "takes at most 3 positional argument(s), but 4 were given")]
    #[case(vec![], "missing required argument: 'a'")]
    #[case(vec![1.into()], "missing required argument: 'c'")]
    #[case(vec![1.into(), 2.into()], "missing required keyword-only argument: 'e'")]
    #[case(vec![kwargs(), text("a")], "KWARGS requires an even number of key-value arguments")]
    #[case(vec![kwargs(), text("d"), 1.into()], "got an unexpected keyword argument 'd'")]
    #[case(vec![kwargs(), text("x"), 1.into()], "got an unexpected keyword argument 'x'")]
    #[case(vec![1.into(), kwargs(), text("a"), 1.into()], "got multiple values for argument 'a'")]
    #[case(vec![text("x")], "field 'a':\n  Cannot convert from type `ffi.SmallStr` to `int`")]
    fn wrong_arguments_are_explained(#[case] args: Vec<Any>, #[case] expected: &str) {
        let error = init(&args).unwrap_err();
        assert_eq!(message(&error), format!("TypeError: test.init.__ffi_init__() {expected}"));
    }

    #[test]
    fn an_error_of_a_field_keeps_its_cause() {
        let held = list::empty().unwrap();
        let error = init(&[1.into(), held.clone().into(), refused()]).unwrap_err();
        assert_eq!(message(&error), "ValueError: test.init.__ffi_init__() field 'b':\n  not\n  this");
        // SAFETY: the object is an error, and so is its cause.
        let cause = unsafe { ObjectRef::from_borrowed(error.data::<TVMFFIErrorCell>().cause_chain) };
        let cause = cause.and_then(ObjectRef::cast).unwrap();
        assert_eq!(message(&cause), "ValueError: not\nthis");
        drop(error);
        assert!(cause.is_unique() && held.is_unique());
    }

    #[test]
    fn a_name_must_be_text() {
        let error = init(&[kwargs(), 1.into(), 1.into()]).unwrap_err();
        assert_eq!(message(&error), "TypeError: Cannot convert from type `int` to `str`");
    }

    #[test]
    fn a_type_has_one_constructor() {
        assert!(register(*CLASS).is_err());
        assert!(register(1 << 20).is_err());
    }
}
