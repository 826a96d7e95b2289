//! No library of today's is taken for one of an older generation, however broken it is, and one of the split generation is told
//! whatever function it lacks.

use std::path::Path;

use tvm_ffi_fixtures::{
    fail,
    faults::{self, Fault},
};
use tvm_ffi_spec::{
    abi::abi,
    generation::{Function, Generation, generation, today},
};
use tvm_ffi_verify::target::Target;

use crate::{
    generations::{builder, check, refused, report},
    several,
};

fn split() -> &'static Generation {
    generation("split").unwrap()
}

/// The functions of today's that came after the split generation. One has a name of that, too, from its second state on.
fn later() -> Vec<String> {
    let names = abi().functions.iter().map(|function| function.name.clone());
    let later: Vec<_> = names.filter(|name| split().contradicted_by(std::slice::from_ref(name)).is_some()).collect();
    assert!(later.len() > 10 && !later.iter().any(|name| name == "TVMFFIBacktrace"));
    later
}

/// The generation that a report says the reference of one speaks without these functions; none for today's.
fn told_without(generation: &Generation, functions: &[String]) -> Option<String> {
    let parts: Vec<_> = functions.iter().map(|name| format!("function {name}")).collect();
    let folder = tempfile::tempdir().unwrap();
    let library = Target::reference_without(generation, &parts, folder.path()).unwrap().path.display().to_string();
    let quick = ["--only", "symbols.opens", "--only", "SPL-0001", "--repeat", "0", "--no-facts"];
    let (report, _) = report(&[&[library.as_str()][..], &quick].concat());
    report["target"]["generation"].as_str().map(str::to_owned)
}

#[test]
fn the_split_generation_is_told_whatever_function_is_missing() {
    several::each(&split().all_functions(), |Function { name, .. }| {
        let told = told_without(split(), std::slice::from_ref(name)).unwrap_or_default();
        assert!(told.starts_with("split"), "without {name} it is {told:?}");
    });
}

/// Also beside all that came after the split generation.
#[test]
fn todays_generation_is_told_whatever_function_is_missing() {
    several::each(&today().all_functions(), |Function { name, .. }| {
        for others in [Vec::new(), later()] {
            let others: Vec<_> = others.into_iter().filter(|other| other != name).collect();
            let told = told_without(today(), &[others, vec![name.clone()]].concat());
            assert_eq!(told, None, "without {name}");
        }
    });
}

/// Checks that make few calls.
const QUICK: &[&str] = &["--only", "symbols.opens", "--only", "object.dec-null", "--timeout", "2", "--repeat", "0"];

/// A broken library without the functions that say that it is one of today's: its objects do.
fn assert_is_judged(fault: &Fault) {
    let mut fault = fault.clone();
    fault.name = format!("{} without what came later", fault.name);
    fault.lacks.extend(later());
    let library = builder().fault(&fault).unwrap_or_else(|problem| fail(&problem)).display().to_string();
    let output = check(&[&[library.as_str(), "--format", "json"], QUICK].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}: {said}", fault.name);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["checks"].as_array().unwrap().len(), 2, "{}", fault.name);
    let (code, line) = refused(&[&library, "--generation", "split"]);
    assert!(code == Some(2) && line.contains("does not speak the split generation"), "{}: {line}", fault.name);
}

/// Faults that corrupt headers, counts or what is known of Errors.
#[test]
fn a_broken_library_of_today_is_judged_as_such() {
    let about = ["allocator_", "count", "error_", "obj_", "object_", "strong_", "weak_"];
    let all = faults::all().unwrap_or_else(|problem| fail(&problem));
    let about: Vec<_> = all.into_iter().filter(|fault| about.iter().any(|part| fault.name.starts_with(part))).collect();
    assert!(about.len() > 50, "faults were renamed");
    // Few: each takes a compiler.
    several::each(&about.into_iter().step_by(4).collect::<Vec<_>>(), assert_is_judged);
}

/// Libraries whose Errors show some of what those of the split generation do, or all, and nothing else of it.
#[test]
fn half_of_the_evidence_is_none() {
    for name in ["looks_split", "counts_split", "no_texts", "errors_alone", "dies"] {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/generation/{name}.c"));
        assert_is_judged(&Fault::read(&source).unwrap_or_else(|problem| fail(&problem)));
    }
}
