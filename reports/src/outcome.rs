//! How a check ended, in one word.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a check ended, from the best to the worst: the outcome of a check may rise while it runs, never fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Every clause that the check decides holds.
    Pass,
    /// The target lacks the capability, so there was nothing to decide.
    Unsupported,
    /// Something that the check needs and the target has to have is missing or lies in memory otherwise, so nothing was
    /// decided.
    Blocked,
    /// Everything else holds, but memory or objects were left behind.
    Leak,
    /// A clause does not hold.
    Fail,
    /// The check did not end before its deadline, or a call that it makes does not come back.
    Timeout,
    /// The process of the check died.
    Crash,
    /// The harness failed, which says nothing about the target.
    Error,
}

impl Outcome {
    /// All outcomes, from the best to the worst.
    pub const ALL: [Self; 8] =
        [Self::Pass, Self::Unsupported, Self::Blocked, Self::Leak, Self::Fail, Self::Timeout, Self::Crash, Self::Error];

    /// Its name, as in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Unsupported => "unsupported",
            Self::Blocked => "blocked",
            Self::Leak => "leak",
            Self::Fail => "fail",
            Self::Timeout => "timeout",
            Self::Crash => "crash",
            Self::Error => "error",
        }
    }

    /// Whether a target can have this outcome on every check and conform.
    pub const fn is_conforming(self) -> bool {
        matches!(self, Self::Pass | Self::Unsupported)
    }

    /// Whether a clause was found broken.
    pub const fn is_broken(self) -> bool {
        matches!(self, Self::Leak | Self::Fail | Self::Timeout | Self::Crash)
    }

    /// Whether the target did not pass: a clause is broken, or could not be decided for want of what the target has to have.
    pub const fn is_unmet(self) -> bool {
        self.is_broken() || matches!(self, Self::Blocked)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
