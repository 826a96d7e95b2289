//! Strings and Bytes, of the lengths around which their form changes.

use std::hint::black_box;

use tvm_ffi_spec::*;

use super::operation::Area;
use crate::{library::Library, task::Task};

const LENGTHS: [usize; 5] = [0, 7, 8, 40, 4096];

pub fn area() -> Area {
    let mut area = Area::new("strings");
    area.among("String made and ended", &LENGTHS, |lib, length| {
        let (lib, text) = (*lib, text(length));
        Task::making(&lib, &text.clone(), move || lib.string(text.as_bytes()))
    });
    area.among("Bytes made and ended", &LENGTHS, |lib, length| {
        let (lib, text) = (*lib, text(length));
        Task::making(&lib, &text.clone(), move || bytes(&lib, text.as_bytes()))
    });
    area
}

fn text(length: usize) -> String {
    "a string ".chars().cycle().take(length).collect()
}

#[inline(always)]
fn bytes(lib: &Library, bytes: &[u8]) -> TVMFFIAny {
    let mut out = TVMFFIAny::NONE;
    lib.ok(lib.TVMFFIBytesFromByteArray(black_box(&TVMFFIByteArray::new(bytes)), &mut out));
    out
}
