//! The command `tvm-ffi-verify`.

fn main() -> std::process::ExitCode {
    tvm_ffi_verify::cli::main()
}
