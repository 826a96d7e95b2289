//! A report for people.
//!
//! First the target and what it lacks, then a block for every broken clause in the order of the specification, in which what
//! others rest on comes first, then what blocks checks, what is not applicable, a line for each clause that need not be kept
//! and is not, the known failures, the numbers, and the verdict last, where a terminal leaves the eye. Styles are written as
//! ANSI escapes; whoever owns the stream strips them where they do not belong (`anstream` does).

use std::collections::BTreeMap;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use tvm_ffi_spec::clause::{self, Clause, Level};
use tvm_ffi_spec::part::Kind;

use crate::escape::{escape, one_line};
use crate::exit;
use crate::failure::{Dump, Evidence, Program};
use crate::layout::{KEY, Width, beside_a_key, counted, joined, lines, optional, prose, row, statement, verbatim};
use crate::model::{CheckReport, Ended};
use crate::outcome::Outcome;
use crate::report::Report;
use crate::style::{BAD, GOOD, ODD, STRONG};
use crate::summary::{Counts, Summary};

const HARNESS: Style = AnsiColor::Magenta.on_default().bold();

/// The column in which what a block says of its check begins.
const BODY: usize = 6;
/// The column in which what a block says of a call begins.
const DETAIL: usize = 8;
/// How many broken clauses the verdict names, and how many parts of a kind the head.
const NAMED: usize = 12;

/// Writes `report`, with a block for every check that does not pass, laid out for that width.
///
/// # Errors
/// Those of `out`.
pub fn render(report: &Report, width: Width, out: &mut dyn Write) -> io::Result<()> {
    target(report, width, out)?;
    findings(report, width, out)
}

/// Writes `report` like [`render`], with a line for every check as well.
///
/// # Errors
/// Those of `out`.
pub fn render_verbose(report: &Report, width: Width, out: &mut dyn Write) -> io::Result<()> {
    target(report, width, out)?;
    for check in &report.checks {
        check_line(check, width, out)?;
    }
    writeln!(out)?;
    findings(report, width, out)
}

/// Writes the statement that says how `check` ended.
///
/// # Errors
/// Those of `out`.
pub fn check_line(check: &CheckReport, width: Width, out: &mut dyn Write) -> io::Result<()> {
    let known = if check.is_known_failure() { " (known)" } else { "" };
    let style = if known.is_empty() { style(check.outcome) } else { ODD };
    let (outcome, id, name) = (word(check.outcome), one_line(&check.id), one_line(&check.name));
    let time = duration(check.duration_us);
    let lead = format!("{style}{outcome:<14}{style:#} {STRONG}{id}{STRONG:#}  ");
    statement(out, width, BODY, &lead, &format!("{name}{known}  {KEY}{time}{KEY:#}"))
}

/// An outcome as people read it.
pub(crate) fn word(outcome: Outcome) -> &'static str {
    if outcome == Outcome::Unsupported { "not applicable" } else { outcome.as_str() }
}

