//! `tvm-ffi-verify docs`.

use std::{io, iter};

use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use tvm_ffi_reports::exit;

use super::{
    destination::{Destination, install},
    output::complain,
    version,
};
use crate::installation::{Item, Kit};

/// What `--help` says after the options.
const AFTER_HELP: &str = "\
DIR gets index.html, which a browser opens from the disk, without a server or a network; man/, which `man -M DIR/man` reads; and
completions/, a script for each shell.";

#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    #[command(flatten)]
    to: Destination,
}

/// Writes the files, those on `command` among them, and answers the exit code.
pub fn main(args: &Args, command: &Command) -> u8 {
    let mut command = public(command);
    let item = |path: String, bytes| Item { path, bytes, executable: false };
    let mut items: Vec<_> =
        tvm_ffi_site::files().into_iter().map(|file| item(file.path, file.text.into_bytes())).collect();
    for shell in [Shell::Bash, Shell::Elvish, Shell::Fish, Shell::PowerShell, Shell::Zsh] {
        let mut script = Vec::new();
        let name = command.get_name().to_owned();
        clap_complete::generate(shell, &mut command, &name, &mut script);
        items.push(item(format!("completions/{name}.{shell}"), script));
    }
    match manual(command) {
        Ok(pages) => items.extend(pages.into_iter().map(|(name, page)| item(format!("man/man1/{name}"), page))),
        Err(error) => return complain(&format!("a page of the manual: {error}"), exit::HARNESS_FAILED),
    }
    install(Kit { list: "SHA256SUMS", items }, "docs", &args.to)
}

/// The program with the commands that are for users.
fn public(command: &Command) -> Command {
    let commands = command.get_subcommands().filter(|sub| !sub.is_hide_set()).cloned();
    Command::new(env!("CARGO_PKG_NAME"))
        .version(version::line())
        .about(command.get_about().cloned().unwrap_or_default())
        .after_help(command.get_after_help().cloned().unwrap_or_default())
        .subcommands(commands)
}

/// A page of the manual for the program, and one for each command.
fn manual(mut command: Command) -> io::Result<Vec<(String, Vec<u8>)>> {
    // So that the page of a command is called by both names.
    command.build();
    let commands = command.get_subcommands().filter(|sub| sub.get_name() != "help");
    iter::once(&command)
        .chain(commands)
        .map(|command| {
            let page = Man::new(command.clone());
            let mut text = Vec::new();
            page.render(&mut text)?;
            Ok((page.get_filename(), text))
        })
        .collect()
}
