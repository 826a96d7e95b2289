//! JSON texts to values: objects become Maps, arrays Arrays, numbers Ints where they are whole and fit, else Floats.
//!
//! Beyond the standard there are `NaN`, `Infinity` and `-Infinity`, and a text such as `+07` or `1.` is a number, as C
//! and the releases have it. Messages name the line, the column and the byte, in bytes throughout.
//! Containers are kept on a stack of their own while they are open.

use crate::{
    border::error::{Error, Result},
    container::{array, map},
    json::plain::plain_prefix,
    scalar::decimal,
    system::memory::RoomFor,
    value::{any::Any, text},
    walk::recursion::MAX_DEPTH,
};

/// Reads a text as a value.
///
/// # Errors
/// `ValueError` for a text that is no JSON or is nested more than [`MAX_DEPTH`] levels deep, `MemoryError`, and what an allocator fails with.
pub fn parse(text: &[u8]) -> Result<Any> {
    let mut parser = Parser { text, at: 0, values: Vec::new(), open: Vec::new(), scratch: Vec::new() };
    let value = parser.document()?;
    parser.skip_spaces();
    if parser.peek().is_some() { Err(parser.error("Extra data")) } else { Ok(value) }
}

struct Parser<'a> {
    text: &'a [u8],
    /// The byte to be read next.
    at: usize,
    /// What the open containers have so far, outermost first: the elements of arrays, keys and values of objects in turn.
    values: Vec<Any>,
    open: Vec<Open>,
    /// Where strings with escapes are put together.
    scratch: Vec<u8>,
}

/// A container whose end has not come yet.
#[derive(Clone, Copy)]
struct Open {
    kind: Kind,
    /// Where its values begin.
    start: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Array,
    Object,
}

impl<'a> Parser<'a> {
    fn document(&mut self) -> Result<Any> {
        loop {
            self.skip_spaces();
            let value = match self.peek() {
                None => return Err(self.error("Expecting value")),
                Some(b'{') => {
                    self.at += 1;
                    self.skip_spaces();
                    if !self.skip(b'}') {
                        let start = self.values.len();
                        self.key()?;
                        self.enter(Kind::Object, start)?;
                        continue;
                    }
                    map::new(Vec::new())?.into()
                }
                Some(b'[') => {
                    self.at += 1;
                    self.skip_spaces();
                    self.not_the_end("Expecting value")?;
                    if !self.skip(b']') {
                        self.enter(Kind::Array, self.values.len())?;
                        continue;
                    }
                    array::new(Vec::new())?.into()
                }
                Some(b'"') => self.string()?,
                Some(b't') => self.literal("true", true.into())?,
                Some(b'f') => self.literal("false", false.into())?,
                Some(b'n') => self.literal("null", Any::NONE)?,
                Some(b'I') => self.literal("Infinity", f64::INFINITY.into())?,
                Some(b'N') => self.literal("NaN", f64::NAN.into())?,
                Some(b'-') if self.text.get(self.at + 1) == Some(&b'I') => {
                    self.literal("-Infinity", f64::NEG_INFINITY.into())?
                }
                Some(_) => self.number()?,
            };
            if let Some(value) = self.complete(value)? {
                return Ok(value);
            }
        }
    }

    fn enter(&mut self, kind: Kind, start: usize) -> Result<()> {
        if self.open.len() >= MAX_DEPTH {
            return Err(self.error("Too deeply nested at"));
        }
        self.open.room_for(1)?;
        self.open.push(Open { kind, start });
        Ok(())
    }

    #[inline(always)]
    fn push(&mut self, value: Any) -> Result<()> {
        if self.values.len() == self.values.capacity() {
            self.make_room()?;
        }
        self.values.push(value);
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self) -> Result<()> {
        Ok(self.values.room_for(1)?)
    }

