//! Constructors that follow from the fields of a type: `__ffi_init__`.
//!
//! Positional arguments fill the fields in order, those without a default first. Behind the sentinel for keyword
//! arguments come names and values in turn. Fields that nobody fills get their defaults.

use tvm_ffi_spec::*;

use crate::{
    any::{Any, AnyView},
    error::{self, Error, Result},
    function, globals, input,
    object::ObjectRef,
    reflection::{
        convert, create,
        field::{self, Field},
        type_table,
    },
};

/// Gives a type a constructor that follows from the fields that it has now.
///
/// # Errors
/// `RuntimeError` if the type has a constructor.
pub fn register(type_index: i32) -> Result<()> {
    let parameters = Parameters::of(type_index)?;
    let init = function::from_closure(move |args| {
        let object = create::empty_object(type_index)?;
        parameters.bind(&object, args)?;
        Ok(object.into())
    });
    type_table::register_attribute(type_index, b"__ffi_init__", Any::from(init).view())
}

/// The fields of a type as parameters.
struct Parameters {
    /// The type.
    key: String,
    /// All fields, those of ancestors first.
    fields: Vec<Field>,
    /// Which of them the positional arguments fill.
    positional: Vec<usize>,
}

impl Parameters {
    fn of(type_index: i32) -> Result<Self> {
        let fields: Vec<_> = field::fields(type_index)?.collect();
        let is_positional = |field: &Field| takes_part(field) && !field.has(kTVMFFIFieldFlagBitMaskKwOnly);
        let mut positional: Vec<_> = (0..fields.len()).filter(|&index| is_positional(&fields[index])).collect();
        positional.sort_by_key(|&index| has_default(&fields[index]));
        Ok(Self { key: type_table::key_of(type_index), fields, positional })
    }

    /// Fills the fields of a new object.
    fn bind(&self, object: &ObjectRef, args: &[AnyView<'_>]) -> Result<()> {
        let mut filled = vec![false; self.fields.len()];
        match args.iter().position(globals::is_kwargs) {
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

    fn bind_positional(&self, object: &ObjectRef, args: &[AnyView<'_>], filled: &mut [bool]) -> Result<()> {
        self.positional.iter().zip(args).try_for_each(|(&index, value)| self.set(object, index, value, filled))
    }

    fn check_count(&self, given: usize) -> Result<()> {
        let most = self.positional.len();
        if given <= most {
            return Ok(());
        }
        Err(self.error(format!("takes at most {most} positional argument(s), but {given} were given")))
    }

    fn bind_named(&self, object: &ObjectRef, args: &[AnyView<'_>], filled: &mut [bool]) -> Result<()> {
        let (pairs, []) = args.as_chunks::<2>() else {
            return Err(self.error("KWARGS requires an even number of key-value arguments".into()));
        };
        for [name, value] in pairs {
            let name = convert::cast("str", name)?;
            let name = name.view().as_str().unwrap_or_default();
            let shown = String::from_utf8_lossy(name);
            // A field that has the name of an inherited one hides it.
            let index = self.fields.iter().rposition(|field| takes_part(field) && field.name() == name);
            let index = index.ok_or_else(|| self.error(format!("got an unexpected keyword argument '{shown}'")))?;
            if filled[index] {
                return Err(self.error(format!("got multiple values for argument '{shown}'")));
            }
            self.set(object, index, value, filled)?;
        }
        Ok(())
    }

    fn bind_defaults(&self, object: &ObjectRef, filled: &[bool]) -> Result<()> {
        for (field, _) in self.fields.iter().zip(filled).filter(|(_, filled)| !**filled) {
            if let Some(value) = field.default()? {
                field.set(object, value.view()).map_err(|error| self.nested("default for field", field, error))?;
            } else if takes_part(field) {
                let only = if field.has(kTVMFFIFieldFlagBitMaskKwOnly) { "keyword-only " } else { "" };
                let name = String::from_utf8_lossy(field.name());
                return Err(self.error(format!("missing required {only}argument: '{name}'")));
            }
        }
        Ok(())
    }

    fn set(&self, object: &ObjectRef, index: usize, value: &AnyView<'_>, filled: &mut [bool]) -> Result<()> {
        let field = &self.fields[index];
        field.set(object, value).map_err(|error| self.nested("field", field, error))?;
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
        // SAFETY: the object is an error, and its texts live as long as it does.
        let (kind, message, backtrace) = unsafe {
            let TVMFFIErrorCell { kind, message, backtrace, .. } = *cause.data::<TVMFFIErrorCell>();
            let text = |text| input::span(text, "text").unwrap_or_default();
            (text(kind), text(message), text(backtrace))
        };
        let (name, message) = (String::from_utf8_lossy(field.name()), String::from_utf8_lossy(message));
        let message = message.replace('\n', "\n  ");
        let message = format!("{}.__ffi_init__() {what} '{name}':\n  {message}", self.key);
        match error::new_object(kind, message.as_bytes(), backtrace, Some(cause.clone()), None) {
            Ok(object) => Error::Object(object),
            Err(error) => error,
        }
    }
}

/// Whether an argument can fill a field.
fn takes_part(field: &Field) -> bool {
    !field.has(kTVMFFIFieldFlagBitMaskInitOff)
}

fn has_default(field: &Field) -> bool {
    field.has(kTVMFFIFieldFlagBitMaskHasDefault)
}
