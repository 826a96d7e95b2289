//! How a check runs: three generations of processes.
//!
//! ```text
//! parent: plans, schedules, times, collects            (never opens the target)
//!   └─ worker, one per job: opens the target
//!        └─ child, for checks that pass and leave it as it was, or for one: runs them, writes a record to a pipe, exits
//! ```
//!
//! Whatever does not pass in company is run again in a child of its own, whose state is pristine ([`in_turn`]). With
//! `--isolation=fork` each check is; with `--isolation=exec` the worker does not open the target; each child is a fresh process that does.
//!
//! What can go wrong, and who says so:
//! - the target misbehaves in a check: the child ends without a record, or with one that tells of a failure; the worker
//!   reports how it ended ([`message::Ended`]), with the breadcrumbs, and goes on with the next check;
//! - the target cannot be opened, or does not survive it: the worker says so ([`message::Greeting::Refused`]) or dies after
//!   it has said that it sets out to ([`message::Greeting::Opening`]); the parent reports that alone. A child that opens
//!   the target for itself says the same in its record ([`message::Record::Refused`]) or leaves it in the breadcrumbs;
//! - the worker dies later, or is stopped: the parent starts another one and has it run the check again; if that is lost, too,
//!   it is the target that ends what watches it.
//!
//! Whatever a check has started is ended with it ([`descendants`]): worker and parent adopt what their children leave behind.
//!
//! Rejected: one process for all checks (a crash hides the rest, and type indices leak from check to check); a process
//! start per check by default (slow). A child has handlers of signals that take down where it was and let it die of them
//! ([`wreck`](crate::client::wreck)); nothing goes on after a fault.

mod apart;
mod barrier;
pub mod child;
pub mod descendants;
pub mod facts;
mod fence;
mod in_turn;
mod inventory;
pub mod message;
pub mod objects_shown;
mod pages;
pub mod supervise;
pub mod worker;
pub mod written;
