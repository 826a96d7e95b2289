//! Why something could not be translated.

/// A kind and a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Such as `TypeError`.
    pub kind: Vec<u8>,
    /// What is wrong.
    pub message: Vec<u8>,
    /// Lines that say where it arose, if that is known.
    pub backtrace: Vec<u8>,
}

/// What can fail here.
pub type Result<T> = std::result::Result<T, Problem>;

/// The line above a backtrace in texts of the legacy generation.
const STACK_TRACE: &[u8] = b"Stack trace:\n";
/// The kind of a text that names none.
const NO_KIND: &[u8] = b"TVMError";

impl Problem {
    /// A problem of that kind.
    pub fn new(kind: &str, message: impl Into<String>) -> Self {
        Self { kind: kind.into(), message: message.into().into_bytes(), backtrace: Vec::new() }
    }

    /// Something that has no form on the other side.
    pub fn of_type(message: impl Into<String>) -> Self {
        Self::new("TypeError", message)
    }

    /// What a text of the legacy generation says: `Kind: message`, then perhaps a backtrace.
    pub fn parse(text: &[u8]) -> Self {
        let trace = text.windows(STACK_TRACE.len()).position(|window| window == STACK_TRACE);
        let (text, backtrace) = match trace {
            Some(start) => (&text[..start], text[start + STACK_TRACE.len()..].to_vec()),
            None => (text, Vec::new()),
        };
        let text = text.trim_ascii_end();
        let word = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')).count();
        let (kind, message) = match text.get(word) {
            Some(b':') if word > 0 => (&text[..word], text[word + 1..].trim_ascii_start()),
            _ => (NO_KIND, text),
        };
        Self { kind: kind.to_vec(), message: message.to_vec(), backtrace }
    }

    /// The same as a text of the legacy generation.
    pub fn text(&self) -> Vec<u8> {
        let mut text = [&self.kind, b": ".as_slice(), &self.message].concat();
        if !self.backtrace.is_empty() {
            text.extend([b"\n", STACK_TRACE, &self.backtrace].concat());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_says_kind_message_and_backtrace() {
        let parsed = |text: &str| {
            let Problem { kind, message, backtrace } = Problem::parse(text.as_bytes());
            [kind, message, backtrace].map(|bytes| String::from_utf8(bytes).unwrap())
        };
        assert_eq!(parsed("ValueError: bad value\n"), ["ValueError", "bad value", ""]);
        assert_eq!(parsed("my.Kind: a: b\nStack trace:\n  0: here\n"), ["my.Kind", "a: b", "  0: here\n"]);
        for without_kind in ["two words: and more", ": no word", "no colon"] {
            assert_eq!(parsed(without_kind), ["TVMError", without_kind, ""]);
        }
    }

    #[test]
    fn what_a_text_says_is_said_again() {
        for text in ["ValueError: bad value", "ValueError: bad value\nStack trace:\n  0: here\n"] {
            assert_eq!(String::from_utf8(Problem::parse(text.as_bytes()).text()).unwrap(), text);
        }
    }
}
