//! What a client owes the library, rule by rule: the one list of them.
//!
//! What harms the client or others at once, or later, is MUST; what only tells of carelessness is SHOULD.

use tvm_ffi_spec::clause::{Level, id};

use crate::duty::{self, Duty};

macro_rules! rules {
    ($($id:literal, $level:ident, [$($clause:ident),*], $text:literal, $why:literal;)*) => {
        /// Every rule, with the clauses that it follows from: what a library relies on, or does for clients that keep the rule.
        pub static RULES: &[&Duty] = &[
            $(&Duty { id: $id, level: Level::$level, text: $text, why: $why, sources: &[$(id::$clause),*] },)*
        ];
    };
}

rules! {
    "padding", Must, [ANY_0023, ANY_0024, ANY_0025, ANY_0029],
        "Bytes of a value that its type gives no meaning are zero.",
        "Values are compared and hashed as they lie in memory.";
    "boolean", Must, [ANY_0003],
        "A boolean is 0 or 1.",
        "Another number is neither equal to true nor to false.";
    "small-length", Must, [ANY_0009, STR_0005],
        "A small string or small bytes have seven bytes at most.",
        "What follows the value is read as text.";
    "type-index", Must, [ANY_0029],
        "A value has the type index of a value.",
        "What it is, is anybody's guess: a number, or an address that is followed.";
    "tag", Must, [OBJ_0002],
        "A value that holds an object has the type index of that object.",
        "The object is read as one of another type.";
    "null", Must, [ANY_0028, OBJ_0031, FUN_0022],
        "There is an object where one is asked for, and a place for the result.",
        "NULL is followed, or refused at best.";
    "not-an-object", Must, [OBJ_0001, OBJ_0004],
        "A handle is the address of an object.",
        "Memory that is none is taken for counts, and changed.";
    "wrong-type", Must, [OBJ_0002, TEN_0040],
        "A handle is one of an object of the type that the function is for.",
        "The object is read as one of another type.";
    "byte-array", Must, [ANY_0028, STR_0024],
        "A byte array with a length has an address.",
        "NULL is read.";
    "arguments", Must, [FUN_0007, FUN_0008],
        "There are as many arguments as the call says.",
        "What lies behind them is read as values.";
    "result-not-reset", Must, [FUN_0011],
        "The result that a call is given holds no object.",
        "The object is lost, or released by a callee that finds it there.";
    "view-returned", Must, [FUN_0010, ANY_0012, ANY_0014],
        "What a function returns is an owned value, and no view.",
        "The caller owns what nobody keeps: it is read when it is gone.";
    "args-changed", Must, [FUN_0007],
        "A function does not write to its arguments.",
        "They are the caller's, who uses them for the next call.";
    "argument-released", Must, [FUN_0015, OBJ_0023],
        "A function releases no argument that it has not taken a reference to.",
        "The caller goes on with an object that has ended.";
    "used-after-end", Must, [OBJ_0009, OBJ_0016],
        "An object is used only as long as a reference to it is held.",
        "Its memory is somebody else's by then.";
    "count-after-end", Must, [OBJ_0007, OBJ_0009],
        "References to an object are neither taken nor given up after its end.",
        "A word of memory changes that is somebody else's by then.";
    "written-after-end", Must, [OBJ_0016],
        "Nothing is written to an object after its end.",
        "The memory is somebody else's by then.";
    "read-after-end", Must, [OBJ_0016],
        "Nothing is read from an object after its end.",
        "The memory is somebody else's by then.";
    "deleter-twice", Must, [OBJ_0015, OBJ_0019],
        "The deleter of an object is called once.",
        "What the object owned is released twice.";
    "deleter-early", Must, [OBJ_0009],
        "The deleter of an object is called when no reference is left.",
        "Those who hold the others go on with an object that has ended.";
    "deleter-never", Must, [OBJ_0009],
        "Who gives up the last reference inline calls the deleter.",
        "The object and all that it holds are lost.";
    "freed-early", Must, [OBJ_0010, OBJ_0012],
        "A deleter that is called with the flag 1 alone leaves the object's memory: weak references are left.",
        "Whoever gives up a weak reference changes memory that is somebody else's.";
    "lost", Must, [OBJ_0020],
        "Every reference that a client was given is given up, or its object can still be reached.",
        "Memory is lost, more the longer the program runs.";
    "failure-without-error", Must, [FUN_0014, ERR_0035],
        "A function that fails has raised an error.",
        "The caller takes the error, and finds none or an older one.";
    "stale-error", Must, [ERR_0022],
        "A function that succeeds leaves no raised error behind.",
        "A later failure is reported with its words.";
    "error-not-taken", Must, [ERR_0014, ERR_0022],
        "The error of a call that has failed is taken, or the failure passed on, before the next call.",
        "It stays raised, and is reported for what fails later.";
    "error-abandoned", Should, [ERR_0021],
        "The error of a call that has failed is taken before the thread or the process ends.",
        "Nobody learns what went wrong.";
    "status", Should, [FUN_0013],
        "A function answers 0, or -1 with an error raised.",
        "Callers may take other numbers for something of their own.";
    "tensor-shape", Must, [TEN_0002, TEN_0003],
        "A tensor has as many extents as dimensions, none below zero.",
        "Memory is read that is not the tensor's.";
    "tensor-dtype", Must, [TEN_0004],
        "A tensor has elements of a data type.",
        "The size of its elements is nothing.";
    "tensor-data", Must, [TEN_0002, TEN_0007],
        "A tensor with elements has its data in memory.",
        "Who reads it crashes.";
    "tensor-strides", Must, [TEN_0013, TEN_0005],
        "The strides of a tensor are counted in elements, and lead to its memory.",
        "Memory is read that is not the tensor's.";
    "tensor-ended", Must, [TEN_0017],
        "A tensor that was handed over stays as it is until its deleter is called.",
        "The Tensor that was made of it has pointers to nothing.";
    "deleter-by-producer", Must, [TEN_0017],
        "A tensor that was handed over is given back by the library, and not by who handed it over.",
        "It is freed while the Tensor lives, and once more at its end.";
    "dlpack-deleter-twice", Must, [TEN_0022],
        "The deleter of an exported tensor is called once.",
        "A reference is given up that nobody holds.";
    "after-thread", Must, [ERR_0019, ERR_0021],
        "No call but those that count references is made when a thread has run the destructors of its own variables.",
        "What the library keeps for the thread is gone by then.";
}

/// The rule with that id.
pub fn find(id: &str) -> Option<&'static Duty> {
    duty::find(RULES, id)
}
