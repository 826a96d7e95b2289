//! Characters that are written as escapes, at every place of texts of every length.

use std::collections::BTreeMap;

use super::kit::{STRINGIFY, stringify};
use crate::{
    checks::check,
    client::{Owned, Verdict, view},
    trial::Trial,
};

/// Quotes, backslashes and control characters are written as escapes at every place of a text of one to twenty bytes, be it a value or a key.
#[check(JSN_0023)]
fn write_escapes_at_every_place(t: &Trial) -> Verdict {
    // Words, blocks of two words, and what is left behind them.
    const THOROUGH: [usize; 8] = [1, 7, 8, 9, 15, 16, 17, 20];
    let special: Vec<u8> = (0..0x20).chain([b'"', b'\\']).collect();
    for len in 1..=20 {
        let mut texts = Vec::new();
        for place in 0..len {
            let few = special.iter().skip((place + len) % 9).step_by(9);
            let these: Vec<_> = if THOROUGH.contains(&len) { special.iter().collect() } else { few.collect() };
            for byte in these {
                let mut text: Vec<u8> = (b'a'..).take(len).collect();
                text[place] = *byte;
                texts.push(String::from_utf8_lossy(&text).into_owned());
            }
        }
        let made = texts.iter().map(|text| t.string(text.as_bytes())).collect::<Verdict<Vec<_>>>()?;
        // All in one text, which is what makes so many of them cheap; one by one only to tell which is wrong.
        let array = t.call_global("ffi.Array", &made.iter().map(Owned::any).collect::<Vec<_>>())?;
        let written = stringify(t, &array, None)?;
        if serde_json::from_str::<Vec<String>>(&written).ok().as_ref() != Some(&texts) {
            for (text, made) in texts.iter().zip(&made) {
                let written = stringify(t, made, None)?;
                is_json(t, &format!("the value {text:?}"), &written, &serde_json::from_str(&written).ok(), text)?;
            }
            return Err(t.failure("an Array of texts with escapes", format_args!("JSON of {texts:?}"), written));
        }
        let entries: Vec<_> = made.iter().flat_map(|key| [key.any(), view::int(1)]).collect();
        let written = stringify(t, &t.call_global("ffi.Map", &entries)?, None)?;
        let expected: BTreeMap<_, _> = texts.iter().map(|text| (text.clone(), 1)).collect();
        if serde_json::from_str::<BTreeMap<String, i64>>(&written).ok() != Some(expected) {
            for (text, made) in texts.iter().zip(&made) {
                let map = t.call_global("ffi.Map", &[made.any(), view::int(1)])?;
                let written = stringify(t, &map, None)?;
                let read = serde_json::from_str::<BTreeMap<String, i64>>(&written).ok();
                let key = read.and_then(|read| read.into_keys().next());
                is_json(t, &format!("the key {text:?}"), &written, &key, text)?;
            }
            return Err(t.failure("a Map with keys with escapes", format_args!("JSON of {texts:?}"), written));
        }
    }
    Ok(())
}

/// Expects what was written to be read as this text by a reader that takes no control character.
fn is_json(t: &Trial, what: &str, written: &str, read: &Option<String>, expected: &str) -> Verdict {
    let shown = written.escape_debug().to_string();
    t.that(
        format_args!("what {STRINGIFY} writes of {what}"),
        read.as_deref() == Some(expected),
        "all that needs it as an escape",
        shown,
    )
}
