//! What a check works with: the target's functions, ways to state what is expected, and guards for what it owns.
//!
//! A check returns at the first expectation that does not hold, so that what it reports is what went wrong first.

pub mod check;

use std::{
    cell::{Cell, RefCell},
    ffi::{c_int, c_void},
    fmt::{Debug, Display},
    sync::atomic::{AtomicBool, Ordering},
};

use proptest::{
    strategy::Strategy,
    test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner},
};
use serde::{Deserialize, Serialize};
use tvm_ffi_spec::*;

use crate::client::{
    api::Api,
    crumb::Crumbs,
    memory::{self, GuardedBytes},
};

/// How a check ends: with every expectation met, or with the first that was not.
pub type Verdict<T = ()> = Result<T, Box<Failure>>;

/// What an unmet expectation amounts to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FailureKind {
    /// The target broke the clause.
    Fail,
    /// The target kept memory or objects that nobody can reach.
    Leak,
    /// The target has no such function, and need not have one.
    Unsupported,
    /// The suite could not decide; not the target's doing.
    Error,
}

/// An expectation that was not met.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Failure {
    /// What it amounts to.
    pub kind: FailureKind,
    /// The clause it breaks.
    pub clause: String,
    /// The latest call before it.
    pub call: Option<String>,
    /// The thing that was looked at.
    pub what: String,
    /// What it should have been.
    pub expected: String,
    /// What it was.
    pub got: String,
    /// Memory worth seeing, with labels.
    pub bytes: Vec<(String, Vec<u8>)>,
    /// Anything else that helps.
    pub note: Option<String>,
}

impl Failure {
    /// The same failure with a remark.
    pub fn noting(mut self: Box<Self>, note: impl Display) -> Box<Self> {
        self.note = Some(match self.note.take() {
            Some(earlier) => format!("{earlier}; {note}"),
            None => note.to_string(),
        });
        self
    }

    /// The same failure with memory to look at.
    pub fn showing(mut self: Box<Self>, label: &str, bytes: &[u8]) -> Box<Self> {
        self.bytes.push((label.to_owned(), bytes.to_vec()));
        self
    }
}

/// Set when an expectation was not met: from then on guards let go of what they hold instead of calling a target that is
/// known to be broken, so that the failure is not lost in a crash.
static FAILED: AtomicBool = AtomicBool::new(false);

/// A check's view of the target.
pub struct Trial<'a> {
    /// The check's id.
    pub check: &'static str,
    /// The target's functions.
    pub api: Api,
    /// The directory that holds the fixtures.
    pub fixtures: &'a std::path::Path,
    /// The target's path.
    pub target: &'a std::path::Path,
    /// Exported functions that came from another library than the target, with that library.
    pub foreign: &'a [(String, String)],
    /// What a random choice in this check starts from.
    pub seed: u64,
    /// How many cases a property check tries.
    pub cases: u32,
    pub(crate) crumbs: Crumbs,
    pub(crate) clause: Cell<&'static str>,
}

