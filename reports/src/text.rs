//! A report for people.
//!
//! First the target and what it lacks, then a block for every broken clause in the order of the specification, in which what
//! others rest on comes first, then what blocks checks, what was unsupported, the known failures, the numbers, and the
//! verdict last, where a terminal leaves the eye. Styles are written as ANSI escapes; whoever owns the
//! stream strips them where they do not belong (`anstream` does). Prose is wrapped to a width that the caller knows; the
//! interface to the `textwrap` crate is here and nowhere else.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use tvm_ffi_spec::clause::{self, Clause, Level};

use crate::escape::{escape, one_line};
use crate::exit;
use crate::failure::{Dump, Evidence};
use crate::model::{CheckReport, Ended};
use crate::outcome::Outcome;
use crate::report::Report;
use crate::summary::Summary;

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const ODD: Style = AnsiColor::Yellow.on_default().bold();
const HARNESS: Style = AnsiColor::Magenta.on_default().bold();
const STRONG: Style = Style::new().bold();
const KEY: Style = Style::new().dimmed();

/// The width of a text that is not for a terminal.
pub const WIDTH: usize = 100;
/// The column in which every value begins.
const VALUE: usize = 18;
/// The column in which what a block says of its check begins.
const BODY: usize = 6;
/// The column in which what a block says of a call begins.
const DETAIL: usize = 8;
/// How many broken clauses the verdict names, and how many parts of a kind the head.
const NAMED: usize = 12;

/// Writes `report`, with a block for every check that does not pass, and its prose in lines of at most `width` columns.
///
/// # Errors
/// Those of `out`.
pub fn render(report: &Report, width: usize, out: &mut dyn Write) -> io::Result<()> {
    target(report, width, out)?;
    findings(report, width, out)
}

/// Writes `report` like [`render`], with a line for every check as well.
///
/// # Errors
/// Those of `out`.
pub fn render_verbose(report: &Report, width: usize, out: &mut dyn Write) -> io::Result<()> {
    target(report, width, out)?;
    for check in &report.checks {
        check_line(check, out)?;
    }
    writeln!(out)?;
    findings(report, width, out)
}

/// Writes the one line that says how `check` ended.
///
/// # Errors
/// Those of `out`.
pub fn check_line(check: &CheckReport, out: &mut dyn Write) -> io::Result<()> {
    let known = if check.is_known_failure() { " (known)" } else { "" };
    let style = if known.is_empty() { style(check.outcome) } else { ODD };
    let (outcome, id, name) = (check.outcome, one_line(&check.id), one_line(&check.name));
    let time = duration(check.duration_us);
    writeln!(out, "{style}{outcome:<11}{style:#} {STRONG}{id}{STRONG:#}  {name}{known}  {KEY}{time}{KEY:#}")
}

fn target(report: &Report, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let target = &report.target;
    let names = |present| {
        let chosen = target.capabilities.iter().filter(|capability| capability.present == present);
        chosen.map(|capability| capability.name.as_str()).collect::<Vec<_>>().join(", ")
    };
    row(out, 0, "target", lines(&target.path))?;
    optional(out, 0, "from", &target.origin)?;
    row(out, 0, "sha256", lines(&target.sha256))?;
    optional(out, 0, "claims version", &target.claimed_version)?;
    if !target.lacks.is_empty() {
        let lacks = format!("{}, which every release that claims this version has", parts(&target.lacks));
        row(out, 0, "but lacks", wrapped(&lacks, width))?;
    }
    for (key, names) in [("has", names(true)), ("lacks", names(false))] {
        if !names.is_empty() {
            row(out, 0, key, wrapped(&names, width))?;
        }
    }
    let required = report.demands.required.join(", ");
    if !required.is_empty() {
        row(out, 0, "required", wrapped(&required, width))?;
    }
    if !report.demands.missing.is_empty() {
        row(out, 0, "missing", wrapped(&parts(&report.demands.missing), width))?;
    }
    if let Some(progress) = progress(report) {
        row(out, 0, "progress", wrapped(&progress, width))?;
    }
    writeln!(out)
}

/// Parts of the ABI in a sentence: each kind once, with the first few of its parts.
fn parts(parts: &[String]) -> String {
    let mut kinds: Vec<(&str, Vec<&str>)> = Vec::new();
    for part in parts {
        let name = part.rsplit(' ').next().unwrap_or(part);
        let kind = part.strip_suffix(name).unwrap_or_default();
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, names)) => names.push(name),
            None => kinds.push((kind, vec![name])),
        }
    }
    let told = |(kind, names): (&str, Vec<&str>)| {
        let (named, others) = names.split_at(names.len().min(NAMED));
        let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
        format!("{kind}{}{more}", named.join(", "))
    };
    kinds.into_iter().map(told).collect::<Vec<_>>().join("; ")
}

