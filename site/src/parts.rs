//! What stands on many pages: headings that links lead to, releases, how things were, declarations.

use maud::{Markup, html};
use tvm_ffi_spec::abi::{Former, abi};

use crate::{
    entries::anchor,
    text::{code, prose},
};

/// A heading that links lead to.
pub fn heading(name: &str) -> Markup {
    html! { h2 id=(anchor(name)) { a href={ "#" (anchor(name)) } { code { (name) } } } }
}

/// The release in which something appeared; in an older generation of the ABI, the day or the release of TVM.
pub fn since(release: &str) -> Markup {
    html! {
        span.faint {
            "since "
            @if abi().release(release).is_some() { a href={ "releases.html#" (anchor(release)) } { (release) } }
            @else { (release) }
        }
    }
}

/// How something stood in earlier releases.
pub fn formerly(formerly: &[Former]) -> Markup {
    html! {
        @for former in formerly {
            p.faint { "formerly " (former) }
        }
    }
}

/// A metadata string, out of the way.
pub fn metadata(text: &str) -> Markup {
    html! { details { summary { "metadata" } pre { (text) } } }
}

/// A definition and what it says.
pub fn declaration(text: &str, doc: &str) -> Markup {
    html! { pre { (code(text)) } p { (prose(doc)) } }
}
