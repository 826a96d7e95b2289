//! What is done to a process for good: something is registered, removed or set, or a library is loaded. Whoever goes on in that process
//! finds it.

use std::sync::atomic::{AtomicUsize, Ordering};

static CHANGES: AtomicUsize = AtomicUsize::new(0);

/// Notes that something has been done.
pub fn note() {
    CHANGES.fetch_add(1, Ordering::Relaxed);
}

/// What has been done since then can be told from what this answers now.
pub fn count() -> usize {
    CHANGES.load(Ordering::Relaxed)
}

/// Whether a function does that, by its name: of C, or under which it is registered.
pub const fn makes(name: &str) -> bool {
    const PARTS: [&str; 9] = [
        "TypeRegister",
        "SetGlobal",
        "GetOrAllocIndex",
        "EnvRegister",
        "EnvModRegister",
        "EnvSet",
        "SetCustomAllocator",
        "RemoveGlobal",
        "ModuleLoad",
    ];
    let mut part = 0;
    while part < PARTS.len() {
        if contains(name.as_bytes(), PARTS[part].as_bytes()) {
            return true;
        }
        part += 1;
    }
    false
}

/// As `str::contains`, which is none that the compiler can find out.
const fn contains(text: &[u8], part: &[u8]) -> bool {
    let mut start = 0;
    while start + part.len() <= text.len() {
        let mut at = 0;
        while at < part.len() && text[start + at] == part[at] {
            at += 1;
        }
        if at == part.len() {
            return true;
        }
        start += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use tvm_ffi_spec::abi::abi;

    use super::*;

    #[test]
    fn what_registers_or_sets_is_told_from_what_asks() {
        for name in abi().functions.iter().map(|function| function.name.as_str()) {
            let sets = ["Set", "Register", "GetOrAlloc"].iter().any(|word| name.contains(word));
            // A raised error is the thread's, until somebody takes it.
            assert_eq!(makes(name), sets && !name.contains("SetRaised"), "{name}");
        }
        let made: Vec<_> = abi().globals.iter().map(|global| global.name.as_str()).filter(|name| makes(name)).collect();
        assert_eq!(made, ["ffi.FunctionRemoveGlobal", "ffi.ModuleLoadFromFile"]);
    }
}
