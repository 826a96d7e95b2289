//! Cargo builds the program with the same features for its package alone as for the workspace.
//!
//! `cargo install`, `maturin` and `-p tvm-ffi-verify` select the package, plain `cargo build` and `cargo test` all of them. Where the
//! features of one dependency differ, each goes on to build half of the program anew, and the wheel holds another program
//! than the one that was tested.

use std::{collections::BTreeSet, env, path::Path, process::Command};

/// The packages that are built, each with its version and features.
fn built(selection: &[&str]) -> BTreeSet<String> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["tree", "--locked", "--offline", "--prefix", "none", "--no-dedupe", "--format", "{p} with {f}"]);
    let output = cargo.args(selection).current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).output();
    let output = output.expect("cargo can be run");
    assert!(output.status.success(), "cargo tree: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn the_program_has_the_same_features_built_alone_and_with_the_workspace() {
    let alone = built(&["-p", "tvm-ffi-verify", "--edges", "normal,build"]);
    assert!(alone.len() > 50, "cargo tree shows next to nothing: {alone:?}");
    let workspace = built(&["--workspace", "--edges", "normal,build,dev"]);
    let differ: Vec<_> = alone
        .difference(&workspace)
        .map(|package| {
            let name = package.split(" with ").next().unwrap_or(package);
            let others = workspace.iter().filter(|other| other.starts_with(&format!("{name} with ")));
            let others: Vec<_> = others.map(String::as_str).collect();
            format!("{package}\n  in the workspace: {}", others.join(", "))
        })
        .collect();
    assert!(
        differ.is_empty(),
        "the features of these differ; name what is missing under [dev-dependencies] in conformance/Cargo.toml:\n{}",
        differ.join("\n")
    );
}
