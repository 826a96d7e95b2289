//! The clauses are well-formed: ids, levels, capabilities and releases.

use std::{collections::BTreeSet, fs};

use rstest::rstest;
use tvm_ffi_spec::{
    abi::abi,
    clause::{Area, Basis, Clause, Level, areas, find, id},
};

/// Everything that is wrong with the clauses of `areas`, a line each.
fn problems<'a>(areas: impl IntoIterator<Item = &'a Area>) -> Vec<String> {
    let mut found = Vec::new();
    let mut prefixes = BTreeSet::new();
    for area in areas {
        let well_formed = area.prefix.len() == 3 && area.prefix.bytes().all(|byte| byte.is_ascii_uppercase());
        if !well_formed || !prefixes.insert(&area.prefix) || area.title.trim().is_empty() {
            found
                .push(format!("{}: the prefix is three capital letters of this area alone, with a title", area.prefix));
        }
        let mut last = 0;
        for clause in &area.clauses {
            match number(&area.prefix, &clause.id) {
                Some(number) if number > last => last = number,
                Some(_) => found.push(format!("{}: ids ascend within a file and are given once", clause.id)),
                None => found.push(format!("{}: an id here is {} and four digits", clause.id, area.prefix)),
            }
            found.extend(clause_problems(clause).map(|problem| format!("{}: {problem}", clause.id)));
        }
    }
    found
}

/// The number in a clause's id, if it has the form `AAA-0000`.
fn number(prefix: &str, id: &str) -> Option<u32> {
    let digits = id.strip_prefix(prefix)?.strip_prefix('-')?;
    let four = digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
    if four { digits.parse().ok() } else { None }
}

fn clause_problems(clause: &Clause) -> impl Iterator<Item = String> {
    let mut found = Vec::new();
    let since = abi().release(&clause.since);
    if since.is_none() {
        found.push(format!("since {} is not a release", clause.since));
    }
    match abi().capability(&clause.capability) {
        None => found.push(format!("unknown capability {}", clause.capability)),
        Some(capability) if since < abi().release(&capability.since) => {
            found.push(format!("it cannot hold before {}, when {} appeared", capability.since, capability.name));
        }
        Some(_) => {}
    }
    if let Some(until) = &clause.until {
        match abi().release(until) {
            None => found.push(format!("until {until} is not a release")),
            place if place < since => found.push("it ends before it begins".to_owned()),
            _ => {}
        }
    }
    if (clause.basis == Basis::CompiledIn) != clause.client.is_some() {
        found.push("what is compiled in names the client, and nothing else does".to_owned());
    }
    if clause.level == Level::Must && matches!(clause.basis, Basis::Observed | Basis::Courtesy) {
        found.push(format!("what is {} is no MUST", clause.basis));
    }
    let loaded = ["when the library is loaded", "when the library has been loaded"];
    if loaded.iter().any(|words| clause.text.contains(words)) && !clause.presence {
        found.push("what is there when the library is loaded is a presence".to_owned());
    }
    for (what, text) in [("text", &clause.text), ("source", &clause.source), ("why", &clause.why)] {
        if text.trim().is_empty() {
            found.push(format!("no {what}"));
        }
    }
    found.into_iter()
}

#[test]
fn clauses_are_well_formed() {
    let problems = problems(areas());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_file_of_clauses_is_read() {
    let files = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/clauses")).expect("the folder is there");
    assert_eq!(files.count(), areas().len());
}

#[rstest]
#[case::well_formed(r#"id = "TST-0001""#, r#"id = "TST-0007""#, "")]
#[case::another_area(r#"id = "STR-0001""#, r#"id = "TST-0002""#, "STR-0001: an id here is TST and four digits")]
#[case::short_number(r#"id = "TST-001""#, r#"id = "TST-0002""#, "TST-001: an id here is TST and four digits")]
#[case::descending(r#"id = "TST-0002""#, r#"id = "TST-0001""#, "TST-0001: ids ascend within a file and are given once")]
#[case::twice(r#"id = "TST-0002""#, r#"id = "TST-0002""#, "TST-0002: ids ascend within a file and are given once")]
#[case::capability(
    "id = \"TST-0001\"\ncapability = \"flight\"",
    r#"id = "TST-0002""#,
    "TST-0001: unknown capability flight"
)]
#[case::too_early(
    "id = \"TST-0001\"\ncapability = \"big-int\"",
    r#"id = "TST-0002""#,
    "TST-0001: it cannot hold before 0.1.14.post0, when big-int appeared"
)]
#[case::client(
    "id = \"TST-0001\"\nclient = \"compilers\"",
    r#"id = "TST-0002""#,
    "TST-0001: what is compiled in names the client, and nothing else does"
)]
#[case::until("id = \"TST-0001\"\nuntil = \"0.9\"", r#"id = "TST-0002""#, "TST-0001: until 0.9 is not a release")]
#[case::presence(
    "id = \"TST-0001\"\ntext = \"It is registered when the library is loaded.\"",
    r#"id = "TST-0002""#,
    "TST-0001: what is there when the library is loaded is a presence"
)]
fn bad_clauses_are_found(#[case] first: &str, #[case] second: &str, #[case] expected: &str) {
    let clause = |head: &str| {
        let text = if head.contains("text = ") { "" } else { "text = \"T\"\n" };
        format!(
            "[[clause]]\n{head}\nlevel = \"MUST\"\nbasis = \"documented\"\nsince = \"0.1.0\"\n{text}source = \"S\"\nwhy = \"W\"\n"
        )
    };
    let file = format!("prefix = \"TST\"\ntitle = \"Test\"\n{}{}", clause(first), clause(second));
    let area: Area = toml::from_str(&file).expect("the file has the form of the model");
    assert_eq!(problems(&[area]).join("\n"), expected);
}

#[test]
fn ids_are_constants() {
    assert_eq!(id::STR_0001, "STR-0001");
    assert!(find(id::VIS_0001).is_some());
}

#[rstest]
#[case::observed("observed", "TST-0001: what is observed is no MUST")]
#[case::courtesy("courtesy", "TST-0001: what is courtesy is no MUST")]
#[case::safety("safety", "")]
fn what_nobody_promises_is_no_must(#[case] basis: &str, #[case] expected: &str) {
    let file = format!(
        "prefix = \"TST\"\ntitle = \"Test\"\n[[clause]]\nid = \"TST-0001\"\nlevel = \"MUST\"\nbasis = \"{basis}\"\n\
         since = \"0.1.0\"\ntext = \"T\"\nsource = \"S\"\nwhy = \"W\"\n"
    );
    let area: Area = toml::from_str(&file).expect("the file has the form of the model");
    assert_eq!(problems(&[area]).join("\n"), expected);
}

#[test]
fn what_a_clause_rests_on_has_one_name() {
    for basis in Basis::ALL {
        let in_data = toml::Value::try_from(basis).expect("a basis can be written");
        assert_eq!(in_data.as_str(), Some(basis.as_str()));
    }
}
