//! An audit for people: a block for each client, a table of clients and releases, and the verdict.

use std::io::{self, Write};

use anstyle::Style;

use super::model::{Against, Audit, Client, Embedded, EmbeddedModule, Exported, Legacy, Links, Need, Release};
use crate::{
    answer::Answer,
    escape::one_line,
    findings::Severity,
    layout::{Width, beside_a_key, counted, row, statement},
    markdown,
    style::{self, BAD, GOOD, ODD, STRONG},
};

/// The column in which what is said of a client begins.
const BODY: usize = 6;
/// How many names are listed unless all are asked for.
const NAMED: usize = 12;

/// Writes an audit, `verbose` with every symbol and every library that needs none.
pub(super) fn render(audit: &Audit, width: Width, verbose: bool, out: &mut dyn Write) -> io::Result<()> {
    let mut file = None;
    for client in audit.clients.iter().filter(|client| verbose || client.is_of_note()) {
        if file.replace(&client.file) != Some(&client.file) {
            statement(out, width, BODY, "", &format!("{STRONG}{}{STRONG:#}", one_line(&client.file)))?;
        }
        block(audit, client, width, verbose, out)?;
        writeln!(out)?;
    }
    let others: Vec<_> = audit.clients.iter().filter(|client| !client.is_of_note()).map(Client::place).collect();
    if !others.is_empty() && !verbose {
        let lead = format!("{ODD}NOT CONCERNED{ODD:#}  ");
        statement(out, width, BODY, &lead, &named(&others, verbose))?;
        writeln!(out)?;
    }
    let users: Vec<_> = audit.in_need().collect();
    if users.len() > 1 {
        table(audit, &users, out)?;
    }
    findings(audit, width, out)?;
    style::verdict(out, width, audit.exit_code, &audit.verdict())
}

fn block(audit: &Audit, client: &Client, width: Width, verbose: bool, out: &mut dyn Write) -> io::Result<()> {
    if let Some(member) = &client.member {
        statement(out, width, BODY, "  ", &format!("{STRONG}{}{STRONG:#}", one_line(member)))?;
    }
    let mut say = |key: &str, value: &str| row(out, width, BODY, key, &beside_a_key(value, width));
    say("is", &format!("{} for {}", client.kind.as_str(), client.architecture))?;
    say("links", &links(client))?;
    if let Some(legacy) = &client.legacy {
        say("speaks", &legacy.told(verbose))?;
    }
    if !client.needs.is_empty() {
        let cxx = client.needs.iter().filter(|need| need.is_cxx()).count();
        let parts = [(client.needs.len() - cxx, "function"), (cxx, "C++ symbol")];
        let parts = parts.into_iter().filter(|(count, _)| *count > 0).map(|(count, noun)| counted(count, noun));
        say("needs", &parts.collect::<Vec<_>>().join(", "))?;
        say("releases", &releases(audit, client))?;
    }
    let unknown = client.needs.iter().filter(|need| need.is_unknown() && !need.weak);
    let unknown: Vec<_> = unknown.map(|need| &*need.name).collect();
    if !unknown.is_empty() {
        say("unknown", &named(&unknown, verbose))?;
    }
    if !client.defines.is_empty() {
        say("defines", &format!("{} of the ABI itself", counted(client.defines.len(), "function")))?;
    }
    if !client.functions.is_empty() {
        say("offers", &functions(client, verbose))?;
    }
    if client.context {
        say("context", "has a place for its own module")?;
    }
    if let Some(embedded) = &client.embedded {
        say("embeds", &told_of(embedded))?;
    }
    if verbose || audit.against.is_some() {
        for need in &client.needs {
            symbol(need, width, out)?;
        }
    }
    Ok(())
}

impl Legacy {
    /// What it is, and what shows it.
    pub fn told(&self, verbose: bool) -> String {
        let list = |what: &str, names: &[String]| {
            let names: Vec<_> = names.iter().map(String::as_str).collect();
            (!names.is_empty()).then(|| format!("{what} {}", named(&names, verbose)))
        };
        let defines =
            (self.defines > 0).then(|| format!("defines {} of it", counted(self.defines as usize, "function")));
        let shown = [list("needs", &self.needs), list("has places for", &self.places), defines];
        let shown: Vec<_> = shown.into_iter().flatten().collect();
        format!("the legacy generation of the ABI, {}: {}", self.period, shown.join("; "))
    }
}