/// Stating expectations.
impl Trial<'_> {
    /// From here on the check decides this clause.
    pub fn clause(&self, id: &'static str) {
        self.clause.set(id);
        self.crumbs.set_clause(id);
    }

    /// Expects two values to be equal.
    pub fn eq<T: PartialEq + Debug>(&self, what: impl Display, got: T, expected: T) -> Verdict {
        if got == expected { Ok(()) } else { Err(self.failure(what, format!("{expected:?}"), format!("{got:?}"))) }
    }

    /// Expects two values to differ.
    pub fn ne<T: PartialEq + Debug>(&self, what: impl Display, got: T, unexpected: T) -> Verdict {
        if got != unexpected {
            Ok(())
        } else {
            Err(self.failure(what, format!("anything but {unexpected:?}"), format!("{got:?}")))
        }
    }

    /// Expects something to hold; says what was expected and what was found instead.
    pub fn that(&self, what: impl Display, holds: bool, expected: impl Display, got: impl Display) -> Verdict {
        if holds { Ok(()) } else { Err(self.failure(what, expected, got)) }
    }

    /// Expects the sixteen bytes of a value.
    pub fn any_eq(&self, what: impl Display, got: &TVMFFIAny, expected: &TVMFFIAny) -> Verdict {
        if got.to_bytes() == expected.to_bytes() {
            return Ok(());
        }
        let failure = self.failure(what, format!("{expected:?}"), format!("{got:?}"));
        Err(failure.showing("expected", &expected.to_bytes()).showing("got", &got.to_bytes()))
    }

    /// Expects success of a call that returns a status.
    pub fn ok(&self, code: c_int) -> Verdict {
        if code == 0 {
            return Ok(());
        }
        let call = self.crumbs.latest();
        let mut failure = self.failure("return value", 0, code);
        failure.call = call;
        Err(match self.take_raised() {
            Some(raised) => failure.noting(format!("raised {}: {}", raised.kind, raised.message)),
            None => failure.noting("no error was raised"),
        })
    }

    /// Expects a call that returns a status to fail with an error of one of these kinds raised, and answers that error.
    /// The kinds are those a client may rely on; none given means that any will do.
    pub fn raises(&self, code: c_int, kinds: &[&str]) -> Verdict<Raised> {
        let call = self.crumbs.latest();
        let with_call = |mut failure: Box<Failure>| {
            failure.call = call.clone();
            failure
        };
        if code == 0 {
            return Err(with_call(self.failure("return value", "not 0, with an error raised", 0)));
        }
        let Some(raised) = self.take_raised() else {
            return Err(with_call(self.failure("the raised error", "an Error object", "NULL")));
        };
        if !kinds.is_empty() && !kinds.contains(&raised.kind.as_str()) {
            let got = format!("{}: {}", raised.kind, raised.message);
            return Err(with_call(self.failure("kind of the raised error", kinds.join(" or "), got)));
        }
        Ok(raised)
    }

    /// An unmet expectation, to be returned.
    pub fn failure(&self, what: impl Display, expected: impl Display, got: impl Display) -> Box<Failure> {
        self.unmet(FailureKind::Fail, what, expected, got)
    }

    /// A leak, to be returned.
    pub fn leak(&self, what: impl Display, expected: impl Display, got: impl Display) -> Box<Failure> {
        self.unmet(FailureKind::Leak, what, expected, got)
    }

    /// Something that the suite needs and could not have, to be returned; not the target's doing.
    pub fn error(&self, what: impl Display, problem: impl Display) -> Box<Failure> {
        self.unmet(FailureKind::Error, what, "the suite to be able to do this", problem)
    }

    fn unmet(&self, kind: FailureKind, what: impl Display, expected: impl Display, got: impl Display) -> Box<Failure> {
        FAILED.store(true, Ordering::Relaxed);
        let (what, mut expected, mut got) = (what.to_string(), expected.to_string(), got.to_string());
        if what.contains("type_index") || what.contains("type index") {
            name_type_index(&mut expected);
            name_type_index(&mut got);
        }
        Box::new(Failure {
            kind,
            clause: self.clause.get().to_owned(),
            call: self.crumbs.latest(),
            what,
            expected,
            got,
            bytes: Vec::new(),
            note: None,
        })
    }
}

/// Writes the constant's name behind a number that is a type index of the ABI.
fn name_type_index(text: &mut String) {
    let indices = abi::abi().enums.iter().find(|group| group.name == "TVMFFITypeIndex").map(|group| &group.constants);
    let Ok(number) = text.parse::<i64>() else { return };
    // Where two names share a number, the marker of a range comes before the type.
    if let Some(constant) = indices.into_iter().flatten().rfind(|constant| constant.value == number) {
        text.push_str(&format!(" ({})", constant.name));
    }
}

