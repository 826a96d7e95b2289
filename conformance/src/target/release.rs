//! Public releases, named as pip names them, such as `apache-tvm-ffi==0.1.12`: pip fetches the wheel once, and it is kept.

use std::{
    env,
    path::{Path, PathBuf},
};

use tvm_ffi_fixtures::peers;
use tvm_ffi_spec::abi::abi;

/// The variable that names the folder where wheels are kept, for tests as well.
const VARIABLE: &str = "TVM_FFI_PEERS";

/// The release that an argument names, if it names one.
pub fn named(argument: &Path) -> Option<&str> {
    let (package, release) = argument.to_str()?.split_once("==")?;
    let package = package.trim().to_ascii_lowercase().replace(['_', '.'], "-");
    (package == "apache-tvm-ffi").then_some(release.trim())
}

/// The wheel of a release.
///
/// # Errors
/// That the release is not known, or why it cannot be fetched.
pub fn wheel(release: &str) -> Result<PathBuf, String> {
    let known = abi().release(release).ok_or_else(|| {
        let newest = &abi().newest_peer().name;
        format!(
            "is no release that this program knows, the newest of which is {newest}; name a wheel or a library instead"
        )
    })?;
    let folder = folder().ok_or_else(|| format!("no folder to keep wheels in: set {VARIABLE} to one"))?;
    peers::wheel_in(&folder, &abi().releases[known])
}

/// Where wheels are kept: in the user's cache, unless the variable names a folder.
fn folder() -> Option<PathBuf> {
    let of = |variable| env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = || of("XDG_CACHE_HOME").or_else(|| Some(of("HOME")?.join(".cache")));
    of(VARIABLE).filter(|folder| folder != Path::new(peers::NONE)).or_else(|| Some(cache()?.join("tvm-ffi-verify")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_named_as_pip_names_them() {
        for argument in ["apache-tvm-ffi==0.1.12", "apache_tvm_ffi == 0.1.12", "Apache.TVM-FFI==0.1.12"] {
            assert_eq!(named(Path::new(argument)), Some("0.1.12"), "{argument}");
        }
        for argument in ["apache-tvm-ffi", "tvm-ffi==0.1.12", "build/libtvm_ffi.so"] {
            assert_eq!(named(Path::new(argument)), None, "{argument}");
        }
        assert!(wheel("99.0").unwrap_err().starts_with("is no release that this program knows"));
    }
}
