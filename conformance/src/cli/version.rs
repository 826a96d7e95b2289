//! Which program this is: its version, the commit that it was built from, and the revision of its specification.

use std::sync::LazyLock;

use tvm_ffi_reports::Tool;

/// As reports say it.
pub fn tool() -> Tool {
    Tool {
        name: "tvm-ffi-verify".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: option_env!("TVM_FFI_VERIFY_COMMIT").map(str::to_owned),
        spec: Some(tvm_ffi_spec::REVISION.to_owned()),
    }
}

/// As `--version` says it, after the name.
pub fn line() -> &'static str {
    static LINE: LazyLock<String> = LazyLock::new(|| {
        let Tool { version, commit, .. } = tool();
        let commit = commit.map(|commit| format!("commit {commit}, ")).unwrap_or_default();
        format!("{version} ({commit}spec {})", tvm_ffi_spec::REVISION)
    });
    &LINE
}
