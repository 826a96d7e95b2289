//! Errors of any bytes, with a cause and an extra context, which a function of a client's raises: all of one is the caller's to see.

use std::{
    fmt::Display,
    ptr::null_mut,
    sync::atomic::{AtomicPtr, AtomicUsize, Ordering},
};

use tvm_ffi_spec::*;

use crate::client::{
    api::Api,
    callback::api,
    connection::Client,
    homemade::Homemade,
    owned::{Owned, Raised},
    verdict::Verdict,
};

/// An error with all that it has.
pub struct WholeError {
    /// The object.
    pub error: Owned,
    kind: Vec<u8>,
    message: Vec<u8>,
    /// Its cause and its extra context.
    behind: [TVMFFIObjectHandle; 2],
}

impl WholeError {
    /// What it says, for messages.
    pub fn name(&self) -> String {
        let start = |text: &[u8]| text[..text.len().min(24)].escape_ascii().to_string();
        format!("{}: {} ({} bytes)", start(&self.kind), start(&self.message), self.message.len())
    }
}

/// Kinds and messages that a reader of C strings, of UTF-8, of short texts or of lines takes for others.
fn texts() -> Vec<(Vec<u8>, Vec<u8>)> {
    let kinds: [&[u8]; 4] =
        [b"KeyError", b"my.Kind\0of error", b"\xff\xfe", b"a kind of many words, longer than any other that there is"];
    let long: Vec<u8> = (0..4096_usize).map(|at| (at % 251) as u8).collect();
    let messages: [&[u8]; 12] = [
        b"no\0hash",
        b"\0",
        b"",
        b"\0 at the beginning",
        b"at the end\0",
        b"\xff\x80 no UTF-8 \xc3",
        b"two\nlines\r\n",
        b"a%sb%nc {} {0}",
        b"seven_b",
        b"eight_by",
        b"   spaces   ",
        &long,
    ];
    let each = (0..).zip(messages).map(|(at, message): (usize, _)| (kinds[at % 4].to_vec(), message.to_vec()));
    // The first kind with all that may be cut off, too.
    let first = messages[..3].iter().chain(&messages[11..]).map(|message| (kinds[0].to_vec(), message.to_vec()));
    each.chain(first).collect()
}

/// The error that [`raise_whole`] raises, which a check keeps alive.
static CHOSEN: AtomicPtr<std::ffi::c_void> = AtomicPtr::new(null_mut());
/// How often it was raised.
static RAISED: AtomicUsize = AtomicUsize::new(0);

/// A callback that raises the error that was chosen.
pub fn raise_whole(api: &Api, _: &[TVMFFIAny]) -> Option<TVMFFIAny> {
    raise_chosen(api);
    None
}

/// Raises the error that was chosen, and answers what a C function does that has.
pub fn fail_whole() -> std::ffi::c_int {
    if let Some(api) = api() {
        raise_chosen(api);
    }
    -1
}

fn raise_chosen(api: &Api) {
    RAISED.fetch_add(1, Ordering::AcqRel);
    api.TVMFFIErrorSetRaised(CHOSEN.load(Ordering::Acquire));
}

/// How often the chosen error was raised.
pub fn times_raised() -> usize {
    RAISED.load(Ordering::Acquire)
}

impl Client {
    /// Errors of any bytes, every other one with a cause and an extra context where the target can make such.
    pub fn whole_errors(&self) -> Verdict<Vec<WholeError>> {
        let mut all = Vec::new();
        for (number, (kind, message)) in texts().into_iter().enumerate() {
            let [a, b, c] = [&kind[..], &message, b""].map(TVMFFIByteArray::new);
            let (mut out, mut behind) = (null_mut(), [null_mut(); 2]);
            if number % 2 == 0 && self.api.table().TVMFFIErrorCreateWithCauseAndExtraContext.is_some() {
                let cause = self.new_error("OSError", "the cause", "")?.into_any().payload() as TVMFFIObjectHandle;
                behind = [cause, Homemade::new(kTVMFFIObject, ()).handle()];
                let [cause, context] = behind;
                self.ok(self.api.TVMFFIErrorCreateWithCauseAndExtraContext(&a, &b, &c, cause, context, &mut out))?;
            } else {
                self.ok(self.api.TVMFFIErrorCreate(&a, &b, &c, &mut out))?;
            }
            all.push(WholeError { error: self.own_object("the new error", out)?, kind, message, behind });
        }
        Ok(all)
    }

    /// Has [`raise_whole`] and [`fail_whole`] raise this error.
    pub fn choose_error(&self, whole: &WholeError) {
        self.serve_callbacks();
        CHOSEN.store(whole.error.handle(), Ordering::Release);
    }

    /// Expects an error to have the kind and the message of this one, byte by byte.
    pub fn says_the_same(&self, what: impl Display, raised: &Raised, whole: &WholeError) -> Verdict {
        let [kind, message]: [TVMFFIByteArray; 2] = self.cell("the texts of an error", raised.object.handle())?;
        for (text, found, expected) in [("kind", kind, &whole.kind), ("message", message, &whole.message)] {
            let found = self.read_array(text, found)?.escape_ascii().to_string();
            self.eq(format_args!("the {text} of the error of {what}"), found, expected.escape_ascii().to_string())?;
        }
        Ok(())
    }

    /// Expects an error to be this very one, with its cause, and with an extra context if it had one: a library may add to that.
    pub fn is_the_same_error(&self, what: impl Display, raised: &Raised, whole: &WholeError) -> Verdict {
        self.eq(format_args!("the error of {what}"), raised.object.handle(), whole.error.handle())?;
        if whole.behind[0].is_null() {
            return Ok(());
        }
        let cell: TVMFFIErrorCell = self.cell("an error", raised.object.handle())?;
        self.eq(format_args!("the cause of the error of {what}"), cell.cause_chain, whole.behind[0])?;
        self.ne(format_args!("the extra context of the error of {what}"), cell.extra_context, null_mut())
    }
}
