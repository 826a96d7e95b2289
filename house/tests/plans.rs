//! Files use what lies below them on the plan, never what lies above or beside, and never in a circle.

use std::fs;

use tvm_ffi_house::{
    arrows::arrows,
    circles::circles,
    plan::Plan,
    sources::{Sources, of_crate, workspace},
};

/// Crates as folders, each with the heading above its plan in DESIGN.md.
const PLANS: [(&str, &str); 3] = [
    ("reference", "### Floors of the reference"),
    ("legacy", "### Floors of the legacy library"),
    ("conformance", "### Rooms of the suite"),
];

#[test]
fn arrows_run_down_and_in_no_circle() {
    let design = fs::read_to_string(workspace().join("DESIGN.md")).expect("DESIGN.md can be read");
    for (folder, heading) in PLANS {
        let wrong = Plan::read(&design, heading).broken_by(&of_crate(folder));
        assert!(wrong.is_empty(), "{folder}: {} arrows or files break the plan:\n{}", wrong.len(), wrong.join("\n"));
    }
}

/// Crates of a few files, which need no plan.
const SMALL: [&str; 7] = ["spec", "legacy/adapter", "c_fixtures", "reports", "site", "fuzz", "benches"];

#[test]
fn files_of_small_crates_stand_in_no_circle() {
    for folder in SMALL {
        let mut arrows = arrows(&of_crate(folder));
        // The crate's root declares the others, and has nothing that they could use.
        arrows.retain(|arrow| arrow.from != "lib.rs");
        let circles = circles(&arrows);
        assert!(circles.is_empty(), "{folder}: files use one another in a circle: {circles:?}");
    }
}

fn plan() -> Plan {
    Plan::read(PLAN, "### Plan")
}

fn tree(files: &[(&str, &str)]) -> Sources {
    files.iter().map(|(path, source)| (path.to_string(), source.to_string())).collect()
}

const PLAN: &str = "### Plan\n```\nroof   doors\nleft | right  rooms\n       more of them\ncellar\n```\n";

#[test]
fn what_breaks_the_plan_is_named_at_both_ends() {
    let sources = tree(&[
        ("lib.rs", "mod roof; mod left; mod right; mod cellar; #[cfg(test)] mod values;"),
        ("roof.rs", "use crate::{Door, cellar::nothing};"),
        ("left/mod.rs", "pub mod low; pub mod high; use self::high::Top; use low::Bottom;"),
        ("left/low.rs", "fn low() -> u8 { crate::right::number() }"),
        ("left/high.rs", "use super::low; fn high() { vec![super::Circle]; }"),
        ("right.rs", "use crate::cellar::nothing; #[cfg(test)] mod tests { use crate::roof::Door; }"),
        ("cellar.rs", "impl crate::roof::Door for u8 {} mod inner { use super::Own; } use std::fmt;"),
        ("values.rs", "use crate::roof;"),
        ("attic/mod.rs", ""),
    ]);
    let wrong = plan().broken_by(&sources);
    assert_eq!(
        wrong,
        [
            "attic/mod.rs stands on no floor",
            "runs up: cellar.rs -> roof.rs (as `crate::roof::Door`)",
            "runs sideways: left/low.rs -> right.rs (as `crate::right::number`)",
            "runs up: roof.rs -> lib.rs (as `crate::Door`)",
            "is a circle: cellar.rs -> roof.rs -> cellar.rs",
            "is a circle: left/high.rs -> left/mod.rs -> left/high.rs",
        ]
    );
}

#[test]
fn a_tree_that_keeps_the_plan_has_no_violations() {
    let sources = tree(&[
        ("lib.rs", "mod roof; mod left; mod right; mod cellar;"),
        ("roof.rs", "use crate::{left, right};"),
        ("left.rs", "use crate::cellar::nothing;"),
        ("right.rs", "fn right() { crate::cellar::nothing() }"),
        ("cellar.rs", "pub fn nothing() {}"),
    ]);
    assert_eq!(plan().broken_by(&sources), Vec::<String>::new());
}
