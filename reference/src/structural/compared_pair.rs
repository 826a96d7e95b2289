//! Two values that a structural comparison is inside of, and what is left to be compared of them.

use std::cell::Cell;

use tvm_ffi_spec::*;

use super::{
    Level, address,
    entries::{Entries, Next},
    fields::Fields,
    findings::{Findings, Met},
    leaves::leaves_equal,
};
use crate::{
    border::error::Result,
    container::{held::Held, sequence},
    reflection::{access_path::Kind, field::Field},
};

/// Two values that are being compared.
pub(super) struct Pair {
    pub lhs: Held,
    pub rhs: Held,
    pub content: Content,
    pub met: Met,
}

/// What is left of them, and what is being compared.
pub(super) enum Content {
    Sequence { at: usize },
    Map(Entries),
    Object { fields: Fields, kind: i32, current: Option<Field> },
}

impl Level for Pair {
    type Key = (usize, usize);

    fn key(&self) -> Self::Key {
        let [lhs, rhs] = [&self.lhs, &self.rhs].map(|side| side.object().map_or(0, address));
        (lhs, rhs)
    }
}

impl Pair {
    /// The next two values to be compared, given that all before were equal.
    #[inline]
    pub fn next(&mut self, findings: &Findings, region: &Cell<i32>) -> Result<Next> {
        let (lhs, rhs) = (self.lhs.its_object(), self.rhs.its_object());
        match &mut self.content {
            Content::Sequence { at } => {
                let is_fixed = lhs.type_index() == kTVMFFIArray;
                // SAFETY: comparing leaves runs no foreign code.
                let (left, right) = unsafe { (sequence::borrow_in(lhs), sequence::borrow_in(rhs)) };
                loop {
                    let index = *at;
                    *at += 1;
                    match (left.get(index), right.get(index)) {
                        (Some(left), Some(right)) => {
                            if leaves_equal(left.view(), right.view()) != Some(true) {
                                // SAFETY: the pair has the sequences, or what they are inside of, for as long.
                                return Ok(unsafe {
                                    Next::Values(Held::part(left, is_fixed), Held::part(right, is_fixed))
                                });
                            }
                        }
                        (None, None) => return Ok(Next::Verdict(true)),
                        (left, _) => {
                            findings.note_missing_item(index, left.is_none());
                            return Ok(Next::Verdict(false));
                        }
                    }
                }
            }
            Content::Map(entries) => entries.next(lhs, rhs, findings),
            Content::Object { fields, current, .. } => {
                *current = fields.next(region);
                let Some(field) = current else { return Ok(Next::Verdict(true)) };
                // SAFETY: both objects are of the type that has the field.
                Ok(unsafe { Next::Values(field.held(lhs)?, field.held(rhs)?) })
            }
        }
    }

    /// Notes which part of two values differs. That is the verdict over them, too: they differ, unless there is more to be
    /// known of it first.
    pub fn blame(&mut self, findings: &Findings, region: &Cell<i32>) -> Result<Next> {
        match &mut self.content {
            Content::Map(entries) => {
                if entries.put_aside(Kind::MapItem, findings)? {
                    return self.next(findings, region);
                }
            }
            Content::Sequence { at } => findings.note_item(*at - 1),
            Content::Object { current, .. } => current.map_or(Ok(()), |field| findings.note_field(field))?,
        }
        Ok(Next::Verdict(false))
    }
}
