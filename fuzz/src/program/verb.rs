//! What it takes to call something, and such a call.

use std::ffi::c_int;

use tvm_ffi_spec::*;

use super::machine::{Machine, Operand};

/// What an argument is to be.
#[derive(Clone, Debug)]
pub enum Want {
    /// A value of a type as signatures spell it, such as `Optional<int>`.
    Value(String),
    /// The handle of an object of the type with this key; of any type for `ffi.Object`.
    Object(&'static str),
    /// A byte array.
    Bytes(&'static [&'static [u8]]),
    /// A C string.
    CStr,
    /// An integer from this list.
    Number(&'static [i64]),
    /// A data type.
    Dtype,
    /// One of the [callees](super::machine::CALLEES), by its number.
    Callee,
    /// One of the pool's shapes, by its number.
    Shape,
    /// No address.
    Null,
}

/// What runs a verb on a machine. Answers the status, as functions of the ABI do.
pub type Run = fn(&mut Machine, &[TVMFFIAny], &mut TVMFFIAny) -> c_int;

/// Something that a program can call.
pub struct Verb {
    /// The name of the function.
    pub name: &'static str,
    /// What it takes.
    pub wants: Vec<Want>,
    /// What it takes any number of besides.
    pub more: Option<Want>,
    /// A function of the ABI, and the call of it as C, with `{0}` for an argument, `{*}` for the others, and `{out}` for
    /// where the result goes; none for a global function.
    pub function: Option<(Run, &'static str)>,
    /// Whether it changes what no later call can change back.
    pub lasting: bool,
}

/// A call of a verb with its arguments.
#[derive(Clone)]
pub struct Operation {
    /// What is called.
    pub verb: &'static Verb,
    /// With what.
    pub args: Vec<Operand>,
}

impl Operation {
    /// Runs it; answers its status. What it makes is the machine's next value.
    pub fn run(&self, machine: &mut Machine) -> c_int {
        machine.run(&self.args, |machine, args, out| match self.verb.function {
            Some((run, _)) => run(machine, args, out),
            None => machine.call_global(self.verb.name, args, out),
        })
    }
}