/// How far an unfinished target has come, and what to do next.
fn progress(report: &Report) -> Option<String> {
    let (there, all) = report.target.core_functions();
    let next = report.summary.blockers.first().map(|blocker| {
        let part = blocker.part.strip_prefix("function ").unwrap_or(&blocker.part);
        format!("next: {part} unblocks {}", counted(blocker.checks.len(), "check"))
    });
    let functions = (there > 0 && (there < all || next.is_some())).then(|| format!("{there} of {all} core functions"));
    let told: Vec<_> = functions.into_iter().chain(next).collect();
    (!told.is_empty()).then(|| told.join("; "))
}

fn findings(report: &Report, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let strict = report.run.strict;
    let shown = |check: &&CheckReport| {
        check.outcome != Outcome::Blocked && check.breaks_conformance(strict) || check.outcome == Outcome::Error
    };
    for checks in by_clause(report.checks.iter().filter(shown)) {
        block(report, checks[0], width, out)?;
        for check in &checks[1..] {
            let also = format!("{} ({}): {}", check.id, ended(check), check.message());
            row(out, BODY, "also", vec![one_line(&also)])?;
        }
        writeln!(out)?;
    }
    blocked(report, width, out)?;
    unsupported(&report.checks, width, out)?;
    remarks(report, out)?;
    differences(report, out)?;
    known_failures(&report.checks, out)?;
    untrue(&report.demands.untrue, out)?;
    totals(report, out)?;
    verdict(report, out)
}

/// The checks with those of one clause side by side, each clause where its first check stands in the specification.
fn by_clause<'a>(checks: impl Iterator<Item = &'a CheckReport>) -> Vec<Vec<&'a CheckReport>> {
    let mut groups: Vec<Vec<&CheckReport>> = Vec::new();
    for check in checks {
        let same = |group: &&mut Vec<&CheckReport>| title_of(group[0]) == title_of(check) && check.broken.is_some();
        match groups.iter_mut().find(same) {
            Some(group) => group.push(check),
            None => groups.push(vec![check]),
        }
    }
    groups.sort_by_key(|group| clause::clauses().position(|clause| clause.id == title_of(group[0])));
    groups
}

/// The clause that a block is about, or what stands in its place.
fn title_of(check: &CheckReport) -> &str {
    let broken = check.broken.as_ref().map(|broken| &broken.clause);
    broken.into_iter().chain(&check.clauses).find(|id| !id.is_empty()).unwrap_or(&check.id)
}

/// Who, where, value, expectation, why it matters, and how to see it again.
pub(crate) fn block(report: &Report, check: &CheckReport, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let broken = check.broken.clone().unwrap_or_default();
    let id = title_of(check);
    let clause = clause::find(id);

    title(check.outcome, id, clause, out)?;
    let level = if check.level == Level::Should { " (SHOULD)" } else { "" };
    row(out, BODY, "check", lines(&format!("{}: {}{level}", check.id, check.name)))?;
    // Where the parts of the message follow one by one, it would only say them twice.
    if broken.what.is_none() {
        row(out, BODY, "message", lines(check.message()))?;
    }
    for line in place(&broken) {
        writeln!(out, "{:BODY$}{line}", "")?;
    }
    optional(out, DETAIL, "where", &broken.place)?;
    optional(out, DETAIL, "what", &broken.what)?;
    compare(out, broken.expected.as_deref(), broken.got.as_deref())?;
    for (n, dump) in broken.bytes.iter().enumerate() {
        row(out, DETAIL, if n == 0 { "bytes" } else { "" }, hex(dump))?;
    }
    optional(out, BODY, "note", &broken.note)?;
    let unsteady = check.unsteady().map(|runs| format!("{runs}; that it failed at all counts"));
    optional(out, BODY, "unsteady", &unsteady)?;
    optional(out, BODY, "output", &check.output)?;
    if let Some(clause) = clause {
        row(out, BODY, "why", wrapped(&clause.why, width))?;
    }
    let explain = clause.map(|clause| format!("{} explain {} · ", report.tool.name, clause.id)).unwrap_or_default();
    row(out, BODY, "see", lines(&format!("{explain}rerun: {}", check.rerun)))?;
    row(out, BODY, "debug", lines(&check.debugger()))
}

