//! Where a check's process was when a signal ended it, in words.

use std::{collections::BTreeMap, path::Path};

use crate::{
    client::wreck::{Access, Crash, Place},
    target::symbols::Code,
};

/// Libraries that are on the way to an abort, and not what aborts.
const RUNTIME: [&str; 5] = ["libc.so", "libc-", "libstdc++.so", "libgcc_s.so", "libpthread"];

/// Such as `reads from 0x8, at libtvm_ffi.so+0x1a20 (TVMFFIFunctionCall+0x10)`.
pub fn told(crash: &Crash) -> String {
    let mut libraries = Libraries::default();
    let foreign = crash.at.as_ref().is_none_or(is_runtime);
    // A stack holds what is left of earlier calls, too: of the suite's, for the most part.
    let suite = std::env::current_exe().unwrap_or_default();
    let callers = crash.stack.iter().filter(|place| foreign && !is_runtime(place) && Path::new(&place.module) != suite);
    let caller = callers.into_iter().find(|place| libraries.returns_to(place));
    let mut parts: Vec<_> = what(crash).into_iter().collect();
    parts.extend(crash.at.iter().map(|at| format!("at {}", libraries.place(at, at.offset))));
    // What a call comes back to may be another function, where it is not meant to come back.
    parts.extend(caller.map(|caller| format!("called from {}", libraries.place(caller, caller.offset - 1))));
    let told = parts.join(", ");
    match &crash.exception {
        Some(exception) => format!("nobody catches a C++ exception of type {exception}; {told}"),
        None => told,
    }
}

/// What the process did, if the signal does not say it.
fn what(crash: &Crash) -> Option<String> {
    let address = crash.address;
    Some(match crash.signal {
        libc::SIGABRT => return None,
        // Somebody sent it, so that it is about no address.
        _ if crash.code <= 0 => "sent by a call".to_owned(),
        // The one thing that is not let through.
        libc::SIGSYS => "does something to the process that runs the suite, to all, or to the terminal".to_owned(),
        _ if crash.overflow => "stack overflow".to_owned(),
        // The processor does not tell which.
        libc::SIGSEGV if crash.code == libc::SI_KERNEL => "uses what cannot be an address".to_owned(),
        libc::SIGSEGV | libc::SIGBUS => match crash.access {
            Access::Read => format!("reads from {address:#x}"),
            Access::Write => format!("writes to {address:#x}"),
            Access::Execute => format!("executes {address:#x}"),
        },
        _ => return None,
    })
}

fn is_runtime(place: &Place) -> bool {
    RUNTIME.iter().any(|runtime| file_name(place).starts_with(runtime))
}

fn file_name(place: &Place) -> &str {
    place.module.rsplit('/').next().unwrap_or_default()
}

/// The code of libraries, read once each.
#[derive(Default)]
struct Libraries(BTreeMap<String, Option<Code>>);

impl Libraries {
    fn code(&mut self, place: &Place) -> Option<&Code> {
        let read = || Code::read(Path::new(&place.module));
        self.0.entry(place.module.clone()).or_insert_with(read).as_ref()
    }

    fn place(&mut self, place: &Place, offset: u64) -> String {
        let file = file_name(place);
        match self.code(place).and_then(|code| code.symbol(offset)) {
            Some((name, into)) => format!("{file}+{offset:#x} ({name}+{into:#x})"),
            None => format!("{file}+{offset:#x}"),
        }
    }

    fn returns_to(&mut self, place: &Place) -> bool {
        self.code(place).is_some_and(|code| code.returns_to(place.offset))
    }
}