fn target(report: &Report, width: Width, out: &mut dyn Write) -> io::Result<()> {
    let target = &report.target;
    let names = |present| {
        let chosen = target.capabilities.iter().filter(|capability| capability.present == present);
        chosen.map(|capability| capability.name.as_str()).collect::<Vec<_>>().join(", ")
    };
    row(out, width, 0, "target", &lines(&target.path))?;
    optional(out, width, 0, "from", &target.origin)?;
    let yanked = |release: String| if target.yanked { format!("{release}, which was yanked") } else { release };
    if !target.releases.is_empty() {
        optional(out, width, 0, "release", &target.release().map(yanked))?;
    }
    row(out, width, 0, "sha256", &lines(&target.sha256))?;
    if let Some(generation) = &target.generation {
        row(out, width, 0, "generation", &beside_a_key(generation, width))?;
    }
    for library in &target.beside {
        let told = format!(
            "{library}: clients of the process find the functions of whichever was loaded first, and misread objects of the other"
        );
        row(out, width, 0, "beside", &beside_a_key(&told, width))?;
    }
    let claim = target.claimed_version.clone();
    let claim = if target.releases.is_empty() { claim.map(yanked) } else { claim };
    optional(out, width, 0, "claims version", &claim)?;
    if !target.sanitizers.is_empty() {
        row(out, width, 0, "sanitizer", &beside_a_key(&target.sanitizers.join(", "), width))?;
    }
    if !target.lacks.is_empty() {
        let lacks = format!("{}, which every release that claims this version has", parts(&target.lacks));
        row(out, width, 0, "but lacks", &beside_a_key(&lacks, width))?;
    }
    // Capabilities, and how far a library has come, are today's.
    let is_todays = target.generation.is_none();
    for (key, names) in [("has", names(true)), ("lacks", names(false))] {
        if is_todays && !names.is_empty() {
            row(out, width, 0, key, &beside_a_key(&names, width))?;
        }
    }
    let required = report.demands.required.join(", ");
    if !required.is_empty() {
        row(out, width, 0, "required", &beside_a_key(&required, width))?;
    }
    if !report.demands.missing.is_empty() {
        row(out, width, 0, "missing", &beside_a_key(&parts(&report.demands.missing), width))?;
    }
    if let Some(progress) = progress(report).filter(|_| is_todays) {
        row(out, width, 0, "progress", &beside_a_key(&progress, width))?;
    }
    writeln!(out)
}

/// Parts of the ABI in a sentence: each kind once, with the first few of its parts.
fn parts(parts: &[String]) -> String {
    let mut kinds: Vec<(&str, Vec<&str>)> = Vec::new();
    for part in parts {
        let name = match Kind::and_name(part) {
            Some((_, name)) => name,
            None => part.rsplit(' ').next().unwrap_or(part),
        };
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
        let part = Kind::Function.name_in(&blocker.part).unwrap_or(&blocker.part);
        format!("next: {part} unblocks {}", counted(blocker.checks.len(), "check"))
    });
    let functions = (there > 0 && (there < all || next.is_some())).then(|| format!("{there} of {all} core functions"));
    let told: Vec<_> = functions.into_iter().chain(next).collect();
    (!told.is_empty()).then(|| told.join("; "))
}

