//! What a function that a library exports owes its callers, rule by rule: the one list of them.
//!
//! A rule that any caller of a dynamic language can have broken with values that are what they say, or that a document states, is MUST.
//! What a caller can only do wrong itself, and what harms nobody at once, is SHOULD.

use tvm_ffi_spec::clause::Level;

use crate::duty::{self, Duty};

const CONVENTION: &str = "ABI overview, Function Calling Convention";
const ERRORS: &str = "ABI overview, Error Handling";
const VALUES: &str = "ABI overview, Storing a POD Value; AnyView and Managed Any";
const TENSORS: &str = "ABI overview, DLPack Compatible Tensor; dlpack.h";
const SAFETY: &str = "safety";

macro_rules! rules {
    ($($name:ident = $id:literal, $level:ident, $source:expr, $text:literal, $why:literal;)*) => {
        $(
            #[doc = $text]
            pub static $name: Duty =
                Duty { id: $id, level: Level::$level, text: $text, why: $why, sources: &[$source] };
        )*
        /// Every rule.
        pub static RULES: &[&Duty] = &[$(&$name),*];
    };
}

rules! {
    EXPECTED = "expected", Must, "the file of calls",
        "A call does what the file of calls says of it.",
        "Whoever wrote the file relies on it.";
    CRASH = "crash", Must, SAFETY,
        "A call with values that the function takes does not end the process.",
        "A crash takes the whole program with it.";
    EXITS = "exits", Must, SAFETY,
        "A call returns to its caller: it does not exit.",
        "The program of the caller ends without a word.";
    HANGS = "hangs", Must, SAFETY,
        "A call returns.",
        "The program of the caller waits for ever.";
    EXCEPTION = "exception", Must, ERRORS,
        "No C++ exception leaves a function: an error is raised in its place.",
        "An exception that leaves a C function ends the process.";
    WRONG_COUNT = "wrong-count", Must, CONVENTION,
        "A call with fewer or more arguments than the function takes is refused or harmless: nothing behind the last one is read.",
        "Callers of a dynamic language give as many as they like; num_args is how a function sees that.";
    WRONG_KIND = "wrong-kind", Must, CONVENTION,
        "An argument of another kind than the function takes is refused or harmless.",
        "Callers of a dynamic language give what they like; type_index is how a function sees that.";
    NULL_POINTER = "null-pointer", Should, SAFETY,
        "A NULL pointer, or None in place of an object, is refused or harmless.",
        "An error says what is wrong; a crash does not.";
    EMPTY_TENSOR = "empty-tensor", Must, TENSORS,
        "A tensor without elements, whose data may be NULL, is refused or harmless.",
        "Empty batches and empty slices are ordinary tensors.";
    OTHER_SHAPE = "other-shape", Must, TENSORS,
        "A tensor of another number of dimensions or another extent is refused or harmless.",
        "Any array can be given; ndim and shape say what it is.";
    OTHER_DTYPE = "other-dtype", Must, TENSORS,
        "A tensor of another data type is refused or harmless.",
        "Any array can be given; dtype says what it is.";
    ALIGNMENT = "alignment", Must, TENSORS,
        "A tensor whose data is aligned to its elements alone is refused or harmless.",
        "A slice of an array begins in the middle of it.";
    LAYOUT = "layout", Must, TENSORS,
        "A call that succeeds finds the same elements by whatever strides and in whatever form a tensor has them.",
        "A result that is wrong and called a success is worse than an error.";
    BYTE_OFFSET = "byte-offset", Should, TENSORS,
        "A tensor whose first element lies behind its data, at its byte offset, is refused or understood.",
        "Most producers leave the byte offset at 0; those that do not get a wrong result, and memory is written that is not the tensor's.";
    FOREIGN_DEVICE = "foreign-device", Must, TENSORS,
        "The memory of a tensor on another device is not touched by the host.",
        "Its address means nothing to the host, or something else.";
    READS_OUTSIDE = "reads-outside", Must, SAFETY,
        "A call reads nothing outside of the elements of its tensors.",
        "What lies there is nobody's, or somebody else's.";
    WRITES_OUTSIDE = "writes-outside", Must, SAFETY,
        "A call writes nothing outside of the elements of its tensors.",
        "It destroys what belongs to others, who fail much later.";
    INPUT_WRITTEN = "input-written", Must, "the file of calls",
        "Where the file of calls says what becomes of a tensor, one of which it says nothing stays as it is.",
        "The caller goes on using its inputs.";
    TENSOR_CHANGED = "tensor-changed", Must, CONVENTION,
        "A call changes no tensor but in its elements: not its shape, its strides or where its data lies.",
        "Arguments are views of what the caller goes on using.";
    ARGS_CHANGED = "args-changed", Must, CONVENTION,
        "A call does not write to its arguments.",
        "They are constant: the caller may use them for the next call.";
    ARGUMENT_RELEASED = "argument-released", Must, CONVENTION,
        "A call gives up no reference to an argument that it has not taken.",
        "The caller owns the arguments and gives them up itself; the object dies too early otherwise.";
    VIEW_KEPT = "view-kept", Must, CONVENTION,
        "Nothing of an argument is used after its call has returned, unless a reference to it is held.",
        "Arguments are views: they end with the call.";
    FAILURE_WITHOUT_ERROR = "failure-without-error", Must, ERRORS,
        "A call that fails has raised an error on the thread that called.",
        "The caller takes the error, and finds none or an older one.";
    STALE_ERROR = "stale-error", Must, ERRORS,
        "A call that succeeds leaves no raised error behind.",
        "A later failure is reported with its words.";
    ERROR_OBJECT = "error-object", Must, ERRORS,
        "What is raised is an Error that can be read.",
        "The caller reads it as one.";
    ERROR_KIND = "error-kind", Must, ERRORS,
        "An error has a kind.",
        "The kind becomes the class of the exception.";
    ERROR_MESSAGE = "error-message", Must, ERRORS,
        "An error has a message, which is UTF-8.",
        "The message is all that the user sees.";
    STATUS = "status", Should, ERRORS,
        "A call returns 0 or -1.",
        "-2 says that the caller's own language holds the error, and others mean nothing.";
    RESULT_OBJECT = "result-object", Must, VALUES,
        "A result is a value of its type: an object is alive and of the type that the result names.",
        "The caller uses and releases it.";
    RESULT_BORROWED = "result-borrowed", Must, VALUES,
        "A result owns what it holds: it is no C string, byte array, DLTensor or moved reference of the function's.",
        "What a view refers to may be gone when the caller looks at it.";
    RESULT_REFERENCE = "result-reference", Must, CONVENTION,
        "A result that is an argument holds a reference of its own.",
        "The caller gives up both.";
    RESULT_PADDING = "result-padding", Must, VALUES,
        "What a result's value does not use is zero.",
        "Values are compared and hashed as bytes.";
    RESULT_SLOT = "result-slot", Must, CONVENTION,
        "What the result held before the call is not used.",
        "It holds no object, and whatever else the caller has left there.";
    RESULT_OF_FAILURE = "result-of-failure", Should, CONVENTION,
        "A call that fails leaves no object in its result.",
        "Few callers look there after a failure: the object is never released.";
    RESULT_TYPE = "result-type", Must, "the function's metadata",
        "A result is of the type that the function's metadata declares.",
        "Bindings and documentation are made of it.";
    METADATA = "metadata", Must, "the function's metadata",
        "The metadata of a function is JSON with the schema of its types.",
        "Bindings and documentation are made of it.";
    AGAIN = "again", Should, "the file of calls",
        "A call in the file of calls that succeeded succeeds again, with the same elements in its tensors.",
        "Functions are called more than once; but one may keep a state and mean that.";
    AFTER_ERROR = "after-error", Must, ERRORS,
        "A call that succeeded succeeds after one that failed.",
        "A program that has handled an error goes on.";
    ANOTHER_THREAD = "another-thread", Must, SAFETY,
        "A call that succeeded succeeds on another thread.",
        "Functions are called from threads that did not load the library.";
    LEAK = "leak", Must, SAFETY,
        "Calls that are repeated leave nothing behind: no memory, no open file and no thread.",
        "A program that runs for long runs out of it.";
    SANITIZER = "sanitizer", Must, SAFETY,
        "A call does nothing that the sanitizer reports with which its library was built.",
        "It may go well here, and nowhere else.";
    FLOAT_MODE = "float-mode", Should, SAFETY,
        "A call leaves the thread's floating-point mode as it was.",
        "Other code on the thread computes other numbers from then on.";
}

/// The rule with that id.
pub fn find(id: &str) -> Option<&'static Duty> {
    duty::find(RULES, id)
}
