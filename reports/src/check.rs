//! The report of `check` as findings: what is broken clause by clause, what blocks checks, and what was asked for in vain.

use std::io::{self, Write};

use anstream::adapter::strip_str;
use maud::html;
use tvm_ffi_spec::clause;

use crate::{
    answer::Answer,
    findings::{Finding, Findings, Rule, Severity},
    html::{self, Section, Text},
    junit,
    layout::{Width, counted, joined},
    model::CheckReport,
    outcome::Outcome,
    report::Report,
    text,
};

/// What findings are about that are about no clause: an id, what has to hold, and why.
const RULES: [[&str; 3]; 5] = [
    [
        "blocked",
        "The target has what checks need, and lays it out as clients compile it in.",
        "Without it nothing can be said.",
    ],
    [
        "required",
        "The target has every part that it is required to have.",
        "What was released with a part is used with it.",
    ],
    [
        "known-failures",
        "Every entry of the list of known failures is true.",
        "What was mended may break again unnoticed.",
    ],
    ["harness", "The suite itself does not fail.", "What it says cannot be trusted otherwise."],
    ["interrupted", "The run comes to its end.", "What it says is not all that there is to say."],
];

impl Answer for Report {
    fn findings(&self) -> Findings {
        let findings = findings(self);
        let mut ids: Vec<&str> = Vec::new();
        for finding in &findings {
            if !ids.contains(&&*finding.rule) {
                ids.push(&finding.rule);
            }
        }
        Findings {
            tool: self.tool.clone(),
            command: "check".to_owned(),
            facts: facts(self),
            verdict: text::verdict_of(self).1,
            exit_code: self.exit_code(),
            rules: ids.into_iter().map(|id| rule(self, id)).collect(),
            findings,
        }
    }

    fn exit_code(&self) -> u8 {
        self.summary.exit_code
    }

    fn text(&self, width: Width, verbose: bool, out: &mut dyn Write) -> io::Result<()> {
        if verbose { text::render_verbose(self, width, out) } else { text::render(self, width, out) }
    }

    fn html(&self, out: &mut dyn Write) -> io::Result<()> {
        html::page(&self.findings(), &[areas(self), failures(self)], out)
    }

    fn junit(&self, out: &mut dyn Write) -> io::Result<()> {
        junit::render(self, out)
    }
}

/// How the checks of each area ended, in the order in which the areas come.
fn areas(report: &Report) -> Section {
    let ended: Vec<_> = Outcome::ALL.into_iter().filter(|outcome| report.summary.counts.of(*outcome) > 0).collect();
    let mut areas: Vec<(&str, Vec<Outcome>)> = Vec::new();
    for check in &report.checks {
        let area = check.id.split('.').next().unwrap_or(&check.id);
        match areas.iter_mut().find(|(known, _)| *known == area) {
            Some((_, outcomes)) => outcomes.push(check.outcome),
            None => areas.push((area, vec![check.outcome])),
        }
    }
    let row = |(area, outcomes): (&str, Vec<Outcome>)| {
        let count = |outcome: &Outcome| outcomes.iter().filter(|other| *other == outcome).count();
        let count = |outcome| Some(count(outcome)).filter(|count| *count > 0).map(|count| count.to_string());
        let counts = ended.iter().map(|outcome| count(outcome).unwrap_or_default());
        std::iter::once(html::plain(area)).chain(counts.map(|count| html::plain(&count))).collect()
    };
    let heads = std::iter::once("area").chain(ended.iter().map(|outcome| text::word(*outcome)));
    let heads: Vec<_> = heads.map(html::plain).collect();
    Section { title: "Areas".to_owned(), body: html::table(&heads, areas.into_iter().map(row)) }
}

/// Every check that is not met, with all that is known of it.
fn failures(report: &Report) -> Section {
    let shown = |check: &&CheckReport| check.outcome.is_unmet() || check.outcome == Outcome::Error;
    let details = |check: &CheckReport| {
        let mut block = Vec::new();
        text::block(report, check, Width::Unlimited, &mut block).expect("writing to memory does not fail");
        // Styles are for terminals.
        let block = strip_str(&String::from_utf8_lossy(&block)).to_string();
        let known = if check.is_known_failure() { " (known)" } else { "" };
        let summary = format!("{} {}{known}: {}", check.outcome, check.id, check.name);
        html! { details { summary { (Text(&summary)) } pre { (Text(&block)) } } "\n" }
    };
    let failed: Vec<_> = report.checks.iter().filter(shown).map(details).collect();
    let body = html! {
        @if failed.is_empty() { p { "No check found anything wrong." } }
        @for details in failed { (details) }
    };
    Section { title: "Checks that failed".to_owned(), body }
}