/// Looking at the target's memory.
impl Trial<'_> {
    /// The value at an address that the target gave out.
    pub fn read<T: Copy>(&self, what: impl Display, address: *const T) -> Verdict<T> {
        memory::read(address).ok_or_else(|| {
            self.failure(what, format!("{} readable bytes", size_of::<T>()), format!("address {address:p}"))
        })
    }

    /// The bytes at an address that the target gave out.
    pub fn read_bytes(&self, what: impl Display, address: *const c_void, len: usize) -> Verdict<Vec<u8>> {
        memory::read_bytes(address, len)
            .ok_or_else(|| self.failure(what, format!("{len} readable bytes"), format!("address {address:p}")))
    }

    /// The bytes of a byte array that the target gave out.
    pub fn read_array(&self, what: impl Display, array: TVMFFIByteArray) -> Verdict<Vec<u8>> {
        self.read_bytes(what, array.data.cast(), array.size)
    }

    /// What follows the header of an object.
    pub fn cell<C: Copy>(&self, what: impl Display, object: TVMFFIObjectHandle) -> Verdict<C> {
        self.read(what, object.wrapping_byte_add(size_of::<TVMFFIObject>()).cast_const().cast())
    }

    /// The header of an object.
    pub fn header(&self, object: TVMFFIObjectHandle) -> Verdict<TVMFFIObject> {
        self.read("object header", object.cast_const().cast())
    }

    /// An object's strong and weak counts.
    pub fn counts(&self, object: TVMFFIObjectHandle) -> Verdict<(u32, u32)> {
        let combined = self.header(object)?.combined_ref_count;
        Ok((combined as u32, (combined >> 32) as u32))
    }

    /// The bytes of a string or bytes value in any of its forms.
    pub fn text(&self, any: &TVMFFIAny) -> Verdict<Vec<u8>> {
        match any.type_index {
            kTVMFFISmallStr | kTVMFFISmallBytes => {
                let len = any.aux_word() as usize;
                self.that("length of a small string", len <= 7, "at most 7", len)?;
                Ok(any.payload().to_ne_bytes()[..len].to_vec())
            }
            kTVMFFIStr | kTVMFFIBytes => {
                let cell: TVMFFIByteArray = self.cell("string cell", any.payload() as *mut c_void)?;
                self.read_array("string content", cell)
            }
            kTVMFFIRawStr => memory::read_c_str(any.payload() as *const c_void, usize::MAX)
                .ok_or_else(|| self.failure("C string", "readable bytes", format!("{:#x}", any.payload()))),
            other => Err(self.failure("type index", "a string or bytes", other)),
        }
    }
}

