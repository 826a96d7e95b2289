//! The program as users run it, which tests run in its place as it is built for them: it takes half the time, for more than a
//! thousand runs.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::LazyLock,
};

/// Where it is. The first test that asks has it built, which is done already but for the first time.
pub fn path() -> &'static Path {
    static PATH: LazyLock<PathBuf> = LazyLock::new(|| build().unwrap_or_else(|problem| panic!("{problem}")));
    &PATH
}

/// A run of it.
pub fn run() -> Command {
    Command::new(path())
}

fn build() -> Result<PathBuf, String> {
    if !cfg!(debug_assertions) {
        return Ok(env!("CARGO_BIN_EXE_tvm-ffi-verify").into());
    }
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // As `cargo run --release` builds it.
    cargo.args(["build", "--release", "--bin", "tvm-ffi-verify", "--message-format", "json-render-diagnostics"]);
    cargo.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    let output = cargo.stderr(Stdio::inherit()).output().map_err(|error| format!("cargo: {error}"))?;
    let messages = serde_json::Deserializer::from_slice(&output.stdout).into_iter::<serde_json::Value>();
    let executables = messages.filter_map(|message| message.ok()?["executable"].as_str().map(PathBuf::from));
    executables.last().ok_or_else(|| "cargo did not build the program".to_owned())
}
