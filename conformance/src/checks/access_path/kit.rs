//! The access paths that checks make and look at.

use std::ffi::{CStr, c_void};

use tvm_ffi_spec::*;

use crate::{
    client::{Owned, Verdict, reflected, view},
    trial::Trial,
};

pub const PATH: &str = "ffi.reflection.AccessPath";
pub const STEP: &str = "ffi.reflection.AccessStep";

/// The methods that extend a path, by the kind of step.
pub const EXTENSIONS: [&str; 6] =
    ["_attr", "_array_item", "_map_item", "_attr_missing", "_array_item_missing", "_map_item_missing"];
/// The texts that keys are chosen from.
pub const NAMES: [&CStr; 3] = [c"a", c"a name of more than seven bytes", c"c"];

/// A path as the list of its steps: a kind and a small number, which chooses a text where the key is a text.
pub type Model = Vec<(usize, i64)>;

/// What follows the header of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Cell {
    pub parent: *mut c_void,
    pub step: *mut c_void,
    pub depth: i32,
}

impl Cell {
    pub const ROOT: Self = Self { parent: std::ptr::null_mut(), step: std::ptr::null_mut(), depth: 0 };
}

/// What follows the header of a step.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct StepCell {
    pub kind: i32,
    pub key: TVMFFIAny,
}

/// The fields of an access path.
pub fn cell(t: &Trial, path: &Owned) -> Verdict<Cell> {
    t.type_index_eq("type_index of a path", path.any().type_index, reflected::type_index(t, PATH)?)?;
    t.cell("fields of a path", path.handle())
}

/// Expects a step of that kind and key.
pub fn is_step(t: &Trial, step: TVMFFIObjectHandle, kind: usize, key: &TVMFFIAny) -> Verdict {
    t.type_index_eq("type_index of the step", t.header(step)?.type_index, reflected::type_index(t, STEP)?)?;
    let cell: StepCell = t.cell("fields of a step", step)?;
    t.eq("kind of the step", cell.kind, kind as i32)?;
    if key.type_index != kTVMFFIStr {
        return t.any_eq("key of the step", &cell.key, key);
    }
    // A text may have been copied, so its content is compared.
    t.type_index_eq("type_index of the key", cell.key.type_index, kTVMFFIStr)?;
    t.eq("key of the step", t.text(&cell.key)?.escape_ascii().to_string(), t.text(key)?.escape_ascii().to_string())
}

/// The kinds and the bytes of the keys of a path's steps.
pub fn steps_of(t: &Trial, path: &Owned) -> Verdict<Vec<(i32, [u8; 16])>> {
    let array = call(t, "_to_steps", &[path.any()])?;
    t.type_index_eq("type_index of the steps", array.any().type_index, kTVMFFIArray)?;
    let steps = t.sequence(array.handle())?.items;
    t.eq("number of steps", steps.len() as u64, cell(t, path)?.depth as u64)?;
    let step = |step: &TVMFFIAny| {
        let cell: StepCell = t.cell("fields of a step", step.payload() as TVMFFIObjectHandle)?;
        Ok((cell.kind, cell.key.to_bytes()))
    };
    steps.iter().map(step).collect()
}

/// A path as the calls that make it, such as `root._attr("a")._array_item(1)`.
pub fn told(model: &Model) -> String {
    let step = |&(kind, number): &(usize, i64)| match kind % 3 {
        1 => format!(".{}({number})", EXTENSIONS[kind]),
        _ => format!(".{}({:?})", EXTENSIONS[kind], NAMES[number as usize]),
    };
    format!("root{}", model.iter().map(step).collect::<String>())
}

/// The path of a model.
pub fn build(t: &Trial, model: &Model) -> Verdict<Owned> {
    let mut path = root_path(t)?;
    for (kind, number) in model {
        let key = if kind % 3 == 1 { view::int(*number) } else { view::c_str(NAMES[*number as usize]) };
        path = call(t, EXTENSIONS[*kind], &[path.any(), key])?;
    }
    Ok(path)
}

/// A new root.
pub fn root_path(t: &Trial) -> Verdict<Owned> {
    call(t, "_root", &[])
}

/// Calls a method of access paths.
pub fn call(t: &Trial, method: &str, args: &[TVMFFIAny]) -> Verdict<Owned> {
    t.call(&function(t, method)?, args).map_err(|failure| failure.noting(format!("calling {method}")))
}

/// Expects a method to answer that about two paths.
pub fn is(t: &Trial, method: &str, one: &Owned, other: &Owned, expected: bool) -> Verdict {
    answers(t, method, &function(t, method)?, one, other, expected)
}

/// The same of a method that is at hand.
pub fn answers(t: &Trial, name: &str, method: &Owned, one: &Owned, other: &Owned, expected: bool) -> Verdict {
    let answer =
        t.call(method, &[one.any(), other.any()]).map_err(|failure| failure.noting(format!("calling {name}")))?;
    t.any_eq(format_args!("answer of {name}"), &answer.any(), &view::bool(expected))
}

/// A method of access paths, with a reference of the caller's own.
pub fn function(t: &Trial, name: &str) -> Verdict<Owned> {
    let method = reflected::method(t, reflected::type_index(t, PATH)?, name)?;
    t.type_index_eq(format_args!("type_index of {name}"), method.method.type_index, kTVMFFIFunction)?;
    reflected::share(t, method.method)
}