/// Making and owning values.
impl Trial<'_> {
    /// Takes over an owned value; it is released when the guard is dropped.
    pub fn own(&self, any: TVMFFIAny) -> Owned {
        Owned { any, api: self.api }
    }

    /// Takes over one strong reference to an object; NULL is an unmet expectation.
    pub fn own_object(&self, what: impl Display, handle: TVMFFIObjectHandle) -> Verdict<Owned> {
        self.that(what, !handle.is_null(), "an object", "NULL")?;
        let type_index = self.header(handle)?.type_index;
        Ok(self.own(TVMFFIAny::new(type_index, handle as u64)))
    }

    /// `TVMFFIStringFromByteArray`, expected to succeed.
    pub fn string(&self, text: &[u8]) -> Verdict<Owned> {
        let mut out = TVMFFIAny::NONE;
        self.ok(self.api.TVMFFIStringFromByteArray(&TVMFFIByteArray::new(text), &mut out))?;
        Ok(self.own(out))
    }

    /// `TVMFFIBytesFromByteArray`, expected to succeed.
    pub fn bytes(&self, bytes: &[u8]) -> Verdict<Owned> {
        let mut out = TVMFFIAny::NONE;
        self.ok(self.api.TVMFFIBytesFromByteArray(&TVMFFIByteArray::new(bytes), &mut out))?;
        Ok(self.own(out))
    }

    /// A copy of `bytes` of which nothing can be read beyond its end.
    pub fn guarded(&self, bytes: &[u8]) -> Verdict<GuardedBytes> {
        GuardedBytes::new(bytes).map_err(|problem| self.error("guarded memory", problem))
    }

    /// `TVMFFIErrorCreate`, expected to succeed.
    pub fn new_error(&self, kind: &str, message: &str, backtrace: &str) -> Verdict<Owned> {
        let [kind, message, backtrace] = [kind, message, backtrace].map(|text| TVMFFIByteArray::new(text.as_bytes()));
        let mut out = std::ptr::null_mut();
        self.ok(self.api.TVMFFIErrorCreate(&kind, &message, &backtrace, &mut out))?;
        self.own_object("the new error", out)
    }

    /// `TVMFFIFunctionCreate`, expected to succeed.
    pub fn function(
        &self,
        this: *mut c_void,
        safe_call: TVMFFISafeCallType,
        deleter: Option<unsafe extern "C" fn(*mut c_void)>,
    ) -> Verdict<Owned> {
        let mut out = std::ptr::null_mut();
        self.ok(self.api.TVMFFIFunctionCreate(this, Some(safe_call), deleter, &mut out))?;
        self.own_object("the new function", out)
    }

    /// `TVMFFIObjectCreateOpaque` with the one type index it takes, expected to succeed.
    pub fn opaque(&self, handle: *mut c_void, deleter: Option<unsafe extern "C" fn(*mut c_void)>) -> Verdict<Owned> {
        let mut out = std::ptr::null_mut();
        self.ok(self.api.TVMFFIObjectCreateOpaque(handle, kTVMFFIOpaquePyObject, deleter, &mut out))?;
        self.own_object("the new opaque object", out)
    }

    /// A global function, expected to be registered.
    pub fn global(&self, name: &str) -> Verdict<Owned> {
        let mut out = std::ptr::null_mut();
        self.ok(self.api.TVMFFIFunctionGetGlobal(&TVMFFIByteArray::new(name.as_bytes()), &mut out))?;
        self.own_object(format!("global function {name}"), out)
    }

    /// Calls a function object with views of `args` and expects success.
    pub fn call(&self, function: &Owned, args: &[TVMFFIAny]) -> Verdict<Owned> {
        let mut result = TVMFFIAny::NONE;
        self.ok(self.try_call(function, args, &mut result))?;
        Ok(self.own(result))
    }

    /// Calls a function object with views of `args`; the status is the caller's to judge.
    pub fn try_call(&self, function: &Owned, args: &[TVMFFIAny], result: &mut TVMFFIAny) -> c_int {
        self.api.TVMFFIFunctionCall(function.handle(), args.as_ptr().cast_mut(), args.len() as i32, result)
    }

    /// Looks a global function up and calls it, both expected to succeed.
    pub fn call_global(&self, name: &str, args: &[TVMFFIAny]) -> Verdict<Owned> {
        let function = self.global(name)?;
        self.call(&function, args)
    }

    /// Calls a global function that may answer or fail, but must return; what it answers is released.
    pub fn returns(&self, name: &str, args: &[TVMFFIAny]) -> Verdict {
        let mut result = TVMFFIAny::NONE;
        match self.try_call(&self.global(name)?, args, &mut result) {
            0 => drop(self.own(result)),
            code => drop(self.raises(code, &[])?),
        }
        Ok(())
    }

    /// Takes this thread's raised error and reads it; `None` when there is none.
    pub fn take_raised(&self) -> Option<Raised> {
        let mut handle = std::ptr::null_mut();
        self.api.TVMFFIErrorMoveFromRaised(&mut handle);
        let cell = memory::read(handle.wrapping_byte_add(size_of::<TVMFFIObject>()).cast::<[TVMFFIByteArray; 3]>())?;
        let text = |array: TVMFFIByteArray| match memory::read_bytes(array.data.cast(), array.size.min(1 << 20)) {
            Some(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            None => format!("<{} unreadable bytes at {:p}>", array.size, array.data),
        };
        let [kind, message, backtrace] = cell.map(text);
        let object = Owned { any: TVMFFIAny::new(kTVMFFIError, handle as u64), api: self.api };
        Some(Raised { kind, message, backtrace, object })
    }
}