    /// Puts a value into the innermost container, and that into the next one if it ends here; the outermost value when
    /// it is complete. Otherwise a further value is expected next.
    fn complete(&mut self, mut value: Any) -> Result<Option<Any>> {
        while let Some(&Open { kind, start }) = self.open.last() {
            self.push(value)?;
            self.skip_spaces();
            value = match (kind, self.peek()) {
                (_, Some(b',')) => {
                    self.at += 1;
                    self.skip_spaces();
                    self.not_the_end("Syntax error near")?;
                    if kind == Kind::Object {
                        self.key()?;
                    }
                    return Ok(None);
                }
                (Kind::Array, Some(b']')) => array::of_last(&mut self.values, start)?.into(),
                (Kind::Object, Some(b'}')) => map::of_last(&mut self.values, start)?.into(),
                _ => return Err(self.error("Expecting ',' delimiter")),
            };
            self.at += 1;
            self.open.pop();
        }
        Ok(Some(value))
    }

    /// The key of an entry, which is put to the values, up to the value.
    #[inline(never)]
    fn key(&mut self) -> Result<()> {
        if self.peek() != Some(b'"') {
            return Err(self.error("Expecting property name enclosed in double quotes"));
        }
        let key = self.string()?;
        self.push(key)?;
        self.skip_spaces();
        if self.skip(b':') { Ok(()) } else { Err(self.error("Expecting ':' delimiter")) }
    }

    fn literal(&mut self, literal: &str, value: Any) -> Result<Any> {
        if !self.text[self.at..].starts_with(literal.as_bytes()) {
            return Err(self.error("Expecting value"));
        }
        self.at += literal.len();
        Ok(value)
    }

    fn number(&mut self) -> Result<Any> {
        if let Some(value) = self.short_integer() {
            return Ok(value.into());
        }
        let rest = &self.text[self.at..];
        let number = &rest[..rest.iter().position(|byte| !is_in_number(*byte)).unwrap_or(rest.len())];
        let whole = str::from_utf8(number).ok().and_then(|number| number.parse::<i64>().ok());
        let value = whole.map(Any::from).or_else(|| decimal::parse(number).map(Any::from));
        let value = value.ok_or_else(|| self.error("Expecting value"))?;
        self.at += number.len();
        Ok(value)
    }

    /// A number of so few digits that it cannot overflow, with nothing but perhaps a minus in front of them.
    fn short_integer(&mut self) -> Option<i64> {
        const DIGITS: usize = 18;
        let rest = &self.text[self.at..];
        let digits = rest.strip_prefix(b"-").unwrap_or(rest);
        let (mut value, mut count) = (0, 0);
        while let Some(digit @ b'0'..=b'9') = digits.get(count) {
            if count == DIGITS {
                return None;
            }
            value = value * 10 + i64::from(digit - b'0');
            count += 1;
        }
        if count == 0 || digits.get(count).is_some_and(|byte| is_in_number(*byte)) {
            return None;
        }
        let sign = rest.len() - digits.len();
        self.at += sign + count;
        Some(if sign == 0 { value } else { -value })
    }

    #[inline(always)]
    fn string(&mut self) -> Result<Any> {
        let start = self.at;
        self.at += 1;
        let plain = self.plain();
        if self.skip(b'"') {
            return text::string(plain);
        }
        self.escaped_string(plain, start)?;
        // As in the releases, what has escapes becomes an object, whatever its length.
        text::string_object(&self.scratch).map(Any::from)
    }

    /// A string that begins with what is plain, up to and with its closing quote.
    fn escaped_string(&mut self, mut plain: &'a [u8], start: usize) -> Result<()> {
        self.scratch.clear();
        loop {
            self.scratch.room_for(plain.len() + char::MAX_LEN_UTF8)?;
            self.scratch.extend_from_slice(plain);
            match self.peek() {
                None => return Err(self.error_at("Unterminated string starting at", start)),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => {
                    self.at += 1;
                    self.escape()?;
                }
                Some(_) => return Err(self.error("Invalid control character at")),
            }
            plain = self.plain();
        }
    }