fn links(client: &Client) -> String {
    match client.links {
        Links::Named if client.run_path.is_empty() => {
            "names libtvm_ffi.so, and no folder to find it in: found where the process has loaded it before".to_owned()
        }
        Links::Named => format!("names libtvm_ffi.so, looked for in {}", client.run_path.join(", ")),
        Links::Process => "does not name libtvm_ffi.so: the process has to have loaded it for all to see".to_owned(),
        Links::Later => "is still to be linked".to_owned(),
        Links::Itself => "defines the ABI itself".to_owned(),
        Links::Not => "needs nothing of the library".to_owned(),
    }
}

/// Which releases have what a client needs, and what excludes the others.
fn releases(audit: &Audit, client: &Client) -> String {
    let fit: Vec<_> = audit.releases.iter().filter(|release| client.releases.contains(&release.name)).collect();
    let first = audit.releases.first().map(|release| &release.name);
    let newest = audit.newest_need(client).filter(|need| need.since.as_ref() != first);
    let since = newest.map(|need| format!("; {} is there since {}", need.name, told(&need.since)));
    let oldest = audit.oldest_need(client);
    let until = oldest.map(|need| format!("; {} is there until {}", need.name, told(&need.until)));
    audit.range(&fit) + &since.unwrap_or_default() + &until.unwrap_or_default()
}

fn told(release: &Option<String>) -> &str {
    release.as_deref().unwrap_or_default()
}

fn functions(client: &Client, verbose: bool) -> String {
    let names: Vec<_> = client.functions.iter().map(|function| &*function.name).collect();
    let count = |has: fn(&Exported) -> bool| client.functions.iter().filter(|each| has(each)).count();
    let (metadata, doc) = (count(|each| each.metadata), count(|each| each.doc));
    let types = if metadata == 0 { String::new() } else { format!("; types of {metadata}") };
    let doc = if doc == 0 { String::new() } else { format!("; documentation of {doc}") };
    format!("{}: {}{types}{doc}", counted(names.len(), "function"), named(&names, verbose))
}

fn told_of(embedded: &Embedded) -> String {
    if let Some(problem) = &embedded.problem {
        return format!("modules that cannot be read: their blob {problem}");
    }
    if embedded.modules.is_empty() {
        return "an empty place for modules, to be filled when it is loaded".to_owned();
    }
    let module = |module: &EmbeddedModule| match module.bytes {
        Some(bytes) => format!("{} ({})", module.kind, counted(bytes as usize, "byte")),
        None => module.kind.clone(),
    };
    let modules: Vec<_> = embedded.modules.iter().map(module).collect();
    format!("{}: {}", counted(modules.len(), "module"), modules.join(", "))
}

/// A symbol, and who has it.
fn symbol(need: &Need, width: Width, out: &mut dyn Write) -> io::Result<()> {
    let known = match (&need.since, &need.until, &need.defined_by) {
        (Some(since), Some(until), _) => format!("since {since}, until {until}"),
        (Some(since), None, _) => format!("since {since}"),
        (None, _, Some(file)) => format!("defined by {file}"),
        (None, _, None) => "in no release".to_owned(),
    };
    let weak = if need.weak { ", not required" } else { "" };
    let (style, word) = match need.has {
        Some(true) => (GOOD, "has    "),
        Some(false) if need.weak || need.defined_by.is_some() => (ODD, "lacks  "),
        Some(false) => (BAD, "lacks  "),
        None => (Style::new(), ""),
    };
    let lead = format!("{:BODY$}{style}{word}{style:#}", "");
    statement(out, width, BODY + 4, &lead, &one_line(&format!("{}  ({known}{weak})", need.name)))
}

/// What is found, but for what the blocks have said: the heaviest first.
fn findings(audit: &Audit, width: Width, out: &mut dyn Write) -> io::Result<()> {
    let mut findings = audit.findings().findings;
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    for finding in &findings {
        let style = match finding.severity {
            Severity::Error => BAD,
            _ => ODD,
        };
        let lead = format!(
            "{style}{}{style:#}  {STRONG}{}{STRONG:#}  ",
            finding.severity.as_str().to_uppercase(),
            finding.rule
        );
        statement(out, width, BODY, &lead, &one_line(&finding.message))?;
    }
    if findings.is_empty() { Ok(()) } else { writeln!(out) }
}

/// The first few names, or all.
fn named(names: &[&str], all: bool) -> String {
    let (named, others) = names.split_at(if all { names.len() } else { names.len().min(NAMED) });
    let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
    format!("{}{more}", named.join(", "))
}