/// The outcome of a check, and how often it came to it if not each time.
fn ended(check: &CheckReport) -> String {
    let unsteady = check.unsteady().map(|runs| format!(", {runs}")).unwrap_or_default();
    format!("{}{unsteady}", check.outcome)
}

fn title(outcome: Outcome, id: &str, clause: Option<&Clause>, out: &mut dyn Write) -> io::Result<()> {
    let (style, label, id) = (style(outcome), outcome.as_str().to_uppercase(), one_line(id));
    write!(out, "{style}{label:<4}{style:#}  {STRONG}{id}{STRONG:#}")?;
    match clause {
        Some(clause) => writeln!(out, "  {}", joined(&escape(&clause.text))),
        None => writeln!(out),
    }
}

/// The call, and the signal that ended it.
fn place(broken: &Evidence) -> Vec<String> {
    match (&broken.signal, &broken.call) {
        (Some(signal), Some(call)) => lines(&format!("{signal} in {call}")),
        (Some(one), None) | (None, Some(one)) => lines(one),
        (None, None) => Vec::new(),
    }
}

/// Two values in the same column, with what differs in them set off.
fn compare(out: &mut dyn Write, expected: Option<&str>, got: Option<&str>) -> io::Result<()> {
    let (expected_lines, got_lines) = (expected.map(lines).unwrap_or_default(), got.map(lines).unwrap_or_default());
    if expected.is_some() {
        row(out, DETAIL, "expected", marked(&expected_lines, &got_lines, GOOD))?;
    }
    if got.is_some() {
        row(out, DETAIL, "got", marked(&got_lines, &expected_lines, BAD))?;
    }
    Ok(())
}

/// Each line of `value`, in `style` from the first character that is not that of `other`.
fn marked(value: &[String], other: &[String], style: Style) -> Vec<String> {
    let mark = |(n, line): (usize, &String)| {
        let other = other.get(n).map_or("", String::as_str);
        let equal = line.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
        let (same, different) = line.split_at(equal);
        if different.is_empty() { line.clone() } else { format!("{same}{style}{different}{style:#}") }
    };
    value.iter().enumerate().map(mark).collect()
}

/// A dump as lines of two words of eight bytes.
fn hex(dump: &Dump) -> Vec<String> {
    let digits: Vec<char> = one_line(&dump.bytes).chars().collect();
    let bytes: Vec<String> = digits.chunks(2).map(String::from_iter).collect();
    let words: Vec<String> = bytes.chunks(8).map(|word| word.join(" ")).collect();
    let mut lines: Vec<String> = words.chunks(2).map(|pair| pair.join(" | ")).collect();
    if !dump.label.is_empty() {
        let label = format!("{KEY}({}){KEY:#}", one_line(&dump.label));
        match lines.last_mut() {
            Some(line) => *line = format!("{line}  {label}"),
            None => lines.push(label),
        }
    }
    lines
}

/// What the target has to have and lacks, once for each part, with the areas whose checks wait for it.
fn blocked(report: &Report, width: usize, out: &mut dyn Write) -> io::Result<()> {
    for blocker in &report.summary.blockers {
        let (part, count) = (one_line(&blocker.part), counted(blocker.checks.len(), "check"));
        writeln!(out, "{BAD}BLOCKED{BAD:#}  {STRONG}{part}{STRONG:#} is missing: {count} cannot run without it")?;
        let mut areas: BTreeMap<&str, usize> = BTreeMap::new();
        for check in &blocker.checks {
            *areas.entry(check.split('.').next().unwrap_or(check)).or_default() += 1;
        }
        let areas: Vec<_> = areas.into_iter().map(|(area, count)| format!("{area} {count}")).collect();
        for line in wrap(&one_line(&areas.join(", ")), width.saturating_sub(BODY)) {
            writeln!(out, "{:BODY$}{KEY}{line}{KEY:#}", "")?;
        }
    }
    if report.summary.blockers.is_empty() { Ok(()) } else { writeln!(out) }
}

/// What is not true in the list of known failures.
fn untrue(entries: &[String], out: &mut dyn Write) -> io::Result<()> {
    for entry in entries {
        writeln!(out, "{BAD}UNTRUE{BAD:#}  {}", one_line(entry))?;
    }
    if entries.is_empty() { Ok(()) } else { writeln!(out) }
}

