//! The global functions that every process finds registered.
//!
//! A function is one row: its signature and its body. The rows of a subject stand in the module of that subject, and
//! [`builtin`] puts them in order; a further subject adds its rows there.

use std::{borrow::Borrow, collections::BTreeMap, ffi::c_void, sync::LazyLock};

use tvm_ffi_spec::{TVMFFISafeCallType, kTVMFFIObject};

use crate::{
    border::error::{Error, Result},
    container::{self, array, list, map, sequence, shape},
    function::{
        self,
        arguments::{self, Arguments, Signature},
        registry::{self, Global},
    },
    json, module,
    object::{self, ObjectRef, Payload},
    recursive,
    reflection::{class, create},
    structural,
    types::type_table,
    value::{
        any::{Any, AnyView},
        text,
    },
};

/// A function to be registered under the name in its signature.
#[derive(Clone, Copy)]
pub struct Row {
    /// What it takes and returns, as a [`Signature`] is written.
    pub signature: &'static str,
    /// What it does.
    pub body: Body,
}

/// What a function does.
pub type Body = fn(&Arguments<'_>) -> Result<Any>;

/// A row of a table of global functions.
pub const fn row(signature: &'static str, body: Body) -> Row {
    Row { signature, body }
}

/// All built-in functions, by subject, in the order of their registration.
const TABLES: &[&[Row]] = &[
    TYPES,
    FUNCTIONS,
    shape::GLOBALS,
    array::GLOBALS,
    list::GLOBALS,
    map::GLOBALS,
    container::GLOBALS,
    structural::equal::GLOBALS,
    structural::hash::GLOBALS,
    structural::visit::GLOBALS,
    structural::walk::GLOBALS,
    structural::mutate::GLOBALS,
    structural::mapper::GLOBALS,
    structural::error_context::GLOBALS,
    json::GLOBALS,
    class::GLOBALS,
    recursive::GLOBALS,
    class::GETTER,
    recursive::COMPARISONS,
    create::GLOBALS,
    structural::key::GLOBALS,
    module::GLOBALS,
];

fn rows() -> impl Iterator<Item = &'static Row> {
    TABLES.iter().copied().flatten()
}

/// All built-in functions in the order of their registration.
pub fn builtin() -> impl Iterator<Item = (&'static str, Global)> {
    rows().map(|row| (arguments::name_in(row.signature), global_of(row)))
}

