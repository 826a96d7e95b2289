//! Plain results where there was something before.

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{Owned, Verdict, globals, view},
    trial::Trial,
};

/// A plain value that a function of the library answers, through whichever global function, is zero in its unused bytes, whatever a None had
/// there in the place for it.
#[check(ANY_0025)]
fn plain_results_are_whole(t: &Trial) -> Verdict {
    let (text, key) = (view::c_str(c"[1, 2.5, true, null]"), view::c_str(c"key"));
    for (kind, entries) in [("ffi.Array", false), ("ffi.List", false), ("ffi.Map", true), ("ffi.Dict", true)] {
        if globals::find(t, kind)?.is_none() {
            continue;
        }
        for value in plain_values(t)? {
            let args = if entries { vec![key, value.any()] } else { vec![value.any()] };
            let made = t.call_global(kind, &args)?;
            let (asked, own) = (if entries { key } else { view::int(0) }, made.any());
            for (suffix, args) in [
                ("Size", vec![own]),
                ("GetItem", vec![own, asked]),
                ("GetItemOrMissing", vec![own, asked]),
                ("Contains", vec![own, value.any()]),
                ("Count", vec![own, asked]),
            ] {
                is_whole(t, &format!("{kind}{suffix}"), &args)?;
            }
            if entries {
                let walk = t.call_global(&format!("{kind}ForwardIterFunctor"), &[own])?;
                for asked in [0, 1, 2] {
                    answers_whole(t, &format!("the function of {kind}ForwardIterFunctor"), &walk, &[view::int(asked)])?;
                }
            }
            for name in ["ffi.DeepCopy", "ffi.RecursiveHash", "ffi.ContainerFindFirstNonCPUDevice"] {
                is_whole(t, name, &[own])?;
                is_whole(t, name, &[value.any()])?;
            }
            for name in ["ffi.RecursiveEq", "ffi.RecursiveLt", "ffi.RecursiveLe", "ffi.RecursiveGt", "ffi.RecursiveGe"]
            {
                is_whole(t, name, &[value.any(), value.any()])?;
            }
            let no = view::bool(false);
            is_whole(t, "ffi.StructuralEqual", &[own, own, no, no])?;
            is_whole(t, "ffi.StructuralHash", &[own, no, no])?;
            is_whole(t, "ffi.json.Stringify", &[value.any(), TVMFFIAny::NONE])?;
            is_whole(t, "ffi.ReprPrint", &[value.any()])?;
            if kind == "ffi.List" {
                is_whole(t, "ffi.ListPop", &[own, asked])?;
            }
        }
    }
    for (name, args) in [
        ("ffi.json.Parse", vec![view::c_str(c"7")]),
        ("ffi.json.Parse", vec![view::c_str(c"0.5")]),
        ("ffi.json.Parse", vec![view::c_str(c"true")]),
        ("ffi.json.Parse", vec![view::c_str(c"\"short\"")]),
        ("ffi.String", vec![key]),
        ("ffi.Bytes", vec![t.bytes(b"abc")?.any()]),
        ("ffi.GetGlobalFuncMetadata", vec![view::c_str(c"ffi.Array")]),
        ("ffi.StructuralKeyEqual", vec![t.call_global("ffi.Array", &[text])?.any(); 2]),
    ] {
        is_whole(t, name, &args)?;
    }
    Ok(())
}

/// A value of each kind that is plain.
fn plain_values(t: &Trial) -> Verdict<Vec<Owned>> {
    let values = [view::int(-7), view::float(2.5), view::bool(true), TVMFFIAny::new(kTVMFFIDataType, 0x0001_2002)];
    let device = TVMFFIAny::new(kTVMFFIDevice, 1);
    let mut all: Vec<_> = values.into_iter().chain([device]).map(|value| t.own(value)).collect();
    all.extend([t.string(b"")?, t.string(b"abc")?, t.bytes(b"\0\xff")?]);
    Ok(all)
}

/// Expects what a global function answers to be whole, if a target has it and takes the arguments: whether it should is for other clauses to say.
fn is_whole(t: &Trial, name: &str, args: &[TVMFFIAny]) -> Verdict {
    globals::find(t, name)?.map_or(Ok(()), |function| answers_whole(t, name, &function, args))
}

fn answers_whole(t: &Trial, name: &str, function: &Owned, args: &[TVMFFIAny]) -> Verdict {
    let mut result = TVMFFIAny::new(kTVMFFINone, 0xb1b2_b3b4_b5b6_b7b8);
    result.aux.zero_padding = 0xa1a2_a3a4;
    if t.try_call(function, args, &mut result) != 0 {
        t.api.release_raised();
        return Ok(());
    }
    let answer = t.own(result);
    let bytes = result.to_bytes();
    let (aux, payload) = (&bytes[4..8], &bytes[8..]);
    // The first bytes of the payload are in use, and the second word is zero but where it says how many.
    let (in_use, word): (usize, &[u8]) = match result.type_index {
        // Who answers nothing need not write anything.
        kTVMFFINone => return Ok(()),
        kTVMFFIBool => (1, aux),
        kTVMFFIDataType => (4, aux),
        kTVMFFISmallStr | kTVMFFISmallBytes => (usize::from(aux[0]).min(8), &aux[1..]),
        _ => (8, aux),
    };
    let unused = [word, &payload[in_use..]].concat();
    let what = format_args!("the unused bytes of what {name} answers, {:?}", answer.any());
    t.that(what, unused.iter().all(|byte| *byte == 0), "zeros", format_args!("{unused:x?}"))
}
