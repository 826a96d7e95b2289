//! Strings and bytes.

use tvm_ffi_spec::*;

use crate::{
    check::{Check, check},
    trial::{Trial, Verdict},
};

pub const CHECKS: &[Check] = &[check(
    "string.small-is-inline",
    "a string of seven bytes or fewer is stored inline",
    &["STR-0001"],
    small_strings_are_inline,
)];

fn small_strings_are_inline(t: &Trial) -> Verdict {
    for len in 0..=7 {
        let value = t.string(&b"seven_b"[..len])?.any();
        t.eq("type_index", value.type_index, kTVMFFISmallStr)?;
        t.eq("small_str_len", value.aux_word(), len as u32)?;
    }
    Ok(())
}
