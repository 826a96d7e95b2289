//! Every rendering of sample calls of functions, byte for byte. `SNAPSHOTS=overwrite` rewrites the expected files.

use std::io::{self, Write};

use snapbox::{assert_data_eq, file};
use tvm_ffi_reports::{
    Answer,
    audit::Against,
    duty::Duty,
    json,
    kernel::{Breach, Function, Kernels, KnownFrom, Tested, rules},
    layout::Width,
};

use crate::{sample, sarif};

fn function(name: &str, breaches: Vec<Breach>) -> Function {
    Function {
        name: name.to_owned(),
        known_from: KnownFrom::Metadata,
        good: Some(format!("{name}(float32[64])")),
        calls: 40,
        succeeded: 12,
        refused: 27,
        good_calls: 1,
        breaches,
        undecided: Vec::new(),
        not_tried: Vec::new(),
    }
}

fn breach(rule: &Duty, others: u32) -> Breach {
    Breach {
        rule: rule.id.to_owned(),
        level: rule.level,
        call: "scale(float32[0])".to_owned(),
        situation: "argument 0 is empty, with NULL for its data".to_owned(),
        message: "the process was ended by SIGSEGV: reads from 0x0, at scale.so+0x1129".to_owned(),
        others,
        output: Some("scale: one moment\n|please|".to_owned()),
    }
}

fn kernels(strict: bool, functions: Vec<Function>, interrupted: bool) -> Kernels {
    let library = Against {
        path: "/tmp/libtvm_ffi.so".to_owned(),
        sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08".to_owned(),
        origin: Some("the reference, built into this program".to_owned()),
        releases: Vec::new(),
    };
    let sha256 = "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752".to_owned();
    let file = Tested { file: "build/scale.so".to_owned(), sha256, functions };
    Kernels::new(sample::tool(), library, Some("calls.toml".to_owned()), strict, vec![file], interrupted)
}

/// Calls of which all can be told that there is to tell.
fn sample_of_all(strict: bool) -> Kernels {
    let broken = vec![breach(&rules::EMPTY_TENSOR, 3), breach(&rules::NULL_POINTER, 0)];
    let slow = Function {
        undecided: vec!["whether it leaks: a good call, over and over takes too long".to_owned()],
        known_from: KnownFrom::Nothing,
        good: None,
        ..function("slow", vec![])
    };
    kernels(strict, vec![function("good", vec![]), function("scale", broken), slow], false)
}

fn rendered(render: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    render(&mut bytes).unwrap();
    anstream::adapter::strip_str(&String::from_utf8(bytes).unwrap()).to_string()
}

#[test]
fn text_of_the_calls() {
    let text = |strict, verbose| rendered(|out| sample_of_all(strict).text(Width::Unlimited, verbose, out));
    assert_data_eq!(text(false, false), file!["snapshots/kernel.txt"].raw());
    assert_data_eq!(text(true, true), file!["snapshots/kernel-verbose.txt"].raw());
}

#[test]
fn markdown_and_json_of_the_calls() {
    assert_data_eq!(rendered(|out| sample_of_all(false).markdown(out)), file!["snapshots/kernel.md"].raw());
    let json = rendered(|out| json::render(&sample_of_all(false), out));
    assert_eq!(serde_json::from_str::<Kernels>(&json).unwrap(), sample_of_all(false));
}

#[test]
fn sarif_of_the_calls_keeps_to_the_standard() {
    let (written, typed) = sarif::read(&sample_of_all(false).findings());
    assert_eq!(written, typed);
    let results = written["runs"][0]["results"].as_array().unwrap();
    let levels: Vec<_> = results.iter().map(|result| (&result["ruleId"], &result["level"])).collect();
    assert_eq!(levels, [(&"empty-tensor".into(), &"error".into()), (&"null-pointer".into(), &"warning".into())]);
}

#[test]
fn what_is_broken_decides_the_exit_code() {
    let of = |strict, rule| kernels(strict, vec![function("f", vec![breach(rule, 0)])], false).exit_code;
    assert_eq!((of(false, &rules::CRASH), of(false, &rules::STATUS), of(true, &rules::STATUS)), (1, 0, 1));
    assert_eq!(kernels(false, vec![function("f", vec![])], false).exit_code, 0);
    assert_eq!(kernels(false, vec![], false).exit_code, 4);
    assert_eq!(kernels(false, vec![function("f", vec![breach(&rules::CRASH, 0)])], true).exit_code, 5);
}
