//! What a comparison prints of any two values: as Rust would, but for bytes, addresses and values of the ABI, which Rust prints
//! as numbers.

use std::fmt::Debug;

use tvm_ffi_spec::*;

use crate::client::shown;

/// A value as a person writes it: as `Debug` does, but lists of bytes are `b"text"`, addresses hexadecimal and versions `0.1.16`, structs
/// are without their names, and what is there is itself, while what is not there is `nothing`.
pub fn written<T: Debug>(value: &T) -> String {
    let (kind, text) = (std::any::type_name::<T>(), format!("{value:?}"));
    let (bytes, words) = (kind.contains("u8"), kind.contains("usize") || kind.contains("u64"));
    // A variant of the suite's own may be called so, too.
    let absent = kind.contains("Option<");
    let (mut out, mut rest) = (String::with_capacity(text.len()), text.as_str());
    // Of each bracket that is open, whether it is left out.
    let mut open = Vec::new();
    while let Some(first) = rest.chars().next() {
        let (piece, after) = match first {
            '"' => quoted(rest),
            '[' if bytes => match list_of_bytes(rest) {
                Some((list, after)) => {
                    out += &list;
                    rest = after;
                    continue;
                }
                None => rest.split_at(1),
            },
            // Digits within a word are not a number of their own.
            _ if first.is_alphanumeric() || first == '_' => {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                rest.split_at(end)
            }
            '(' => {
                open.push(false);
                rest.split_at(1)
            }
            ')' if open.pop() == Some(true) => {
                rest = &rest[1..];
                continue;
            }
            ' ' if rest.starts_with(" }") => {
                rest = &rest[1..];
                continue;
            }
            _ => rest.split_at(first.len_utf8()),
        };
        rest = after;
        match piece.parse() {
            Ok(word) if words && is_address(word) => out += &format!("{word:#x}"),
            _ if absent && piece == "Some" && after.starts_with('(') => {
                open.push(true);
                rest = &after[1..];
            }
            _ if absent && piece == "None" => out += "nothing",
            _ => match after.strip_prefix(" { ").filter(|_| first.is_alphabetic()) {
                Some(fields) => match version(fields) {
                    Some((version, after)) => {
                        out += &version;
                        rest = after;
                    }
                    None => {
                        out.push('{');
                        rest = fields;
                    }
                },
                None => out += piece,
            },
        }
    }
    out
}

/// A version whose fields are written at the beginning, and what follows it.
fn version(fields: &str) -> Option<(String, &str)> {
    let (numbers, after) = fields.split_once(" }")?;
    let mut all = numbers.split(", ");
    let mut number = |name: &str| all.next()?.strip_prefix(name)?.strip_prefix(": ");
    let (major, minor) = (number("major")?, number("minor")?);
    let version = match number("patch") {
        Some(patch) => format!("{major}.{minor}.{patch}"),
        None => format!("{major}.{minor}"),
    };
    all.next().is_none().then_some((version, after))
}

/// A text in which values of the ABI stand as a person writes them, and not as their three words.
pub fn with_values(text: &str) -> String {
    const BEGIN: &str = "{type_index: ";
    let (mut out, mut rest) = (String::new(), text);
    while let Some(place) = rest.find(BEGIN) {
        let (before, value) = rest.split_at(place);
        out += before;
        rest = match value_of(&value[BEGIN.len()..]) {
            Some((value, after)) => {
                out += &shown::value(&value);
                after
            }
            None => {
                out += BEGIN;
                &value[BEGIN.len()..]
            }
        };
    }
    out + rest
}

/// The value whose words are written at the beginning, and what follows it.
fn value_of(text: &str) -> Option<(TVMFFIAny, &str)> {
    let (type_index, rest) = text.split_once(", padding: ")?;
    let (aux, rest) = rest.split_once(", payload: 0x")?;
    let (payload, after) = rest.split_once('}')?;
    let any = TVMFFIAny::new(type_index.parse().ok()?, u64::from_str_radix(payload, 16).ok()?);
    Some((TVMFFIAny { aux: TVMFFIAnyAux { zero_padding: aux.parse().ok()? }, ..any }, after))
}

/// Whether a number is one that objects, functions and stacks have for an address.
fn is_address(word: u64) -> bool {
    (0x5000_0000_0000..0x8000_0000_0000).contains(&word)
}

/// A quoted text at the beginning, and what follows it.
fn quoted(text: &str) -> (&str, &str) {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|&(_, c)| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    text.split_at(end.map_or(text.len(), |(place, _)| place + 1))
}

/// A list of bytes at the beginning as the text that it is, and what follows it.
fn list_of_bytes(text: &str) -> Option<(String, &str)> {
    let (list, after) = text.strip_prefix('[')?.split_once(']')?;
    let bytes: Vec<u8> = list.split(", ").map(|byte| byte.parse().ok()).collect::<Option<_>>()?;
    Some((format!("b\"{}\"", bytes.escape_ascii()), after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_texts_and_addresses_are_hexadecimal() {
        assert_eq!(written(&b"a\n\xff".to_vec()), r#"b"a\n\xff""#);
        assert_eq!(written(&vec![(1, b"key".to_vec())]), r#"[(1, b"key")]"#);
        assert_eq!(written(&(0x5512_3456_7890_usize, 17_u64)), "(0x551234567890, 17)");
        assert_eq!(written(&Some((1_u64, "\\\"[97]", 2_u8))), r#"(1, "\\\"[97]", 2)"#);
    }

    #[test]
    fn values_are_written_as_people_do() {
        let any = TVMFFIAny::new(kTVMFFIInt, 17);
        assert_eq!(with_values(&format!("value of {any:?}, not {:?}", TVMFFIAny::NONE)), "value of 17, not None");
        assert_eq!(with_values("{type_index: 1, padding"), "{type_index: 1, padding");
    }

    #[test]
    fn everything_else_is_as_rust_writes_it() {
        assert_eq!(written(&[97, 98]), "[97, 98]");
        assert_eq!(written(&-1.5), "-1.5");
    }

    #[test]
    fn what_rust_alone_writes_so_is_as_people_write_it() {
        assert_eq!(written(&Some("größe")), "\"größe\"");
        assert_eq!(written(&None::<&str>), "nothing");
        assert_eq!(written(&vec![Some((1, "Some(2) { a }")), None]), r#"[(1, "Some(2) { a }"), nothing]"#);
        assert_eq!(written(&TVMFFIVersion { major: 0, minor: 1, patch: 16 }), "0.1.16");
        assert_eq!(written(&(DLPackVersion { major: 1, minor: 3 }, 4)), "(1.3, 4)");
        assert_eq!(written(&[DLDevice { device_type: 2, device_id: -1 }]), "[{device_type: 2, device_id: -1}]");
    }
}
