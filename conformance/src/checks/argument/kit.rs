//! Functions that take a value of any type.

use tvm_ffi_spec::*;

use crate::{
    client::{Owned, Verdict, globals},
    trial::Trial,
};

/// A function that takes a value of any type.
pub(super) struct Taker {
    /// Its name.
    pub name: &'static str,
    /// What makes its first argument, of the integers 1 and 2, if it changes or reads a container.
    first: Option<&'static str>,
    /// The others, with [`HERE`] in the place of the value.
    rest: &'static [TVMFFIAny],
    /// Whether it keeps the value where it can be read back: in its first argument, or else in its answer.
    pub keeps: bool,
}

/// Where the value goes.
const HERE: TVMFFIAny = TVMFFIAny::new(kTVMFFIObjectRValueRef, 0);
const ONE: TVMFFIAny = TVMFFIAny::new(kTVMFFIInt, 1);
const TWO: TVMFFIAny = TVMFFIAny::new(kTVMFFIInt, 2);

const TAKERS: &[Taker] = &[
    keeper("ffi.Array", None, &[ONE, HERE, TWO]),
    keeper("ffi.List", None, &[ONE, HERE, TWO]),
    keeper("ffi.Map", None, &[HERE, ONE]),
    keeper("ffi.Map", None, &[ONE, HERE]),
    keeper("ffi.Dict", None, &[HERE, ONE]),
    keeper("ffi.Dict", None, &[ONE, HERE]),
    keeper("ffi.ListAppend", Some("ffi.List"), &[HERE]),
    keeper("ffi.ListInsert", Some("ffi.List"), &[ONE, HERE]),
    keeper("ffi.ListSetItem", Some("ffi.List"), &[ONE, HERE]),
    keeper("ffi.DictSetItem", Some("ffi.Dict"), &[HERE, ONE]),
    keeper("ffi.DictSetItem", Some("ffi.Dict"), &[ONE, HERE]),
    reader("ffi.VisitInterrupt", None),
    reader("ffi.ArrayContains", Some("ffi.Array")),
    reader("ffi.ListContains", Some("ffi.List")),
    reader("ffi.MapCount", Some("ffi.Map")),
    reader("ffi.MapGetItemOrMissing", Some("ffi.Map")),
    reader("ffi.DictCount", Some("ffi.Dict")),
    reader("ffi.DictGetItemOrMissing", Some("ffi.Dict")),
];

const fn keeper(name: &'static str, first: Option<&'static str>, rest: &'static [TVMFFIAny]) -> Taker {
    Taker { name, first, rest, keeps: true }
}

const fn reader(name: &'static str, first: Option<&'static str>) -> Taker {
    Taker { name, first, rest: &[HERE], keeps: false }
}

/// Those that the target has, with their function objects.
pub(super) fn takers(t: &Trial) -> Verdict<Vec<(&'static Taker, Owned)>> {
    let mut found = Vec::new();
    for taker in TAKERS {
        found.extend(globals::find(t, taker.name)?.map(|function| (taker, function)));
    }
    Ok(found)
}

impl Taker {
    /// A container to be its first argument, if it takes one.
    pub fn container(&self, t: &Trial) -> Verdict<Option<Owned>> {
        self.first.map(|make| t.call_global(make, &[ONE, TWO])).transpose()
    }

    /// Containers to be its first argument, also an empty one where it takes nothing out and overwrites nothing; `None` if it
    /// takes none.
    pub fn containers(&self, t: &Trial) -> Verdict<Vec<Option<Owned>>> {
        let empty = self.first.filter(|_| !self.keeps);
        let empty = empty.map(|make| t.call_global(make, &[])).transpose()?;
        Ok([self.container(t)?].into_iter().chain(empty.map(Some)).collect())
    }

    /// The arguments with that container and that value.
    pub fn args(&self, container: Option<&Owned>, value: TVMFFIAny) -> Vec<TVMFFIAny> {
        let here = |arg: &TVMFFIAny| if arg.type_index == HERE.type_index { value } else { *arg };
        container.map(Owned::any).into_iter().chain(self.rest.iter().map(here)).collect()
    }
}
