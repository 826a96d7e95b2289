//! `tvm-ffi-verify list`, `explain` and `abi`: what the suite knows, without a target.

use std::io::{self, Write};

use serde::Serialize;
use tvm_ffi_reports::exit;
use tvm_ffi_spec::{
    abi::{self, Abi},
    clause::{self, Clause},
};

use super::{choices::Format, output::complain};
use crate::{checks, harness::plan, trial::check::Check};

#[derive(clap::Args)]
pub struct ListArgs {
    /// What to list
    #[arg(value_enum, default_value = "checks")]
    what: Listed,
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
}

#[derive(clap::Args)]
pub struct ExplainArgs {
    /// The id of a clause (STR-0001) or of a check (string.small-is-inline)
    id: String,
}

#[derive(clap::Args)]
pub struct AbiArgs {
    /// What to print
    #[arg(value_enum, default_value = "functions")]
    what: Facts,
    /// How to print it; json prints everything
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Facts {
    /// Exported functions, with the release each appeared in
    Functions,
    /// Structs with their fields, offsets and sizes (64-bit, 32-bit)
    Structs,
    /// Constants
    Constants,
    /// Capabilities and what shows them
    Capabilities,
}

/// A check, as `list --format json` prints it.
#[derive(Serialize)]
struct CheckRow {
    id: &'static str,
    name: &'static str,
    level: clause::Level,
    basis: clause::Basis,
    clauses: &'static [&'static str],
}

pub fn list(args: &ListArgs) -> u8 {
    let row = |check: &'static Check| CheckRow {
        id: check.id,
        name: check.name,
        level: plan::level(check),
        basis: plan::basis(check),
        clauses: check.clauses,
    };
    print(|out| match (args.what, args.format) {
        (Listed::Checks, Format::Json) => json(out, &checks::all().map(row).collect::<Vec<_>>()),
        (Listed::Clauses, Format::Json) => json(out, &clause::clauses().collect::<Vec<_>>()),
        (Listed::Checks, Format::Text) => checks::all().map(row).try_for_each(|check| {
            let CheckRow { id, name, level, basis, clauses } = check;
            writeln!(out, "{id:44} {level:6} {basis:11} {}\n    {name}", clauses.join(" "))
        }),
        (Listed::Clauses, Format::Text) => clause::areas().iter().try_for_each(|area| {
            writeln!(out, "{} ({})", area.title, area.prefix)?;
            area.clauses.iter().try_for_each(|Clause { id, level, basis, text, .. }| {
                writeln!(out, "  {id} {level:6} {basis:11} {text}")
            })
        }),
    })
}

pub fn explain(args: &ExplainArgs) -> u8 {
    let id = args.id.as_str();
    if let Some(clause) = clause::find(id) {
        return print(|out| explain_clause(clause, out));
    }
    let Some(check) = checks::find(id) else {
        return complain(
            &format!(
                "no clause and no check has the id `{id}`; `tvm-ffi-verify list clauses` and `list checks` show all"
            ),
            exit::USAGE,
        );
    };
    print(|out| {
        writeln!(out, "{}\n  {}\n", check.id, check.name)?;
        let clauses = check.clauses.iter().filter_map(|id| clause::find(id));
        clauses.into_iter().try_for_each(|clause| explain_clause(clause, out))
    })
}

fn explain_clause(clause: &Clause, out: &mut dyn Write) -> io::Result<()> {
    let Clause { id, level, basis, client, capability, since, until, ended_by, text, source, why, example } = clause;
    writeln!(out, "{id} ({level}, {basis})\n  {text}\n")?;
    writeln!(out, "  why         {why}")?;
    writeln!(out, "  source      {source}")?;
    if let Some(client) = client {
        writeln!(out, "  clients     {client}")?;
    }
    let until = until.as_ref().map(|until| format!(", until {until}")).unwrap_or_default();
    writeln!(out, "  releases    since {since}{until}")?;
    write!(out, "  in force    on a target with the capability {capability}")?;
    match ended_by {
        Some(ended_by) => writeln!(out, " and without the capability {ended_by}")?,
        None => writeln!(out)?,
    }
    let deciding = checks::all().filter(|check| check.clauses.contains(&id.as_str()));
    for (number, check) in deciding.enumerate() {
        let label = if number == 0 { "decided by" } else { "" };
        writeln!(out, "  {label:11} {}: {}", check.id, check.name)?;
    }
    if let Some(example) = example {
        writeln!(out, "\n{}", program(id, example))?;
    }
    Ok(())
}

