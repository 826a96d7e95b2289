//! Big integers in decimal, and their order.

use tvm_ffi_spec::{clause::id, *};

use super::kit::{BIGS, INTS, holds, make, minimal};
use crate::{
    checks::check,
    client::{Owned, Verdict, globals, graph_text::nodes_of, samples::Place, view},
    trial::Trial,
};

/// ffi.ReprPrint prints a BigInt as its decimal digits, with a minus sign in front of a negative one.
#[check(BIG_0020)]
fn printed(t: &Trial) -> Verdict {
    for (words, decimal) in powers_in_decimal() {
        let text = t.call_global("ffi.ReprPrint", &[make(t, &words)?.any()])?;
        t.eq("the printed form", String::from_utf8_lossy(&t.text(&text.any())?).into_owned(), decimal)?;
    }
    Ok(())
}

/// A BigInt that was written into a JSON graph is read from it as the same integer.
#[check(BIG_0021)]
fn in_a_graph(t: &Trial) -> Verdict {
    for (words, _) in powers_in_decimal() {
        let text = graph_of(t, &words)?;
        let back = t.call_global(FROM_GRAPH, &[text.any()])?;
        holds(t, "the content of what was written and read", &back.any(), &minimal(&words))?;
    }
    Ok(())
}

/// An integer that is copied, walked through, written and read has its one form, alone and in a container, or the call fails.
#[check(BIG_0024)]
fn one_form_behind_every_door(t: &Trial) -> Verdict {
    let none = TVMFFIAny::NONE;
    let callbacks = t.call_global("ffi.Array", &[])?.into_any();
    // Each makes a value of another one: functions, with what they take beside the value.
    type Step<'a> = (&'a str, &'a [TVMFFIAny]);
    let doors: [(&str, &[Step<'_>]); 5] = [
        ("a deep copy", &[("ffi.DeepCopy", &[])]),
        ("a walk that maps", &[("ffi.StructuralMap", &[callbacks, callbacks, view::int(0)])]),
        ("a walk that mutates", &[("ffi.StructuralMutate", &[callbacks])]),
        ("a JSON graph", &[("ffi.ToJSONGraph", &[none]), ("ffi.FromJSONGraph", &[])]),
        ("a JSON text", &[("ffi.json.Stringify", &[none]), ("ffi.json.Parse", &[])]),
    ];
    for words in INTS.iter().map(std::slice::from_ref).chain(BIGS) {
        let integer = make(t, words)?;
        for (name, functions) in &doors {
            for place in [Place::Alone, Place::InArray, Place::MapValue] {
                let mut value = Some(place.put(t, &integer.any())?);
                for (function, rest) in *functions {
                    let (Some(function), Some(given)) = (globals::find(t, function)?, value.take()) else { break };
                    let (args, mut result) = ([&[given.any()], *rest].concat(), none);
                    match t.try_call(&function, &args, &mut result) {
                        0 => value = Some(t.own(result)),
                        // Not every door is one for every integer, or for keys that are no text.
                        code => drop(t.raises(code, &[])?),
                    }
                }
                let Some(value) = value else { continue };
                let found = place.look(t, &value.any())?;
                // A text has no other numbers than floats for what JSON cannot say.
                if *name == "a JSON text" && found.type_index == kTVMFFIFloat {
                    continue;
                }
                let what = format!("{words:x?} after {name}, {place:?}");
                let index = if words.len() == 1 { kTVMFFIInt } else { kTVMFFIBigInt };
                t.type_index_eq(format_args!("type_index of {what}"), found.type_index, index)?;
                holds(t, format!("the content of {what}"), &found, words)?;
            }
        }
    }
    Ok(())
}

/// The JSON graph of a BigInt holds its decimal digits.
#[check(BIG_0023)]
fn digits_in_a_graph(t: &Trial) -> Verdict {
    for (words, decimal) in powers_in_decimal() {
        let text = t.text(&graph_of(t, &words)?.any())?;
        let text = String::from_utf8_lossy(&text);
        let found = nodes_of(&text).iter().any(|node| node["data"] == *decimal);
        t.that("the graph", found, format_args!("a node with the data \"{decimal}\""), &text)?;
    }
    Ok(())
}

/// An integer that a JSON graph gives has its one form, whatever digits the graph holds, or the graph is refused.
#[check(BIG_0024)]
fn one_form_from_a_graph(t: &Trial) -> Verdict {
    // 2^64, whose digits are replaced by others.
    let whole = String::from_utf8_lossy(&t.text(&graph_of(t, &[0, 1])?.any())?).into_owned();
    let int = |int: i64| vec![int];
    let cases = [
        ("5", int(5)),
        ("-1", int(-1)),
        ("0", int(0)),
        ("9223372036854775807", int(i64::MAX)),
        ("-9223372036854775808", int(i64::MIN)),
        ("9223372036854775808", vec![i64::MIN, 0]),
        ("-9223372036854775809", vec![i64::MAX, -1]),
        ("000000000000000000000000000000000000000000000000018446744073709551616", vec![0, 1]),
    ];
    for (digits, words) in cases {
        let text = t.string(whole.replace("18446744073709551616", digits).as_bytes())?;
        let graph = t.call_global("ffi.json.Parse", &[text.any()])?;
        for (door, graph) in [(FROM_GRAPH, &text), ("ffi.FromJSONGraph", &graph)] {
            let Ok(back) = t.answer(door, &[graph.any()])? else { continue };
            let index = if words.len() == 1 { kTVMFFIInt } else { kTVMFFIBigInt };
            let what = format!("what {door} reads for {digits}");
            t.type_index_eq(format_args!("type_index of {what}"), back.any().type_index, index)?;
            holds(t, format!("the content of {what}"), &back.any(), &words)?;
        }
    }
    Ok(())
}

/// Reading a JSON graph in which the data of a BigInt are no decimal digits, or no text at all where the library writes one, raises an error.
#[check(BIG_0024, GRF_0018)]
fn no_integer_from_a_graph(t: &Trial) -> Verdict {
    let whole = String::from_utf8_lossy(&t.text(&graph_of(t, &[0, 1])?.any())?).into_owned();
    let digits = "\"18446744073709551616\"";
    if whole.matches(digits).count() != 1 {
        return Err(t.not_applicable("the library writes a BigInt otherwise than in decimal digits"));
    }
    let no_digits = [
        "\"\"",
        "\"-\"",
        "\"--5\"",
        "\"5-\"",
        "\"18446744073709551616x\"",
        "\"x8446744073709551616\"",
        "\"184467440 is no number\"",
    ];
    let no_texts = ["null", "true", "[]", "{}"];
    for (data, clause) in
        no_digits.map(|data| (data, id::BIG_0024)).into_iter().chain(no_texts.map(|data| (data, id::GRF_0018)))
    {
        t.clause(clause);
        let text = t.string(whole.replace(digits, data).as_bytes())?;
        let graph = t.call_global("ffi.json.Parse", &[text.any()])?;
        for (door, graph) in [(FROM_GRAPH, &text), ("ffi.FromJSONGraph", &graph)] {
            let refused = t.call_fails(&t.global(door)?, &[graph.any()], &[]);
            drop(refused.map_err(|failure| failure.noting(format!("{door} of a BigInt with the data {data}")))?);
        }
    }
    Ok(())
}

const FROM_GRAPH: &str = "ffi.FromJSONGraphString";

/// The text of the JSON graph of an integer.
fn graph_of(t: &Trial, words: &[i64]) -> Verdict<Owned> {
    t.call_global("ffi.ToJSONGraphString", &[make(t, words)?.any(), TVMFFIAny::NONE])
}

/// BigInts are structurally equal by value, and then have one structural hash.
#[check(SEQ_0001, SEQ_0007)]
fn structurally_equal(t: &Trial) -> Verdict {
    for (at, lhs) in BIGS.iter().enumerate() {
        for (other, rhs) in BIGS.iter().enumerate() {
            let (one, another) = (make(t, lhs)?, make(t, rhs)?);
            t.clause(id::SEQ_0001);
            let what = format!("whether the words {lhs:x?} and {rhs:x?} are equal");
            t.eq(what, t.structural_equal(&one.any(), &another.any(), false)?, at == other)?;
            if at == other {
                t.clause(id::SEQ_0007);
                let hash = t.structural_hash(&one.any(), false)?;
                let what = format!("the hash of another integer of the words {lhs:x?}");
                t.eq(what, t.structural_hash(&another.any(), false)?, hash)?;
            }
        }
    }
    Ok(())
}

/// Arrays and Lists find a BigInt by its value, at whatever place another one of that value stands.
#[check(ARR_0014, LST_0016)]
fn found_by_value(t: &Trial) -> Verdict {
    for (kind, clause) in [("ffi.Array", id::ARR_0014), ("ffi.List", id::LST_0016)] {
        t.clause(clause);
        for missing in BIGS {
            let elements = BIGS.iter().filter(|words| **words != missing).map(|words| make(t, words));
            let elements = elements.collect::<Verdict<Vec<_>>>()?;
            let container = t.call_global(kind, &elements.iter().map(Owned::any).collect::<Vec<_>>())?;
            for words in BIGS {
                let found = t.call_global(&format!("{kind}Contains"), &[container.any(), make(t, words)?.any()])?;
                let what = format!("whether an {kind} without {missing:x?} has an integer of the words {words:x?}");
                t.any_eq(what, &found.any(), &view::bool(words != missing))?;
            }
        }
    }
    Ok(())
}

/// BigInts are recursively equal and ordered by value.
#[check(BIG_0022)]
fn ordered(t: &Trial) -> Verdict {
    let (less, equal) = (t.global("ffi.RecursiveLt")?, t.global("ffi.RecursiveEq")?);
    for pair in powers_in_decimal().windows(2) {
        let [(smaller, _), (larger, _)] = pair else { continue };
        let (lhs, twin, rhs) = (make(t, smaller)?, make(t, smaller)?, make(t, larger)?);
        let asks = [(&less, &lhs, &rhs, true), (&less, &rhs, &lhs, false), (&less, &lhs, &twin, false)];
        let asks = asks.into_iter().chain([(&equal, &lhs, &rhs, false), (&equal, &lhs, &twin, true)]);
        for (function, one, other, expected) in asks {
            let answer = t.call(function, &[one.any(), other.any()])?;
            t.any_eq("the answer", &answer.any(), &view::bool(expected))
                .map_err(|failure| failure.noting(format!("the words are {smaller:x?} and {larger:x?}")))?;
        }
    }
    Ok(())
}

/// Powers of two beyond an `Int`, their neighbours and their negatives, as words and as decimal digits, in ascending
/// order.
fn powers_in_decimal() -> Vec<(Vec<i64>, String)> {
    let (mut positive, mut negative) = (Vec::new(), Vec::new());
    // The digits of 2^64, the last one first.
    let mut digits: Vec<u8> = (1_u128 << 64).to_string().bytes().rev().map(|digit| digit - b'0').collect();
    for exponent in 64..260 {
        // Every bit of a word, and of the words behind it some, with those around which the next one begins.
        if exponent > 132 && exponent % 3 != 0 && !matches!(exponent % 64, 0 | 1 | 62 | 63) {
            double(&mut digits);
            continue;
        }
        let (whole, bit) = (exponent / 64, 1_i64 << (exponent % 64));
        let power = [vec![0; whole], vec![bit, 0]].concat();
        let below = [vec![-1; whole], vec![bit.wrapping_sub(1), 0]].concat();
        // The complement of n is -n - 1.
        let complement = |words: &[i64]| words.iter().map(|word| !word).collect::<Vec<_>>();
        // A power of two ends in neither 0 nor 9.
        let decimal = |step: i8| {
            let last = b'0'.wrapping_add_signed(step) + digits[0];
            digits[1..].iter().rev().map(|digit| b'0' + digit).chain([last]).map(char::from).collect::<String>()
        };
        negative.push((complement(&below), format!("-{}", decimal(0))));
        negative.push((complement(&power), format!("-{}", decimal(1))));
        positive.push((below, decimal(-1)));
        positive.push((power, decimal(0)));
        double(&mut digits);
    }
    negative.into_iter().rev().chain(positive).collect()
}

/// Doubles a number of decimal digits, the last one first.
fn double(digits: &mut Vec<u8>) {
    let mut carry = 0;
    for digit in &mut *digits {
        let double = 2 * *digit + carry;
        (*digit, carry) = (double % 10, double / 10);
    }
    digits.extend((carry > 0).then_some(carry));
}
