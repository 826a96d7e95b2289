//! The life of a string: its references, its address, its end, and threads.

use tvm_ffi_spec::*;

use super::kit::*;
use crate::{
    checks::check,
    client::{Owned, Verdict, globals, view},
    trial::Trial,
};

/// The end of a heap String or Bytes leaves another of equal content alone.
#[check(STR_0017)]
fn equal_strings_end_apart(t: &Trial) -> Verdict {
    let text = b"one text, made three times over";
    for kind in KINDS {
        let [first, second, third] = [kind.make(t, text)?, kind.make(t, text)?, kind.make(t, text)?];
        drop(first);
        drop(third);
        // Whatever is freed too early is likely to be handed out again.
        let others: Vec<Owned> = (0..16).map(|_| kind.make(t, &graffiti(text.len()))).collect::<Verdict<_>>()?;
        expect_content(t, &second, text)?;
        drop(others);
        expect_content(t, &second, text)?;
    }
    Ok(())
}

/// A heap String or Bytes keeps its content until its last reference is given up.
#[check(STR_0017)]
fn lives_until_last_reference(t: &Trial) -> Verdict {
    let text = b"a text with three owners";
    for kind in KINDS {
        let value = kind.make(t, text)?;
        let before = t.counts(value.handle())?;
        for _ in 0..2 {
            t.ok(t.api.TVMFFIObjectIncRef(value.handle()))?;
        }
        for _ in 0..2 {
            expect_content(t, &value, text)?;
            t.ok(t.api.TVMFFIObjectDecRef(value.handle()))?;
        }
        expect_content(t, &value, text)?;
        t.eq("strong and weak count", t.counts(value.handle())?, before)?;
    }
    Ok(())
}

/// The content of a heap String or Bytes stays at its address as long as the object lives.
#[check(STR_0020)]
fn content_stays(t: &Trial) -> Verdict {
    let text = b"content that a client points to";
    for kind in KINDS {
        let value = kind.make(t, text)?;
        let address = heap_cell(t, &value)?.data;
        for len in 1..200 {
            t.ok(t.api.TVMFFIObjectIncRef(value.handle()))?;
            kind.make(t, &graffiti(len))?;
            t.ok(t.api.TVMFFIObjectDecRef(value.handle()))?;
        }
        t.eq("address of the content", heap_cell(t, &value)?.data, address)?;
        expect_content(t, &value, text)?;
    }
    Ok(())
}

/// Four threads make and release Strings and Bytes at once.
#[check(STR_0019)]
fn threads(t: &Trial) -> Verdict {
    t.threads(4, |t, number| {
        for round in 0..150 {
            let text = vec![b'a' + number as u8; 1 + round % 40];
            for kind in KINDS {
                expect_content(t, &kind.make(t, &text)?, &text)?;
            }
        }
        Ok(())
    })
}

/// A String or Bytes can be read and released by another thread than the one that made it.
#[check(STR_0019)]
fn released_by_another_thread(t: &Trial) -> Verdict {
    let text = |index: usize| format!("text number {index}");
    for kind in KINDS {
        let made: Vec<TVMFFIAny> =
            (0..200).map(|index| Ok(kind.make(t, text(index).as_bytes())?.into_any())).collect::<Verdict<_>>()?;
        t.threads(4, |t, number| {
            for (index, &value) in made.iter().enumerate().filter(|(index, _)| index % 4 == number) {
                expect_content(t, &t.own(value), text(index).as_bytes())?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Making and releasing Strings keeps no memory.
#[check(STR_0018)]
fn no_growth(t: &Trial) -> Verdict {
    makes_no_growth(t, &STRING)
}

/// Making and releasing Bytes keeps no memory.
#[check(STR_0018)]
fn bytes_no_growth(t: &Trial) -> Verdict {
    makes_no_growth(t, &BYTES)
}

fn makes_no_growth(t: &Trial, kind: &Kind) -> Verdict {
    t.no_growth("making and releasing a small and a heap string", || {
        kind.make(t, b"small")?;
        kind.make(t, b"long enough for the heap").map(drop)
    })
}

/// The text that a function of the library answers stays as it is, whatever is asked of the library later.
#[check(STR_0020)]
fn answered_texts_stay(t: &Trial) -> Verdict {
    let value = |number: i64| t.call_global("ffi.Array", &[view::int(number), view::float(0.5), view::bool(true)]);
    for (name, rest) in [
        ("ffi.ReprPrint", &[][..]),
        ("ffi.json.Stringify", &[TVMFFIAny::NONE]),
        ("ffi.json.Stringify", &[TVMFFIAny::new(kTVMFFIInt, 2)]),
        ("ffi.ToJSONGraphString", &[TVMFFIAny::NONE]),
    ] {
        let Some(function) = globals::find(t, name)? else { continue };
        let ask = |number| t.call(&function, &[&[value(number)?.any()], rest].concat());
        let first = ask(1_111_111)?;
        let (text, form) = (t.text(&first.any())?, first.any().to_bytes());
        let others: Vec<_> = (0..40).map(|number| ask(1_000_000_007 * number)).collect::<Verdict<_>>()?;
        t.eq(format_args!("the first text of {name} after others"), t.text(&first.any())?, text.clone())?;
        t.eq(format_args!("the first answer of {name} after others"), first.any().to_bytes(), form)?;
        drop(others);
        t.eq(format_args!("the first text of {name} without the others"), t.text(&first.any())?, text)?;
    }
    Ok(())
}
