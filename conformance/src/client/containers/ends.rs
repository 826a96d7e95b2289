//! When a container lets go of what it held.

use std::fmt::Display;

use tvm_ffi_spec::*;

use crate::client::{connection::Client, homemade, homemade::Homemade, owned::Owned, verdict::Verdict};

impl Client {
    /// Expects an object's deleter to have been called once, for the object and its memory.
    pub fn ended_once<C>(&self, what: impl Display, object: &Homemade<C>) -> Verdict {
        self.eq(what, object.ends(), vec![kTVMFFIObjectDeleterFlagBitMaskBoth])
    }

    /// Expects this of each object that a container held as its `what`.
    pub fn each_ended_once(&self, what: &str, objects: &[Homemade]) -> Verdict {
        let mut numbered = objects.iter().enumerate();
        numbered.try_for_each(|(index, object)| {
            self.ended_once(format_args!("calls of the deleter of {what} {index}"), object)
        })
    }

    /// Gives up the only strong reference to a container of that kind while a weak one is left, and expects `held`, which
    /// nobody else holds but the caller, to be released then and not again with the memory.
    pub fn releases_while_weak(&self, kind: &str, container: Owned, held: &Homemade) -> Verdict {
        let handle = container.handle();
        homemade::retain_weak(handle);
        drop(container);
        let what = format_args!("strong count of what a {kind} held that only a weak reference is left to");
        self.eq(what, held.counts().0, 1)?;
        self.eq(format_args!("counts of the {kind}"), self.counts(handle)?, (0, 1))?;
        homemade::release_weak(handle);
        self.eq(format_args!("strong count of what the {kind} held when the memory is gone"), held.counts().0, 1)
    }
}
