//! The reference and a public release in one process, and how to call them.

use std::slice;

use proptest::{prelude::*, test_runner::TestRunner};
use tvm_ffi_fixtures::peers;
use tvm_ffi_spec::*;
use tvm_ffi_verify::{
    library::{self, Scope},
    target::Target,
};

/// Runs `test` on the reference and the newest peer, unless comparisons are left out.
pub fn on_both(test: impl FnOnce(&[Side; 2])) {
    let Some(wheel) = peers::newest() else { return };
    let scratch = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let [ours, theirs] = [(None, &scratch[0]), (Some(wheel.as_path()), &scratch[1])].map(|(argument, scratch)| {
        let target = Target::locate(argument, scratch.path()).unwrap();
        Side { table: library::open(&target.path, Scope::Local).unwrap().table }
    });
    test(&[ours, theirs]);
}

/// Runs `test` on values of a strategy.
pub fn for_all<S: Strategy>(strategy: S, test: impl Fn(S::Value)) {
    let config = ProptestConfig { failure_persistence: None, cases: 96, ..ProptestConfig::default() };
    let outcome = TestRunner::new(config).run(&strategy, |value| {
        test(value);
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

// ---------------------------------------------------------------------------------------------------------------------
// Calls
// ---------------------------------------------------------------------------------------------------------------------

/// One of the two libraries.
pub struct Side {
    /// Its functions.
    pub table: FunctionTable,
}

/// An owned value of a library.
pub struct Owned<'a> {
    /// Where it is from.
    pub side: &'a Side,
    /// The value.
    pub value: TVMFFIAny,
}

impl<'a> Owned<'a> {
    /// Takes a value over.
    pub fn new(side: &'a Side, value: TVMFFIAny) -> Self {
        Self { side, value }
    }
}

impl Drop for Owned<'_> {
    fn drop(&mut self) {
        if self.value.type_index >= kTVMFFIStaticObjectBegin {
            // SAFETY: the value owns a reference to its object.
            unsafe { self.side.table.TVMFFIObjectDecRef.unwrap()(self.value.payload() as TVMFFIObjectHandle) };
        }
    }
}

impl Side {
    /// What a global function answers, or the kind and message of its error.
    pub fn call(&self, name: &str, args: &[TVMFFIAny]) -> Result<Owned<'_>, String> {
        let (name, mut function) = (TVMFFIByteArray::new(name.as_bytes()), std::ptr::null_mut());
        // SAFETY: calls as the header allows them.
        unsafe {
            assert_eq!(self.table.TVMFFIFunctionGetGlobal.unwrap()(&name, &mut function), 0);
            let answer = self.call_function(function, args);
            self.table.TVMFFIObjectDecRef.unwrap()(function);
            answer
        }
    }

    /// What a function answers, or the kind and message of its error.
    ///
    /// # Safety
    /// The function is alive.
    pub unsafe fn call_function(&self, function: TVMFFIObjectHandle, args: &[TVMFFIAny]) -> Result<Owned<'_>, String> {
        let mut value = TVMFFIAny::NONE;
        let (data, count) = (args.as_ptr().cast_mut(), args.len() as i32);
        // SAFETY: a call as the header allows it.
        let code = unsafe { self.table.TVMFFIFunctionCall.unwrap()(function, data, count, &mut value) };
        if code == 0 { Ok(Owned::new(self, value)) } else { Err(self.raised()) }
    }

    /// Takes the raised error: its kind and message.
    pub fn raised(&self) -> String {
        let mut error = std::ptr::null_mut();
        // SAFETY: an error was raised, and its cell follows the header.
        unsafe {
            self.table.TVMFFIErrorMoveFromRaised.unwrap()(&mut error);
            let TVMFFIErrorCell { kind, message, .. } = *error.cast::<TVMFFIObject>().add(1).cast();
            let text = [kind, message].map(|text| String::from_utf8_lossy(bytes(&text)).into_owned()).join(": ");
            self.table.TVMFFIObjectDecRef.unwrap()(error);
            text
        }
    }
}

/// The bytes of a text.
///
/// # Safety
/// The span is readable.
pub unsafe fn bytes(text: &TVMFFIByteArray) -> &[u8] {
    // SAFETY: the caller's contract.
    if text.size == 0 { &[] } else { unsafe { slice::from_raw_parts(text.data.cast(), text.size) } }
}
