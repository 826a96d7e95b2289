//! `tvm-ffi-verify explain`: what the suite knows of one thing.

use std::io::{self, Write};

use clap::builder::NonEmptyStringValueParser;
use tvm_ffi_reports::{
    exit,
    layout::{Width, beside_a_key, joined, lines, prose, row, statement},
};
use tvm_ffi_spec::{
    clause::{self, Clause},
    generation::TODAY,
    named::{self, Entry},
};

use super::{
    names,
    output::{complain, print_with, width_of},
};
use crate::{checks, trial::check::Check};

#[derive(clap::Args)]
pub struct Args {
    /// A clause (STR-0001), an area (STR, string), a check (string.small-is-inline), or a name of the ABI: a function, a
    /// struct or its field (TVMFFIAny.type_index), a constant, a type key, a global function, a C++ symbol, a capability, a
    /// release; in any case, or how some of these begin
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    name: String,
}

/// How far a fact stands in.
const INDENT: usize = 2;
/// How far a clause stands in below what it is about.
const CLAUSE: usize = 4;

pub fn explain(args: &Args) -> u8 {
    let (wanted, width) = (args.name.as_str(), width_of(io::stdout()));
    let is_it = |name: &str| name.eq_ignore_ascii_case(wanted);
    if let Some(clause) = clause::every().find(|clause| is_it(&clause.id)) {
        return print_with(|out| explain_clause(clause, width, out));
    }
    if let Some(check) = checks::every().find(|check| is_it(check.id)) {
        return print_with(|out| explain_check(check, width, out));
    }
    let entries = named::entries();
    let found: Vec<_> = entries.iter().filter(|entry| entry.names.iter().any(|name| is_it(name))).collect();
    if !found.is_empty() {
        return print_with(|out| found.into_iter().try_for_each(|entry| explain_entry(entry, width, out)));
    }
    let begun = begun_by(wanted, &entries);
    if !begun.is_empty() {
        return print_with(|out| {
            begun.iter().try_for_each(|(name, kind, told)| {
                statement(out, width, CLAUSE, &format!("{name}  "), &format!("({kind}) {told}"))
            })
        });
    }
    let all = clause::every().map(|clause| &*clause.id).chain(checks::every().map(|check| check.id));
    let all = all.chain(entries.iter().flat_map(|entry| entry.names.iter().map(String::as_str)));
    let near = names::nearest(wanted, all);
    let advice = if near.is_empty() {
        "`tvm-ffi-verify list` shows checks and clauses, `abi` what libraries have".to_owned()
    } else {
        format!("similar: {}", near.join(", "))
    };
    complain(&format!("nothing is named `{wanted}`; {advice}"), exit::USAGE)
}

/// What has a name that begins so: the name, what it is, and what is said of it.
fn begun_by<'a>(wanted: &str, entries: &'a [Entry]) -> Vec<(&'a str, &'a str, &'a str)> {
    let begins = |name: &str| name.get(..wanted.len()).is_some_and(|start| start.eq_ignore_ascii_case(wanted));
    let clauses = clause::every().map(|clause| (&*clause.id, "clause", &*clause.text));
    let checks = checks::every().map(|check| (check.id, "check", check.name));
    let entries =
        entries.iter().flat_map(|entry| entry.names.iter().map(|name| (&**name, entry.thing.kind(), entry.told())));
    clauses.chain(checks).chain(entries).filter(|(name, ..)| begins(name)).collect()
}

fn explain_entry(entry: &Entry, width: Width, out: &mut dyn Write) -> io::Result<()> {
    statement(out, width, INDENT, entry.name(), &format!(" ({})", entry.thing.kind()))?;
    if !entry.doc.is_empty() {
        statement(out, width, INDENT, &" ".repeat(INDENT), &joined(&entry.doc))?;
    }
    writeln!(out)?;
    for (fact, value) in &entry.facts {
        row(out, width, INDENT, fact, &lines(value))?;
    }
    for (n, clause) in entry.clauses().enumerate() {
        if n == 0 {
            writeln!(out, "\nClauses about it, and the checks that decide them:")?;
        }
        statement(out, width, CLAUSE, &format!("  {} {:6} ", clause.id, clause.level), &joined(&clause.text))?;
        let checks: Vec<_> = deciding(clause).map(|check| check.id).collect();
        prose(out, width, CLAUSE, &checks.join(", "))?;
    }
    writeln!(out)
}

fn explain_check(check: &Check, width: Width, out: &mut dyn Write) -> io::Result<()> {
    statement(out, width, INDENT, check.id, "")?;
    statement(out, width, INDENT, &" ".repeat(INDENT), check.name)?;
    writeln!(out)?;
    let mut clauses = check.clauses.iter().filter_map(|id| clause::find(id));
    clauses.try_for_each(|clause| explain_clause(clause, width, out))
}

fn explain_clause(clause: &Clause, width: Width, out: &mut dyn Write) -> io::Result<()> {
    let Clause {
        id,
        level,
        basis,
        client,
        capability,
        since,
        until,
        ended_by,
        presence: _,
        generations,
        text,
        source,
        why,
        example: _,
    } = clause;
    writeln!(out, "{id} ({level}, {basis})")?;
    statement(out, width, INDENT, &" ".repeat(INDENT), &joined(text))?;
    writeln!(out)?;
    let until = until.as_ref().map(|until| format!(", until {until}")).unwrap_or_default();
    let ended_by = ended_by.as_ref().map(|it| format!(" and without the capability {it}")).unwrap_or_default();
    let facts = [
        ("why", Some(why.clone())),
        ("source", Some(source.clone())),
        ("clients", client.clone()),
        ("generations", (!generations.is_empty()).then(|| generations.join(", "))),
        (if clause.holds_for(TODAY) { "releases" } else { "builds" }, Some(format!("since {since}{until}"))),
        ("in force", Some(format!("on a target with the capability {capability}{ended_by}"))),
    ];
    for (fact, value) in facts.iter().filter_map(|(fact, value)| Some((fact, value.as_ref()?))) {
        row(out, width, INDENT, fact, &beside_a_key(value, width))?;
    }
    for (number, check) in deciding(clause).enumerate() {
        let label = if number == 0 { "decided by" } else { "" };
        row(out, width, INDENT, label, &[format!("{}: {}", check.id, check.name)])?;
    }
    if let Some(program) = clause.program() {
        writeln!(out, "\n{program}")?;
    }
    Ok(())
}

fn deciding(clause: &Clause) -> impl Iterator<Item = &'static Check> {
    checks::every().filter(|check| check.clauses.contains(&clause.id.as_str()))
}
