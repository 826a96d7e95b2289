//! JSON texts to values: objects become Maps, arrays Arrays, numbers Ints where they are whole and fit, else Floats.
//!
//! Beyond the standard there are `NaN`, `Infinity` and `-Infinity`, and a text such as `+07` or `1.` is a number, as C
//! and the releases have it. Messages name the line, the column and the byte, in bytes throughout.
//! Containers are kept on a stack of their own while they are open.

use std::collections::TryReserveError;

use crate::{
    border::error::Error,
    container::{array, map},
    scalar::decimal,
    system::memory,
    value::{any::Any, text},
    walk::recursion::MAX_DEPTH,
};

/// A value, or the message of a `ValueError`.
pub type Parsed<T> = std::result::Result<T, String>;

/// Reads a text as a value.
///
/// # Errors
/// The message for a text that is no JSON or is nested more than [`MAX_DEPTH`] levels deep.
pub fn parse(text: &[u8]) -> Parsed<Any> {
    let mut parser = Parser { text, at: 0, line: 1, line_start: 0 };
    let value = parser.document()?;
    parser.skip_spaces();
    if parser.peek().is_some() { Err(parser.error("Extra data")) } else { Ok(value) }
}

struct Parser<'a> {
    text: &'a [u8],
    /// The byte to be read next.
    at: usize,
    /// The line, counted from 1, and where it begins.
    line: usize,
    line_start: usize,
}

/// A container whose end has not come yet.
enum Open {
    Array(Vec<Any>),
    /// The entries, and the key that waits for its value.
    Object(Vec<(Any, Any)>, Any),
}

/// What stands where a value is expected.
enum Beginning {
    Value(Any),
    Container(Open),
}

