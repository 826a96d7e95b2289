//! Texts that differ in one byte and follow each other in one place in memory, given to functions that look into them.

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        model::Value,
        one_memory::{LENGTHS, OneMemory, steps},
    },
    trial::Trial,
};

/// A clause, a function, and what it is given behind the text.
type Door = (&'static str, &'static str, &'static [TVMFFIAny]);

const NO: TVMFFIAny = TVMFFIAny::new(kTVMFFIBool, 0);

/// A text that differs in one byte from the one that stood in the same place in memory at the call before is hashed and written as a String of its
/// own content is.
#[check(SEQ_0007, JSN_0031, GRF_0001)]
fn text_of_another_byte_is_written(t: &Trial) -> Verdict {
    let doors: [Door; 3] = [
        (id::SEQ_0007, "ffi.StructuralHash", &[NO, NO]),
        (id::JSN_0031, "ffi.json.Stringify", &[TVMFFIAny::NONE]),
        (id::GRF_0001, "ffi.ToJSONGraphString", &[TVMFFIAny::NONE]),
    ];
    come_to_the_same(t, &doors)
}

/// A text that differs in one byte from the one that stood in the same place in memory at the call before is copied and printed as a String of its
/// own content is.
#[check(REC_0014, REC_0023)]
fn text_of_another_byte_is_copied(t: &Trial) -> Verdict {
    come_to_the_same(t, &[(id::REC_0014, "ffi.DeepCopy", &[]), (id::REC_0023, "ffi.ReprPrint", &[])])
}

/// A text that differs in one byte from the one that stood in the same place in memory at the call before has the recursive hash of a String of its
/// own content, is recursively equal to that, and to no String of the other's.
#[check(REC_0011, REC_0002)]
fn text_of_another_byte_is_told_apart(t: &Trial) -> Verdict {
    come_to_the_same(t, &[(id::REC_0011, "ffi.RecursiveHash", &[])])?;
    are_told_apart(t, [id::REC_0002; 2], "ffi.RecursiveEq", &[], |answer| answer.payload() & 1 == 1)
}

/// A text that differs in one byte from the one that stood in the same place in memory at the call before is structurally equal to a String of its
/// own content, and to none of the other's.
#[check(SEQ_0001)]
fn text_of_another_byte_is_structurally_another(t: &Trial) -> Verdict {
    are_told_apart(t, [id::SEQ_0001; 2], "ffi.StructuralEqual", &[NO, NO], |answer| answer.payload() & 1 == 1)
}

/// A text that differs in one byte from the one that stood in the same place in memory at the call before has no mismatch with a String of its
/// own content, and one with a String of the other's.
#[check(SEQ_0009, SEQ_0010)]
fn text_of_another_byte_has_a_mismatch(t: &Trial) -> Verdict {
    let is_none = |answer: TVMFFIAny| answer.type_index == kTVMFFINone;
    are_told_apart(t, [id::SEQ_0009, id::SEQ_0010], "ffi.GetFirstStructuralMismatch", &[NO, NO], is_none)
}

/// Expects functions to answer for a text that is lent what they answer for a String of it.
fn come_to_the_same(t: &Trial, doors: &[Door]) -> Verdict {
    for (clause, name, rest) in doors {
        let function = t.global(name)?;
        let of = |text: TVMFFIAny| -> Verdict<Value> {
            let answer = t.call(&function, &[&[text][..], rest].concat())?;
            Value::read(t, &answer.any())
        };
        let mut memory = OneMemory::new();
        t.clause(clause);
        for text in LENGTHS.into_iter().flat_map(steps) {
            let (expected, found) = (of(t.string(&text)?.any())?, of(memory.borrowed(kTVMFFIRawStr, &text))?);
            t.eq(format_args!("what {name} answers for {}", text.escape_ascii()), found, expected)?;
        }
    }
    Ok(())
}

/// Expects a function to find a text that is lent equal to a String of it, on whichever side, and to no other.
/// The clauses are about equal ones and about others.
fn are_told_apart(
    t: &Trial,
    clauses: [&'static str; 2],
    name: &str,
    rest: &[TVMFFIAny],
    says_equal: fn(TVMFFIAny) -> bool,
) -> Verdict {
    let function = t.global(name)?;
    let are_equal = |sides: [TVMFFIAny; 2]| -> Verdict<bool> {
        Ok(says_equal(t.call(&function, &[&sides[..], rest].concat())?.any()))
    };
    for length in LENGTHS {
        let (mut memory, mut before): (_, Option<Owned>) = (OneMemory::new(), None);
        for text in steps(length) {
            let (string, lent) = (t.string(&text)?, memory.borrowed(kTVMFFIRawStr, &text));
            let what = |other: &str| format!("whether {name} finds {} equal to {other}", text.escape_ascii());
            t.clause(clauses[0]);
            t.eq(what("a String of it"), are_equal([lent, string.any()])?, true)?;
            t.eq(what("a String of it, from the right"), are_equal([string.any(), lent])?, true)?;
            if let Some(before) = before.replace(string) {
                t.clause(clauses[1]);
                t.eq(what("another"), are_equal([lent, before.any()])?, false)?;
            }
        }
    }
    Ok(())
}

/// A JSON graph that differs in one byte from the one that stood in the same place in memory at the call before is read as what it says then.
#[check(GRF_0001)]
fn graph_of_another_byte_is_read(t: &Trial) -> Verdict {
    let (write, read) = (t.global("ffi.ToJSONGraphString")?, t.global("ffi.FromJSONGraphString")?);
    let mut memory = OneMemory::new();
    for text in LENGTHS.into_iter().flat_map(steps) {
        let written = t.call(&write, &[t.string(&text)?.any(), TVMFFIAny::NONE])?;
        let graph = t.text(&written.any())?;
        // How long a graph is, is open.
        if graph.len() >= OneMemory::ROOM {
            continue;
        }
        let found = t.call(&read, &[memory.borrowed(kTVMFFIRawStr, &graph)])?;
        t.eq("the text that a JSON graph is read as", Value::read(t, &found.any())?, Value::Str(text))?;
    }
    Ok(())
}

/// Bytes that differ in one byte from those that stood in the same place in memory at the call before are copied as they are then.
#[check(REC_0014)]
fn bytes_of_another_byte_are_copied(t: &Trial) -> Verdict {
    let (copy, mut memory) = (t.global("ffi.DeepCopy")?, OneMemory::new());
    for content in LENGTHS.into_iter().flat_map(steps) {
        let copied = t.call(&copy, &[memory.borrowed(kTVMFFIByteArrayPtr, &content)])?;
        t.eq("the copy of bytes", Value::read(t, &copied.any())?, Value::Bytes(content))?;
    }
    Ok(())
}
