//! `tvm-ffi-verify list`: the checks, the clauses and the promises, all or some.

use std::io::{self, Write};

use serde::Serialize;
use tvm_ffi_reports::{
    exit,
    layout::{Width, joined, statement},
};
use tvm_ffi_spec::{
    clause::{self, Area, Basis, Clause, Level},
    generation::{TODAY, generations},
    layer::Layer,
    promise::{self, Promise},
};

use super::{
    choices::{ByBasis, ByGeneration, ByLayer, Format},
    names,
    output::{complain, print_json, print_with, width_of},
};
use crate::{
    checks,
    harness::plan::{self, Levels},
    trial::check::Check,
};

#[derive(clap::Args)]
pub struct Args {
    /// What to list
    #[arg(value_enum, default_value = "checks")]
    what: Listed,
    /// Only what has this text in it, in any case; repeatable, for several texts
    #[arg(long)]
    text: Vec<String>,
    /// Only what belongs to these areas, such as STR or string: comma-separated or repeated
    #[arg(long, value_delimiter = ',', value_parser = known_area)]
    area: Vec<String>,
    /// Only what is of this level
    #[arg(long, value_enum, default_value = "all", hide_possible_values = true, value_name = "must|should|all")]
    level: Levels,
    /// Only what rests on this: comma-separated or repeated
    #[arg(long, value_enum, value_delimiter = ',')]
    basis: Vec<ByBasis>,
    /// Only what belongs to these layers of the ABI and to no layer below; full is what belongs to no other:
    /// comma-separated or repeated
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        hide_possible_values = true,
        value_name = "c-abi|containers|reflection|modules|full"
    )]
    layer: Vec<ByLayer>,
    /// Only what holds for this generation of the ABI; promises are today's alone
    #[arg(long, value_enum, default_value = TODAY, hide_possible_values = true, value_name = "legacy|split|combined")]
    generation: ByGeneration,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Listed {
    /// Every check, with the clauses it decides
    Checks,
    /// Every clause
    Clauses,
    /// Every promise of a document or header, with the clauses that decide it
    Promises,
}

/// A check, as `list --format json` prints it.
#[derive(Serialize)]
struct CheckRow {
    id: &'static str,
    name: &'static str,
    level: Level,
    basis: Basis,
    clauses: &'static [&'static str],
}

pub fn list(args: &Args) -> u8 {
    match args.what {
        Listed::Checks => {
            let of = |generation| checks::of(generation).filter(|check| args.want_check(check)).map(row).collect();
            show(args, of, checks_text)
        }
        Listed::Clauses => {
            let of = |generation| clause::clauses_of(generation).filter(|clause| args.want_clause(clause)).collect();
            show(args, of, clauses_text)
        }
        Listed::Promises => {
            let of = |_| promise::promises().iter().filter(|promise| args.want_promise(promise)).collect();
            show(args, of, promises_text)
        }
    }
}

/// Prints what is found of the generation that is asked for; that it is nothing is said, too, and which other has some.
fn show<'a, T: Serialize>(
    args: &'a Args,
    of: impl Fn(&'a str) -> Vec<T>,
    text: fn(&[T], Width, &mut dyn Write) -> io::Result<()>,
) -> u8 {
    let found = of(args.generation());
    let code = match args.format {
        Format::Json => print_json(&found),
        Format::Text => print_with(|out| text(&found, width_of(io::stdout()), out)),
    };
    if !found.is_empty() || code != exit::CONFORMS {
        return code;
    }
    let others = generations().iter().filter(|other| !of(&other.name).is_empty());
    let others: Vec<_> = others.map(|other| format!("--generation {}", other.name)).collect();
    let advice = if others.is_empty() { String::new() } else { format!("; {} has some", others.join(" or ")) };
    complain(&format!("nothing matches{advice}"), exit::NOTHING_RAN)
}

impl Args {
    fn generation(&self) -> &str {
        &self.generation.0.name
    }

    fn want_check(&self, check: &Check) -> bool {
        let areas = check.clauses.iter().filter_map(|id| id.split('-').next()).chain(check.id.split('.').next());
        let mut texts = vec![check.id, check.name];
        texts.extend(check.clauses);
        self.has_text(&texts)
            && self.of_area(areas)
            && self.of_rank(plan::level(check), plan::basis(check))
            && check.clauses.iter().any(|id| self.of_layer(id))
    }

    fn want_clause(&self, clause: &Clause) -> bool {
        let Clause { id, text, source, why, client, .. } = clause;
        self.has_text(&[id, text, source, why, client.as_deref().unwrap_or_default()]) && self.is_of_kind(clause)
    }

