//! What the benchmark does in processes of its own, and what is done with its results.

use std::{path::Path, process::ExitCode};

use tvm_ffi_benches::{fresh, instructions, readme, report::Table};
use tvm_ffi_verify::side_by_side;

const USAGE: &str = "usage: tvm-ffi-benches instructions [FILTER]   counts instructions under callgrind
       tvm-ffi-benches readme                  writes the latest results into benches/README.md";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["instructions"] => count(""),
        ["instructions", filter] => count(filter),
        ["readme"] => readme::write().unwrap_or_else(|problem| panic!("{problem}")),
        // What this very program starts.
        [fresh::ARGUMENT, path, measure] => println!("{}", fresh::take(Path::new(path), measure)),
        [instructions::ARGUMENT, path, filter] => instructions::run(Path::new(path), filter),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn count(filter: &str) {
    let Some(release) = side_by_side::release() else { return };
    let reference = side_by_side::reference();
    let program = std::env::current_exe().expect("a program knows its path");
    let table = Table::begin("Instructions", release.name);
    let table = table.with(instructions::compare(&program, [&release.path, &reference.path], filter));
    println!("{}", table.text());
    println!("{}", table.save("instructions").expect("the results can be written").display());
}
