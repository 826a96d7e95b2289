//! What several reports say, side by side: a row for each library, a column for each area.
//!
//! A matrix is for publishing. It holds what another run on the same libraries finds again, so nothing of the machine, no
//! time, no path, and not in which way a check ended that is broken: a read of freed memory ends now so, now so.

mod answer;
mod model;
mod page;
mod text;

pub use model::*;