fn rule(report: &Report, id: &str) -> Rule {
    if let Some(rule) = rule_beside_clauses(id) {
        return rule;
    }
    let (text, why) =
        clause::find(id).map_or_else(Default::default, |clause| (joined(&clause.text), joined(&clause.why)));
    Rule { id: id.to_owned(), text, why, help: Some(format!("{} explain {id}", report.tool.name)) }
}

/// That of these rules which has the id.
pub(crate) fn rule_beside_clauses(id: &str) -> Option<Rule> {
    RULES.into_iter().find(|[rule, ..]| *rule == id).map(|[id, text, why]| Rule::new(id, text, why))
}

fn findings(report: &Report) -> Vec<Finding> {
    let in_target = |finding: Finding| finding.in_file(&report.target.path);
    let broken = report.checks.iter().filter(|check| check.outcome.is_broken()).map(|check| broken(report, check));
    let of_target = missing(report).chain(broken).chain(blocked(report)).map(in_target);
    of_target.chain(of_run(report)).collect()
}

/// What keeps a report from a good end beside its checks' outcomes: what is asked for in vain, and what is wrong with the run.
pub(crate) fn beside_checks(report: &Report) -> impl Iterator<Item = Finding> {
    missing(report).chain(of_run(report))
}

fn missing(report: &Report) -> impl Iterator<Item = Finding> {
    report.demands.missing.iter().map(|part| {
        Finding::new("required", Severity::Error, format!("{part} is required and missing")).about(part.clone())
    })
}

fn of_run(report: &Report) -> impl Iterator<Item = Finding> {
    let error = |rule: &'static str| move |message: String| Finding::new(rule, Severity::Error, message);
    let failed = report.checks.iter().filter(|check| check.outcome == Outcome::Error);
    let failed = failed.map(|check| format!("{}: {}", check.id, check.message())).map(error("harness"));
    let cut_short = report.run.ended.cut_short().map(|why| Finding::new("interrupted", Severity::Error, why));
    report.demands.untrue.iter().cloned().map(error("known-failures")).chain(failed).chain(cut_short)
}

fn broken(report: &Report, check: &CheckReport) -> Finding {
    let evidence = check.broken.as_ref();
    let strict = report.run.strict;
    let severity = if check.breaks_conformance(strict) || check.is_known_failure() {
        Severity::Error
    } else if check.is_difference(strict) {
        Severity::Note
    } else {
        Severity::Warning
    };
    let named = evidence.map(|evidence| &evidence.clause).filter(|clause| !clause.is_empty());
    let rule = named.or(check.clauses.first()).unwrap_or(&check.id);
    let call = evidence.and_then(|evidence| evidence.call.as_ref());
    let signal = evidence.and_then(|evidence| evidence.signal.as_ref());
    let told = [signal, call].into_iter().flatten().map(|part| format!("; {part}")).collect::<String>();
    let unsteady = check.unsteady().map(|runs| format!(" ({runs})")).unwrap_or_default();
    let message = format!("{}: {}: {}{unsteady}{told}", check.id, check.outcome, check.message());
    let function = call.and_then(|call| call.split_once('(')).map(|(function, _)| function.to_owned());
    Finding { symbol: function, known: check.known.clone(), ..Finding::new(rule, severity, message) }
}

/// One for each part or layout that checks wait for.
fn blocked(report: &Report) -> impl Iterator<Item = Finding> {
    report.summary.blockers.iter().map(|blocker| {
        let mut waiting = report.checks.iter().filter(|check| blocker.checks.contains(&check.id));
        let counts = waiting.any(|check| check.breaks_conformance(report.run.strict));
        let severity = if counts { Severity::Error } else { Severity::Warning };
        let checks = counted(blocker.checks.len(), "check");
        let message = match blocker.is_layout() {
            true => {
                format!("{} does not lie in memory as it has to: {checks} failed after looking at it", blocker.part)
            }
            false => format!("{} is missing: {checks} cannot run without it", blocker.part),
        };
        Finding::new("blocked", severity, message).about(blocker.part.clone())
    })
}

fn facts(report: &Report) -> Vec<(&'static str, String)> {
    let target = &report.target;
    let release = (!target.releases.is_empty()).then(|| target.releases.join(" and "));
    let optional =
        [("from", target.origin.clone()), ("release", release), ("claims version", target.claimed_version.clone())];
    let mut facts = vec![("target", target.path.clone()), ("sha256", target.sha256.clone())];
    facts.extend(optional.into_iter().filter_map(|(key, value)| Some((key, value?))));
    facts.extend((!report.demands.required.is_empty()).then(|| ("required", report.demands.required.join(", "))));
    facts.push(("profile", report.run.profile.clone()));
    facts.push(("checks", text::totals_of(report)));
    facts.push(("seed", report.run.seed.to_string()));
    facts
}
