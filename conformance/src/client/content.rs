//! Asking the target about a value and everything in it: whether two are equal, which comes first, how one hashes, how it is printed.

use std::cmp::Ordering;

use tvm_ffi_spec::*;

use crate::client::{connection::Client, model::Value, value::view, verdict::Verdict};

impl Client {
    /// What `ffi.StructuralEqual` answers; the content of tensors counts.
    pub fn structural_equal(&self, lhs: &TVMFFIAny, rhs: &TVMFFIAny, map_free_vars: bool) -> Verdict<bool> {
        let args = [*lhs, *rhs, view::bool(map_free_vars), view::bool(false)];
        let answer = self.call_global("ffi.StructuralEqual", &args)?.any();
        self.eq("the type of the answer", answer.type_index, kTVMFFIBool)?;
        Ok(answer.payload() != 0)
    }

    /// What `ffi.StructuralHash` answers; the content of tensors counts.
    pub fn structural_hash(&self, value: &TVMFFIAny, map_free_vars: bool) -> Verdict<i64> {
        self.hash_by("ffi.StructuralHash", &[*value, view::bool(map_free_vars), view::bool(false)])
    }

    /// What `ffi.RecursiveHash` answers.
    pub fn recursive_hash(&self, value: &TVMFFIAny) -> Verdict<i64> {
        self.hash_by("ffi.RecursiveHash", &[*value])
    }

    /// Expects the five recursive comparisons to say that two values are in this order.
    pub fn recursively_ordered(&self, lhs: &TVMFFIAny, rhs: &TVMFFIAny, order: Ordering) -> Verdict {
        for (name, expected) in [
            ("Lt", order.is_lt()),
            ("Le", order.is_le()),
            ("Gt", order.is_gt()),
            ("Ge", order.is_ge()),
            ("Eq", order.is_eq()),
        ] {
            let answer = self.call_global(&format!("ffi.Recursive{name}"), &[*lhs, *rhs])?;
            self.any_eq(format_args!("the answer of ffi.Recursive{name}"), &answer.any(), &view::bool(expected))?;
        }
        Ok(())
    }

    fn hash_by(&self, function: &str, args: &[TVMFFIAny]) -> Verdict<i64> {
        let answer = self.call_global(function, args)?.any();
        self.type_index_eq("type_index of the hash", answer.type_index, kTVMFFIInt)?;
        Ok(answer.payload() as i64)
    }

    /// Expects no two of the values to have one hash.
    pub fn hashes_differ(&self, values: &[Value], hash: impl Fn(&Value) -> Verdict<i64>) -> Verdict {
        let hashes = values.iter().map(hash).collect::<Verdict<Vec<_>>>()?;
        for (at, first) in hashes.iter().enumerate() {
            for (other, second) in hashes.iter().enumerate().skip(at + 1) {
                self.ne(format_args!("the hash of {:?} and of {:?}", values[at], values[other]), *second, *first)?;
            }
        }
        Ok(())
    }

    /// What `ffi.ReprPrint` answers, without the addresses in it: a library may print where an object lies.
    pub fn printed(&self, value: &TVMFFIAny) -> Verdict<String> {
        let text = self.text(&self.call_global("ffi.ReprPrint", &[*value])?.any())?;
        Ok(without_addresses(&String::from_utf8_lossy(&text)))
    }

    /// Expects what `ffi.ReprPrint` answers, without addresses.
    pub fn prints(&self, value: &TVMFFIAny, expected: &str) -> Verdict {
        self.eq("the printed form", self.printed(value)?, expected.to_owned())
    }
}

/// A text with `0x` in the place of each address.
pub fn without_addresses(text: &str) -> String {
    /// So many digits make a number an address.
    const DIGITS: usize = 6;
    let mut parts = text.split("0x");
    let mut rest = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_hexdigit).count();
        rest.push_str("0x");
        rest.push_str(if digits < DIGITS { part } else { &part[digits..] });
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::without_addresses;

    #[test]
    fn addresses_are_left_out_and_nothing_else() {
        assert_eq!(without_addresses("a.B@0x7f01ab34, 0x12 0x7f01ab35cd)"), "a.B@0x, 0x12 0x)");
        assert_eq!(without_addresses("\u{e4}0x"), "\u{e4}0x");
    }
}
