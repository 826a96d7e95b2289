//! Containers of plain integers, for whoever looks at places and not at values.

use tvm_ffi_spec::*;

use crate::client::{connection::Client, owned::Owned, value::view, verdict::Verdict};

/// Keys and values that are integers.
pub type Entries = [(i64, i64)];

/// The keys from 0 up to `len`, each with itself as its value.
pub fn up_to(len: i64) -> Vec<(i64, i64)> {
    (0..len).map(|key| (key, key)).collect()
}

/// Keys and values in turn, as arguments.
pub fn flattened(entries: &Entries) -> Vec<TVMFFIAny> {
    entries.iter().flat_map(|(key, value)| [view::int(*key), view::int(*value)]).collect()
}

impl Client {
    /// An Array or a List of integers, made by the global function of that name.
    pub fn sequence_of_ints(&self, make: &str, values: &[i64]) -> Verdict<Owned> {
        let args: Vec<_> = values.iter().map(|value| view::int(*value)).collect();
        self.call_global(make, &args)
    }

    /// A Map or a Dict of integers, made by the global function of that name.
    pub fn map_of_ints(&self, make: &str, entries: &Entries) -> Verdict<Owned> {
        self.call_global(make, &flattened(entries))
    }

    /// Expects the integer or boolean that a global function answers.
    pub fn global_answers(&self, name: &str, args: &[TVMFFIAny], expected: impl Into<i64>) -> Verdict {
        self.eq(name, self.call_int(name, args)?, expected.into())
    }
}
