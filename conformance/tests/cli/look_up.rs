//! `explain` and `list`: what is found under which name, and what is said when nothing is.

use std::process::Output;

use snapbox::str;
use tvm_ffi_spec::abi::abi;

use super::verify;

fn run(args: &[&str]) -> Output {
    verify().args(args).output().unwrap()
}

/// What a command that succeeds prints.
#[track_caller]
fn said(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The ids of what `list` finds.
#[track_caller]
fn listed(args: &[&str]) -> Vec<String> {
    let json: serde_json::Value = serde_json::from_str(&said(&[&["list", "--format", "json"], args].concat())).unwrap();
    json.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn explain_tells_a_clause_from_its_source_to_a_program() {
    let output = verify().args(["explain", "STR-0001"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    for part in [
        "STR-0001 (MUST, documented)",
        "why",
        "source",
        "since 0.1.0",
        "decided by",
        "#include <tvm/ffi/c_api.h>",
        "int main(void) {",
    ] {
        assert!(text.contains(part), "{part} is missing in:\n{text}");
    }
}

#[test]
fn a_function_is_explained_with_its_clauses_and_checks() {
    verify().args(["explain", "tvmffistringfrombytearray"]).assert().code(0).stdout_eq(str![[r#"
TVMFFIStringFromByteArray (function)
  Makes an owned String of bytes.

  signature       int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out)
  header          tvm/ffi/c_api.h
  releases        since 0.1.0
  layer           c-abi
  capability      core

Clauses about it, and the checks that decide them:
...
  STR-0001 MUST   A String of seven bytes or fewer has type index 11, its length in the second word and its bytes in the payload, or is an object as a longer one is.
    string.small-string-layout, c11.small-string, cxx17.small-string
...

"#]]);
}

#[test]
fn whatever_has_a_name_is_explained() {
    let cases: &[(&str, &[&str])] = &[
        ("str-0001", &["STR-0001 (MUST, documented)", "int main(void) {"]),
        ("String.Small-Is-Inline", &["string.small-is-inline", "STR-0027 ("]),
        ("STR", &["STR (area)", "Strings and bytes", "STR-0001 MUST", "string.small-string-layout"]),
        ("bigint", &["BIG (area)", "BIG-0001"]),
        ("TVMFFIAny", &["TVMFFIAny (struct)", "size            16", "int32_t type_index (at 0)"]),
        ("tvmffiany.small_str_len", &["TVMFFIAny.small_str_len (field)", "offset          4", "STR-0001"]),
        ("kTVMFFIStr", &["kTVMFFIStr (constant)", "value           65", "since 0.1.0", "c-abi", "STR-0003"]),
        ("TVMFFITypeIndex", &["TVMFFITypeIndex (enumeration)", "kTVMFFIStr = 65"]),
        ("ffi.map", &["ffi.Map (type)", "index           72", "containers", "ffi.Map (global function)", "MAP-0001"]),
        ("ffi.MapSize", &["ffi.MapSize(0: ffi.Map) -> int", "containers", "MAP-0004", "map.count-and-size"]),
        ("ffi.Module.imports_", &["ffi.Module.imports_ (reflected field)", "REG-0008"]),
        ("__ffi_repr__", &["__ffi_repr__ (attribute)", "since 0.1.9", "HOK-0008"]),
        ("tvm::ffi::json::Parse", &["_ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_ (C++ symbol)", "cxx", "CXX-0002"]),
        ("_ZTVN3tvm3ffi5ErrorE", &["size            40 bytes", "cxx-error"]),
        ("TVMFFIObjectHandle", &["stands for      void*"]),
        ("big-int", &["big-int (capability)", "TVMFFIBigIntFromByteArray", "BIG-0001"]),
        ("0.1.13", &["0.1.13 (release)", "yanked"]),
        ("TVMFFIErrorM", &["TVMFFIErrorMoveFromRaised  (function) Moves"]),
        ("STR-000", &["STR-0001  (clause)", "STR-0009  (clause)"]),
        ("c11.small-m", &["c11.small-map-walk  (check)"]),
    ];
    for (name, parts) in cases {
        let text = said(&["explain", name]);
        for part in *parts {
            assert!(text.contains(part), "{name}: {part} is missing in:\n{text}");
        }
    }
}

#[test]
fn parts_of_every_kind_are_explained() {
    for part in abi().parts().iter().step_by(40) {
        assert!(said(&["explain", &part.name]).contains(&format!("{} (", part.name)), "{part}");
    }
}

#[test]
fn a_name_that_nothing_has_is_met_with_the_nearest() {
    let cases = [
        ("ffi.mapzise", "nothing is named `ffi.mapzise`; similar: ffi.MapSize, "),
        ("MapSize", "similar: ffi.MapSize\n"),
        ("TVMFFIStringFromBytArray", "similar: TVMFFIStringFromByteArray"),
        ("string.small-is-inlined", "similar: string.small-is-inline"),
        ("qqqqqq", "nothing is named `qqqqqq`; `tvm-ffi-verify list` shows"),
        ("", "a value is required"),
    ];
    for (name, expected) in cases {
        let output = run(&["explain", name]);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}: {stderr}");
        assert!(stderr.contains(expected) && output.stdout.is_empty(), "{name}: {stderr}");
    }
}

#[test]
fn lists_are_filtered() {
    let null = listed(&["--area", "dtype", "--text", "NULL"]);
    assert_eq!(null, ["dtype.null-text", "dtype.null-dtype", "dtype.null-result"]);
    assert_eq!(
        listed(&["--area", "DTY", "--text", "null", "--text", "reading"]),
        ["dtype.null-text", "dtype.null-result"]
    );
    assert_eq!(listed(&["clauses", "--area", "dty", "--level", "should", "--basis", "courtesy"]), ["DTY-0031"]);

    let all = listed(&["clauses"]).len();
    let of_levels: usize = ["must", "should"].map(|level| listed(&["clauses", "--level", level]).len()).iter().sum();
    let of_layers: usize = ["c-abi", "containers", "reflection", "modules", "full"]
        .map(|layer| listed(&["clauses", "--layer", layer]).len())
        .iter()
        .sum();
    let of_bases: usize = ["documented,observed", "compiled-in,safety,courtesy"]
        .map(|bases| listed(&["clauses", "--basis", bases]).len())
        .iter()
        .sum();
    assert_eq!([of_levels, of_layers, of_bases], [all; 3]);
    assert!(listed(&["--area", "c11,cxx17"]).iter().all(|id| id.starts_with("c11.") || id.starts_with("cxx17.")));

    let promises = said(&["list", "promises", "--layer", "modules"]);
    assert!(promises.contains("  decided by MOD-") && promises.len() < said(&["list", "promises"]).len() / 2);
    let text = said(&["list", "clauses", "--area", "STR,BIG", "--text", "seven bytes"]);
    assert!(
        text.starts_with("Strings and bytes (STR)\n  STR-0001 MUST   documented  A String of seven bytes"),
        "{text}"
    );
    assert!(!text.contains("(TEN)"));
}

#[test]
fn that_nothing_matches_is_said() {
    for what in ["checks", "clauses", "promises"] {
        verify().args(["list", what, "--text", "no such text"]).assert().code(4).stdout_eq("").stderr_eq(str![[r#"
tvm-ffi-verify: nothing matches

"#]]);
    }
    let output = run(&["list", "--area", "STR", "--layer", "modules", "--format", "json"]);
    assert_eq!((output.status.code(), &*output.stdout), (Some(4), &b"[]\n"[..]));
    let output = run(&["list", "--area", "strng"]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr.contains("no area has this name; similar: string"), "{stderr}");
}
