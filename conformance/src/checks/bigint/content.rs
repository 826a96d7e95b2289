//! The content of integers, which is borrowed from them.

use tvm_ffi_spec::*;

use super::kit::{BIGS, INTS, content, holds, make, words_of};
use crate::{
    checks::check,
    client::{Owned, Verdict, view},
    trial::Trial,
};

/// The content of an Int is its one word.
#[check(BIG_0008)]
fn content_of_int(t: &Trial) -> Verdict {
    for int in INTS {
        holds(t, format!("content of {int}"), &view::int(int), &[int])?;
    }
    Ok(())
}

/// The content of a BigInt is its words, least significant first.
#[check(BIG_0009)]
fn content_of_big(t: &Trial) -> Verdict {
    for words in BIGS {
        let made = make(t, words)?;
        holds(t, "content", &made.any(), words)?;
    }
    Ok(())
}

/// The contents of several integers are valid at the same time.
#[check(BIG_0010)]
fn content_is_borrowed(t: &Trial) -> Verdict {
    let ints = INTS.map(view::int);
    let bigs = BIGS.iter().map(|words| make(t, words)).collect::<Verdict<Vec<_>>>()?;
    let values: Vec<TVMFFIAny> = ints.into_iter().chain(bigs.iter().map(Owned::any)).collect();
    let expected = INTS.iter().map(std::slice::from_ref).chain(BIGS);
    let contents: Vec<_> = values.iter().map(|value| t.api.TVMFFIBigIntGetContentByteArray(value)).collect();
    for (array, words) in contents.into_iter().zip(expected) {
        t.eq("content, after other contents were asked for", words_of(t, array)?, words.to_vec())?;
    }
    Ok(())
}

/// The content of an integer stays unchanged while other integers are made and read.
#[check(BIG_0010)]
fn content_stays(t: &Trial) -> Verdict {
    let (int, words) = (view::int(0x0102_0304_0506_0708), BIGS[5]);
    let big = make(t, words)?;
    let of_int = t.api.TVMFFIBigIntGetContentByteArray(&int);
    let of_big = t.api.TVMFFIBigIntGetContentByteArray(&big.any());
    for other in BIGS.into_iter().cycle().take(200) {
        content(t, &make(t, other)?.any())?;
        content(t, &view::int(other[0]))?;
    }
    t.eq("content of the Int", words_of(t, of_int)?, vec![0x0102_0304_0506_0708])?;
    t.eq("content of the BigInt", words_of(t, of_big)?, words.to_vec())
}

/// Reading the content of integers does not make the heap grow.
#[check(BIG_0014)]
fn content_no_growth(t: &Trial) -> Verdict {
    let (int, big) = (view::int(1), make(t, BIGS[5])?);
    t.no_growth("reading the content of an Int and a BigInt", || {
        t.api.TVMFFIBigIntGetContentByteArray(&int);
        t.api.TVMFFIBigIntGetContentByteArray(&big.any());
        Ok(())
    })
}
