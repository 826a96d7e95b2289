//! Stating what is expected, and what came instead.
//!
//! Whoever states an expectation returns at the first that is not met, so that what is reported is what went wrong first.

use std::{
    ffi::c_int,
    fmt::{self, Debug, Display},
};

use tvm_ffi_reports::{Evidence, Outcome};
use tvm_ffi_spec::{TVMFFIAny, abi, kTVMFFIBool, kTVMFFIDataType, kTVMFFINone, kTVMFFISmallBytes, kTVMFFISmallStr};

use crate::client::{
    connection::Client, names, owned::Raised, verdict::Failure, verdict::Verdict, verdict::tvm_ffi_verify_failure,
    written::with_values, written::written,
};

/// Stating expectations.
impl Client {
    /// Expects two values to be equal.
    pub fn eq<T: PartialEq + Debug>(&self, what: impl Display, got: T, expected: T) -> Verdict {
        if got == expected { Ok(()) } else { Err(self.failure(what, written(&expected), written(&got))) }
    }

    /// Expects two values to differ.
    pub fn ne<T: PartialEq + Debug>(&self, what: impl Display, got: T, unexpected: T) -> Verdict {
        if got != unexpected {
            Ok(())
        } else {
            Err(self.failure(what, format!("anything but {}", written(&unexpected)), written(&got)))
        }
    }

    /// Expects two type indices to be equal.
    pub fn type_index_eq(&self, what: impl Display, got: i32, expected: i32) -> Verdict {
        self.eq(what, TypeIndex(got), TypeIndex(expected))
    }

    /// Expects something to hold; says what was expected and what was found instead.
    pub fn that(&self, what: impl Display, holds: bool, expected: impl Display, got: impl Display) -> Verdict {
        if holds { Ok(()) } else { Err(self.failure(what, expected, got)) }
    }

    /// Expects the sixteen bytes of a value.
    pub fn any_eq(&self, what: impl Display, got: &TVMFFIAny, expected: &TVMFFIAny) -> Verdict {
        if got.to_bytes() == expected.to_bytes() {
            return Ok(());
        }
        let failure = self.failure(what, format!("{expected:?}"), format!("{got:?}"));
        Err(failure.showing("expected", &expected.to_bytes()).showing("got", &got.to_bytes()))
    }

    /// Expects the sixteen bytes of a value that the library hands to a client's function: with a type index of at least 0, and zero
    /// where its type uses nothing.
    pub fn is_whole(&self, what: impl Display, value: &[u8; 16]) -> Verdict {
        let word = |at: usize| u32::from_ne_bytes([value[at], value[at + 1], value[at + 2], value[at + 3]]);
        let type_index = word(0) as i32;
        self.that(format_args!("type_index of {what}"), type_index >= 0, "at least 0", TypeIndex(type_index))?;
        // How many bytes of the payload the type uses.
        let used = match type_index {
            kTVMFFINone => 0,
            kTVMFFIBool => 1,
            kTVMFFIDataType => 4,
            kTVMFFISmallStr | kTVMFFISmallBytes => (word(4) as usize).min(8),
            _ => 8,
        };
        if !matches!(type_index, kTVMFFISmallStr | kTVMFFISmallBytes) {
            self.eq(format_args!("second word of {what}"), word(4), 0)?;
        }
        let rest = value[8 + used..].iter().all(|byte| *byte == 0);
        self.that(format_args!("what the type does not use of {what}"), rest, "zero", format_args!("{value:x?}"))
    }

    /// Expects success of a call that returns a status.
    pub fn ok(&self, code: c_int) -> Verdict {
        if code == 0 {
            return Ok(());
        }
        let failure = self.failure("return value", 0, code);
        Err(match self.take_raised() {
            Some(raised) => failure.noting(format!("raised {}: {}", raised.kind, raised.message)),
            None => failure.noting("no error was raised"),
        })
    }

    /// Expects a call that returns a status to fail with an error of one of these kinds raised, and answers that error.
    /// The kinds are those a client may rely on; none given means that any will do.
    pub fn raises(&self, code: c_int, kinds: &[&str]) -> Verdict<Raised> {
        if code == 0 {
            let kinds = if kinds.is_empty() { "an error".to_owned() } else { kinds.join(" or ") };
            let call = self.crumbs.latest().unwrap_or_default();
            let how = if call.contains(" returned ") { "" } else { " succeeded" };
            let mut failure = self.failure("the call", &kinds, "success (0)");
            failure.evidence.message = format!("{call}{how}; expected {kinds}");
            return Err(failure);
        }
        let Some(raised) = self.take_raised() else {
            return Err(self.failure("the raised error", "an Error object", "NULL"));
        };
        if !kinds.is_empty() && !kinds.contains(&raised.kind.as_str()) {
            let got = format!("{}: {}", raised.kind, raised.message);
            return Err(self.failure("kind of the raised error", kinds.join(" or "), got));
        }
        Ok(raised)
    }