/// A clause's example as a whole C program: what stands above a line `---`, if there is one, then `main` with the rest.
/// It is compiled and run on the reference by the tests.
pub fn program(id: &str, example: &str) -> String {
    const INCLUDES: &[&str] =
        &["assert.h", "stdio.h", "stdlib.h", "string.h", "tvm/ffi/c_api.h", "tvm/ffi/extra/c_env_api.h"];
    let includes: String = INCLUDES.iter().map(|header| format!("#include <{header}>\n")).collect();
    let (before, body) = example.split_once("---\n").unwrap_or(("", example));
    let body: String = body.trim_end().lines().map(|line| format!("  {line}\n")).collect();
    format!(
        "// {id}; compile with: cc -std=c11 example.c -ltvm_ffi\n{includes}\n{before}int main(void) {{\n{body}  return 0;\n}}"
    )
}

pub fn abi(args: &AbiArgs) -> u8 {
    let abi = abi::abi();
    print(|out| match (args.format, args.what) {
        (Format::Json, _) => json(out, abi),
        (Format::Text, Facts::Functions) => functions(abi, out),
        (Format::Text, Facts::Structs) => structs(abi, out),
        (Format::Text, Facts::Constants) => constants(abi, out),
        (Format::Text, Facts::Capabilities) => capabilities(abi, out),
    })
}

fn functions(abi: &Abi, out: &mut dyn Write) -> io::Result<()> {
    abi.functions.iter().try_for_each(|function| {
        writeln!(
            out,
            "{}\n    since {}, {}: {}",
            function.declaration(),
            function.since,
            function.capability,
            function.doc
        )
    })
}

fn structs(abi: &Abi, out: &mut dyn Write) -> io::Result<()> {
    let pair =
        |(wide, narrow): (u32, u32)| if wide == narrow { wide.to_string() } else { format!("{wide} ({narrow})") };
    for item in &abi.structs {
        writeln!(out, "{}: size {}, alignment {}, since {}", item.name, pair(item.size), pair(item.align), item.since)?;
        for field in &item.fields {
            let declared = abi::declarator(&field.ty, &field.name);
            writeln!(out, "    @{:10} size {:8} {declared}", pair(field.offset), pair(field.size))?;
        }
    }
    writeln!(out, "\nNumbers are for 64-bit machines; for 32-bit machines in brackets where they differ.")
}

fn constants(abi: &Abi, out: &mut dyn Write) -> io::Result<()> {
    for group in &abi.enums {
        writeln!(out, "{}: {}", group.name, group.doc)?;
        for constant in &group.constants {
            let names: Vec<_> = constant.formerly.iter().filter_map(|former| former.name.as_deref()).collect();
            let formerly = if names.is_empty() { String::new() } else { format!(" (formerly {})", names.join(", ")) };
            writeln!(out, "    {:6} {}{formerly}: {}", constant.value, constant.name, constant.doc)?;
        }
    }
    Ok(())
}

fn capabilities(abi: &Abi, out: &mut dyn Write) -> io::Result<()> {
    abi.capabilities.iter().try_for_each(|capability| {
        let shown: Vec<_> = [&capability.functions, &capability.globals, &capability.type_keys]
            .into_iter()
            .flatten()
            .cloned()
            .collect();
        writeln!(out, "{} (since {}): {}", capability.name, capability.since, capability.doc)?;
        if shown.is_empty() { Ok(()) } else { writeln!(out, "    shown by {}", shown.join(", ")) }
    })
}

fn json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

/// Prints to standard output. A reader that has gone away (`| head`) is not a failure.
fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> u8 {
    let mut out = io::BufWriter::new(anstream::stdout());
    match write(&mut out).and_then(|()| out.flush()) {
        Ok(()) => exit::CONFORMS,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => exit::CONFORMS,
        Err(error) => complain(&error.to_string(), exit::HARNESS_FAILED),
    }
}
