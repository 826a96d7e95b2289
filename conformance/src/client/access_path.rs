//! Access paths as a client reads them: the steps from the root of a value to a place in it.

use tvm_ffi_spec::*;

use crate::client::{connection::Client, owned::Owned, reflected, value::view, verdict::Verdict};

/// One step of a path: its kind, and what it leads to.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    kind: i32,
    key: Key,
}

#[derive(Clone, Debug, PartialEq)]
enum Key {
    Index(i64),
    Name(String),
}

impl Step {
    /// To a field or a named part of an object.
    pub fn attr(name: &str) -> Self {
        Self { kind: 0, key: Key::Name(name.to_owned()) }
    }

    /// To an element of a sequence.
    pub fn item(index: i64) -> Self {
        Self { kind: 1, key: Key::Index(index) }
    }

    /// To the value of a key that is a string.
    pub fn entry(key: &str) -> Self {
        Self { kind: 2, key: Key::Name(key.to_owned()) }
    }

    /// To an element that only the other side has.
    pub fn missing_item(index: i64) -> Self {
        Self { kind: 4, key: Key::Index(index) }
    }

    /// To a key that only the other side has.
    pub fn missing_entry(key: &str) -> Self {
        Self { kind: 5, key: Key::Name(key.to_owned()) }
    }
}

/// What lies behind the header of an access path.
#[repr(C)]
#[derive(Clone, Copy)]
struct PathCell {
    parent: TVMFFIObjectHandle,
    step: TVMFFIObjectHandle,
    depth: i32,
}

/// Paths, and where two values differ.
impl Client {
    /// A step of that kind with that key, made by reflection.
    pub fn access_step(&self, kind: i64, key: TVMFFIAny) -> Verdict<Owned> {
        let (class, kind_name, key_name) =
            (self.string(b"ffi.reflection.AccessStep")?, self.string(b"kind")?, self.string(b"key")?);
        let args = [class.any(), kind_name.any(), view::int(kind), key_name.any(), key];
        self.call_global("ffi.MakeObjectFromPackedArgs", &args)
    }

    /// Expects structural equality to find the first mismatch at these two places, or none.
    pub fn differ_at(&self, lhs: &TVMFFIAny, rhs: &TVMFFIAny, expected: Option<(&[Step], &[Step])>) -> Verdict {
        let expected = expected.map(|(left, right)| [left.to_vec(), right.to_vec()]);
        self.eq("the first mismatch", self.mismatch(lhs, rhs)?, expected)
    }

    /// Whether `ffi.GetFirstStructuralMismatch` finds none; the content of tensors counts.
    pub fn has_no_mismatch(&self, lhs: &TVMFFIAny, rhs: &TVMFFIAny) -> Verdict<bool> {
        let no = view::bool(false);
        let answer = self.call_global("ffi.GetFirstStructuralMismatch", &[*lhs, *rhs, no, no])?;
        Ok(answer.any().type_index == kTVMFFINone)
    }

    /// The paths to the first mismatch on both sides, if there is one.
    pub fn mismatch(&self, lhs: &TVMFFIAny, rhs: &TVMFFIAny) -> Verdict<Option<[Vec<Step>; 2]>> {
        let no = view::bool(false);
        let pair = self.call_global("ffi.GetFirstStructuralMismatch", &[*lhs, *rhs, no, no])?;
        if pair.any().type_index == kTVMFFINone {
            return Ok(None);
        }
        self.eq("the type of the mismatch", pair.any().type_index, kTVMFFIArray)?;
        let cell: TVMFFISeqCell = self.cell("the mismatch", pair.handle())?;
        self.eq("the number of paths", cell.size, 2)?;
        let path_type = reflected::type_index(self, "ffi.reflection.AccessPath")?;
        let path = |at: usize| {
            let path = self.read("a path", cell.data.cast::<TVMFFIAny>().wrapping_add(at))?;
            self.eq("the type of a path", path.type_index, path_type)?;
            self.steps(path.payload() as TVMFFIObjectHandle)
        };
        Ok(Some([path(0)?, path(1)?]))
    }

    /// The steps of each path in an Array.
    pub fn paths_in(&self, array: &Owned) -> Verdict<Vec<Vec<Step>>> {
        let paths = self.sequence(array.handle())?.items;
        paths.iter().map(|path| self.steps(path.payload() as TVMFFIObjectHandle)).collect()
    }

    /// The steps of a path from its root.
    fn steps(&self, path: TVMFFIObjectHandle) -> Verdict<Vec<Step>> {
        let (mut steps, mut path) = (Vec::new(), path);
        let depth = self.cell::<PathCell>("the path", path)?.depth;
        while steps.len() < depth.clamp(0, 1000) as usize {
            let cell: PathCell = self.cell("the path", path)?;
            let (kind, _, key): (i32, u32, TVMFFIAny) = self.cell("the step", cell.step)?;
            let key = match key.type_index {
                kTVMFFIInt => Key::Index(key.payload() as i64),
                _ => Key::Name(String::from_utf8_lossy(&self.text(&key)?).into_owned()),
            };
            steps.push(Step { kind, key });
            path = cell.parent;
        }
        steps.reverse();
        Ok(steps)
    }
}
