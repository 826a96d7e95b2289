//! Bytes in JSON graphs, which stay bytes however few they are.

use tvm_ffi_spec::clause::id;

use super::kit::{comes_back, read, write};
use crate::{
    checks::check,
    client::{Verdict, forms, model::Value},
    trial::Trial,
};

/// Bytes come back from their JSON graph as bytes, and strings as strings, however short they are, in whatever form they are given, alone and within
/// containers.
#[check(GRF_0001, GRF_0004)]
fn short_ones_keep_their_type(t: &Trial) -> Verdict {
    for number in (0..=10).chain([15, 16, 17]) {
        for letter in [b'a', 0, 0xFF] {
            let content = vec![letter; number];
            let mut given: Vec<_> = forms::of_bytes(&content).into_iter().map(|form| (form, true)).collect();
            if letter == b'a' {
                given.extend(forms::of_string(&content).into_iter().map(|form| (form, false)));
            }
            for (form, is_bytes) in given {
                let expected = if is_bytes { Value::Bytes(content.clone()) } else { Value::Str(content.clone()) };
                let back = read(t, &write(t, &form.view, None)?)?;
                let what = format!("what the graph of {number} bytes, given as {}, reads as", form.name);
                t.eq(what, Value::read(t, &back.any())?, expected)?;
            }
            let (bytes, text) = (Value::Bytes(content), Value::Str(vec![b'a'; number]));
            t.clause(id::GRF_0004);
            comes_back(t, &Value::Array(vec![bytes.clone(), text.clone(), bytes.clone()]))?;
            comes_back(t, &Value::Map(vec![(text.clone(), bytes), (Value::str("another key"), text)]))?;
            t.clause(id::GRF_0001);
        }
    }
    Ok(())
}
