//! A comparison for people: the two libraries, what differs in groups with the worst first, what could not be compared, the
//! numbers, and the verdict last.

use std::io::{self, Write};

use anstyle::Style;

use super::{Comparison, Difference, Effect, Side, Verdict};
use crate::{
    escape::one_line,
    exit,
    layout::{KEY, Width, counted, lines, row, statement},
    style::{BAD, GOOD, ODD, STRONG},
};

/// The column in which the second line of a difference begins.
const INDENT: usize = 8;

/// Writes the comparison, laid out for that width.
///
/// # Errors
/// Those of `out`.
pub(super) fn render(comparison: &Comparison, width: Width, out: &mut dyn Write) -> io::Result<()> {
    side("old", &comparison.old, width, out)?;
    side("new", &comparison.new, width, out)?;
    writeln!(out)?;
    for effect in Effect::ALL {
        let group: Vec<_> = comparison.differences.iter().filter(|difference| difference.effect == effect).collect();
        if group.is_empty() {
            continue;
        }
        let style = if effect.is_breaking() { BAD } else { STRONG };
        writeln!(out, "{style}{} ({}){style:#}", title(effect), group.len())?;
        for difference in group {
            line(difference, width, out)?;
        }
        writeln!(out)?;
    }
    if !comparison.not_compared.is_empty() {
        writeln!(out, "{ODD}Could not be compared ({}){ODD:#}", comparison.not_compared.len())?;
        for told in &comparison.not_compared {
            statement(out, width, INDENT, "  ", &one_line(told))?;
        }
        writeln!(out)?;
    }
    numbers(comparison, width, out)?;
    let (style, verdict) = verdict_of(comparison);
    statement(out, width, 0, "", &format!("{style}{verdict}{style:#}"))
}

fn side(key: &str, side: &Side, width: Width, out: &mut dyn Write) -> io::Result<()> {
    row(out, width, 0, key, &lines(&side.name))?;
    row(out, width, 0, "", &lines(&identity(side)))
}

/// What tells a library from others.
pub(super) fn identity(side: &Side) -> String {
    let target = &side.target;
    let yanked = if target.yanked { ", which was yanked" } else { "" };
    let claim = target.claimed_version.as_ref().map(|version| format!("claims {version}"));
    let release = (!target.releases.is_empty()).then(|| format!("release {}{yanked}", target.releases.join(" and ")));
    let told: Vec<_> = release.into_iter().chain(claim).chain([format!("sha256 {}", target.sha256)]).collect();
    told.join(", ")
}

/// What a group is called.
fn title(effect: Effect) -> &'static str {
    match effect {
        Effect::BreaksPrebuiltAndSources => "Breaks prebuilt clients and sources",
        Effect::BreaksPrebuilt => "Breaks prebuilt clients",
        Effect::BreaksSources => "Breaks sources",
        Effect::Worse => "Promises that are kept no more",
        Effect::Addition => "Additions",
        Effect::Mended => "Promises that are kept now",
        Effect::Other => "Other differences",
    }
}

fn line(difference: &Difference, width: Width, out: &mut dyn Write) -> io::Result<()> {
    let Difference { kind, name, what, since, .. } = difference;
    let since = since.as_ref().map(|since| format!("  {KEY}since {since}{KEY:#}")).unwrap_or_default();
    let lead = format!("  {KEY}{kind:<13}{KEY:#}  {STRONG}{}{STRONG:#}  ", one_line(name));
    statement(out, width, INDENT, &lead, &format!("{}{since}", one_line(what)))
}

fn numbers(comparison: &Comparison, width: Width, out: &mut dyn Write) -> io::Result<()> {
    let Verdict { breaking, additions, mended, other, .. } = comparison.verdict;
    let both = |side: &&crate::comparison::Ran| comparison.new.checks.iter().any(|other| other.id == side.id);
    let checks = comparison.old.checks.iter().filter(both).count();
    let told = [
        format!("{breaking} breaking"),
        counted(additions as usize, "addition"),
        format!("{mended} mended"),
        format!("{other} other"),
        format!("{} not compared", comparison.not_compared.len()),
        counted(checks, "check"),
    ];
    statement(out, width, 0, "", &told.join(" · "))
}

/// The verdict in one line, and its style.
pub(super) fn verdict_of(comparison: &Comparison) -> (Style, String) {
    let Verdict { breaking, additions, mended, other, exit_code, .. } = comparison.verdict;
    let compared = if comparison.not_compared.is_empty() { "" } else { ", as far as it could be compared" };
    match exit_code {
        exit::HARNESS_FAILED => (ODD, "no verdict: the harness failed".to_owned()),
        exit::INTERRUPTED => (ODD, "no verdict: the run was interrupted".to_owned()),
        exit::NOTHING_RAN => (ODD, "no verdict: nothing was compared".to_owned()),
        _ if breaking > 0 => (BAD, format!("breaking: {}", counted(breaking as usize, "difference"))),
        _ if additions + mended + other == 0 => (GOOD, format!("no difference{compared}")),
        _ => (GOOD, format!("compatible{compared}")),
    }
}
