//! Calls into the target, each noted in the breadcrumbs before it is made.
//!
//! The calls are not marked `unsafe`. Each crosses into a black box that may do anything whatever it is given, and many
//! checks give it what it must refuse; no argument could make such a call sound. What makes it harmless is where it
//! happens: in a process that exists for checks and dies with them.

use std::{
    ffi::{c_char, c_int, c_void},
    fmt::{self, Write},
    ops::Deref,
};

use tvm_ffi_spec::*;

use crate::client::{changes, crumb::Crumbs, memory, names, noticed, order, program, shown};

/// The target's functions, traced. A copy refers to the same target; any thread may use it.
#[derive(Clone, Copy)]
pub struct Api {
    table: &'static FunctionTable,
    crumbs: Crumbs,
    missing: fn(&'static str) -> !,
    /// Whether calls of functions are noted with all that is in their arguments and results.
    telling: bool,
}

/// Notes a call: of a function object as a call of what it is, of any other function as C has it.
macro_rules! enter {
    ($api:ident, TVMFFIFunctionCall, $func:ident, $args:ident, $count:ident, $result:ident) => {
        $api.enter_function($func, $args, $count)
    };
    ($api:ident, $name:ident $(, $arg:ident)*) => {
        $api.crumbs.enter(|out| {
            let args: &[(&str, &dyn Describe)] = &[$((stringify!($arg), &$arg)),*];
            describe_call(stringify!($name), args, out)
        })
    };
}

/// Has a function of the suite's own be noticed when the library calls it, where what it does is to be written.
macro_rules! hand_over {
    ($api:ident, TVMFFIFunctionCreate, $this:ident, $call:ident, $end:ident, $out:ident) => {
        let $call = if $api.telling {
            program::hands_over($call, $this);
            $call.map(noticed::noticed)
        } else {
            $call
        };
    };
    ($api:ident, $name:ident $(, $arg:ident)*) => {};
}

/// Writes the call into the program that repeats it, if there is to be one.
macro_rules! record {
    ($api:ident, $result:ty, $told:ident, TVMFFIFunctionCall, $func:ident, $args:ident, $count:ident, $out:ident) => {
        $told.as_ref().and_then(|told: &String| program::function_call(told, $func, $args, $count, $out))
    };
    ($api:ident, $result:ty, $told:ident, TVMFFIObjectDecRef, $obj:ident) => {
        if $api.telling {
            let args: &[(&str, &dyn program::Argument)] = &[("obj", &$obj)];
            let written = program::call("TVMFFIObjectDecRef", args, <$result as program::Answer>::declare);
            program::is_given_up($obj);
            written
        } else {
            None
        }
    };
    ($api:ident, $result:ty, $told:ident, $name:ident $(, $arg:ident)*) => {
        if $api.telling {
            program::call(stringify!($name), &[$((stringify!($arg), &$arg)),*], <$result as program::Answer>::declare)
        } else {
            None
        }
    };
}

/// Notes what a call has told.
macro_rules! learn {
    ($api:ident, TVMFFIFunctionCall, $told:ident, $code:ident, $func:ident, $args:ident, $count:ident, $result:ident) => {
        $api.learn_result($told, $code, $result)
    };
    ($api:ident, TVMFFIFunctionGetGlobal, $told:ident, $code:ident, $name:ident, $out:ident) => {
        let () = $told;
        if let (0, Some(name), Some(function)) = ($code, name_of($name), memory::read($out)) {
            names::note_function(function, &name);
        }
    };
    ($api:ident, TVMFFIFunctionCreate, $told:ident, $code:ident, $this:ident, $call:ident, $end:ident, $out:ident) => {
        let () = $told;
        if let (0, Some(function)) = ($code, memory::read($out)) {
            names::note_function(function, b"<a function of the suite's own>");
        }
    };
    ($api:ident, TVMFFITypeKeyToIndex, $told:ident, $code:ident, $key:ident, $out:ident) => {
        let () = $told;
        if let (0, Some(key), Some(index)) = ($code, name_of($key), memory::read($out)) {
            names::note_type(index, &key);
        }
    };
    ($api:ident, TVMFFITypeGetOrAllocIndex, $told:ident, $index:ident, $key:ident $(, $more:ident)*) => {
        let () = $told;
        if let (0.., Some(key)) = ($index, name_of($key)) {
            names::note_type($index, &key);
        }
    };
    ($api:ident, $name:ident, $told:ident $(, $more:ident)*) => {
        let () = $told;
    };
}

macro_rules! traced_calls {
    ($(#[$doc:meta] $name:ident($($arg:ident: $ty:ty),*) -> $result:ty;)*) => {
        /// The functions of the ABI under their C names.
        #[allow(non_snake_case)]
        #[expect(clippy::not_unsafe_ptr_arg_deref, reason = "see the module's first paragraph")]
        impl Api {
            $(
                #[$doc]
                pub fn $name(&self, $($arg: $ty),*) -> $result {
                    let Some(function) = self.table.$name else { (self.missing)(stringify!($name)) };
                    let told = enter!(self, $name $(, $arg)*);
                    if const { changes::makes(stringify!($name)) } {
                        changes::note();
                    }
                    hand_over!(self, $name $(, $arg)*);
                    let written = record!(self, $result, told, $name $(, $arg)*);
                    // SAFETY: nothing can vouch for a black box; see the module's first paragraph.
                    let result = unsafe { function($($arg),*) };
                    self.crumbs.leave();
                    if self.telling {
                        program::returned(written, &result, &[$((stringify!($arg), &$arg)),*]);
                    }
                    learn!(self, $name, told, result $(, $arg)*);
                    result
                }
            )*
        }
    };
}
tvm_ffi_spec::for_each_function!(traced_calls);

impl Api {
    /// Calls through `table`, noted in `crumbs`. `missing` ends the check when a function is not in the table. The table is
    /// kept for the life of the process, so that values can be given copies of this type.
    pub fn new(table: FunctionTable, crumbs: Crumbs, missing: fn(&'static str) -> !) -> Self {
        memory::survey();
        Self { table: Box::leak(Box::new(table)), crumbs, missing, telling: false }
    }

    /// The same functions, with all that is in arguments and results noted, and a program written that repeats it. That costs more
    /// than most calls do.
    pub fn telling(self) -> Self {
        program::begin(self.crumbs);
        Self { telling: true, ..self }
    }

    /// The bare table, for loops in which a breadcrumb for each call would cost too much. Leave one with [`note`] first.
    ///
    /// [`note`]: Self::note
    pub fn table(&self) -> &'static FunctionTable {
        program::leave_out("it makes calls that are not noted one by one");
        self.table
    }

    /// Whether the target has a function, for what is asked of those alone that have it.
    pub fn has(&self, name: &str) -> bool {
        self.table.has(name)
    }

    /// A function of the bare table. A target that lacks it ends the check, as a traced call does.
    pub fn bare<F>(&self, name: &'static str, function: fn(&FunctionTable) -> Option<F>) -> F {
        function(self.table()).unwrap_or_else(|| (self.missing)(name))
    }

    /// Calls a function object without a breadcrumb, but for where all is told: one of very many calls like one that was noted, which a
    /// crash shows.
    #[expect(clippy::not_unsafe_ptr_arg_deref, reason = "see the module's first paragraph")]
    pub fn call_unnoted(&self, function: TVMFFIObjectHandle, args: &[TVMFFIAny], result: &mut TVMFFIAny) -> c_int {
        let (args, count) = (args.as_ptr().cast_mut(), args.len() as i32);
        let Some(call) = self.table.TVMFFIFunctionCall.filter(|_| !self.telling) else {
            return self.TVMFFIFunctionCall(function, args, count, result);
        };
        order::begins();
        // SAFETY: nothing can vouch for a black box; see the module's first paragraph.
        let code = unsafe { call(function, args, count, result) };
        order::ended();
        code
    }

    /// Gives up a reference in the same way.
    #[expect(clippy::not_unsafe_ptr_arg_deref, reason = "see the module's first paragraph")]
    pub fn release_unnoted(&self, object: TVMFFIObjectHandle) {
        let Some(release) = self.table.TVMFFIObjectDecRef.filter(|_| !self.telling) else {
            return self.release(object);
        };
        order::begins();
        // SAFETY: nothing can vouch for a black box; see the module's first paragraph.
        unsafe { release(object) };
        order::ended();
    }

    /// Gives up a reference that the suite itself holds. Not what a check is about: a failure afterwards does not show it.
    #[expect(clippy::not_unsafe_ptr_arg_deref, reason = "see the module's first paragraph")]
    pub fn release(&self, object: TVMFFIObjectHandle) {
        let release = self.table.TVMFFIObjectDecRef.unwrap_or_else(|| (self.missing)("TVMFFIObjectDecRef"));
        program::gives_up(object);
        // SAFETY: nothing can vouch for a black box; see the module's first paragraph.
        let call = || unsafe { release(object) };
        self.crumbs.aside(|out| describe_call("TVMFFIObjectDecRef", &[("obj", &object)], out), call);
    }

    /// Takes this thread's raised error, NULL if there is none. Not what a check is about, but what a call has left behind:
    /// a failure afterwards shows that call.
    pub fn take_raised(&self) -> TVMFFIObjectHandle {
        let take = self.table.TVMFFIErrorMoveFromRaised.unwrap_or_else(|| (self.missing)("TVMFFIErrorMoveFromRaised"));
        let mut error = std::ptr::null_mut();
        // SAFETY: nothing can vouch for a black box; see the module's first paragraph.
        let call = || unsafe { take(&mut error) };
        self.crumbs.aside(|out| out.write_str("TVMFFIErrorMoveFromRaised(...)"), call);
        program::takes_raised(error);
        if self.telling && !error.is_null() {
            let raised = shown::value(&TVMFFIAny::new(kTVMFFIError, error as u64));
            self.crumbs.add(&format!(" raised {raised}"));
        }
        error
    }

    /// Notes a call of a function object. Answers how it is written, where all is told.
    fn enter_function(&self, function: TVMFFIObjectHandle, args: *const TVMFFIAny, count: i32) -> Option<String> {
        if names::is_one_that(function, changes::makes) {
            changes::note();
        }
        if self.telling {
            let mut text = String::new();
            // Writing to a String does not fail.
            let written = |arg: &TVMFFIAny, out: &mut dyn Write| out.write_str(&shown::value(arg));
            let _ = describe_function_call(function, args, count, written, &mut text);
            self.crumbs.enter(|out| out.write_str(&text));
            return Some(text);
        }
        self.crumbs.enter(|out| describe_function_call(function, args, count, shown::write_at_a_glance, out));
        None
    }

    /// Notes what a call of a function object has answered, as it was written before, since calls within it came between.
    fn learn_result(&self, told: Option<String>, code: c_int, result: *const TVMFFIAny) {
        let Some(answer) = memory::read(result).filter(|_| code == 0) else {
            if let Some(call) = told {
                self.note(&call);
            }
            return;
        };
        if let Some(call) = &told {
            self.note(&format!("{call} returned {}", shown::value(&answer)));
        }
        if answer.type_index == kTVMFFIFunction {
            let call = told.or_else(|| self.crumbs.latest()).unwrap_or_default();
            names::note_function(answer.payload() as *mut c_void, format!("<what {call} returned>").as_bytes());
        }
    }

    /// Gives this thread's raised error up, if there is one; as little what a check is about.
    pub fn release_raised(&self) {
        match self.take_raised() {
            error if error.is_null() => {}
            error => self.release(error),
        }
    }

    /// Notes a call, or a stretch of calls, that does not go through this type.
    pub fn note(&self, text: &str) {
        self.crumbs.enter(|out| out.write_str(text));
        self.crumbs.leave();
    }

    /// Makes a call of a function that the library has given out, noted as `text`. In C it is what `spell` makes of the variable that the
    /// call writes to.
    pub fn called<R: program::Answer>(
        &self,
        text: &str,
        out: Option<&dyn program::Argument>,
        spell: impl FnOnce(&mut program::Statement, &str) -> String,
        call: impl FnOnce() -> R,
    ) -> R {
        let written = if self.telling { program::other(out, spell, R::declare) } else { None };
        let result = self.labelled(text, call);
        if self.telling {
            let out = out.map(|out| ("result", out));
            program::returned(written, &result, out.as_slice());
        }
        result
    }

    /// Runs `call`, which writes its part of the program itself, with `text` as the breadcrumb of a call that has not returned.
    pub fn labelled<R>(&self, text: &str, call: impl FnOnce() -> R) -> R {
        self.crumbs.enter(|out| out.write_str(text));
        let result = call();
        self.crumbs.leave();
        result
    }

    /// Runs `call` with `text` as the breadcrumb of a call that has not returned. No program repeats it.
    pub fn noted<R>(&self, text: &str, call: impl FnOnce() -> R) -> R {
        program::leave_out("it calls functions that the library does not export");
        self.labelled(text, call)
    }
}

/// Such as `ffi.MapGetItem({1: "a"}, 1)`.
fn describe_function_call(
    function: TVMFFIObjectHandle,
    args: *const TVMFFIAny,
    count: i32,
    write: fn(&TVMFFIAny, &mut dyn Write) -> fmt::Result,
    out: &mut dyn Write,
) -> fmt::Result {
    const MOST: usize = 8;
    match names::write_function(function, out) {
        Some(written) => written?,
        None if function.is_null() => out.write_str("<NULL>")?,
        None => out.write_str("<a function>")?,
    }
    out.write_str("(")?;
    let count = usize::try_from(count).unwrap_or_default();
    for place in 0..count.min(MOST) {
        out.write_str(if place == 0 { "" } else { ", " })?;
        match memory::read(args.wrapping_add(place)) {
            Some(arg) => write(&arg, out)?,
            None => out.write_str("<an argument that cannot be read>")?,
        }
    }
    match count {
        0..=MOST => out.write_str(")"),
        _ => write!(out, ", … {count} in all)"),
    }
}

/// A name that was passed, as far as it can be read.
fn name_of(name: *const TVMFFIByteArray) -> Option<Beginning<64>> {
    Beginning::of(memory::read(name)?)
}

/// The first bytes of a text.
struct Beginning<const MOST: usize> {
    bytes: [u8; MOST],
    len: usize,
}

impl<const MOST: usize> Beginning<MOST> {
    fn of(text: TVMFFIByteArray) -> Option<Self> {
        let (mut bytes, len) = ([0; MOST], text.size.min(MOST));
        memory::read_into(text.data.cast(), &mut bytes[..len]).then_some(Self { bytes, len })
    }
}

impl<const MOST: usize> Deref for Beginning<MOST> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

fn describe_call(name: &str, args: &[(&str, &dyn Describe)], out: &mut dyn Write) -> fmt::Result {
    out.write_str(name)?;
    out.write_str("(")?;
    for (index, (arg, value)) in args.iter().enumerate() {
        out.write_str(if index == 0 { "" } else { ", " })?;
        out.write_str(arg.trim_end_matches('_'))?;
        out.write_str(" = ")?;
        value.describe(out)?;
    }
    out.write_str(")")
}

/// An argument that can be written down as a reader would like to see it.
trait Describe {
    fn describe(&self, out: &mut dyn Write) -> fmt::Result;
}

impl Describe for i32 {
    fn describe(&self, out: &mut dyn Write) -> fmt::Result {
        write!(out, "{self}")
    }
}

/// Pointers to functions; all of them are one word.
impl<F: Copy> Describe for Option<F> {
    fn describe(&self, out: &mut dyn Write) -> fmt::Result {
        const { assert!(size_of::<Option<F>>() == size_of::<usize>()) }
        // SAFETY: asserted to be one word; None is the null word.
        let address = unsafe { std::mem::transmute_copy::<Option<F>, usize>(self) };
        describe_address(address, out)
    }
}

impl<T: Pointee> Describe for *const T {
    fn describe(&self, out: &mut dyn Write) -> fmt::Result {
        T::describe_pointer(*self, out)
    }
}

impl<T: Pointee> Describe for *mut T {
    fn describe(&self, out: &mut dyn Write) -> fmt::Result {
        T::describe_pointer(self.cast_const(), out)
    }
}

/// What a pointer leads to, if that is worth showing.
trait Pointee: Sized {
    fn describe_pointer(pointer: *const Self, out: &mut dyn Write) -> fmt::Result {
        describe_address(pointer as usize, out)
    }
}

impl Pointee for c_void {}
impl Pointee for i32 {}
impl Pointee for TVMFFIVersion {}
impl Pointee for TVMFFICustomAllocator {}
impl Pointee for TVMFFIFieldInfo {}
impl Pointee for TVMFFIMethodInfo {}
impl Pointee for TVMFFITypeMetadata {}
impl Pointee for DLTensor {}
impl Pointee for DLManagedTensor {}
impl Pointee for DLManagedTensorVersioned {}
impl<T> Pointee for *mut T {}
impl<T> Pointee for *const T {}
impl Pointee for Option<DLPackManagedTensorAllocator> {}

impl Pointee for c_char {
    fn describe_pointer(pointer: *const Self, out: &mut dyn Write) -> fmt::Result {
        match memory::read_c_str(pointer.cast(), 64) {
            Some(text) => write!(out, "\"{}\"", text.escape_ascii()),
            None => describe_address(pointer as usize, out),
        }
    }
}

impl Pointee for TVMFFIByteArray {
    fn describe_pointer(pointer: *const Self, out: &mut dyn Write) -> fmt::Result {
        let Some(array) = memory::read(pointer) else { return describe_address(pointer as usize, out) };
        match Beginning::<48>::of(array) {
            Some(bytes) => {
                out.write_str("{data: \"")?;
                match str::from_utf8(&bytes) {
                    Ok(plain) if bytes.iter().all(is_plain) => out.write_str(plain)?,
                    _ => write!(out, "{}", bytes.escape_ascii())?,
                }
                out.write_str(if array.size <= 48 { "\", size: " } else { "\"…, size: " })?;
                write!(out, "{}}}", array.size)
            }
            None => {
                out.write_str("{data: ")?;
                describe_address(array.data as usize, out)?;
                write!(out, ", size: {}}}", array.size)
            }
        }
    }
}

impl Pointee for TVMFFIAny {
    fn describe_pointer(pointer: *const Self, out: &mut dyn Write) -> fmt::Result {
        match memory::read(pointer) {
            Some(any) => shown::write_at_a_glance(&any, out),
            None => describe_address(pointer as usize, out),
        }
    }
}

impl Pointee for DLDataType {
    fn describe_pointer(pointer: *const Self, out: &mut dyn Write) -> fmt::Result {
        match memory::read(pointer) {
            Some(dtype) => write!(out, "{{code: {}, bits: {}, lanes: {}}}", dtype.code, dtype.bits, dtype.lanes),
            None => describe_address(pointer as usize, out),
        }
    }
}

fn describe_address(address: usize, out: &mut dyn Write) -> fmt::Result {
    match address {
        0 => out.write_str("NULL"),
        // By hand: there is an address in every call, and the formatting of numbers takes longer than many a call.
        address => {
            const DIGITS: &[u8; 16] = b"0123456789abcdef";
            let mut text = *b"0x0000000000000000";
            let len = address.ilog2() as usize / 4 + 1;
            for (place, digit) in text[2..2 + len].iter_mut().rev().enumerate() {
                *digit = DIGITS[address >> (4 * place) & 0xF];
            }
            out.write_str(str::from_utf8(&text[..2 + len]).unwrap_or_default())
        }
    }
}

/// Whether a byte stands for itself in a text in quotes.
fn is_plain(byte: &u8) -> bool {
    matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\'' | b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_texts_are_written_as_rust_has_them() {
        for address in [1, 0xF, 0x10, 0x7FFF_1234_ABCD, usize::MAX] {
            let mut text = String::new();
            describe_address(address, &mut text).unwrap();
            assert_eq!(text, format!("{address:#x}"));
        }
        for byte in 0..=u8::MAX {
            assert!(!is_plain(&byte) || [byte].escape_ascii().to_string().as_bytes() == [byte]);
        }
    }
}
