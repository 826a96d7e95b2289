//! The command that runs one check again in the same way. The interface to the `shlex` crate is here and nowhere else.

use std::path::{Path, PathBuf};

use crate::{
    harness::{options::Options, process::message::Isolation},
    target::Target,
    trial::check::Check,
};

/// What to type to run `check` alone, with the same random choices.
pub fn command(target: &Target, check: &Check, options: &Options) -> String {
    let target = target.argument.as_ref().map(|path| format!(" {}", quoted(path))).unwrap_or_default();
    let generation = options.older.map(|name| format!(" --generation {name}")).unwrap_or_default();
    let isolation = match options.isolation {
        // Of a check that is run alone, each is the other.
        Isolation::Shared | Isolation::Fork => "",
        Isolation::Exec => " --isolation exec",
    };
    let runtime = |path: &PathBuf| format!(" --sanitizer-runtime {}", quoted(path));
    let runtimes: String = options.sanitizer_runtimes.iter().map(runtime).collect();
    format!("tvm-ffi-verify check{target}{generation} --only {} --seed {}{isolation}{runtimes}", check.id, options.seed)
}

/// A path as a shell takes it for one word.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    // Only a NUL cannot be quoted, and no path has one.
    shlex::try_quote(&text).map(|word| word.into_owned()).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word_of_a_command() {
        assert_eq!(quoted(Path::new("build/libtvm_ffi.so")), "build/libtvm_ffi.so");
        for path in ["my build/it's.so", "größe.so", "a$b", "x=1,y%z"] {
            assert_eq!(shlex::split(&quoted(Path::new(path))), Some(vec![path.to_owned()]));
        }
    }
}
