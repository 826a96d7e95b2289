//! The processes of a target that is built with a sanitizer: what is loaded first in them, and how the sanitizer is set.

use std::{
    env,
    ffi::OsString,
    io,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::Command,
};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::target::sanitizer::{Instrumented, Sanitizer};

/// The environment variables that sanitizers read, one each.
const VARIABLES: [&str; 4] = ["ASAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS"];
/// What goes before the user's own settings, which so override it: requests that are meant to fail do so; signals stay with the
/// suite, which tells where they came from; several processes run at once, so that each keeps less of what was freed; and children
/// of processes with threads may have threads.
const DEFAULTS: &str = "allocator_may_return_null=1:handle_segv=0:handle_sigbus=0:handle_sigill=0:handle_sigfpe=0:\
                        quarantine_size_mb=64:print_stacktrace=1:die_after_fork=0";
/// What the suite relies on: it reads what the sanitizer prints, which ends the process. Leaks are looked for where a
/// check has looked for memory that grows, and not when its process ends.
const NEEDED: &str = "log_path=stderr:abort_on_error=1:leak_check_at_exit=0:stack_trace_format=\"    #%n <%m> %F %L\"";
/// Whether a report ends the process. ThreadSanitizer's do not: it does not see how threads of the suite wait for each other, so that
/// only some are about the target.
const HALT: [&str; 4] = ["halt_on_error=1", "halt_on_error=0", "halt_on_error=1", "halt_on_error=1"];
/// Instrumented functions need several times the stack.
const STACK: u64 = 64 << 20;
/// The same for threads, where the suite does not say how much they have.
const STACK_OF_A_THREAD: u64 = 16 << 20;
const PRELOAD: &str = "LD_PRELOAD";

/// What processes of a target need beyond the ordinary.
#[derive(Debug, Default)]
pub struct Surroundings {
    variables: Vec<(&'static str, OsString)>,
    /// Whether libraries have to lie at the same addresses each time: older versions of ThreadSanitizer know only some.
    fixed_addresses: bool,
}

impl Surroundings {
    /// Those of a target, which may be none; the user may have named the sanitizers' libraries.
    ///
    /// # Errors
    /// Which library is missing, and what to do.
    pub fn of(instrumented: &Instrumented, named: &[PathBuf]) -> Result<Self, String> {
        let preloads = instrumented.preloads(named)?;
        if preloads.is_empty() {
            return Ok(Self::default());
        }
        let mut variables = vec![(PRELOAD, preload(&preloads))];
        let set = |(name, halt)| (name, options(&env::var_os(name).unwrap_or_default(), halt));
        variables.extend(VARIABLES.into_iter().zip(HALT).map(set));
        variables.push(("RUST_MIN_STACK", STACK_OF_A_THREAD.to_string().into()));
        Ok(Self { variables, fixed_addresses: instrumented.sanitizers.contains(&Sanitizer::Thread) })
    }

    /// Whether there is a sanitizer.
    pub fn sanitized(&self) -> bool {
        !self.variables.is_empty()
    }

    /// How much memory a process may take that may take this much otherwise: ThreadSanitizer does not start where that is limited.
    pub fn memory(&self, most: u64) -> u64 {
        if self.fixed_addresses { 0 } else { most }
    }

    /// Has a command start its process in them.
    pub fn apply(&self, command: &mut Command) {
        if !self.sanitized() {
            return;
        }
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        let fixed_addresses = self.fixed_addresses;
        let prepare = move || {
            let Rlimit { current, maximum } = getrlimit(Resource::Stack);
            let more = current.map(|current| current.max(maximum.map_or(STACK, |maximum| maximum.min(STACK))));
            setrlimit(Resource::Stack, Rlimit { current: more, maximum })?;
            if fixed_addresses {
                // SAFETY: changes how the process is laid out that is about to begin. Where that is forbidden, it stays as it is.
                unsafe { libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong) };
            }
            Ok(())
        };
        // SAFETY: the closure makes system calls alone, which is allowed between fork and exec.
        unsafe { command.pre_exec(prepare) };
    }

    /// Begins this very program anew in them, with the same arguments, after it has cleaned up, unless it has begun so. Returns in
    /// that case, and if it cannot.
    pub fn begin_anew(&self, clean_up: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        let begun = |(name, value): &(&str, OsString)| *name != PRELOAD || env::var_os(name).as_ref() == Some(value);
        if self.variables.iter().all(begun) {
            return Ok(());
        }
        let mut command = Command::new(env::current_exe()?);
        command.args(env::args_os().skip(1));
        self.apply(&mut command);
        clean_up()?;
        Err(command.exec())
    }
}

/// The libraries, before what the user has loaded first; one that is among these already is not named twice.
fn preload(libraries: &[PathBuf]) -> OsString {
    let own = env::var_os(PRELOAD).unwrap_or_default();
    let own = own.to_string_lossy();
    let libraries = libraries.iter().map(|path| path.to_string_lossy().into_owned());
    let libraries: Vec<_> = libraries.collect();
    let others = own.split([' ', ':']).filter(|name| !name.is_empty());
    let others = others.filter(|name| !libraries.iter().any(|library| Path::new(library) == Path::new(name)));
    let all: Vec<_> = libraries.iter().map(String::as_str).chain(others).collect();
    all.join(":").into()
}

fn options(own: &OsString, halt: &str) -> OsString {
    let mut options = OsString::from(DEFAULTS);
    for more in [own.as_os_str(), NEEDED.as_ref(), halt.as_ref()].into_iter().filter(|more| !more.is_empty()) {
        options.push(":");
        options.push(more);
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_user_sets_stands_between_the_defaults_and_what_is_needed() {
        let set = options(&"quarantine_size_mb=1".into(), "h=1").into_string().unwrap();
        assert_eq!(set, format!("{DEFAULTS}:quarantine_size_mb=1:{NEEDED}:h=1"));
        assert_eq!(options(&OsString::new(), "h=1").into_string().unwrap(), format!("{DEFAULTS}:{NEEDED}:h=1"));
    }
}
