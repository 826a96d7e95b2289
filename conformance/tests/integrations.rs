//! What services of continuous integration run, run as they would.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tempfile::TempDir;

use crate::program;

/// The folder with what is for each service.
fn integrations() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../integrations").canonicalize().unwrap()
}

/// The environment of a script: the program among the commands, and what it is asked to do.
fn with_program<'a>(command: &'a mut Command, arguments: &str) -> &'a mut Command {
    let program = program::run();
    let folder = Path::new(program.get_program()).parent().unwrap().display().to_string();
    let path = format!("{folder}:{}", env::var("PATH").unwrap());
    command.env("PATH", path).env("ARGUMENTS", arguments).env_remove("GITHUB_STEP_SUMMARY")
}

/// What the step of the action has left behind.
struct Step {
    output: Output,
    folder: TempDir,
}

impl Step {
    fn run(arguments: &str) -> Self {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("known failures.toml"), "[[known]]\ncheck = \"string.*\"\nreason = \"none\"\n")
            .unwrap();
        let mut command = Command::new(integrations().join("github/verify"));
        with_program(&mut command, arguments).current_dir(folder.path()).env("REPORTS", "out/reports");
        for variable in ["GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"] {
            command.env(variable, folder.path().join(variable));
        }
        fs::write(folder.path().join("GITHUB_STEP_SUMMARY"), "what came before\n").unwrap();
        Self { output: command.output().unwrap(), folder }
    }

    fn file(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }

    fn printed(&self) -> String {
        String::from_utf8_lossy(&self.output.stdout).into_owned()
    }
}

#[test]
fn the_action_annotates_summarises_and_reports() {
    let step = Step::run("check --only 'string.*'");
    assert_eq!(step.output.status.code(), Some(0), "{}", String::from_utf8_lossy(&step.output.stderr));
    assert!(step.printed().starts_with("::notice title=tvm-ffi-verify check::conforms"), "{}", step.printed());
    assert_eq!(step.file("GITHUB_OUTPUT"), "exit-code=0\n");
    let summary = step.file("GITHUB_STEP_SUMMARY");
    assert!(summary.starts_with("what came before\n# tvm-ffi-verify check\n\n**conforms**"), "{summary}");
    for report in ["summary.md", "report.html", "report.json", "report.xml", "report.sarif", "badge.svg"] {
        assert!(!step.file(&format!("out/reports/{report}")).is_empty(), "{report}");
    }
}

#[test]
fn the_action_fails_as_the_program_does() {
    let step = Step::run("check --only 'string.*' --known-failures 'known failures.toml'");
    assert_eq!(step.output.status.code(), Some(1));
    assert!(step.printed().starts_with("::error title=tvm-ffi-verify check::does not conform"), "{}", step.printed());
    assert!(step.printed().contains("\n::error title=known-failures::"), "{}", step.printed());
    assert_eq!(step.file("GITHUB_OUTPUT"), "exit-code=1\n");
    // Where there is no answer there is no summary, and the action says how the program ended all the same.
    let step = Step::run("check no.such.file");
    assert_eq!(step.output.status.code(), Some(2));
    assert_eq!(step.file("GITHUB_OUTPUT"), "exit-code=2\n");
    assert_eq!(step.file("GITHUB_STEP_SUMMARY"), "what came before\n");
}

/// What follows `--` is another program's.
#[test]
fn the_action_watches_programs() {
    let step = Step::run("watch -- sh -c 'exit 0'");
    assert_eq!(step.output.status.code(), Some(4), "{}", String::from_utf8_lossy(&step.output.stderr));
    assert!(step.file("GITHUB_STEP_SUMMARY").contains("no process called the library"), "{}", step.printed());
}

#[test]
fn the_action_runs_the_script_that_is_tested() {
    let action = fs::read_to_string(integrations().join("github/action.yml")).unwrap();
    assert!(action.contains("\"$GITHUB_ACTION_PATH/verify\""), "{action}");
    let conformance = "\"$GITHUB_ACTION_PATH/../../conformance\"";
    assert!(action.contains(conformance) && integrations().join("github/../../conformance/Cargo.toml").is_file());
}

#[test]
fn the_job_of_gitlab_leaves_its_artifacts() {
    let job = fs::read_to_string(integrations().join("gitlab.yml")).unwrap();
    let commands =
        job.lines().filter_map(|line| line.strip_prefix("    - ")).filter(|line| !line.starts_with("cargo install"));
    let script = commands.collect::<Vec<_>>().join("\n");
    for (arguments, code) in [("check --only string.*", 0), ("watch -- true", 4)] {
        let folder = TempDir::new().unwrap();
        let mut command = Command::new("bash");
        with_program(&mut command, arguments).args(["-euo", "pipefail", "-c", &script]);
        command.current_dir(folder.path()).env("CI_PROJECT_DIR", folder.path());
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
        for artifact in ["conformance.html", "conformance.svg", "conformance.xml"] {
            assert!(job.matches(artifact).count() == 2 && folder.path().join(artifact).is_file(), "{artifact}");
        }
    }
}