    /// What stands for itself from here on.
    #[inline]
    fn plain(&mut self) -> &'a [u8] {
        let rest = &self.text[self.at..];
        let plain = &rest[..plain_prefix(rest, [b'"', b'\\'])];
        self.at += plain.len();
        plain
    }

    /// What follows a backslash.
    fn escape(&mut self) -> Result<()> {
        let byte = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => byte,
            Some(b'b') => 0x08,
            Some(b'f') => 0x0c,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => {
                let character = self.unicode_escape()?;
                self.scratch.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                return Ok(());
            }
            _ => return Err(self.error("Invalid \\escape")),
        };
        self.scratch.push(byte);
        self.at += 1;
        Ok(())
    }

    /// The character of `uXXXX`, or of a pair of surrogates `uXXXX\uXXXX`.
    fn unicode_escape(&mut self) -> Result<char> {
        const UNPAIRED: &str = "Invalid surrogate pair of \\uXXXX escapes";
        let escape = self.at;
        self.at += 1;
        let first = self.hex(escape)?;
        // Everything but a surrogate is a character.
        if let Some(character) = char::from_u32(first) {
            return Ok(character);
        }
        if first >= 0xdc00 || !self.text[self.at..].starts_with(b"\\u") {
            return Err(self.error_at(UNPAIRED, escape));
        }
        self.at += 2;
        let digits = self.at;
        let second = self.hex(digits)?;
        let character = match second {
            0xdc00..=0xdfff => char::from_u32(((first - 0xd800) << 10) + (second - 0xdc00) + 0x1_0000),
            _ => None,
        };
        character.ok_or_else(|| self.error_at(UNPAIRED, digits))
    }

    /// Four hexadecimal digits; if they are none, the error is at `position`.
    fn hex(&mut self, position: usize) -> Result<u32> {
        let digits = self.text.get(self.at..self.at + 4).unwrap_or_default();
        let value = digits.iter().try_fold(0, |value, &digit| Some(value << 4 | char::from(digit).to_digit(16)?));
        match value {
            Some(value) if digits.len() == 4 => {
                self.at += 4;
                Ok(value)
            }
            _ => Err(self.error_at("Invalid \\uXXXX escape", position)),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    #[inline]
    fn skip(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    #[inline]
    fn skip_spaces(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn not_the_end(&self, what: &str) -> Result<()> {
        if self.peek().is_none() { Err(self.error(what)) } else { Ok(()) }
    }

    fn error(&self, what: &str) -> Error {
        self.error_at(what, self.at)
    }

    #[cold]
    fn error_at(&self, what: &str, at: usize) -> Error {
        // Strings have no line feeds, so that those before a place are those between tokens.
        let before = &self.text[..at];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        Error::new("ValueError", format!("{what}: line {line} column {} (char {at})", at - line_start + 1))
    }
}

fn is_in_number(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'e' | b'E' | b'+' | b'-' | b'.')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;
    use tvm_ffi_spec::{kTVMFFIFloat, kTVMFFIInt};

    use super::*;
    use crate::{json::stringify, test_values};

    /// A text that says what was parsed.
    fn parsed(text: &[u8]) -> Result<String> {
        let value = parse(text)?;
        Ok(String::from_utf8_lossy(&stringify(&value, None).unwrap()).into_owned())
    }

    fn message_for(text: &[u8]) -> String {
        parse(text).err().unwrap().to_string()
    }

    // Known answers: what the releases make of these texts.
    #[rstest]
    #[case(" [ ] ", "[]")]
    #[case("{\"a\" : [1, -2.5e1, true, null], \"b\": {}}", r#"{"a":[1,-25.0,true,null],"b":{}}"#)]
    #[case("[NaN,Infinity,-Infinity]", "[NaN,Infinity,-Infinity]")]
    #[case("[+7,007,1.,.5,-0,-0.0]", "[7,7,1.0,0.5,0,-0.0]")]
    #[case("[9223372036854775807,9223372036854775808]", "[9223372036854775807,9.2233720368547758e+18]")]
    #[case("[5e-324,1e-999]", "[4.9406564584124654e-324,0.0]")] // the releases refuse these two
    #[case(r#"{"a":1,"b":2,"a":3}"#, r#"{"a":3,"b":2}"#)]
    #[case(r#""\u0041\u00e9\ud83d\ude00\/\b""#, "\"Aé😀\\/\\b\"")]
    #[case("\"\u{7f}é\"", "\"\\u007fé\"")]
    fn texts_become_values(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(parsed(text.as_bytes()).unwrap(), expected);
    }

    // Known answers: what the releases say.
    #[rstest]
    #[case("", "Expecting value: line 1 column 1 (char 0)")]
    #[case("[1,", "Syntax error near: line 1 column 4 (char 3)")]
    #[case("[", "Expecting value: line 1 column 2 (char 1)")]
    #[case("[1 2]", "Expecting ',' delimiter: line 1 column 4 (char 3)")]
    #[case("[1,\n 2,]", "Expecting value: line 2 column 4 (char 7)")]
    #[case("[1]]", "Extra data: line 1 column 4 (char 3)")]
    #[case("{", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)")]
    #[case("{\"a\":1,", "Syntax error near: line 1 column 8 (char 7)")]
    #[case("{\"a\":1,}", "Expecting property name enclosed in double quotes: line 1 column 8 (char 7)")]
    #[case("{\"a\" 1}", "Expecting ':' delimiter: line 1 column 6 (char 5)")]
    #[case("\n\"ab", "Unterminated string starting at: line 2 column 1 (char 1)")]
    #[case("\"a\nb\"", "Invalid control character at: line 1 column 3 (char 2)")]
    #[case("\"\\x\"", "Invalid \\escape: line 1 column 3 (char 2)")]
    #[case("\"\\", "Invalid \\escape: line 1 column 3 (char 2)")]
    #[case("\"\\u12\"", "Invalid \\uXXXX escape: line 1 column 3 (char 2)")]
    #[case("\"\\udc00\"", "Invalid surrogate pair of \\uXXXX escapes: line 1 column 3 (char 2)")]
    #[case("\"\\ud800x\"", "Invalid surrogate pair of \\uXXXX escapes: line 1 column 3 (char 2)")]
    #[case("\"\\ud800\\u0041\"", "Invalid surrogate pair of \\uXXXX escapes: line 1 column 10 (char 9)")]
    #[case("tru", "Expecting value: line 1 column 1 (char 0)")]
    #[case("1e400", "Expecting value: line 1 column 1 (char 0)")]
    fn what_is_no_json_is_pointed_out(#[case] text: &str, #[case] message: &str) {
        assert_eq!(message_for(text.as_bytes()), format!("ValueError: {message}"));
    }

    #[test]
    fn whole_numbers_are_ints_only_without_point_and_exponent() {
        for (text, type_index) in [("1", kTVMFFIInt), ("1.0", kTVMFFIFloat), ("1e0", kTVMFFIFloat)] {
            assert_eq!(parse(text.as_bytes()).unwrap().view().type_index(), type_index);
        }
    }

    #[test]
    fn brackets_may_be_nested_deep_but_not_endlessly() {
        const DEEP: usize = 100_000;
        assert!(parse(&[vec![b'['; DEEP], vec![b']'; DEEP]].concat()).is_ok());
        assert!(message_for(&b"{\"a\":".repeat(DEEP)).starts_with("ValueError: Expecting value"));
        for opening in ["[", "{\"a\":"] {
            let message = message_for(&opening.as_bytes().repeat(10_000_000));
            assert!(message.starts_with("ValueError: Too deeply nested at"));
        }
    }

    /// Pieces of which texts are made that are nearly JSON.
    const PIECES: &[&str] = &[
        "[", "]", "{", "}", ",", ":", "\"", "\\", "\"a\"", "\"a\":", "\\u", "d800", "\\udc00", "0", "1", "-", "+", ".",
        "e", "NaN", "Infinity", "true", "null", "nul", " ", "\n", "\0", "\x1f", "é",
    ];

    proptest! {
        #[test]
        fn any_bytes_are_json_or_an_error(text: Vec<u8>) {
            let _ = parse(&text);
        }

        #[test]
        fn any_pieces_are_json_or_an_error(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..20)) {
            let text = pieces.concat();
            if let Ok(printed) = parsed(text.as_bytes()) {
                prop_assert_eq!(parsed(printed.as_bytes()).unwrap(), printed);
            }
        }

        #[test]
        fn what_is_printed_is_read_again(sample in test_values::json_values(), indent in 0..3_i64) {
            let value = sample.value();
            // The smallest numbers cannot be read.
            let text = stringify(&value, None).unwrap();
            prop_assume!(!String::from_utf8_lossy(&text).contains("e-3"));
            let again = parse(&stringify(&value, Some(indent)).unwrap()).unwrap();
            prop_assert_eq!(stringify(&again, None).unwrap(), text);
        }
    }
}
