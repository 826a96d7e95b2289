//! The answer of `audit`: what clients need of the library, which releases have it, and what clients offer themselves.

mod findings;
mod model;
mod text;

pub use model::{
    Against, Audit, Client, ClientKind, Embedded, EmbeddedModule, Exported, Legacy, Links, Need, Release,
    SCHEMA_VERSION, Unreadable,
};
