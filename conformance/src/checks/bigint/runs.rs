//! Numbers of long runs of zeros and nines, which come through decimal digits: whoever takes many digits at a time may lose a group.

use std::collections::HashSet;

use tvm_ffi_spec::{clause::id, *};

use super::kit::{holds, make, minimal};
use crate::{
    checks::check,
    client::{Owned, Verdict, graph_text::nodes_of},
    trial::Trial,
};

/// Numbers of digits that one word, half of one or two of them are filled with, and their neighbours.
const RUNS: [usize; 14] = [1, 8, 9, 10, 17, 18, 19, 20, 27, 35, 36, 37, 38, 54];

/// A BigInt with runs of zeros or nines of any length among its decimal digits comes back from its JSON graph as the same integer.
#[check(BIG_0021, BIG_0023)]
fn runs_in_a_graph(t: &Trial) -> Verdict {
    let numbers = with_runs();
    let made = numbers.iter().map(|(words, _)| make(t, words)).collect::<Verdict<Vec<_>>>()?;
    let none = TVMFFIAny::NONE;
    // All in one graph, and some in one of their own.
    let all = t.call_global("ffi.Array", &made.iter().map(Owned::any).collect::<Vec<_>>())?;
    for (write, read) in
        [("ffi.ToJSONGraphString", "ffi.FromJSONGraphString"), ("ffi.ToJSONGraph", "ffi.FromJSONGraph")]
    {
        let [write, read] = t.globals([write, read])?;
        let graph = t.call(&write, &[all.any(), none])?;
        if graph.any().type_index == kTVMFFIStr {
            t.clause(id::BIG_0023);
            let text = String::from_utf8_lossy(&t.text(&graph.any())?).into_owned();
            let nodes = nodes_of(&text);
            let data: HashSet<_> = nodes.iter().filter_map(|node| node["data"].as_str()).collect();
            for (_, decimal) in &numbers {
                let is_there = data.contains(&decimal[..]);
                t.that("the data of a node", is_there, format_args!("\"{decimal}\""), "none such")?;
            }
        }
        t.clause(id::BIG_0021);
        let back = t.call(&read, &[graph.any()])?;
        let items = t.sequence(back.handle())?.items;
        t.eq("number of integers that came back", items.len(), numbers.len())?;
        for (item, (words, decimal)) in items.iter().zip(&numbers) {
            holds(t, format_args!("the content of {decimal}, written and read"), item, words)?;
        }
        for (integer, (words, decimal)) in made.iter().zip(&numbers).step_by(7) {
            let back = t.call(&read, &[t.call(&write, &[integer.any(), none])?.any()])?;
            holds(t, format_args!("the content of {decimal}, written and read alone"), &back.any(), words)?;
        }
    }
    Ok(())
}

/// ffi.ReprPrint prints a BigInt with runs of zeros or nines of any length as its decimal digits.
#[check(BIG_0020)]
fn runs_printed(t: &Trial) -> Verdict {
    let print = t.global("ffi.ReprPrint")?;
    for (words, decimal) in with_runs() {
        let text = t.call(&print, &[make(t, &words)?.any()])?;
        t.eq("the printed form", String::from_utf8_lossy(&t.text(&text.any())?).into_owned(), decimal)?;
    }
    Ok(())
}

/// Integers beyond 64 bits with runs of zeros and nines, and their negatives, as words and as digits, each once.
fn with_runs() -> Vec<(Vec<i64>, String)> {
    let mut all = Vec::new();
    let run = |digit: &str, len: usize| digit.repeat(len);
    // Powers of ten and their neighbours.
    for len in (19..=80).chain((90..=720).step_by(18)).chain((95..=722).step_by(57)) {
        all.extend([format!("1{}", run("0", len)), format!("1{}1", run("0", len - 1)), run("9", len + 1)]);
    }
    // A run between others, which begins and ends at any place of a group.
    for head in ["7", "12345678", "9223372036854775808"] {
        for (digit, len) in RUNS.iter().flat_map(|len| [("0", *len), ("9", *len)]) {
            for tail in ["", "1", "98765432109876543", "1000000000000000000"] {
                all.push(format!("{head}{}{tail}", run(digit, len)));
            }
        }
    }
    // Products of powers of two and of ten, in whose words zeros follow each other, too.
    for power in [63, 64, 65, 96, 126, 127] {
        all.extend(RUNS.map(|len| format!("{}{}", 1_u128 << power, run("0", len))));
    }
    let mut seen = HashSet::new();
    all.retain(|digits| digits.len() > 20 && seen.insert(digits.clone()));
    let signed = |digits: String| {
        let words = words_of_digits(&digits);
        // The negative of n is its complement and one.
        let mut carry = true;
        let negate = |word: &i64| {
            let sum;
            (sum, carry) = (!*word as u64).overflowing_add(carry.into());
            sum as i64
        };
        let negative = words.iter().map(negate).collect::<Vec<_>>();
        [(minimal(&negative), format!("-{digits}")), (minimal(&words), digits)]
    };
    all.into_iter().flat_map(signed).collect()
}

/// The words of decimal digits, with one of zeros on top.
fn words_of_digits(digits: &str) -> Vec<i64> {
    let mut words = vec![0_u64];
    for digit in digits.bytes() {
        let mut carry = u128::from(digit - b'0');
        for word in &mut words {
            let product = u128::from(*word) * 10 + carry;
            (*word, carry) = (product as u64, product >> 64);
        }
        words.extend((carry > 0).then_some(carry as u64));
    }
    words.into_iter().chain([0]).map(|word| word as i64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_the_words_they_say() {
        for (digits, words) in [("18446744073709551616", [0, 1]), ("36893488147419103231", [-1, 1])] {
            assert_eq!(minimal(&words_of_digits(digits)), words);
        }
        let ten = 10_i128.pow(36);
        let expected = |value: i128| vec![value as i64, (value >> 64) as i64];
        let all = with_runs();
        for value in [ten, -ten, ten + 1, -ten - 1] {
            let found = all.iter().find(|(_, digits)| *digits == value.to_string());
            assert_eq!(found.map(|(words, _)| words.clone()), Some(expected(value)), "{value}");
        }
    }
}
