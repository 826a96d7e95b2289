//! What the fuzz targets share: what they do with a library, and texts that get further than random bytes.
//!
//! A fuzz target is a test, which `cargo test` tries on the same inputs in each run; `.ci/fuzz` looks for others.

#![deny(missing_docs)]
// The constants of the ABI keep their C names.
#![allow(non_upper_case_globals)]

pub mod inputs;
pub mod program;
#[cfg(not(fuzzing))]
pub mod repeatable;

use tvm_ffi_spec::*;
use tvm_ffi_verify::client::{Answer, Client, Owned, Verdict};

/// Text put together from pieces of a language, since random bytes rarely get past the first character of it.
pub fn text(choices: &[u8], pieces: &[&str]) -> Vec<u8> {
    choices.iter().flat_map(|&choice| pieces[choice as usize % pieces.len()].bytes()).collect()
}

/// What a library makes of an input: a result, or the kind of the error.
///
/// # Panics
/// Where a call does not answer as every call has to.
pub fn made<T>(answer: Verdict<Answer<T>>) -> Result<T, String> {
    answer.unwrap_or_else(|failure| panic!("{failure:?}")).map_err(|raised| raised.kind)
}

/// Parses a data type.
pub fn parse_dtype(client: &Client, text: &[u8]) -> Verdict<Answer<DLDataType>> {
    let mut dtype = DLDataType::default();
    match client.api.TVMFFIDataTypeFromString(&TVMFFIByteArray::new(text), &mut dtype) {
        0 => Ok(Ok(dtype)),
        code => Ok(Err(client.raises(code, &[])?)),
    }
}

/// Prints a data type.
pub fn print_dtype(client: &Client, dtype: DLDataType) -> Verdict<Answer<Vec<u8>>> {
    let mut out = TVMFFIAny::NONE;
    match client.api.TVMFFIDataTypeToString(&dtype, &mut out) {
        0 => Ok(Ok(client.text(&client.own(out).any())?)),
        code => Ok(Err(client.raises(code, &[])?)),
    }
}

/// Reads a text as JSON and writes it again.
pub fn reprint_json(client: &Client, text: &[u8]) -> Verdict<Answer<Vec<u8>>> {
    through(client, text, "ffi.json.Parse", "ffi.json.Stringify")
}

/// Makes the value of a JSON graph, and a graph of that again.
pub fn remake_graph(client: &Client, text: &[u8]) -> Verdict<Answer<Vec<u8>>> {
    through(client, text, "ffi.FromJSONGraphString", "ffi.ToJSONGraphString")
}

/// The text that `write` makes of what `read` makes of a text.
fn through(client: &Client, text: &[u8], read: &str, write: &str) -> Verdict<Answer<Vec<u8>>> {
    let text: Owned = client.string(text)?;
    let value = match client.answer(read, &[text.any()])? {
        Ok(value) => value,
        Err(raised) => return Ok(Err(raised)),
    };
    match client.answer(write, &[value.any(), TVMFFIAny::NONE])? {
        Ok(printed) => Ok(Ok(client.text(&printed.any())?)),
        Err(raised) => Ok(Err(raised)),
    }
}