/// Trying many cases, many times, or from many threads.
impl Trial<'_> {
    /// Tries the property on random inputs and, when it fails, on ever smaller ones; reports the smallest that fails.
    pub fn property<S>(&self, strategy: S, property: impl Fn(&S::Value) -> Verdict) -> Verdict
    where
        S: Strategy,
        S::Value: Debug,
    {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.seed.to_le_bytes());
        let config = Config { cases: self.cases, failure_persistence: None, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
        let last = RefCell::new(None);
        let outcome = runner.run(&strategy, |input| {
            FAILED.store(false, Ordering::Relaxed);
            property(&input).map_err(|failure| {
                let reason = failure.what.clone();
                *last.borrow_mut() = Some(failure);
                TestCaseError::fail(reason)
            })
        });
        match outcome {
            Ok(()) => Ok(()),
            Err(TestError::Fail(reason, smallest)) => {
                FAILED.store(false, Ordering::Relaxed);
                let again = property(&smallest).err();
                let failure = again.or_else(|| last.into_inner());
                let failure = failure.unwrap_or_else(|| self.failure(reason, "the property to hold", "it did not"));
                FAILED.store(true, Ordering::Relaxed);
                Err(failure.noting(format!("smallest failing input: {smallest:?}")))
            }
            Err(TestError::Abort(reason)) => Err(self.error("generating inputs", reason)),
        }
    }

    /// Expects that repeating `round` does not make the heap grow. A few rounds come first, so that what is kept once
    /// (a cache, a table) is not taken for a leak. A leak grows all the time, while malloc's own caches fill up in fits
    /// and starts, slower and slower: the first stretch of rounds that grows by less than a leak settles it.
    pub fn no_growth(&self, what: impl Display, round: impl Fn() -> Verdict) -> Verdict {
        const STRETCHES: usize = 16;
        const ROUNDS: usize = 500;
        // Half the smallest block malloc hands out, for each round: less cannot come from a round that leaks.
        const BOUND: usize = ROUNDS * 8;
        let stretch = || -> Verdict<usize> {
            let before = heap_in_use();
            (0..ROUNDS).try_for_each(|_| round())?;
            Ok(heap_in_use().saturating_sub(before))
        };
        stretch()?;
        let mut least = usize::MAX;
        for _ in 0..STRETCHES {
            least = least.min(stretch()?);
            if least < BOUND {
                return Ok(());
            }
        }
        Err(self.leak(
            what,
            format!("less than {BOUND} bytes more in use after {ROUNDS} rounds"),
            format!("at least {least} bytes more, {STRETCHES} times in a row"),
        ))
    }

    /// Runs `work` on `count` threads at once and answers the first failure. Each call gets its thread's number.
    pub fn threads(&self, count: usize, work: impl Fn(&Trial, usize) -> Verdict + Sync) -> Verdict {
        let barrier = std::sync::Barrier::new(count);
        let (api, crumbs, clause, seed, cases) = (self.api, self.crumbs, self.clause.get(), self.seed, self.cases);
        let (check, fixtures, target, foreign) = (self.check, self.fixtures, self.target, self.foreign);
        let results: Vec<Verdict> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..count)
                .map(|number| {
                    let (work, barrier) = (&work, &barrier);
                    scope.spawn(move || {
                        let clause = Cell::new(clause);
                        let trial = Trial { check, api, fixtures, target, foreign, seed, cases, crumbs, clause };
                        barrier.wait();
                        work(&trial, number)
                    })
                })
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|_| Err(self.error("a thread", "it panicked"))))
                .collect()
        });
        results.into_iter().collect()
    }
}

/// Pauses the thread it is called on, so that others arrive while this one is in the middle of something. It sleeps,
/// since a mere yield comes back at once where every processor has other work.
pub fn let_others_run() {
    std::thread::sleep(std::time::Duration::from_micros(20));
}

/// Bytes that malloc has handed out and not got back.
fn heap_in_use() -> usize {
    fill_caches();
    // SAFETY: mallinfo2 only reads malloc's own records.
    let info = unsafe { libc::mallinfo2() };
    info.uordblks + info.hblkhd
}

/// Gives malloc more small blocks of every size than a thread's cache takes. Blocks in such a cache count as handed out,
/// and their number drifts for thousands of rounds; only full caches are the same from one look to the next.
fn fill_caches() {
    const EACH: usize = 32;
    const LARGEST: usize = 1032;
    for size in (24..=LARGEST).step_by(16) {
        // SAFETY: any size may be asked for.
        let blocks: [*mut c_void; EACH] = std::array::from_fn(|_| unsafe { libc::malloc(size) });
        // The compiler may leave out blocks that nobody looks at.
        for block in std::hint::black_box(blocks) {
            // SAFETY: from malloc, or NULL, and freed once.
            unsafe { libc::free(block) };
        }
    }
}

