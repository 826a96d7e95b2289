//! Reading an Array or a List.

use tvm_ffi_spec::*;

use crate::client::{connection::Client, expectation::TypeIndex, memory, verdict::Verdict};

/// How long an Array or a List is without cells of its own.
pub const SIZE: usize = size_of::<TVMFFIObject>() + size_of::<TVMFFISeqCell>();

/// Cells in the memory of an Array begin closer to its header than this, however they are aligned.
const PAGE: usize = 4096;

/// An Array or a List as it was read.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// What follows the header.
    pub cell: TVMFFISeqCell,
    /// The elements.
    pub items: Vec<TVMFFIAny>,
}

impl Client {
    /// Reads an Array or a List and holds it to the rules of its layout.
    pub fn sequence(&self, object: TVMFFIObjectHandle) -> Verdict<Sequence> {
        let type_index = self.header(object)?.type_index;
        let kind = match type_index {
            kTVMFFIArray => "Array",
            kTVMFFIList => "List",
            other => return Err(self.failure("type index of a sequence", "71 or 75", TypeIndex(other))),
        };
        let cell: TVMFFISeqCell = self.cell(format_args!("cell of the {kind}"), object)?;
        let TVMFFISeqCell { data, size, capacity, data_deleter } = cell;
        let room = usize::try_from(capacity).is_ok_and(|cells| cells <= memory::LIMIT / size_of::<TVMFFIAny>());
        self.that(format_args!("capacity of the {kind}"), room, "a number of cells", capacity)?;
        self.that(
            format_args!("size of the {kind}"),
            (0..=capacity).contains(&size),
            format_args!("0 to {capacity}"),
            size,
        )?;
        if type_index == kTVMFFIList {
            self.that("data_deleter of the List", data_deleter.is_some(), "a function", "NULL")?;
        } else if data_deleter.is_none() && capacity > 0 {
            let distance = (data as usize).wrapping_sub(object as usize);
            self.that("distance of the cells from the Array", (SIZE..PAGE).contains(&distance), "within it", distance)?;
        }
        let bytes =
            self.read_bytes(format_args!("cells of the {kind}"), data, size as usize * size_of::<TVMFFIAny>())?;
        let items: Vec<_> = bytes.chunks_exact(size_of::<TVMFFIAny>()).map(value_of).collect();
        for (index, item) in items.iter().enumerate() {
            self.storable(format_args!("element {index} of the {kind}"), item)?;
        }
        Ok(Sequence { cell, items })
    }

    /// An element of a sequence, which has to be there.
    pub fn element(&self, object: TVMFFIObjectHandle, at: usize) -> Verdict<TVMFFIAny> {
        let items = self.sequence(object)?.items;
        let found = items.get(at).copied();
        found.ok_or_else(|| self.failure("number of elements", format_args!("more than {at}"), items.len()))
    }

    /// Expects a sequence to hold these plain integers.
    pub fn holds_ints(&self, object: TVMFFIObjectHandle, expected: &[i64]) -> Verdict {
        let items = self.sequence(object)?.items;
        let ints: Vec<_> = items.iter().map(|item| (item.type_index, item.payload() as i64)).collect();
        let expected: Vec<_> = expected.iter().map(|value| (kTVMFFIInt, *value)).collect();
        self.eq("elements, each with its type index", ints, expected)
    }
}

/// The value that sixteen bytes are.
pub(super) fn value_of(bytes: &[u8]) -> TVMFFIAny {
    let word = |at: usize| u32::from_ne_bytes(bytes[at..at + 4].try_into().unwrap_or_default());
    let payload = u64::from_ne_bytes(bytes[8..16].try_into().unwrap_or_default());
    TVMFFIAny { aux: TVMFFIAnyAux { zero_padding: word(4) }, ..TVMFFIAny::new(word(0) as i32, payload) }
}