/// What the target lacks and need not have, once for each reason, with the checks that had nothing to decide.
fn unsupported(checks: &[CheckReport], width: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut groups: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for check in checks.iter().filter(|check| check.outcome == Outcome::Unsupported) {
        groups.entry(one_line(check.message())).or_default().push(&check.id);
    }
    for (reason, ids) in &groups {
        writeln!(out, "{ODD}UNSUPPORTED{ODD:#}  {reason}: {}", counted(ids.len(), "check"))?;
        for line in wrap(&one_line(&ids.join(", ")), width.saturating_sub(BODY)) {
            writeln!(out, "{:BODY$}{KEY}{line}{KEY:#}", "")?;
        }
    }
    if groups.is_empty() { Ok(()) } else { writeln!(out) }
}

/// What is broken and does not count: a line for each, since the whole story can be had with a rerun.
fn remarks(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let strict = report.run.strict;
    let counts =
        |check: &&CheckReport| check.outcome.is_broken() && check.is_remark(strict) && !check.is_difference(strict);
    let remarks = report.checks.iter().filter(counts);
    let footer = "SHOULD clauses do not count against conformance; --strict has them count and tells more";
    remark_lines("SHOULD", remarks, footer, out)
}

/// Where the target does what no release does, and may.
fn differences(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let differs = |check: &&CheckReport| check.outcome.is_broken() && check.is_difference(report.run.strict);
    let differences = report.checks.iter().filter(differs);
    remark_lines("DIFFERS", differences, "the releases do otherwise, but nobody promises it: these are no defects", out)
}

fn remark_lines<'a>(
    label: &str,
    checks: impl Iterator<Item = &'a CheckReport>,
    footer: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut any = false;
    for check in checks {
        let clause = check.broken.as_ref().map_or("", |broken| &broken.clause);
        let (clause, id, message) = (one_line(clause), one_line(&check.id), one_line(check.message()));
        writeln!(out, "{ODD}{label}{ODD:#}  {STRONG}{clause}{STRONG:#}  {id} ({}): {message}", ended(check))?;
        any = true;
    }
    if any { writeln!(out, "{:8}{footer}\n", "") } else { Ok(()) }
}

fn known_failures(checks: &[CheckReport], out: &mut dyn Write) -> io::Result<()> {
    let mut any = false;
    for check in checks.iter().filter(|check| check.is_known_failure()) {
        let (id, reason) = (one_line(&check.id), one_line(check.known.as_deref().unwrap_or_default()));
        writeln!(out, "{ODD}KNOWN{ODD:#}  {STRONG}{id}{STRONG:#} ({}): {reason}", check.outcome)?;
        any = true;
    }
    if any { writeln!(out) } else { Ok(()) }
}

fn totals(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let Summary { counts, known, clauses_decided, .. } = &report.summary;
    let outcomes = Outcome::ALL.into_iter().filter(|&outcome| counts.of(outcome) > 0);
    let outcomes: Vec<_> = outcomes.map(|outcome| format!("{} {outcome}", counts.of(outcome))).collect();
    let mut parts = vec![counted(counts.total() as usize, "check")];
    if !outcomes.is_empty() {
        parts.push(outcomes.join(", "));
    }
    if *known > 0 {
        parts.push(format!("{known} known"));
    }
    parts.push(format!("{} decided", counted(*clauses_decided as usize, "clause")));
    parts.push(duration(report.run.duration_ms.saturating_mul(1000)));
    writeln!(out, "{}", parts.join(" · "))
}

fn verdict(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let summary = &report.summary;
    let profile = match report.run.profile.as_str() {
        "full" => String::new(),
        profile => format!(" to the profile {profile}"),
    };
    let (style, mut verdict) = match summary.exit_code {
        exit::CONFORMS if summary.known > 0 => {
            (GOOD, format!("conforms{profile}, but for {}", counted(summary.known as usize, "known failure")))
        }
        exit::CONFORMS => (GOOD, format!("conforms{profile}")),
        exit::DOES_NOT_CONFORM => (BAD, format!("does not conform{profile}: {}", reasons(report))),
        exit::NOTHING_RAN => (ODD, "no verdict: no check decided anything".to_owned()),
        exit::INTERRUPTED => (HARNESS, format!("no verdict: the run was interrupted; {}", reasons(report))),
        _ => {
            let failed = counted(summary.counts.error as usize, "check");
            (HARNESS, format!("no verdict: the harness failed in {failed}; {}", reasons(report)))
        }
    };
    let differences = summary.differences.len();
    if summary.remarks.len() > differences {
        verdict += &format!("; does not keep {}", counted(summary.remarks.len() - differences, "SHOULD clause"));
    }
    if differences > 0 {
        verdict += &format!("; differs from the releases in {}", counted(differences, "clause"));
    }
    if !report.target.lacks.is_empty() {
        verdict += &format!("; lacks {} of the version that it claims", counted(report.target.lacks.len(), "part"));
    }
    if report.run.ended == Ended::MaxFailures {
        verdict += "; stopped at the number of failures that was asked for";
    }
    writeln!(out, "{style}{}{style:#}", one_line(&verdict))
}