fn findings(report: &Report, width: Width, out: &mut dyn Write) -> io::Result<()> {
    let strict = report.run.strict;
    let shown = |check: &&CheckReport| {
        check.outcome != Outcome::Blocked && check.breaks_conformance(strict) || check.outcome == Outcome::Error
    };
    for checks in by_clause(report.checks.iter().filter(shown)) {
        block(report, checks[0], width, out)?;
        for check in &checks[1..] {
            let also = format!("{} ({}): {}", check.id, ended(check), check.message());
            row(out, width, BODY, "also", &[one_line(&also)])?;
        }
        writeln!(out)?;
    }
    blocked(report, width, out)?;
    not_applicable(&report.checks, width, out)?;
    remarks(report, width, out)?;
    differences(report, width, out)?;
    known_failures(&report.checks, width, out)?;
    untrue(&report.demands.untrue, width, out)?;
    totals(report, width, out)?;
    verdict(report, width, out)
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
pub(crate) fn block(report: &Report, check: &CheckReport, width: Width, out: &mut dyn Write) -> io::Result<()> {
    let broken = check.broken.clone().unwrap_or_default();
    let id = title_of(check);
    let clause = clause::find(id);

    title(check.outcome, id, clause, width, out)?;
    let level = if check.level == Level::Should { " (SHOULD)" } else { "" };
    row(out, width, BODY, "check", &lines(&format!("{}: {}{level}", check.id, check.name)))?;
    // Where the parts of the message follow one by one, it would only say them twice.
    if broken.what.is_none() {
        row(out, width, BODY, "message", &lines(check.message()))?;
    }
    for line in place(&broken) {
        statement(out, width, DETAIL, &" ".repeat(BODY), &line)?;
    }
    optional(out, width, DETAIL, "where", &broken.place)?;
    if !broken.sanitizer.is_empty() {
        row(out, width, DETAIL, "sanitizer", &lines(&broken.sanitizer.join("\n")))?;
    }
    optional(out, width, DETAIL, "what", &broken.what)?;
    compare(out, width, broken.expected.as_deref(), broken.got.as_deref())?;
    for (n, dump) in broken.bytes.iter().enumerate() {
        row(out, width, DETAIL, if n == 0 { "bytes" } else { "" }, &hex(dump))?;
    }
    optional(out, width, BODY, "note", &broken.note)?;
    let unsteady = check.unsteady().map(|runs| format!("{runs}; that it failed at all counts"));
    optional(out, width, BODY, "unsteady", &unsteady)?;
    optional(out, width, BODY, "output", &check.output)?;
    if let Some(clause) = clause {
        row(out, width, BODY, "why", &beside_a_key(&clause.why, width))?;
    }
    if let Some(clause) = clause {
        verbatim(out, BODY, "see", &format!("{} explain {}", report.tool.name, clause.id))?;
    }
    verbatim(out, BODY, "rerun", &check.rerun)?;
    if let Some(program) = broken.program.as_ref() {
        match &program.file {
            Some(file) => verbatim(out, BODY, "program", file)?,
            None => optional(out, width, BODY, "program", &told(program))?,
        }
    }
    verbatim(out, BODY, "debug", &check.debugger())
}

/// How to have the program that repeats a failure, or why there is none.
fn told(program: &Program) -> Option<String> {
    match program {
        Program { source: Some(_), .. } => Some("--programs DIR writes one in C that repeats this".to_owned()),
        Program { left_out: Some(why), .. } => Some(format!("none in C: {why}")),
        _ => None,
    }
}

/// The outcome of a check, and how often it came to it if not each time.
fn ended(check: &CheckReport) -> String {
    let unsteady = check.unsteady().map(|runs| format!(", {runs}")).unwrap_or_default();
    format!("{}{unsteady}", word(check.outcome))
}

fn title(outcome: Outcome, id: &str, clause: Option<&Clause>, width: Width, out: &mut dyn Write) -> io::Result<()> {
    let (style, label, id) = (style(outcome), outcome.as_str().to_uppercase(), one_line(id));
    let lead = format!("{style}{label:<4}{style:#}  {STRONG}{id}{STRONG:#}");
    let sentence = clause.map(|clause| format!("  {}", joined(&escape(&clause.text)))).unwrap_or_default();
    statement(out, width, BODY, &lead, &sentence)
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
fn compare(out: &mut dyn Write, width: Width, expected: Option<&str>, got: Option<&str>) -> io::Result<()> {
    let (expected_lines, got_lines) = (expected.map(lines).unwrap_or_default(), got.map(lines).unwrap_or_default());
    if expected.is_some() {
        row(out, width, DETAIL, "expected", &marked(&expected_lines, &got_lines, GOOD))?;
    }
    if got.is_some() {
        row(out, width, DETAIL, "got", &marked(&got_lines, &expected_lines, BAD))?;
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

/// What the target has to have and lacks or lays out otherwise, once each, with the areas whose checks wait for it.
fn blocked(report: &Report, width: Width, out: &mut dyn Write) -> io::Result<()> {
    for blocker in &report.summary.blockers {
        let (part, count) = (one_line(&blocker.part), counted(blocker.checks.len(), "check"));
        let lead = format!("{BAD}BLOCKED{BAD:#}  {STRONG}{part}{STRONG:#} ");
        let why = match blocker.is_layout() {
            true => format!("does not lie in memory as it has to: {count} failed right after looking at it"),
            false => format!("is missing: {count} cannot run without it"),
        };
        statement(out, width, BODY, &lead, &why)?;
        let mut areas: BTreeMap<&str, usize> = BTreeMap::new();
        for check in &blocker.checks {
            *areas.entry(check.split('.').next().unwrap_or(check)).or_default() += 1;
        }
        let areas: Vec<_> = areas.into_iter().map(|(area, count)| format!("{area} {count}")).collect();
        prose(out, width, BODY, &one_line(&areas.join(", ")))?;
    }
    if report.summary.blockers.is_empty() { Ok(()) } else { writeln!(out) }
}

/// What is not true in the list of known failures.
fn untrue(entries: &[String], width: Width, out: &mut dyn Write) -> io::Result<()> {
    for entry in entries {
        statement(out, width, BODY, &format!("{BAD}UNTRUE{BAD:#}  "), &one_line(entry))?;
    }
    if entries.is_empty() { Ok(()) } else { writeln!(out) }
}

/// Which rules are not in force for the target, once for each reason.
fn not_applicable(checks: &[CheckReport], width: Width, out: &mut dyn Write) -> io::Result<()> {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for check in checks.iter().filter(|check| check.outcome == Outcome::Unsupported) {
        *reasons.entry(check.message()).or_default() += 1;
    }
    for (reason, count) in &reasons {
        let told = format!("{}: {}", one_line(reason), counted(*count, "check"));
        statement(out, width, BODY, &format!("{ODD}NOT APPLICABLE{ODD:#}  "), &told)?;
    }
    if reasons.is_empty() { Ok(()) } else { writeln!(out) }
}

/// What is broken and does not count.
fn remarks(report: &Report, width: Width, out: &mut dyn Write) -> io::Result<()> {
    let strict = report.run.strict;
    let counts =
        |check: &&CheckReport| check.outcome.is_broken() && check.is_remark(strict) && !check.is_difference(strict);
    let remarks = report.checks.iter().filter(counts);
    let footer = "SHOULD clauses do not count against conformance; --strict has them count and tells more";
    remark_groups("SHOULD", remarks, footer, width, out)
}

/// Where the target does what no release does, and may.
fn differences(report: &Report, width: Width, out: &mut dyn Write) -> io::Result<()> {
    let differs = |check: &&CheckReport| check.outcome.is_broken() && check.is_difference(report.run.strict);
    let differences = report.checks.iter().filter(differs);
    let footer = "the releases do otherwise, but nobody promises it: these are no defects";
    remark_groups("DIFFERS", differences, footer, width, out)
}

/// A statement for each clause, since the whole story can be had with a rerun: what it says, and how many checks ended how.
fn remark_groups<'a>(
    label: &str,
    checks: impl Iterator<Item = &'a CheckReport>,
    footer: &str,
    width: Width,
    out: &mut dyn Write,
) -> io::Result<()> {
    let groups = by_clause(checks);
    for group in &groups {
        let id = title_of(group[0]);
        let sentence = clause::find(id).map_or(group[0].message(), |clause| &clause.text);
        let lead = format!("{ODD}{label}{ODD:#}  {STRONG}{}{STRONG:#}  ", one_line(id));
        let ends = match group.as_slice() {
            [check] => ended(check),
            _ => outcomes(group.iter().map(|check| check.outcome)),
        };
        statement(out, width, DETAIL, &lead, &format!("{} ({ends})", joined(&escape(sentence))))?;
    }
    if groups.is_empty() {
        return Ok(());
    }
    statement(out, width, DETAIL, &" ".repeat(DETAIL), footer)?;
    writeln!(out)
}

/// How many checks ended how; of a single one only how.
fn outcomes(ends: impl Iterator<Item = Outcome>) -> String {
    let counts: Counts = ends.collect();
    let there = Outcome::ALL.into_iter().filter(|&outcome| counts.of(outcome) > 0);
    let told = |outcome| match counts.total() {
        1 => word(outcome).to_owned(),
        _ => format!("{} {}", counts.of(outcome), word(outcome)),
    };
    there.map(told).collect::<Vec<_>>().join(", ")
}

/// What is broken and known: a statement for each clause and reason.
fn known_failures(checks: &[CheckReport], width: Width, out: &mut dyn Write) -> io::Result<()> {
    let mut reasons: Vec<(&str, &str, Vec<Outcome>)> = Vec::new();
    for check in checks.iter().filter(|check| check.is_known_failure()) {
        let (id, reason) = (title_of(check), check.known.as_deref().unwrap_or_default());
        match reasons.iter_mut().find(|(clause, known, _)| (*clause, *known) == (id, reason)) {
            Some((_, _, ends)) => ends.push(check.outcome),
            None => reasons.push((id, reason, vec![check.outcome])),
        }
    }
    for (id, reason, ends) in &reasons {
        let lead = format!("{ODD}KNOWN{ODD:#}  {STRONG}{}{STRONG:#}  ", one_line(id));
        statement(out, width, DETAIL, &lead, &format!("{} ({})", one_line(reason), outcomes(ends.iter().copied())))?;
    }
    if reasons.is_empty() { Ok(()) } else { writeln!(out) }
}

fn totals(report: &Report, width: Width, out: &mut dyn Write) -> io::Result<()> {
    statement(out, width, 0, "", &totals_of(report))
}

/// The numbers behind the verdict, on one line.
pub(crate) fn totals_of(report: &Report) -> String {
    let Summary { counts, known, clauses_decided, .. } = &report.summary;
    let mut parts = vec![counted(counts.total() as usize, "check")];
    if counts.total() > 0 {
        parts.push(outcomes(report.checks.iter().map(|check| check.outcome)));
    }
    if *known > 0 {
        parts.push(format!("{known} known"));
    }
    parts.push(format!("{} decided", counted(*clauses_decided as usize, "clause")));
    parts.push(duration(report.run.duration_ms.saturating_mul(1000)));
    parts.join(" · ")
}

fn verdict(report: &Report, width: Width, out: &mut dyn Write) -> io::Result<()> {
    let (style, verdict) = verdict_of(report);
    statement(out, width, 0, "", &format!("{style}{}{style:#}", one_line(&verdict)))
}

/// The verdict on one line, and the style that it is shown in.
pub(crate) fn verdict_of(report: &Report) -> (Style, String) {
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
        exit::INTERRUPTED => {
            let why = report.run.ended.cut_short().unwrap_or_default();
            (HARNESS, format!("no verdict: {why}; {}", reasons(report)))
        }
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
    if let (true, Some(release)) = (report.target.yanked, report.target.release()) {
        verdict += &format!("; {release} was yanked");
    }
    if report.run.ended == Ended::MaxFailures {
        verdict += "; stopped at the number of failures that was asked for";
    }
    (style, verdict)
}

/// What speaks against the target.
fn reasons(report: &Report) -> String {
    let Summary { clauses_broken, blockers, .. } = &report.summary;
    let blocked_by = |layout: bool| {
        let blockers: Vec<_> = blockers.iter().filter(|blocker| blocker.is_layout() == layout).collect();
        (blockers.iter().map(|blocker| blocker.checks.len()).sum::<usize>(), blockers.len())
    };
    let ((blocked, parts), (misled, layouts)) = (blocked_by(false), blocked_by(true));
    let (missing, untrue) = (report.demands.missing.len(), report.demands.untrue.len());
    let mut reasons = Vec::new();
    let mut reason = |count: usize, text: String| {
        if count > 0 {
            reasons.push(text);
        }
    };
    reason(missing, format!("{} required and missing", counted(missing, "part")));
    reason(clauses_broken.len(), broken_clauses(clauses_broken));
    reason(blocked, format!("{} blocked by {}", counted(blocked, "check"), counted(parts, "missing part")));
    reason(misled, format!("{} blocked by {}", counted(misled, "check"), counted(layouts, "broken layout")));
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
