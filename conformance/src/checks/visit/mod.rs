//! Structural walks, visits and mutations: callbacks that are called with what is in a value.
//!
//! Every check's callbacks write down what they were called with, as text, and the check looks at that in the end.

mod alike;
mod among_many;
mod answers;
mod cause;
mod changed;
mod context;
mod copied;
mod deep_hooks;
mod descendants;
mod elsewhere;
mod engine;
mod equal_answer;
mod every;
mod extreme;
mod failed_part;
mod first;
mod functions;
mod hooks;
mod interrupts;
mod kit;
mod map;
mod no_hook;
mod objects;
mod occurrences;
mod own;
mod walk;
