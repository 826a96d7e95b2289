//! Prints a line for each peer, oldest first: the release and the path of its wheel, which is fetched if it is not there. With
//! `--all`, for each release there is. With `--legacy DIR`, the path of the real library of the legacy generation alone, which is taken out
//! of its wheel into that folder. For scripts.

use std::{path::Path, process::ExitCode};

use tvm_ffi_fixtures::{legacy, peers};

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    if let [option, folder] = &arguments[..]
        && option == "--legacy"
    {
        match legacy::peer(Path::new(folder)) {
            Ok(Some(library)) => println!("{}", library.display()),
            Ok(None) => {}
            Err(problem) => {
                eprintln!("{problem}");
                return ExitCode::FAILURE;
            }
        }
        return ExitCode::SUCCESS;
    }
    let all = arguments.iter().any(|argument| argument == "--all");
    let wheels = if all { peers::all() } else { peers::wheels() };
    for (release, wheel) in wheels.into_iter().filter(|(release, _)| all || release.peer) {
        println!("{} {}", release.name, wheel.display());
    }
    ExitCode::SUCCESS
}
