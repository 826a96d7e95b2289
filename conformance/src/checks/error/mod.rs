//! Errors: the objects, the raised error of each thread, causes and extra contexts.

mod cause;
mod kit;
mod outcome;
mod object;
mod raised;
mod threads;
