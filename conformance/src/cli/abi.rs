//! `tvm-ffi-verify abi`: the ABI, without a target.

use std::io::{self, Write};

use tvm_ffi_reports::layout::{Width, statement};
use tvm_ffi_spec::abi::{self, Abi};

use super::{
    choices::Format,
    output::{print_json, print_with, width_of},
};

#[derive(clap::Args)]
pub struct Args {
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

pub fn abi(args: &Args) -> u8 {
    let (abi, width) = (abi::abi(), width_of(io::stdout()));
    let text: fn(&Abi, Width, &mut dyn Write) -> io::Result<()> = match args.what {
        Facts::Functions => functions,
        Facts::Structs => structs,
        Facts::Constants => constants,
        Facts::Capabilities => capabilities,
    };
    match args.format {
        Format::Json => print_json(abi),
        Format::Text => print_with(|out| text(abi, width, out)),
    }
}

fn functions(abi: &Abi, width: Width, out: &mut dyn Write) -> io::Result<()> {
    abi.functions.iter().try_for_each(|function| {
        statement(out, width, 8, &function.declaration(), "")?;
        statement(out, width, 4, &format!("    since {}, {}: ", function.since, function.capability), &function.doc)
    })
}

fn structs(abi: &Abi, width: Width, out: &mut dyn Write) -> io::Result<()> {
    let pair =
        |(wide, narrow): (u32, u32)| if wide == narrow { wide.to_string() } else { format!("{wide} ({narrow})") };
    for item in &abi.structs {
        writeln!(out, "{}: size {}, alignment {}, since {}", item.name, pair(item.size), pair(item.align), item.since)?;
        for field in &item.fields {
            let declared = abi::declarator(&field.ty, &field.name);
            writeln!(out, "    @{:10} size {:8} {declared}", pair(field.offset), pair(field.size))?;
        }
    }
    writeln!(out)?;
    statement(out, width, 0, "", "Numbers are for 64-bit machines; for 32-bit machines in brackets where they differ.")
}

fn constants(abi: &Abi, width: Width, out: &mut dyn Write) -> io::Result<()> {
    for group in &abi.enums {
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
