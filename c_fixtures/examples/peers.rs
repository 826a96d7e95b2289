//! Prints a line for each peer, oldest first: the release and the path of its wheel, which is fetched if it is not there.
//! For scripts.

use tvm_ffi_fixtures::peers;

fn main() {
    for (release, wheel) in peers::wheels().into_iter().filter(|(release, _)| release.peer) {
        println!("{} {}", release.name, wheel.display());
    }
}