/// An owned value; what it refers to is released when the guard is dropped, unless the check has failed.
pub struct Owned {
    any: TVMFFIAny,
    api: Api,
}

impl Owned {
    /// The value.
    pub fn any(&self) -> TVMFFIAny {
        self.any
    }

    /// The object that the value refers to; NULL when it is not an object.
    pub fn handle(&self) -> TVMFFIObjectHandle {
        if self.any.type_index < kTVMFFIStaticObjectBegin {
            return std::ptr::null_mut();
        }
        self.any.payload() as TVMFFIObjectHandle
    }

    /// Gives the value up without releasing it.
    pub fn into_any(mut self) -> TVMFFIAny {
        std::mem::replace(&mut self.any, TVMFFIAny::NONE)
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        if !self.handle().is_null() && !FAILED.load(Ordering::Relaxed) {
            self.api.release(self.handle());
        }
    }
}

/// An error that was raised, taken and read.
pub struct Raised {
    /// Such as `ValueError`.
    pub kind: String,
    /// The message.
    pub message: String,
    /// The backtrace, most recent call first.
    pub backtrace: String,
    /// The object itself.
    pub object: Owned,
}

/// A result slot as a C caller may leave it: a plain value of that type, with every other byte set.
pub fn dirty(type_index: i32) -> TVMFFIAny {
    TVMFFIAny { aux: TVMFFIAnyAux { zero_padding: 0x5A5A_5A5A }, ..TVMFFIAny::new(type_index, 0xA5A5_A5A5_A5A5_A5A5) }
}

/// The content of a string or bytes value in any of its forms, for a callback that is handed one; `None` for another
/// value and for one that leads nowhere.
pub fn text_of(any: &TVMFFIAny) -> Option<Vec<u8>> {
    match any.type_index {
        kTVMFFISmallStr | kTVMFFISmallBytes => {
            any.payload().to_ne_bytes().get(..any.aux_word() as usize).map(Vec::from)
        }
        kTVMFFIStr | kTVMFFIBytes => {
            let cell = (any.payload() as *const TVMFFIByteArray).wrapping_byte_add(size_of::<TVMFFIObject>());
            let content = memory::read(cell)?;
            memory::read_bytes(content.data.cast(), content.size)
        }
        kTVMFFIRawStr => memory::read_c_str(any.payload() as *const c_void, usize::MAX),
        _ => None,
    }
}

/// Views of plain values, for arguments.
pub mod view {
    use std::ffi::{CStr, c_void};

    use tvm_ffi_spec::*;

    /// An integer.
    pub fn int(value: i64) -> TVMFFIAny {
        TVMFFIAny::new(kTVMFFIInt, value as u64)
    }

    /// A boolean.
    pub fn bool(value: bool) -> TVMFFIAny {
        TVMFFIAny::new(kTVMFFIBool, value.into())
    }

    /// A double.
    pub fn float(value: f64) -> TVMFFIAny {
        TVMFFIAny::new(kTVMFFIFloat, value.to_bits())
    }

    /// A pointer.
    pub fn pointer(value: *mut c_void) -> TVMFFIAny {
        TVMFFIAny::new(kTVMFFIOpaquePtr, value as u64)
    }

    /// A C string; valid as long as `text`.
    pub fn c_str(text: &CStr) -> TVMFFIAny {
        TVMFFIAny::new(kTVMFFIRawStr, text.as_ptr() as u64)
    }

    /// A byte array; valid as long as `array`.
    pub fn byte_array(array: &TVMFFIByteArray) -> TVMFFIAny {
        TVMFFIAny::new(kTVMFFIByteArrayPtr, array as *const TVMFFIByteArray as u64)
    }

    /// A borrowed tensor; valid as long as `tensor`.
    pub fn dl_tensor(tensor: &DLTensor) -> TVMFFIAny {
        TVMFFIAny::new(kTVMFFIDLTensorPtr, tensor as *const DLTensor as u64)
    }
}
