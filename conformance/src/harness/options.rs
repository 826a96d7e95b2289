//! How a run goes about it: what the command line leaves of its options.

use std::{path::PathBuf, time::Duration};

use super::process::message::Isolation;

/// How to run.
#[derive(Clone, Debug)]
pub struct Options {
    /// This program; workers are started from it.
    pub program: PathBuf,
    /// A directory for settings, fixtures and logs.
    pub scratch: PathBuf,
    /// How many workers.
    pub jobs: usize,
    /// How long an ordinary check may take.
    pub timeout: Duration,
    /// How children are kept apart.
    pub isolation: Isolation,
    /// What random choices start from.
    pub seed: u64,
    /// How many cases a property check tries.
    pub cases: u32,
    /// How often a check that fails is run again.
    pub repeats: u32,
    /// Whether the one check is run by this very process, for a debugger.
    pub in_process: bool,
    /// How much memory a process of the target may take beyond what the suite's own takes, in bytes; 0 for any amount.
    pub memory: u64,
    /// How much the target may write in a check, and keep in the folder for what is temporary and in memory with names, in bytes; 0 for any amount.
    pub disk: u64,
    /// The sanitizers' libraries, where the user names them.
    pub sanitizer_runtimes: Vec<PathBuf>,
    /// The older generation of the ABI that it is judged by, which a command to run a check again names.
    pub older: Option<&'static str>,
    /// Whether the target is asked what it shows of itself.
    pub facts: bool,
    /// Whether what a check printed is reported of those that pass, too.
    pub verbose: bool,
}

impl Options {
    /// A seed for each check, so that choosing fewer checks does not change what the others try.
    pub fn seed_of(&self, check: &str) -> u64 {
        // FNV-1a
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        check.bytes().fold(self.seed ^ 0xcbf2_9ce4_8422_2325, mix)
    }
}
