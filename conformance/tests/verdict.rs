//! The verdict: what a target is held to, and that exit code, text, JSON and JUnit say the same.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;
use tempfile::TempDir;
use tvm_ffi_fixtures::peers;
use tvm_ffi_verify::target::REFERENCE;

use crate::program;

/// Checks that are quick and need little.
const QUICK: &[&str] = &["--only", "symbols.", "--seed", "17", "--progress", "none"];

/// What the program says, in every form.
struct Said {
    code: i32,
    text: String,
    json: Value,
    junit: String,
}

/// Runs `check` in a folder, and holds its answers to one another.
fn check(folder: &Path, args: &[&str]) -> Said {
    let (json, junit) = (folder.join("said.json"), folder.join("said.xml"));
    let output = program::run()
        .arg("check")
        .args(args)
        .args(["--report", "json=said.json", "--report", "junit=said.xml"])
        .current_dir(folder)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let code = output.status.code().unwrap();
    assert!(json.exists(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let json: Value = serde_json::from_slice(&fs::read(json).unwrap()).unwrap();
    let junit = fs::read_to_string(junit).unwrap();
    assert_eq!(json["summary"]["exit_code"], code, "{text}");
    assert_eq!(json["summary"]["conforms"], code == 0, "{text}");
    let verdict = text.lines().last().unwrap_or_default();
    assert_eq!(verdict.starts_with("conforms"), code == 0, "{text}");
    assert_eq!(junit.contains("<failure") || junit.contains("<error"), code != 0, "{junit}");
    Said { code, text, json, junit }
}

/// The reference without some functions: their names in it are changed.
fn without(functions: &[&str], folder: &Path) -> PathBuf {
    let mut library = REFERENCE.to_vec();
    for function in functions {
        let name = [b"\0", function.as_bytes(), b"\0"].concat();
        let places: Vec<_> = (0..library.len() - name.len()).filter(|&at| library[at..].starts_with(&name)).collect();
        assert!(!places.is_empty(), "{function}");
        places.into_iter().for_each(|at| library[at + 1] = b'X');
    }
    let path = folder.join("without.so");
    fs::write(&path, library).unwrap();
    path
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

#[test]
fn what_a_release_has_and_the_target_lacks_is_named() {
    let folder = TempDir::new().unwrap();
    let library = without(&["TVMFFIErrorCreateWithCauseAndExtraContext"], folder.path());
    let library = library.to_str().unwrap();
    let part = "function TVMFFIErrorCreateWithCauseAndExtraContext";
    for required in ["0.1.8.post2", "0.1.15.post2", "error-cause"] {
        let said = check(folder.path(), &[&[library, "--require", required], QUICK].concat());
        assert_eq!(said.code, 1, "{}", said.text);
        assert_eq!(strings(&said.json["demands"]["missing"]), [part]);
        assert!(said.text.contains(&format!("missing           {part}")), "{}", said.text);
        assert!(said.junit.contains(part));
    }
    let said = check(folder.path(), &[&[library, "--require", "0.1.7,init-once"], QUICK].concat());
    assert!(said.json["demands"]["missing"].as_array().unwrap().is_empty(), "{}", said.text);
    // It claims a version whose releases have the function.
    assert_eq!(strings(&said.json["target"]["lacks"]), [part]);
    assert!(said.text.contains(&format!("but lacks         {part}")), "{}", said.text);
}

#[test]
fn what_another_library_has_and_keeps_is_kept() {
    let folder = TempDir::new().unwrap();
    let reference = folder.path().join("old.so");
    fs::write(&reference, REFERENCE).unwrap();
    let library = without(&["TVMFFIHandleInitOnce", "TVMFFIHandleDeinitOnce"], folder.path());
    let library = library.to_str().unwrap();
    let only = ["--only", "once.", "--only", "symbols.opens", "--seed", "17", "--progress", "none"];
    let old = check(folder.path(), &[&["old.so"], &only[..]].concat());
    assert_eq!(old.code, 0, "{}", old.text);
    fs::rename(folder.path().join("said.json"), folder.path().join("old.json")).unwrap();
    let wheel = peers::newest().map(|wheel| wheel.to_str().unwrap().to_owned());
    for baseline in ["old.so", "old.json"].into_iter().chain(wheel.as_deref()) {
        let said = check(folder.path(), &[&[library, "--baseline", baseline], &only[..]].concat());
        assert_eq!(said.code, 1, "{}", said.text);
        let missing = ["function TVMFFIHandleInitOnce", "function TVMFFIHandleDeinitOnce"];
        assert_eq!(strings(&said.json["demands"]["missing"]), missing);
        let blocked = said.json["checks"].as_array().unwrap().iter().filter(|check| check["outcome"] == "blocked");
        assert!(blocked.count() > 5, "{}", said.text);
        assert!(said.json["summary"]["clauses_broken"].as_array().unwrap().is_empty(), "{}", said.text);
        let said = check(folder.path(), &[&["old.so", "--baseline", baseline], &only[..]].concat());
        assert_eq!(said.code, 0, "{}", said.text);
    }
}

#[test]
fn a_repository_says_what_its_library_is_held_to() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("build")).unwrap();
    fs::write(folder.path().join("build/libtvm_ffi.so"), REFERENCE).unwrap();
    fs::write(folder.path().join("known.toml"), "[[known]]\ncheck = \"symbols.opens\"\nreason = \"None.\"\n").unwrap();
    let config = |text: &str| fs::write(folder.path().join("tvm-ffi-verify.toml"), text).unwrap();

    config(
        "target = \"build\"\nrequire = [\"0.1.9\"]\nlevel = \"must\"\nprofile = \"c-abi\"\nbasis = [\"documented\"]\n",
    );
    let said = check(folder.path(), QUICK);
    assert_eq!(said.code, 0, "{}", said.text);
    assert!(said.json["target"]["path"].as_str().unwrap().ends_with("build/libtvm_ffi.so"));
    assert_eq!(strings(&said.json["demands"]["required"]), ["release 0.1.9"]);
    assert_eq!((&said.json["run"]["level"], &said.json["run"]["profile"]), (&"must".into(), &"c-abi".into()));
    assert!(said.text.ends_with("conforms to the profile c-abi\n"), "{}", said.text);

    config("known-failures = \"known.toml\"\nstrict = true\n");
    let said = check(folder.path(), QUICK);
    assert_eq!(said.code, 1, "{}", said.text);
    let untrue = "known failure `symbols.opens` does not happen any more; remove it";
    assert_eq!(strings(&said.json["demands"]["untrue"]), [untrue]);
    assert!(said.text.contains(untrue) && said.junit.contains(untrue));

    config("levels = 3\n");
    let refused = || program::run().arg("check").current_dir(&folder).output().unwrap().status.code() == Some(2);
    assert!(refused());
    // What leads nowhere was meant to say something.
    fs::remove_file(folder.path().join("tvm-ffi-verify.toml")).unwrap();
    std::os::unix::fs::symlink("gone.toml", folder.path().join("tvm-ffi-verify.toml")).unwrap();
    assert!(refused());
}

#[test]
fn half_a_library_hears_what_comes_next() {
    let folder = TempDir::new().unwrap();
    let library = without(&["TVMFFIFunctionGetGlobal", "TVMFFIBytesFromByteArray"], folder.path());
    let library = library.to_str().unwrap();
    let only = ["--only", "map.", "--only", "string.", "--only", "symbols.", "--seed", "17", "--progress", "none"];
    let said = check(folder.path(), &[&[library], &only[..]].concat());
    assert_eq!(said.code, 1);
    assert!(
        said.text.contains("progress          40 of 42 core functions; next: TVMFFIFunctionGetGlobal unblocks"),
        "{}",
        said.text
    );
    assert!(said.text.contains("BLOCKED  function TVMFFIFunctionGetGlobal is missing"), "{}", said.text);
    // The README shows both lines without their numbers, which change with every check.
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md")).unwrap();
    let is_shown =
        |line: &&str| line.starts_with("progress") || line.starts_with("BLOCKED  function TVMFFIFunctionGet");
    for line in said.text.lines().filter(is_shown) {
        let shown = line.split(' ').map(|word| if word.parse::<u32>().is_ok() { "N" } else { word });
        let shown = shown.collect::<Vec<_>>().join(" ");
        assert!(readme.contains(&shown), "the README does not show this: {shown}");
    }
    assert!(said.text.lines().count() < 60, "{}", said.text);
    assert_eq!(strings(&said.json["summary"]["clauses_broken"]), ["SYM-0002", "SYM-0009"], "{}", said.text);

    let said = check(folder.path(), &[&[library, "--profile", "c-abi"], &only[..]].concat());
    assert!(
        said.json["checks"].as_array().unwrap().iter().all(|check| !check["id"].as_str().unwrap().starts_with("map."))
    );
    let said = check(folder.path(), &[&[library, "--max-failures", "1", "--jobs", "1"], &only[..]].concat());
    assert_eq!((said.code, &said.json["run"]["ended"]), (1, &"max-failures".into()));
    let looked_at = said.json["checks"].as_array().unwrap();
    // What is blocked is no failure.
    assert!(looked_at.len() < 50 && looked_at.iter().any(|check| check["outcome"] == "fail"), "{looked_at:#?}");
}

#[test]
fn blessing_touches_only_what_ran() {
    let folder = TempDir::new().unwrap();
    let library = without(&["TVMFFIBytesFromByteArray"], folder.path());
    let library = library.to_str().unwrap();
    let list = "# Mine.\n\n# Not now.\n[[known]]\ncheck = \"map.*\"  # a glob\nreason = \"M.\"\n";
    fs::write(folder.path().join("known.toml"), list).unwrap();
    let bless = [&[library, "--known-failures", "known.toml", "--bless"], QUICK].concat();
    assert_eq!(check(folder.path(), &bless).code, 0);
    let blessed = fs::read_to_string(folder.path().join("known.toml")).unwrap();
    assert!(blessed.starts_with(list) && blessed.contains("check = \"symbols.core\""), "{blessed}");
    assert_eq!(check(folder.path(), &bless).code, 0);
    assert_eq!(fs::read_to_string(folder.path().join("known.toml")).unwrap(), blessed);
}

#[test]
fn nothing_of_the_users_is_written_over() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("v.so"), REFERENCE).unwrap();
    fs::write(path("known.toml"), "").unwrap();
    std::os::unix::fs::symlink("v.so", path("link.so")).unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["v.so", "--report", "json=v.so"], "is the target"),
        (&["v.so", "--report", "json=./link.so"], "is the target"),
        (&["link.so", "--report", "junit=v.so"], "is the target"),
        (&["v.so", "--known-failures", "known.toml", "--report", "json=known.toml"], "is the list of known failures"),
        (&["v.so", "--known-failures", "v.so", "--bless"], "v.so"),
        (&["v.so", "--report", "json=one", "--report", "junit=./one"], "is another report"),
    ];
    for (args, expected) in cases {
        let mut command = program::run();
        let output = command.arg("check").args(*args).args(QUICK).current_dir(&folder).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr.lines().count()), (Some(2), 1), "{args:?}: {stderr}");
        assert!(stderr.contains(expected), "{args:?}: {stderr}");
        assert_eq!(fs::read(path("v.so")).unwrap(), REFERENCE);
        assert_eq!(fs::read(path("known.toml")).unwrap(), b"");
    }
    // A report is there whole or not at all, and leaves nothing else behind.
    let mut command = program::run();
    let output =
        command.args(["check", "v.so", "--report", "json=-"]).args(QUICK).current_dir(&folder).output().unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap()["summary"]["conforms"], true);
    let mut left: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["known.toml", "link.so", "v.so"]);
}