/// Clients and releases as a table in text: releases in which no client differs share a column.
fn table(audit: &Audit, users: &[&Client], out: &mut dyn Write) -> io::Result<()> {
    let (heads, rows) = cells(audit, users);
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|cell| one_line(cell)).collect()).collect();
    let widths: Vec<usize> = (0..heads.len())
        .map(|n| rows.iter().map(|row| &row[n]).chain([&heads[n]]).map(|cell| cell.chars().count()).max().unwrap_or(0))
        .collect();
    for (n, row) in std::iter::once(&heads).chain(&rows).enumerate() {
        let style = if n == 0 { STRONG } else { Style::new() };
        let line: Vec<_> = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}")).collect();
        writeln!(out, "{style}{}{style:#}", line.join("  ").trim_end())?;
    }
    writeln!(out)
}

/// The tables of the Markdown page: clients, and clients by releases.
pub(super) fn tables(audit: &Audit, out: &mut dyn Write) -> io::Result<()> {
    let users: Vec<_> = audit.users().collect();
    let client = |client: &&Client| {
        let count = |number: usize| if number == 0 { String::new() } else { number.to_string() };
        let fit: Vec<_> = audit.releases.iter().filter(|release| client.releases.contains(&release.name)).collect();
        let embedded = client.embedded.as_ref().map(told_of).unwrap_or_default();
        vec![
            markdown::code(&audit.label(client)),
            markdown::text(&links(client)),
            count(client.needs.len()),
            markdown::text(&audit.range(&fit)),
            count(client.functions.len()),
            markdown::text(&embedded),
        ]
    };
    if !users.is_empty() {
        writeln!(out, "## Clients\n")?;
    }
    let rows: Vec<_> = users.iter().map(client).collect();
    markdown::table(&["client", "links", "needs", "releases", "offers", "embeds"], &rows, out)?;
    let users: Vec<_> = audit.in_need().collect();
    if users.len() > 1 {
        writeln!(out, "## Releases\n")?;
        let (heads, rows) = cells(audit, &users);
        let heads: Vec<_> = heads.iter().map(|head| markdown::text(head)).collect();
        let heads: Vec<_> = heads.iter().map(String::as_str).collect();
        let rows: Vec<Vec<_>> = rows.iter().map(|row| row.iter().map(|cell| markdown::text(cell)).collect()).collect();
        markdown::table(&heads, &rows, out)?;
    }
    Ok(())
}

/// The heads and the rows of the table of clients and releases.
fn cells(audit: &Audit, users: &[&Client]) -> (Vec<String>, Vec<Vec<String>>) {
    let column = |release: &Release| users.iter().map(|client| missing(audit, client, release)).collect::<Vec<_>>();
    let mut columns: Vec<(Vec<&Release>, Vec<usize>)> = Vec::new();
    for release in &audit.releases {
        let missing = column(release);
        match columns.last_mut().filter(|(_, other)| *other == missing) {
            Some((releases, _)) => releases.push(release),
            None => columns.push((vec![release], missing)),
        }
    }
    let heads = columns.iter().map(|(releases, _)| match releases.as_slice() {
        [one] => one.name.clone(),
        [first, .., last] => format!("{} to {}", first.name, last.name),
        [] => String::new(),
    });
    let cell = |missing: usize| if missing == 0 { "yes".to_owned() } else { format!("{missing} missing") };
    let row = |(n, client): (usize, &&Client)| {
        let cells = columns.iter().map(|(_, missing)| cell(missing[n]));
        std::iter::once(audit.label(client)).chain(cells).collect()
    };
    let rows = users.iter().enumerate().map(row).collect();
    (std::iter::once(String::new()).chain(heads).collect(), rows)
}

/// How much of what a client needs a release lacks.
fn missing(audit: &Audit, client: &Client, release: &Release) -> usize {
    let place = |name: &str| audit.releases.iter().position(|each| each.name == name);
    let here = place(&release.name);
    let lacks = |need: &&Need| match &need.since {
        Some(since) => place(since) > here || need.until.as_ref().is_some_and(|until| place(until) < here),
        None => need.is_unknown() && !need.elsewhere,
    };
    client.needs.iter().filter(|need| !need.weak).filter(lacks).count()
}

impl Audit {
    /// Releases that follow one another, in words.
    pub(super) fn range(&self, releases: &[&Release]) -> String {
        match releases {
            [] => "no release".to_owned(),
            _ if releases.len() == self.releases.len() => "every release".to_owned(),
            [one] => one.name.clone(),
            [first, .., last] if self.releases.last() == Some(*last) => format!("{} and newer", first.name),
            [first, .., last] => format!("{} to {}", first.name, last.name),
        }
    }
}

impl Against {
    /// The releases that hold it, or where it came from, or its path.
    pub(crate) fn told(&self) -> String {
        match (self.releases.as_slice(), &self.origin) {
            ([], Some(origin)) => origin.clone(),
            ([], None) => self.path.clone(),
            (releases, _) => format!("release {}", releases.join(" and ")),
        }
    }
}