impl Parser<'_> {
    fn document(&mut self) -> Parsed<Any> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            match self.beginning()? {
                Beginning::Container(_) if open.len() >= MAX_DEPTH => return Err(self.error("Too deeply nested at")),
                Beginning::Container(container) => {
                    open.try_reserve(1).map_err(no_memory)?;
                    open.push(container);
                }
                Beginning::Value(value) => {
                    if let Some(value) = self.complete(&mut open, value)? {
                        return Ok(value);
                    }
                }
            }
        }
    }

    /// Puts a value into the innermost container, and that into the next one if it ends here; the outermost value when
    /// it is complete. Otherwise a further value is expected next.
    fn complete(&mut self, open: &mut Vec<Open>, mut value: Any) -> Parsed<Option<Any>> {
        while let Some(container) = open.pop() {
            self.skip_spaces();
            value = match (container, self.peek()) {
                (Open::Array(mut elements), next @ Some(b',' | b']')) => {
                    elements.try_reserve(1).map_err(no_memory)?;
                    elements.push(value);
                    self.at += 1;
                    if next == Some(b',') {
                        self.skip_spaces();
                        self.not_the_end("Syntax error near")?;
                        open.push(Open::Array(elements));
                        return Ok(None);
                    }
                    array::new(elements).map_err(message_of)?.into()
                }
                (Open::Object(mut entries, key), next @ Some(b',' | b'}')) => {
                    entries.try_reserve(1).map_err(no_memory)?;
                    entries.push((key, value));
                    self.at += 1;
                    if next == Some(b',') {
                        self.skip_spaces();
                        self.not_the_end("Syntax error near")?;
                        let key = self.key()?;
                        open.push(Open::Object(entries, key));
                        return Ok(None);
                    }
                    map::new(entries).map_err(message_of)?.into()
                }
                _ => return Err(self.error("Expecting ',' delimiter")),
            };
        }
        Ok(Some(value))
    }

    fn beginning(&mut self) -> Parsed<Beginning> {
        self.skip_spaces();
        let value = match self.peek() {
            None => return Err(self.error("Expecting value")),
            Some(b'{') => return self.open_object(),
            Some(b'[') => return self.open_array(),
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
        Ok(Beginning::Value(value))
    }

    fn open_array(&mut self) -> Parsed<Beginning> {
        self.at += 1;
        self.skip_spaces();
        self.not_the_end("Expecting value")?;
        if self.skip(b']') {
            let empty = array::new(Vec::new()).map_err(message_of)?;
            return Ok(Beginning::Value(empty.into()));
        }
        Ok(Beginning::Container(Open::Array(Vec::new())))
    }

    fn open_object(&mut self) -> Parsed<Beginning> {
        self.at += 1;
        self.skip_spaces();
        if self.skip(b'}') {
            let empty = map::new(Vec::new()).map_err(message_of)?;
            return Ok(Beginning::Value(empty.into()));
        }
        Ok(Beginning::Container(Open::Object(Vec::new(), self.key()?)))
    }

    /// The key of an entry, up to the value.
    fn key(&mut self) -> Parsed<Any> {
        if self.peek() != Some(b'"') {
            return Err(self.error("Expecting property name enclosed in double quotes"));
        }
        let key = self.string()?;
        self.skip_spaces();
        if self.skip(b':') { Ok(key) } else { Err(self.error("Expecting ':' delimiter")) }
    }

    fn literal(&mut self, literal: &str, value: Any) -> Parsed<Any> {
        if !self.text[self.at..].starts_with(literal.as_bytes()) {
            return Err(self.error("Expecting value"));
        }
        self.at += literal.len();
        Ok(value)
    }

    fn number(&mut self) -> Parsed<Any> {
        let rest = &self.text[self.at..];
        let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'e' | b'E' | b'+' | b'-' | b'.');
        let number = &rest[..rest.iter().position(|byte| !is_part(byte)).unwrap_or(rest.len())];
        let whole = str::from_utf8(number).ok().and_then(|number| number.parse::<i64>().ok());
        let value = whole.map(Any::from).or_else(|| decimal::parse(number).map(Any::from));
        let value = value.ok_or_else(|| self.error("Expecting value"))?;
        self.at += number.len();
        Ok(value)
    }

    fn string(&mut self) -> Parsed<Any> {
        let start = self.at;
        self.at += 1;
        let is_plain = |byte: &u8| *byte >= b' ' && !matches!(byte, b'"' | b'\\');
        let rest = &self.text[self.at..];
        let plain = &rest[..rest.iter().position(|byte| !is_plain(byte)).unwrap_or(rest.len())];
        self.at += plain.len();
        if self.skip(b'"') {
            return text::string(plain).map_err(message_of);
        }
        let content = self.escaped_string(plain, start)?;
        // As in the releases, what has escapes becomes an object, whatever its length.
        text::string_object(&content).map(Any::from).map_err(message_of)
    }

    /// A string that begins with what is plain, up to and with its closing quote.
    fn escaped_string(&mut self, plain: &[u8], start: usize) -> Parsed<Vec<u8>> {
        let mut content = memory::room(plain.len()).map_err(no_memory)?;
        content.extend_from_slice(plain);
        while let Some(byte) = self.peek() {
            content.try_reserve(char::MAX_LEN_UTF8).map_err(no_memory)?;
            match byte {
                ..b' ' => return Err(self.error("Invalid control character at")),
                b'"' => {
                    self.at += 1;
                    return Ok(content);
                }
                b'\\' => {
                    self.at += 1;
                    self.escape(&mut content)?;
                }
                _ => {
                    content.push(byte);
                    self.at += 1;
                }
            }
        }
        Err(self.error_at("Unterminated string starting at", start))
    }

    /// What follows a backslash.
    fn escape(&mut self, content: &mut Vec<u8>) -> Parsed<()> {
        let byte = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => byte,
            Some(b'b') => 0x08,
            Some(b'f') => 0x0c,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => {
                let character = self.unicode_escape()?;
                content.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                return Ok(());
            }
            _ => return Err(self.error("Invalid \\escape")),
        };
        content.push(byte);
        self.at += 1;
        Ok(())
    }

    /// The character of `uXXXX`, or of a pair of surrogates `uXXXX\uXXXX`.
    fn unicode_escape(&mut self) -> Parsed<char> {
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
    fn hex(&mut self, position: usize) -> Parsed<u32> {
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

    fn skip(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn skip_spaces(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
            if self.text[self.at - 1] == b'\n' {
                self.line += 1;
                self.line_start = self.at;
            }
        }
    }

    fn not_the_end(&self, what: &str) -> Parsed<()> {
        if self.peek().is_none() { Err(self.error(what)) } else { Ok(()) }
    }

    fn error(&self, what: &str) -> String {
        self.error_at(what, self.at)
    }

    #[cold]
    fn error_at(&self, what: &str, at: usize) -> String {
        format!("{what}: line {} column {} (char {at})", self.line, at - self.line_start + 1)
    }
}

fn message_of(error: Error) -> String {
    error.to_string()
}

fn no_memory(error: TryReserveError) -> String {
    message_of(error.into())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;
    use tvm_ffi_spec::{kTVMFFIFloat, kTVMFFIInt};

    use super::*;
    use crate::{json::stringify, test_values};

    /// A text that says what was parsed.
    fn parsed(text: &[u8]) -> Parsed<String> {
        let value = parse(text)?;
        Ok(String::from_utf8_lossy(&stringify(&value, None).unwrap()).into_owned())
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
        assert_eq!(parsed(text.as_bytes()).as_deref(), Ok(expected));
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
        assert_eq!(parsed(text.as_bytes()), Err(message.to_owned()));
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
        assert!(parse(&b"{\"a\":".repeat(DEEP)).err().unwrap().starts_with("Expecting value"));
        for opening in ["[", "{\"a\":"] {
            assert!(parse(&opening.as_bytes().repeat(10_000_000)).err().unwrap().starts_with("Too deeply nested at"));
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
                prop_assert_eq!(parsed(printed.as_bytes()), Ok(printed));
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