    /// A promise is of each kind that a clause is which decides it.
    fn want_promise(&self, promise: &Promise) -> bool {
        let Promise { document, place, text, clauses, missing, unseen } = promise;
        let mut texts = vec![document.as_str(), place, text];
        texts.extend(clauses.iter().chain(missing).chain(unseen).map(String::as_str));
        let any = self.area.is_empty() && self.level == Levels::All && self.basis.is_empty() && self.layer.is_empty();
        let deciding = clauses.iter().filter_map(|id| clause::find(id));
        self.has_text(&texts) && (any || deciding.into_iter().any(|clause| self.is_of_kind(clause)))
    }

    fn is_of_kind(&self, clause: &Clause) -> bool {
        self.of_area(clause.id.split('-').next().into_iter())
            && self.of_rank(clause.level, clause.basis)
            && self.of_layer(&clause.id)
    }

    fn has_text(&self, texts: &[&str]) -> bool {
        let has = |wanted: &String| texts.iter().any(|text| text.to_lowercase().contains(&wanted.to_lowercase()));
        self.text.iter().all(has)
    }

    fn of_area<'a>(&self, mut areas: impl Iterator<Item = &'a str>) -> bool {
        self.area.is_empty() || areas.any(|area| self.area.iter().any(|wanted| wanted == area))
    }

    fn of_rank(&self, level: Level, basis: Basis) -> bool {
        let of_basis = self.basis.is_empty() || self.basis.iter().any(|&ByBasis(wanted)| wanted == basis);
        self.level.include(level) && of_basis
    }

    fn of_layer(&self, clause: &str) -> bool {
        let layer = Layer::of_clause(clause);
        self.layer.is_empty() || self.layer.iter().any(|&ByLayer(wanted)| wanted == layer)
    }
}

/// An area of clauses as the prefix of their ids, an area of checks as it is.
fn known_area(text: &str) -> Result<String, String> {
    let is_it = |name: &str| name.eq_ignore_ascii_case(text);
    let mut areas = named_areas();
    if let Some((_, Area { prefix, .. })) = areas.find(|(name, area)| is_it(name) || is_it(&area.prefix)) {
        return Ok(prefix.clone());
    }
    let of_checks = || checks::every().filter_map(|check| check.id.split('.').next());
    if let Some(area) = of_checks().find(|area| is_it(area)) {
        return Ok(area.to_owned());
    }
    let known = named_areas().flat_map(|(name, area)| [name, &area.prefix]);
    let near = names::nearest(text, known.chain(of_checks()));
    let advice = if near.is_empty() { String::new() } else { format!("; similar: {}", near.join(", ")) };
    Err(format!("no area has this name{advice}"))
}

/// The areas of every generation, with their names.
fn named_areas() -> impl Iterator<Item = (&'static str, &'static Area)> {
    let older = clause::older_areas().iter().map(|(name, area)| (*name, area));
    older.chain(clause::area_names().zip(clause::areas()))
}

fn row(check: &'static Check) -> CheckRow {
    let Check { id, name, clauses, .. } = check;
    CheckRow { id, name, level: plan::level(check), basis: plan::basis(check), clauses }
}

fn checks_text(checks: &[CheckRow], width: Width, out: &mut dyn Write) -> io::Result<()> {
    checks.iter().try_for_each(|CheckRow { id, name, level, basis, clauses }| {
        statement(out, width, 4, &format!("{id:44} {level:6} {basis:11} "), &clauses.join(" "))?;
        statement(out, width, 4, "    ", name)
    })
}

fn clauses_text(clauses: &[&Clause], width: Width, out: &mut dyn Write) -> io::Result<()> {
    named_areas().try_for_each(|(_, area)| {
        let mut of_it = clauses.iter().filter(|clause| clause.id.split('-').next() == Some(&area.prefix)).peekable();
        if of_it.peek().is_some() {
            writeln!(out, "{} ({})", area.title, area.prefix)?;
        }
        of_it.try_for_each(|Clause { id, level, basis, text, .. }| {
            statement(out, width, 4, &format!("  {id} {level:6} {basis:11} "), &joined(text))
        })
    })
}

/// The promises, each document and each place named once.
fn promises_text(promises: &[&Promise], width: Width, out: &mut dyn Write) -> io::Result<()> {
    let (mut last_document, mut last_place) = ("", "");
    for Promise { document, place, text, clauses, missing, unseen } in promises {
        if document != last_document {
            writeln!(out, "{document}")?;
            last_place = "";
        }
        if place != last_place {
            statement(out, width, 4, "  ", place)?;
        }
        (last_document, last_place) = (document, place);
        statement(out, width, 6, "    ", &joined(text))?;
        if !clauses.is_empty() {
            statement(out, width, 8, "      decided by ", &clauses.join(" "))?;
        }
        for (label, reason) in [("missing:", missing), ("unseen:", unseen)] {
            if let Some(reason) = reason {
                statement(out, width, 8, &format!("      {label} "), &joined(reason))?;
            }
        }
    }
    Ok(())
}
