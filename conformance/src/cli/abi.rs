//! `tvm-ffi-verify abi`: the ABI, without a target.

use std::io::{self, Write};

use tvm_ffi_reports::layout::{Width, statement};
use tvm_ffi_spec::{
    abi::{self, Abi, Enum, Struct},
    generation::{Generation, generations},
    kTVMFFIError,
};

use super::{
    choices::{ByGeneration, Format},
    output::{print_json, print_with, width_of},
};

#[derive(clap::Args)]
pub struct Args {
    /// What to print
    #[arg(value_enum, default_value = "functions")]
    what: Facts,
    /// Print what this generation of the ABI has. Its `since` and `until` are releases of TVM, or days; what stands as today has the
    /// release from which on that is so
    #[arg(long, value_enum)]
    generation: Option<ByGeneration>,
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
    /// Generations of the ABI, and what tells a library of each
    Generations,
}

pub fn abi(args: &Args) -> u8 {
    let (abi, width) = (abi::abi(), width_of(io::stdout()));
    if let Some(ByGeneration(generation)) = args.generation.filter(|ByGeneration(named)| !named.is_today()) {
        return of_older(&generation.whole(), args, width);
    }
    let text: fn(&Abi, Width, &mut dyn Write) -> io::Result<()> = match args.what {
        Facts::Functions => functions,
        Facts::Structs => |abi, width, out| structs(&abi.structs, width, out),
        Facts::Constants => |abi, width, out| constants(&abi.enums, width, out),
        Facts::Capabilities => capabilities,
        Facts::Generations => |_, width, out| generations().iter().try_for_each(|each| described(each, width, out)),
    };
    match args.format {
        Format::Json => print_json(abi),
        Format::Text => print_with(|out| text(abi, width, out)),
    }
}

/// What an older generation has. There are no capabilities in it.
fn of_older(generation: &Generation, args: &Args, width: Width) -> u8 {
    if let Format::Json = args.format {
        return print_json(generation);
    }
    print_with(|out| match args.what {
        Facts::Functions => generation.functions.iter().try_for_each(|function| {
            statement(out, width, 8, &function.declaration(), "")?;
            let until = function.until.as_ref().map(|until| format!(" until {until}")).unwrap_or_default();
            statement(out, width, 4, &format!("    since {}{until}: ", function.since), &function.doc)
        }),
        Facts::Structs => structs(&generation.structs, width, out),
        Facts::Constants => constants(&generation.enums, width, out),
        Facts::Capabilities | Facts::Generations => described(generation, width, out),
    })
}

/// A generation, and what tells a library of it.
fn described(generation: &Generation, width: Width, out: &mut dyn Write) -> io::Result<()> {
    let Generation { name, title, period, document, evidence, .. } = generation;
    statement(out, width, 4, &format!("{name} ({period}): "), title)?;
    statement(out, width, 8, "    document: ", document)?;
    statement(out, width, 8, "    exports: ", &evidence.has.join(", "))?;
    if !evidence.has_one.is_empty() {
        statement(out, width, 8, "    one of: ", &evidence.has_one.join(", "))?;
    }
    statement(out, width, 8, "    and none of: ", &evidence.lacks.join(", "))?;
    let shown = generation.shown_by_an_object(kTVMFFIError).into_iter().map(|(field, value)| {
        let value = value.map_or("an address".to_owned(), |value| format!("{value:#x}"));
        format!("{} {value} at byte {}", field.name, field.offset.0)
    });
    let shown: Vec<_> = shown.collect();
    if !shown.is_empty() {
        statement(out, width, 8, "    a new Error: ", &shown.join(", "))?;
    }
    statement(out, width, 8, "    ", &evidence.doc)
}

fn functions(abi: &Abi, width: Width, out: &mut dyn Write) -> io::Result<()> {
    abi.functions.iter().try_for_each(|function| {
        statement(out, width, 8, &function.declaration(), "")?;
        statement(out, width, 4, &format!("    since {}, {}: ", function.since, function.capability), &function.doc)
    })
}

fn structs(structs: &[Struct], width: Width, out: &mut dyn Write) -> io::Result<()> {
    let pair =
        |(wide, narrow): (u32, u32)| if wide == narrow { wide.to_string() } else { format!("{wide} ({narrow})") };
    for item in structs {
        writeln!(out, "{}: size {}, alignment {}, since {}", item.name, pair(item.size), pair(item.align), item.since)?;
        for field in &item.fields {
            let declared = abi::declarator(&field.ty, &field.name);
            writeln!(out, "    @{:10} size {:8} {declared}", pair(field.offset), pair(field.size))?;
        }
    }
    writeln!(out)?;
    statement(out, width, 0, "", "Numbers are for 64-bit machines; for 32-bit machines in brackets where they differ.")
}

fn constants(groups: &[Enum], width: Width, out: &mut dyn Write) -> io::Result<()> {
    for group in groups {
        statement(out, width, 4, &format!("{}: ", group.name), &group.doc)?;
        for constant in &group.constants {
            let names: Vec<_> = constant.formerly.iter().filter_map(|former| former.name.as_deref()).collect();
            let formerly = if names.is_empty() { String::new() } else { format!(" (formerly {})", names.join(", ")) };
            let lead = format!("    {:6} {}{formerly}: ", constant.value, constant.name);
            statement(out, width, 8, &lead, &constant.doc)?;
        }
    }
    Ok(())
}

fn capabilities(abi: &Abi, width: Width, out: &mut dyn Write) -> io::Result<()> {
    abi.capabilities.iter().try_for_each(|capability| {
        let shown: Vec<_> = [&capability.functions, &capability.globals, &capability.type_keys]
            .into_iter()
            .flatten()
            .cloned()
            .collect();
        let lead = format!("{} (since {}): ", capability.name, capability.since);
        statement(out, width, 4, &lead, &capability.doc)?;
        if shown.is_empty() { Ok(()) } else { statement(out, width, 8, "    shown by ", &shown.join(", ")) }
    })
}
