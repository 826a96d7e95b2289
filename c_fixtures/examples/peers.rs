//! Prints a line for each peer, oldest first: the release and the path of its wheel, which is fetched if it is not there. With
//! `--all`, for each release there is. For scripts.

use tvm_ffi_fixtures::peers;

fn main() {
    let all = std::env::args().any(|argument| argument == "--all");
    let wheels = if all { peers::all() } else { peers::wheels() };
    for (release, wheel) in wheels.into_iter().filter(|(release, _)| all || release.peer) {
        println!("{} {}", release.name, wheel.display());
    }
}
