//! The structural functions, looked up once by checks that ask them thousands of times.

use tvm_ffi_spec::*;

use crate::{
    client::{Owned, Verdict, view},
    trial::Trial,
};

/// The functions that are asked about values.
pub(super) struct Asked {
    equal: Owned,
    mismatch: Owned,
    hash: Owned,
}

impl Asked {
    pub(super) fn new(t: &Trial) -> Verdict<Self> {
        let [equal, mismatch, hash] =
            t.globals(["ffi.StructuralEqual", "ffi.GetFirstStructuralMismatch", "ffi.StructuralHash"])?;
        Ok(Self { equal, mismatch, hash })
    }

    pub(super) fn are_equal(&self, t: &Trial, lhs: &Owned, rhs: &Owned, mapped: bool) -> Verdict<bool> {
        let answer = t.call(&self.equal, &[lhs.any(), rhs.any(), view::bool(mapped), view::bool(false)])?.any();
        t.eq("the type of the answer", answer.type_index, kTVMFFIBool)?;
        Ok(answer.payload() != 0)
    }

    pub(super) fn have_no_mismatch(&self, t: &Trial, lhs: &Owned, rhs: &Owned, mapped: bool) -> Verdict<bool> {
        let args = [lhs.any(), rhs.any(), view::bool(mapped), view::bool(false)];
        Ok(t.call(&self.mismatch, &args)?.any().type_index == kTVMFFINone)
    }

    pub(super) fn hash(&self, t: &Trial, value: &Owned, mapped: bool) -> Verdict<i64> {
        let answer = t.call(&self.hash, &[value.any(), view::bool(mapped), view::bool(false)])?.any();
        t.type_index_eq("type_index of the hash", answer.type_index, kTVMFFIInt)?;
        Ok(answer.payload() as i64)
    }
}
