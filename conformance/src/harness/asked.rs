//! What is asked of a target before anything is known of it.

use std::collections::BTreeSet;

use tvm_ffi_spec::{generation::Generation, layer::Layer, part::Kind};

use super::{
    in_file,
    known::KnownFailures,
    older::Older,
    plan::Capabilities,
    process::message::Probed,
    standing::{Beyond, Standing},
    steps::Registered,
};
use crate::{target::Target, trial::check::Check};

/// What is asked of a target before anything is known of it.
pub struct Asked<'a> {
    /// The checks, in order.
    pub checks: &'a [&'static Check],
    /// The capabilities that are in force whatever the target shows of them.
    pub in_force: BTreeSet<String>,
    /// The layer that it has to have.
    pub profile: Layer,
    /// The failures that are no news.
    pub known: &'a KnownFailures,
    /// The generation of the ABI that it has to speak, if not just the one that is judged.
    pub generation: Option<&'static Generation>,
}

impl Asked<'_> {
    /// What the target has, and what it has to have as one of an older generation, if that is what it is.
    pub fn standing(
        &self,
        target: &Target,
        probed: &Probed,
        registered: Option<Registered>,
        older: Option<&Older>,
    ) -> Standing {
        let capabilities = Capabilities::of(probed, &self.in_force);
        let (of_abi, listed) =
            registered.map_or((None, None), |registered| (Some(registered.of_abi), registered.beyond));
        let is_listed = listed.is_some();
        let parts = in_file::beyond(target).into_iter().chain(listed.unwrap_or_default()).collect();
        let beyond = Beyond { parts, listed: is_listed, exports: in_file::names(target) };
        let of_generation: BTreeSet<_> = older.into_iter().flat_map(Older::functions).collect();
        let exported = beyond.exports.keys().map(|name| Kind::Function.part(name));
        let exported: Vec<_> = exported.filter(|part| of_generation.contains(part)).collect();
        let exported = in_file::parts(target, probed).into_iter().chain(exported);
        Standing::new(capabilities, exported, of_abi, of_generation, beyond, self.profile)
    }
}
