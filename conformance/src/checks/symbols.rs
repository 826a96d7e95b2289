//! Opening the library: what it exports, the version that it claims, and its own name.

use tvm_ffi_spec::*;

use crate::{
    checks::check,
    client::{Verdict, written},
    target,
    trial::Trial,
};

/// The library opens with every symbol that it imports resolved.
///
/// Getting here is what is asked for: the target was opened eagerly before the check began.
#[check(SYM_0001)]
fn opens(_: &Trial) -> Verdict {
    Ok(())
}

/// The library exports the 42 functions that every release has.
#[check(SYM_0002)]
fn core(t: &Trial) -> Verdict {
    let missing: Vec<&str> = functions_of("core").filter(|name| !found(t, name)).collect();
    t.that(
        "exported functions",
        missing.is_empty(),
        "all 42 of the first release",
        format_args!("no {}", missing.join(", ")),
    )
}

/// Of functions that were introduced together, the library exports all or none.
#[check(SYM_0003)]
fn pairs(t: &Trial) -> Verdict {
    for capability in &abi::abi().capabilities {
        let (there, missing): (Vec<&str>, Vec<&str>) =
            functions_of(&capability.name).partition(|name| capability.name == "core" || found(t, name));
        let what = format!("functions of the capability {}", capability.name);
        let got = format!("{} without {}", there.join(", "), missing.join(", "));
        t.that(what, there.is_empty() || missing.is_empty(), "all of them or none", got)?;
    }
    Ok(())
}

/// A library that has a C++ symbol has all others that came with it or before.
#[check(CXX_0001)]
fn cxx_symbols_come_together(t: &Trial) -> Verdict {
    let latest = abi::abi().cxx_symbols.iter().filter(|symbol| t.cxx_symbols.contains(&symbol.name));
    let latest = latest.map(|symbol| release(&symbol.since)).max().unwrap_or_default();
    let demanded = abi::abi().cxx_symbols.iter().filter(|symbol| {
        let given_up = symbol.until.as_deref().is_some_and(|until| release(until) < latest);
        release(&symbol.since) <= latest && !given_up
    });
    let missing: Vec<&str> =
        demanded.map(|symbol| &*symbol.name).filter(|name| !t.cxx_symbols.iter().any(|found| found == name)).collect();
    t.that(
        "C++ symbols",
        missing.is_empty(),
        "all that clients of one release link to",
        format_args!("no {}", missing.join(", ")),
    )
}

/// The library itself defines every function of the ABI that is found through it.
#[check(SYM_0004)]
fn own(t: &Trial) -> Verdict {
    let foreign: Vec<String> = t.foreign.iter().map(|(name, library)| format!("{name} from {library}")).collect();
    t.that("where the functions come from", foreign.is_empty(), "the library itself", foreign.join(", "))
}

/// TVMFFIGetVersion writes three numbers of 32 bits and nothing beyond them.
#[check(SYM_0005)]
fn version_size(t: &Trial) -> Verdict {
    const BEFORE: u32 = 0xb1b2_b3b4;
    const AFTER: u32 = 0xa1a2_a3a4;
    // A number that is not written keeps one of these two values, and no number of a version has both.
    let [first, second] = [0x5151_5151, 0x6262_6262].map(|stale| {
        let mut place = [BEFORE, stale, stale, stale, AFTER, AFTER];
        t.api.TVMFFIGetVersion((&raw mut place[1]).cast());
        place
    });
    t.eq("the word before the version", first[0], BEFORE)?;
    t.eq("the words after the version", &first[4..], &[AFTER, AFTER])?;
    for (number, name) in ["major", "minor", "patch"].into_iter().enumerate() {
        let (one, other) = (first[1 + number], second[1 + number]);
        let written = (one, other) != (0x5151_5151, 0x6262_6262);
        t.that(format_args!("{name} number"), written, "to be written", "what was there before")?;
    }
    Ok(())
}

/// TVMFFIGetVersion answers the same version on every call.
#[check(SYM_0006)]
fn version_twice(t: &Trial) -> Verdict {
    let first = version(t);
    (0..100).try_for_each(|_| t.eq("version", version(t), first))
}