    /// Expects a backtrace to consist of lines of the form that is asked for.
    pub fn well_formed(&self, backtrace: &str) -> Verdict {
        for (at, line) in backtrace.split_inclusive('\n').enumerate() {
            let expected = "`  File \"<file>\", line <number>, in <function>` and a newline";
            self.that(format_args!("line {at} of the backtrace"), is_frame(line), expected, format_args!("{line:?}"))?;
        }
        Ok(())
    }

    /// An unmet expectation, to be returned.
    pub fn failure(&self, what: impl Display, expected: impl Display, got: impl Display) -> Box<Failure> {
        self.unmet(Outcome::Fail, what, expected, got)
    }

    /// A leak, to be returned.
    pub fn leak(&self, what: impl Display, expected: impl Display, got: impl Display) -> Box<Failure> {
        self.unmet(Outcome::Leak, what, expected, got)
    }

    /// A call that does not come back, to be returned.
    pub fn late(&self, what: impl Display) -> Box<Failure> {
        self.unmet(Outcome::Timeout, what, "to come back", "nothing, and it still waits")
    }

    /// Something that the suite needs and could not have, to be returned; not the target's doing.
    pub fn error(&self, what: impl Display, problem: impl Display) -> Box<Failure> {
        self.unmet(Outcome::Error, what, "the suite to be able to do this", problem)
    }

    /// The check cannot be run here, for this reason, which says nothing of the target; to be returned.
    pub fn not_applicable(&self, reason: impl Display) -> Box<Failure> {
        let clause = self.crumbs.clause().unwrap_or_default();
        Box::new(Failure::new(Outcome::Unsupported, Evidence::told(clause, reason.to_string())))
    }

    fn unmet(&self, outcome: Outcome, what: impl Display, expected: impl Display, got: impl Display) -> Box<Failure> {
        tvm_ffi_verify_failure();
        let what = with_values(&what.to_string());
        let (mut expected, mut got) = (expected.to_string(), got.to_string());
        let (plain_expected, plain_got) = (with_values(&expected), with_values(&got));
        // Where the difference is in the words that make up a value, these are shown.
        if plain_expected != plain_got || expected == got {
            (expected, got) = (plain_expected, plain_got);
        }
        let clause = self.crumbs.clause().unwrap_or_default();
        let (call, looked_at) = (self.crumbs.latest(), self.crumbs.looked_at());
        let evidence = Evidence { call, looked_at, ..Evidence::value(clause, what, expected, got) };
        Box::new(Failure::new(outcome, evidence))
    }
}

fn is_frame(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("  File \"").and_then(|rest| rest.strip_suffix('\n')) else { return false };
    let Some((_, rest)) = rest.split_once("\", line ") else { return false };
    let Some((number, function)) = rest.split_once(", in ") else { return false };
    number.parse::<i64>().is_ok() && !function.is_empty()
}

/// A type index in an expectation: shown with the name of its constant, if the ABI has one, as in `11 (kTVMFFISmallStr)`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TypeIndex(pub i32);

impl Display for TypeIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let indices =
            abi::abi().enums.iter().find(|group| group.name == "TVMFFITypeIndex").map(|group| &group.constants);
        // Where two names share a number, the marker of a range comes before the type.
        match indices.into_iter().flatten().rfind(|constant| constant.value == i64::from(self.0)) {
            Some(constant) => write!(f, "{} ({})", self.0, constant.name),
            None => match names::type_key(self.0) {
                Some(key) => write!(f, "{} ({key})", self.0),
                None => write!(f, "{}", self.0),
            },
        }
    }
}

impl Debug for TypeIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use tvm_ffi_spec::{kTVMFFIDynObjectBegin, kTVMFFISmallStr};

    use super::*;

    #[test]
    fn a_type_index_is_shown_with_its_name() {
        assert_eq!(TypeIndex(kTVMFFISmallStr).to_string(), "11 (kTVMFFISmallStr)");
        assert_eq!(format!("{:?}", TypeIndex(kTVMFFIDynObjectBegin + 9)), "137");
    }
}
