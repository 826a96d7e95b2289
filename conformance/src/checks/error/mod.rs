//! Errors: the objects, the raised error of each thread, causes and extra contexts.

mod cause;
mod kit;
mod lengths;
mod object;
mod outcome;
mod raised;
mod replaced;
mod threads;
