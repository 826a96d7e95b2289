//! What became of calls of exported functions, file by file. The same types are its JSON, field by field.
//!
//! Text that comes from a kernel may hold anything; the renderings escape it.

use serde::{Deserialize, Serialize};
use tvm_ffi_spec::clause::Level;

use super::rules;
use crate::{audit::Against, duty::Duty, exit, model::Tool};

/// The version of the format; it changes when a program that reads the JSON has to change.
pub const SCHEMA_VERSION: u32 = 1;

/// What was found in all files.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Kernels {
    /// The version of the format.
    pub schema_version: u32,
    /// What called the functions.
    pub tool: Tool,
    /// The library that the files were loaded beside.
    pub library: Against,
    /// The file of calls, if there was one.
    pub calls: Option<String>,
    /// Whether rules that are only mentioned count, too.
    pub strict: bool,
    /// What was called, in the order of the files.
    pub files: Vec<Tested>,
    /// Whether a signal ended it before all was called.
    pub interrupted: bool,
    /// What the process exits with: 0 every rule is kept, 1 one is broken, 4 no good call was made of any function, so that nothing
    /// was shown, 5 it was interrupted.
    pub exit_code: u8,
}

/// A library whose functions were called.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Tested {
    /// The file, as it was named.
    pub file: String,
    /// SHA-256 of the file, in 64 lowercase hexadecimal digits.
    pub sha256: String,
    /// The functions that were called, by name.
    pub functions: Vec<Function>,
}

/// A function, and what came of its calls.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Function {
    /// Its name, without what precedes it in the symbol.
    pub name: String,
    /// How it was known what the function takes.
    pub known_from: KnownFrom,
    /// A call of a good client, such as `add_one(float32[64], float32[64])`, if one is known.
    pub good: Option<String>,
    /// How many calls were tried, repetitions aside.
    pub calls: u32,
    /// How many of them succeeded.
    pub succeeded: u32,
    /// How many were refused with an error.
    pub refused: u32,
    /// How many good calls came to what they have to: success, or what the file of calls says.
    #[serde(default)]
    pub good_calls: u32,
    /// The rules that it broke, each once.
    pub breaches: Vec<Breach>,
    /// What was not found out, and why.
    pub undecided: Vec<String>,
    /// What was not tried, and why: a function of which no good call was made has passed nothing.
    #[serde(default)]
    pub not_tried: Vec<String>,
}

/// How it was known what a function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum KnownFrom {
    /// The file of calls says it.
    Calls,
    /// The function's metadata says it.
    Metadata,
    /// It took tensors when it was tried.
    Trial,
    /// It was not known.
    Nothing,
}

impl KnownFrom {
    /// In words.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Calls => "the file of calls",
            Self::Metadata => "its metadata",
            Self::Trial => "trying tensors",
            Self::Nothing => "nothing",
        }
    }
}

/// That a function broke a rule.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Breach {
    /// The id of the rule.
    pub rule: String,
    /// `MUST` if it counts, `SHOULD` if it is only mentioned.
    #[cfg_attr(test, schemars(with = "String"))]
    pub level: Level,
    /// The call that showed it first.
    pub call: String,
    /// What was special about that call.
    pub situation: String,
    /// What happened.
    pub message: String,
    /// How many other calls showed it, too.
    pub others: u32,
    /// The last of what the process printed, if it died.
    pub output: Option<String>,
}

impl Function {
    /// Whether a good call has shown what it does, or, where nothing is known of it, any call that succeeded.
    pub fn is_known(&self) -> bool {
        self.good_calls > 0 || self.known_from == KnownFrom::Nothing && self.succeeded > 0
    }
}

impl Breach {
    /// The rule itself, if this program knows it.
    pub fn its_rule(&self) -> Option<&'static Duty> {
        rules::find(&self.rule)
    }
}

impl Kernels {
    /// The answer with its exit code.
    pub fn new(
        tool: Tool,
        library: Against,
        calls: Option<String>,
        strict: bool,
        files: Vec<Tested>,
        interrupted: bool,
    ) -> Self {
        let schema_version = SCHEMA_VERSION;
        let mut kernels =
            Self { schema_version, tool, library, calls, strict, files, interrupted, exit_code: exit::CONFORMS };
        let called = kernels.functions().any(|(_, function)| function.is_known());
        kernels.exit_code = match () {
            () if interrupted => exit::INTERRUPTED,
            () if kernels.count(true) > 0 => exit::DOES_NOT_CONFORM,
            () if !called => exit::NOTHING_RAN,
            () => exit::CONFORMS,
        };
        kernels
    }

    /// Every function, with its file.
    pub fn functions(&self) -> impl Iterator<Item = (&Tested, &Function)> {
        self.files.iter().flat_map(|file| file.functions.iter().map(move |function| (file, function)))
    }

    /// Whether a breach keeps the answer from being good.
    pub fn counts(&self, breach: &Breach) -> bool {
        self.strict || breach.level == Level::Must
    }

    /// How many breaches there are that count, or that do not.
    pub(super) fn count(&self, counting: bool) -> usize {
        let breaches = self.functions().flat_map(|(_, function)| &function.breaches);
        breaches.filter(|breach| self.counts(breach) == counting).count()
    }
}

#[cfg(test)]
mod tests {
    use super::Kernels;

    #[test]
    fn schema_file_is_that_of_the_model() {
        crate::json::holds_schema::<Kernels>("kernel");
    }
}
