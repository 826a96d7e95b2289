//! A report that holds every outcome, for the tests of the renderings.
//!
//! Its clauses have ids that no clause file uses, so that its rendering does not change when a clause does.

use tvm_ffi_reports::*;
use tvm_ffi_spec::clause::{Basis, Level};

/// The report.
pub fn report() -> Report {
    Report::new(tool(), target(), run(), demands(), checks())
}

pub fn tool() -> Tool {
    Tool { name: "tvm-ffi-verify".into(), version: "0.1.0".into(), commit: None, spec: Some("9f86d081884c".into()) }
}

pub fn target() -> Target {
    let capability = |name: &str, present, evidence: &str| CapabilityReport {
        name: name.into(),
        present,
        evidence: Some(evidence.into()),
    };
    Target {
        path: "/opt/tvm/libtvm_ffi.so".into(),
        sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08".into(),
        claimed_version: Some("0.1.5".into()),
        capabilities: vec![
            capability("core", true, "42 of 42 functions are exported"),
            capability("init-once", true, "TVMFFIHandleInitOnce is exported"),
            capability("custom-allocator", false, "TVMFFIGetCustomAllocator is not exported"),
        ],
        origin: Some("apache_tvm_ffi-0.1.5-cp312-abi3-manylinux_2_28_x86_64.whl".into()),
        releases: vec!["0.1.5".into()],
        yanked: true,
        has: vec!["function TVMFFIObjectIncRef".into(), "function TVMFFIObjectDecRef".into(), "type ffi.Map".into()],
        beyond: vec!["global fork.Rank".into()],
        lacks: vec!["function TVMFFIHandleDeinitOnce".into()],
        generation: None,
        beside: Vec::new(),
        sanitizers: vec!["address".into(), "undefined".into()],
    }
}

pub fn demands() -> Demands {
    Demands {
        required: vec!["release 0.1.5".into()],
        missing: vec!["function TVMFFIHandleDeinitOnce".into(), "global ffi.MapSize".into(), "global ffi.Map".into()],
        untrue: vec!["known failure `map.*` does not happen any more; remove it".into()],
    }
}

pub fn run() -> RunInfo {
    RunInfo {
        seed: 17,
        cases: 256,
        level: "all".into(),
        basis: Basis::ALL.to_vec(),
        profile: "full".into(),
        strict: false,
        isolation: "fork".into(),
        jobs: 2,
        started: "2026-01-02T03:04:05Z".into(),
        duration_ms: 1234,
        ended: Ended::Complete,
    }
}

/// A check of that outcome and nothing beyond it.
pub fn check(id: &str, clauses: &[&str], outcome: Outcome) -> CheckReport {
    CheckReport {
        name: format!("the sentence of {id}"),
        clauses: clauses.iter().map(|&clause| clause.into()).collect(),
        duration_us: 420,
        rerun: format!("tvm-ffi-verify check /opt/tvm/libtvm_ffi.so --only {id}"),
        ..CheckReport::new(id, outcome)
    }
}

/// Evidence with a clause and a message.
pub fn broken(clause: &str, message: &str) -> Evidence {
    Evidence { clause: clause.into(), message: message.into(), ..Evidence::default() }
}

fn checks() -> Vec<CheckReport> {
    vec![
        CheckReport { seed: Some(99), ..check("string.round_trip", &["SAMPLE-0001", "SAMPLE-0002"], Outcome::Pass) },
        CheckReport { broken: Some(failed()), ..check("string.small", &["SAMPLE-0003"], Outcome::Fail) },
        CheckReport {
            broken: Some(crashed()),
            output: Some("first line\nsecond \u{1b}[31mline\n".into()),
            ..check("dtype.no_terminator", &["SAMPLE-0004", "SAMPLE-0005"], Outcome::Crash)
        },
        CheckReport {
            broken: Some(broken("SAMPLE-0006", "no end after 10 s")),
            duration_us: 10_000_000,
            ..check("once.race", &["SAMPLE-0006"], Outcome::Timeout)
        },
        CheckReport {
            broken: Some(Evidence {
                what: Some("live objects after 1000 rounds".into()),
                expected: Some("0".into()),
                got: Some("1000".into()),
                ..broken("SAMPLE-0007", "each round leaves an object behind")
            }),
            level: Level::Should,
            repeated: Some(Repeated { runs: 3, failed: 2 }),
            duration_us: 5_300,
            ..check("error.cause_is_released", &["SAMPLE-0007"], Outcome::Leak)
        },
        lacking("allocator.get", "SAMPLE-0008"),
        lacking("allocator.set", "SAMPLE-0009"),
        blocked("map.sizes", "SAMPLE-0012", "global ffi.MapSize"),
        blocked("once.pair", "SAMPLE-0013", "function TVMFFIHandleDeinitOnce"),
        blocked("type.depth", "SAMPLE-0016", "struct TVMFFITypeInfo"),
        blocked("once.twice", "SAMPLE-0014", "function TVMFFIHandleDeinitOnce"),
        CheckReport {
            broken: Some(broken("SAMPLE-0003", "a small string is too long")),
            repeated: Some(Repeated { runs: 3, failed: 1 }),
            ..check("string.other", &["SAMPLE-0015", "SAMPLE-0003"], Outcome::Fail)
        },
        CheckReport {
            broken: Some(broken("", "fork: Resource temporarily unavailable")),
            ..check("tensor.strides", &["SAMPLE-0010"], Outcome::Error)
        },
        CheckReport {
            known: Some("the release copies the name without its terminator; mended in the next".into()),
            broken: Some(broken("SAMPLE-0011", "the name is not terminated")),
            ..check("type.key_terminated", &["SAMPLE-0011"], Outcome::Fail)
        },
    ]
}

fn lacking(id: &str, clause: &str) -> CheckReport {
    let reason = Some("needs the capability custom-allocator".into());
    CheckReport { undecided: reason, ..check(id, &[clause], Outcome::Unsupported) }
}

fn blocked(id: &str, clause: &str, part: &str) -> CheckReport {
    CheckReport {
        undecided: Some(format!("needs {part}, which is missing")),
        blocked_by: Some(part.into()),
        ..check(id, &[clause], Outcome::Blocked)
    }
}

fn failed() -> Evidence {
    Evidence {
        call: Some(r#"TVMFFIStringFromByteArray("seven_b", 7)"#.into()),
        what: Some("the result".into()),
        expected: Some("type_index = 11 (kTVMFFISmallStr), small_str_len = 7".into()),
        got: Some("type_index = 65 (kTVMFFIStr), small_str_len = 0".into()),
        bytes: vec![
            Dump::new("result", &[0x41, 0, 0, 0, 0, 0, 0, 0, 0x10, 0xf2, 0x3c, 0x55, 0xc1, 0x7f, 0, 0]),
            Dump::new("input", b"seven_b"),
        ],
        note: Some("six bytes are stored inline".into()),
        ..broken("SAMPLE-0003", "a small string is on the heap")
    }
}

fn crashed() -> Evidence {
    Evidence {
        call: Some(r#"TVMFFIDataTypeFromString(str = {data: "float32", size: 7})"#.into()),
        signal: Some("SIGSEGV".into()),
        place: Some("reads from 0x8, at libtvm_ffi.so+0x1a20 (TVMFFIDataTypeFromString+0x10)".into()),
        ..broken("SAMPLE-0004", "the process died")
    }
}
