//! The command `matrix`; and what is published of the public releases, which is what their lists of known failures say. These
//! `.ci/releases` holds to the suite.

use std::{collections::BTreeMap, fs, path::Path, process::Output};

use tvm_ffi_reports::matrix::{Matrix, Row};
use tvm_ffi_spec::abi::abi;

use crate::program;

fn run(folder: &Path, args: &[&str]) -> Output {
    program::run().args(args).current_dir(folder).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn saved_reports_stand_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for report in ["one", "other"] {
        let report = format!("json={report}.json");
        let args = ["check", "--only", "symbols.", "--no-facts", "--quiet", "--report", &report];
        assert_eq!(run(folder, &args).status.code(), Some(0));
    }
    let matrix = run(folder, &["matrix", "one.json", "other.json", "--report", "html=matrix.html", "--format", "json"]);
    assert_eq!(matrix.status.code(), Some(0), "{}", String::from_utf8_lossy(&matrix.stderr));
    let json = stdout(&matrix);
    let matrix: Matrix = serde_json::from_str(&json).unwrap();
    assert_eq!(matrix.rows.len(), 2);
    assert!(matrix.rows.iter().all(|row| row.conforms && row.checks() > 0));
    assert_eq!(matrix.rows[0], matrix.rows[1]);
    assert!(!json.contains(&*folder.to_string_lossy()), "a path of the machine is in the matrix: {json}");
    assert!(fs::read_to_string(folder.join("matrix.html")).unwrap().contains("Libraries and areas"));
    let text = stdout(&run(folder, &["matrix", "one.json", "other.json"]));
    assert!(text.ends_with("2 of 2 libraries keep every MUST\n"), "{text}");
}

#[test]
fn what_is_no_report_is_a_mistake_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("no-report.json"), "{}").unwrap();
    let cases: [(&[&str], &str); 3] = [
        (&["matrix", "missing.json"], "missing.json: No such file"),
        (&["matrix", "no-report.json"], "no-report.json: is no report"),
        (&["matrix", "no-report.json", "--report", "json=no-report.json"], "a report to read"),
    ];
    for (args, expected) in cases {
        let output = run(folder, args);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(stderr.contains(expected) && stderr.lines().count() == 1, "{args:?}: {stderr}");
    }
    assert_eq!(fs::read_to_string(folder.join("no-report.json")).unwrap(), "{}");
}

/// What mends it.
const PUBLISH: &str = "publish anew with .ci/releases --publish";

/// A list of known failures: the reason for each check, or for each glob of checks.
fn known(release: &str) -> BTreeMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("known-failures/{release}.toml"));
    let list: toml::Table = toml::from_str(&fs::read_to_string(path).unwrap_or_default()).unwrap();
    let text =
        |entry: &toml::Value, key: &str| entry[key].as_str().unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    let entries = list.get("known").and_then(toml::Value::as_array).into_iter().flatten();
    entries.map(|entry| (text(entry, "check"), text(entry, "reason"))).collect()
}

#[test]
fn what_is_published_is_what_is_known() {
    let published: Matrix = serde_json::from_str(include_str!("../../reports/published/matrix.json")).unwrap();
    let mut problems = Vec::new();
    let releases = abi().releases.iter().map(|release| release.name.as_str());
    for name in releases.chain(["tilelang-0.1.5"]) {
        let Some(row) = published.rows.iter().position(|row| row.name == name) else {
            problems.push(format!("{name} is not published"));
            continue;
        };
        let known = known(name);
        for (reason, unmet) in published.unmet_by(row) {
            let glob = |(check, _): &(&String, &String)| {
                let fits = |(begin, end)| unmet.check.starts_with(begin) && unmet.check.ends_with(end);
                check.split_once('*').is_some_and(fits)
            };
            let expected = known.get(&unmet.check).or_else(|| known.iter().find(glob).map(|(_, reason)| reason));
            if expected != Some(&reason.reason) {
                problems.push(format!("{name}: {} is published with another reason than is known", unmet.check));
            }
        }
        // What a glob stands for fails now and then.
        for check in known.keys().filter(|check| !check.contains('*')) {
            if !published.unmet_by(row).any(|(_, unmet)| unmet.check == *check) {
                problems.push(format!("{name}: {check} is known, and not published"));
            }
        }
    }
    let of_generation = |row: &Row| (row.name.clone(), row.generation.clone());
    for (name, generation) in [("tilelang-0.1.5", "legacy"), ("reference", "legacy"), ("reference", "split")] {
        let named = (name.to_owned(), Some(generation.to_owned()));
        let Some(row) = published.rows.iter().position(|row| of_generation(row) == named) else {
            problems.push(format!("{name} of the {generation} generation is not published"));
            continue;
        };
        if name == "reference" && (!published.rows[row].conforms || published.unmet_by(row).next().is_some()) {
            problems.push(format!("the reference of the {generation} generation is published as one with failures"));
        }
    }
    assert!(problems.is_empty(), "{PUBLISH}:\n{}", problems.join("\n"));
}