/// TVMFFIGetVersion answers the same version on every thread.
#[check(SYM_0006)]
fn version_threads(t: &Trial) -> Verdict {
    let here = version(t);
    t.threads(4, |t, _| t.eq("version on another thread", version(t), here))
}

/// TVMFFIGetVersion answers one version wherever it is called: on any thread, in copies of the process, and while one ends.
#[check(SYM_0006, fresh)]
fn version_lasts(t: &Trial) -> Verdict {
    t.lasts("the version", |client| {
        let mut version = TVMFFIVersion { major: u32::MAX, minor: u32::MAX, patch: u32::MAX };
        client.api.TVMFFIGetVersion(&mut version);
        Ok([version.major, version.minor, version.patch])
    })
}

/// The version that the library claims is no older than the functions it exports.
#[check(SYM_0007)]
fn version_age(t: &Trial) -> Verdict {
    let claimed = version(t);
    for function in &abi::abi().functions {
        let expected = format!("at least {}, which introduced {}", function.since, function.name);
        let old_enough = !found(t, &function.name) || claimed >= release(&function.since);
        t.that("claimed version", old_enough, expected, written(&claimed))?;
    }
    Ok(())
}

/// The library exports every function that is older than the version that it claims.
#[check(SYM_0009)]
fn version_kept(t: &Trial) -> Verdict {
    let claimed = version(t);
    // A release after the first of its number may claim that number without the functions it brought.
    let is_older = |since: &str| release(since) < claimed || release(since) == claimed && !since.contains("post");
    let mut missing =
        abi::abi().functions.iter().filter(|function| is_older(&function.since) && !found(t, &function.name));
    let named: Vec<_> = missing.by_ref().take(NAMED).map(|function| function.name.as_str()).collect();
    let more = match missing.count() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    t.that(
        "exported functions",
        named.is_empty(),
        format_args!("all that are as old as {}, which the library claims to be", written(&claimed)),
        format_args!("none of {}{more}", named.join(", ")),
    )
}

/// How many functions are named that are missing: all of a release or two, and of half a library the first.
const NAMED: usize = 6;

/// The name of the library for the dynamic loader (DT_SONAME) is libtvm_ffi.so.
#[check(SYM_0008)]
fn soname(t: &Trial) -> Verdict {
    let exports = target::exports(t.target).map_err(|problem| t.error("reading the target's ELF file", problem))?;
    t.eq("DT_SONAME", exports.soname.as_deref(), Some("libtvm_ffi.so"))
}

fn version(t: &Trial) -> TVMFFIVersion {
    let mut version = TVMFFIVersion { major: 0x5151_5151, minor: 0x6262_6262, patch: 0x7373_7373 };
    t.api.TVMFFIGetVersion(&mut version);
    version
}

/// The three numbers of a release; `0.1.14.post0` claims what `0.1.14` does.
fn release(text: &str) -> TVMFFIVersion {
    let mut numbers = text.split('.').map_while(|number| number.parse().ok());
    let mut next = || numbers.next().unwrap_or(0);
    TVMFFIVersion { major: next(), minor: next(), patch: next() }
}

/// The functions that belong to a capability.
fn functions_of(capability: &str) -> impl Iterator<Item = &'static str> {
    let belongs = move |function: &&abi::Function| function.capability == capability;
    abi::abi().functions.iter().filter(belongs).map(|function| function.name.as_str())
}

/// Whether a function can be found through the target, even if another library defines it: that is another clause.
fn found(t: &Trial, name: &str) -> bool {
    exported(t.api.table(), name) || t.foreign.iter().any(|(foreign, _)| foreign == name)
}

macro_rules! define_exported {
    ($(#[$doc:meta] $name:ident($($arg:ident: $ty:ty),*) -> $result:ty;)*) => {
        fn exported(table: &FunctionTable, name: &str) -> bool {
            match name {
                $(stringify!($name) => table.$name.is_some(),)*
                _ => false,
            }
        }
    };
}
tvm_ffi_spec::for_each_function!(define_exported);