/// Calls a built-in function, whatever is registered under its name by now.
pub fn call_builtin(name: &str, args: &[AnyView<'_>]) -> Result<Any> {
    static ROWS: LazyLock<BTreeMap<&str, (Signature, Body)>> = LazyLock::new(|| {
        let signatures = rows().map(|row| (Signature::new(row.signature), row.body));
        signatures.map(|(signature, body)| (signature.name(), (signature, body))).collect()
    });
    let row = ROWS.get(name).ok_or_else(|| Error::new("InternalError", format!("{name} is not built in")))?;
    let (signature, body) = row;
    body(&Arguments::new(signature, args))
}

fn global_of(&Row { signature, body }: &Row) -> Global {
    let signature = Signature::new(signature);
    let metadata = signature.metadata().into_bytes().into();
    Global { function: typed(signature, body), doc: Box::default(), metadata }
}

/// A function object that checks its arguments against a signature.
pub fn typed<S, F>(signature: S, body: F) -> ObjectRef
where
    S: Borrow<Signature> + Send + Sync + 'static,
    F: Fn(&Arguments<'_>) -> Result<Any> + Send + Sync + 'static,
{
    let arity = signature.borrow().params().map(<[_]>::len);
    function::from_closure(move |values| {
        let signature = signature.borrow();
        signature.check_count(arity, values.len())?;
        body(&Arguments::new(signature, values))
    })
}

// ---------------------------------------------------------------------------------------------------------------------
// Types and sentinels
// ---------------------------------------------------------------------------------------------------------------------

const TYPES: &[Row] = &[
    row("ffi.GetRegisteredTypeKeys() -> Array<str>", |_| strings(&type_table::keys())),
    row("ffi.GetInvalidObject() -> ffi.Object", |_| Ok(INVALID_OBJECT.clone().into())),
    row("ffi.GetKwargsObject() -> ffi.Object", |_| Ok(KWARGS_OBJECT.clone().into())),
];

/// What [`missing`] answers. Only its identity counts.
static INVALID_OBJECT: LazyLock<ObjectRef> = LazyLock::new(|| object::new(Sentinel));
/// The sentinel that marks what is not there, where None is a value.
pub fn missing() -> Any {
    INVALID_OBJECT.clone().into()
}

/// Whether a value is the sentinel that marks what is not there.
pub fn is_missing(value: &AnyView<'_>) -> bool {
    value.type_index() == kTVMFFIObject && value.raw().payload() == INVALID_OBJECT.handle() as usize as u64
}

/// Whether a value is the sentinel that marks where keyword arguments begin.
pub fn is_kwargs(value: &AnyView<'_>) -> bool {
    value.type_index() == kTVMFFIObject && value.raw().payload() == KWARGS_OBJECT.handle() as usize as u64
}

/// Marks where keyword arguments begin. Only its identity counts.
static KWARGS_OBJECT: LazyLock<ObjectRef> = LazyLock::new(|| object::new(Sentinel));

/// An object that is nothing but its header.
#[repr(C)]
struct Sentinel;

// SAFETY: a plain object has no data.
unsafe impl Payload for Sentinel {
    const TYPE_INDEX: i32 = kTVMFFIObject;
}

// ---------------------------------------------------------------------------------------------------------------------
// Functions, strings and bytes
// ---------------------------------------------------------------------------------------------------------------------

const FUNCTIONS: &[Row] = &[
    row("ffi.FunctionRemoveGlobal(0: str) -> bool", |args| Ok(registry::remove(args.str(0)?).into())),
    row("ffi.FunctionListGlobalNamesFunctor() -> ffi.Function", |_| names_functor()),
    row("ffi.String(0: str) -> str", |args| text::string(args.str(0)?)),
    row("ffi.Bytes(0: bytes) -> bytes", |args| text::bytes(args.bytes(0)?)),
    row("ffi.GetGlobalFuncMetadata(0: str) -> str", |args| global_metadata(args.str(0)?)),
    row("ffi.FunctionFromExternC(0: void*, 1: void*, 2: void*) -> ffi.Function", function_from_c),
];

/// A function over a snapshot of the names: a negative index gives their count, any other the name.
fn names_functor() -> Result<Any> {
    let names = registry::names().iter().map(|name| text::string(name)).collect::<Result<Vec<_>>>()?;
    static SIGNATURE: Signature = Signature::new("(0: int) -> Any");
    let functor = typed(&SIGNATURE, move |args| match usize::try_from(args.int(0)?) {
        Err(_) => Ok((names.len() as i64).into()),
        Ok(index) => names.get(index).cloned().ok_or_else(|| sequence::out_of_bounds(index as i64, names.len())),
    });
    Ok(functor.into())
}

fn global_metadata(name: &[u8]) -> Result<Any> {
    let metadata = registry::metadata(name).ok_or_else(|| {
        Error::new("RuntimeError", format!("Global Function is not found: {}", String::from_utf8_lossy(name)))
    })?;
    text::string(&metadata)
}

fn function_from_c(args: &Arguments<'_>) -> Result<Any> {
    let (closure, safe_call, deleter) = (args.opaque_ptr(0)?, args.opaque_ptr(1)?, args.opaque_ptr(2)?);
    if safe_call.is_null() {
        return Err(Error::new("ValueError", "`safe_call` must not be NULL"));
    }
    // SAFETY: the caller passes the addresses of functions of these types, which are as wide as data pointers; a NULL
    // deleter is `None`.
    let (safe_call, deleter) = unsafe {
        (
            std::mem::transmute::<*mut c_void, TVMFFISafeCallType>(safe_call),
            std::mem::transmute::<*mut c_void, function::ClosureDeleter>(deleter),
        )
    };
    // SAFETY: the caller vouches for the callback.
    Ok(unsafe { function::from_c(closure, safe_call, deleter) }.into())
}

fn strings(texts: &[Box<[u8]>]) -> Result<Any> {
    let texts = texts.iter().map(|text| text::string(text)).collect::<Result<Vec<_>>>()?;
    Ok(array::new(texts)?.into())
}

#[cfg(test)]
mod tests {
    use tvm_ffi_spec::abi;

    use super::*;

    /// The specification lists the functions as they are registered; some tables hold parts of a subject that others
    /// come between.
    #[test]
    fn functions_come_in_the_order_of_the_specification() {
        let names: Vec<_> = builtin().map(|(name, _)| name).collect();
        let specified = abi::abi().globals.iter().map(|global| global.name.as_str());
        assert_eq!(names, specified.filter(|name| names.contains(name)).collect::<Vec<_>>());
    }

    #[test]
    fn functions_are_described_as_in_the_specification() {
        let globals = &abi::abi().globals;
        for (name, Global { metadata, .. }) in builtin() {
            let specified = globals.iter().find(|global| global.name == name);
            let specified = specified.unwrap_or_else(|| panic!("{name} is no function of the specification"));
            assert_eq!(String::from_utf8_lossy(&metadata), specified.metadata, "{name}");
        }
    }
}