/// What speaks against the target.
fn reasons(report: &Report) -> String {
    let Summary { clauses_broken, blockers, .. } = &report.summary;
    let blocked: usize = blockers.iter().map(|blocker| blocker.checks.len()).sum();
    let (missing, untrue) = (report.demands.missing.len(), report.demands.untrue.len());
    let mut reasons = Vec::new();
    let mut reason = |count: usize, text: String| {
        if count > 0 {
            reasons.push(text);
        }
    };
    reason(missing, format!("{} required and missing", counted(missing, "part")));
    reason(clauses_broken.len(), broken_clauses(clauses_broken));
    reason(blocked, format!("{} blocked by {}", counted(blocked, "check"), counted(blockers.len(), "missing part")));
    reason(untrue, format!("{} not true", counted(untrue, "known failure")));
    if reasons.is_empty() { broken_clauses(clauses_broken) } else { reasons.join("; ") }
}

/// How many clauses are broken, and which: the first few by name.
fn broken_clauses(ids: &[String]) -> String {
    let (named, others) = ids.split_at(ids.len().min(NAMED));
    let count = counted(ids.len(), "clause");
    match (named.join(", "), others.len()) {
        (_, _) if ids.is_empty() => "no clause broken".to_owned(),
        (named, 0) => format!("{count} broken ({named})"),
        (named, more) => format!("{count} broken ({named} and {more} more)"),
    }
}

fn style(outcome: Outcome) -> Style {
    match outcome {
        Outcome::Pass => GOOD,
        Outcome::Unsupported => ODD,
        Outcome::Blocked | Outcome::Leak | Outcome::Fail | Outcome::Timeout | Outcome::Crash => BAD,
        Outcome::Error => HARNESS,
    }
}

/// A key in column `indent` and its value, every line of which begins in column [`VALUE`].
fn row(out: &mut dyn Write, indent: usize, key: &str, value: Vec<String>) -> io::Result<()> {
    let width = VALUE - indent;
    for (n, line) in value.iter().enumerate() {
        let key = if n == 0 { key } else { "" };
        writeln!(out, "{:indent$}{KEY}{key:<width$}{KEY:#}{line}", "")?;
    }
    Ok(())
}

fn optional(out: &mut dyn Write, indent: usize, key: &str, value: &Option<String>) -> io::Result<()> {
    value.as_ref().map_or(Ok(()), |value| row(out, indent, key, lines(value)))
}

/// The lines of a value, escaped; at least one.
fn lines(text: &str) -> Vec<String> {
    escape(text.strip_suffix('\n').unwrap_or(text)).split('\n').map(str::to_owned).collect()
}

/// Prose, escaped and wrapped to fit beside a key.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    wrap(&escape(text), width.saturating_sub(VALUE))
}

/// The words of `text` in lines of at most `width` columns, as far as single words allow.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let options = textwrap::Options::new(width)
        .break_words(false)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit);
    textwrap::wrap(&joined(text), options).into_iter().map(Cow::into_owned).collect()
}

/// The words of `text` on one line.
fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn counted(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// Microseconds in the unit that reads best.
fn duration(us: u64) -> String {
    match us {
        0..1_000 => format!("{us} µs"),
        1_000..1_000_000 => format!("{:.1} ms", us as f64 / 1e3),
        _ => format!("{:.2} s", us as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_wrapped_between_words() {
        assert_eq!(wrap("one two  three\nfour", 8), ["one two", "three", "four"]);
        assert_eq!(wrap("a-word-that-is-too-long b", 8), ["a-word-that-is-too-long", "b"]);
    }

    #[test]
    fn bytes_stand_in_words_of_eight() {
        let bytes: Vec<u8> = (0..20).collect();
        let lines = hex(&Dump::new("", &bytes));
        assert_eq!(lines, ["00 01 02 03 04 05 06 07 | 08 09 0a 0b 0c 0d 0e 0f", "10 11 12 13"]);
    }

    #[test]
    fn difference_is_set_off() {
        let (ours, theirs) = (vec!["größe = 11".to_owned()], vec!["größe = 12".to_owned()]);
        assert_eq!(marked(&ours, &theirs, BAD), [format!("größe = 1{BAD}1{BAD:#}")]);
        assert_eq!(marked(&ours, &ours, BAD), ours);
    }
}
