//! Calls of a function, one after another in a process that is made to be lost, and what was seen of each.

use std::{
    ffi::{CString, c_int},
    os::unix::ffi::OsStrExt,
    time::{Duration, Instant},
};

use tvm_ffi_reports::kernel::rules;
use tvm_ffi_spec::*;

use super::{
    errand::{Broken, Errand, Seen, Step, StepSeen, Work},
    given::{Given, written},
    laid::Laid,
    remains, result,
};
use crate::{
    client::{Client, Verdict, dirty, globals, memory, modules, shown},
    target::{library, offered},
    trial::growth,
};

/// Does an errand.
///
/// # Errors
/// That the library cannot be loaded, or that the suite cannot make what is to be passed.
pub fn perform(client: &Client, errand: &Errand, sanitized: bool) -> Verdict<Seen> {
    client.serve_callbacks();
    let caller = Caller::new(client, errand)?;
    Ok(match &errand.work {
        Work::Load => Seen::Loaded,
        Work::Metadata => {
            let step = caller.call(0, &Step::of(Vec::new()))?;
            match step.result {
                Some(Given::Text(text)) if step.status == 0 => Seen::Metadata(text),
                _ => Seen::Calls(vec![step]),
            }
        }
        Work::Calls(steps) => {
            let mut seen = Vec::new();
            for (place, step) in steps.iter().enumerate() {
                seen.push(caller.call(place, step)?);
                if !seen[place].broken.is_empty() {
                    break;
                }
            }
            Seen::Calls(seen)
        }
        Work::Repeat(step) => caller.repeat(step, sanitized)?,
    })
}

/// A function that can be called.
struct Caller<'a> {
    client: &'a Client,
    name: &'a str,
    function: TVMFFISafeCallType,
}

/// What one call came to, before anything is looked at.
struct Came {
    status: c_int,
    result: TVMFFIAny,
    /// The address of what it raised; 0 for nothing. An address, because it may come from another thread.
    error: usize,
    mode: (u32, u32),
}

impl<'a> Caller<'a> {
    /// Loads the library as a module, as clients do, where the library in its place can do that.
    fn new(client: &'a Client, errand: &'a Errand) -> Verdict<Self> {
        let refused = |what: &str, problem: String| client.failure(what, "to be loaded", problem);
        for path in &errand.beside {
            library::load_for_all(path).map_err(|problem| refused(&path.display().to_string(), problem))?;
        }
        let path = CString::new(errand.file.as_os_str().as_bytes()).unwrap_or_default();
        let prefix = if matches!(errand.work, Work::Metadata) { offered::METADATA } else { offered::FUNCTION };
        let symbol = format!("{prefix}{}", errand.function);
        let function = client.crumbs.while_opening(&errand.file, || {
            if globals::find(client, modules::LOAD)?.is_some() {
                // Kept for the life of the process.
                std::mem::forget(client.load_module(&path)?);
            }
            library::fixture_symbol(&errand.file, &symbol).or_else(|problem| match errand.work {
                Work::Load => Ok(std::ptr::null()),
                _ => Err(refused(&symbol, problem)),
            })
        })?;
        if function.is_null() {
            // Nothing is called of a library that is only loaded.
            return Ok(Self { client, name: &errand.function, function: crate::client::callback::return_none });
        }
        // SAFETY: that a symbol of this name is such a function is the very claim under test, in a process that is made to be lost.
        let function = unsafe { std::mem::transmute::<*const std::ffi::c_void, TVMFFISafeCallType>(function) };
        Ok(Self { client, name: &errand.function, function })
    }

    fn call(&self, place: usize, step: &Step) -> Verdict<StepSeen> {
        let laid = Laid::new(self.client, place, &step.args)?;
        let seen = self.call_with(&laid, step);
        laid.end(&seen.broken);
        Ok(seen)
    }

    fn call_with(&self, laid: &Laid, step: &Step) -> StepSeen {
        self.client.api.release_raised();
        let (slot, text) = (slot(step), written(self.name, &step.args));
        let came = if step.thread {
            // The array is not written while the thread runs, and the thread ends before this goes on.
            let args = laid.args() as usize;
            let run = || self.enter(&text, args as *const TVMFFIAny, step.args.len(), slot);
            std::thread::scope(|scope| scope.spawn(run).join()).unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        } else {
            self.enter(&text, laid.args(), step.args.len(), slot)
        };
        self.look(laid, &slot, came)
    }

    /// Makes the call, and takes the error that it has raised, on this thread.
    fn enter(&self, text: &str, args: *const TVMFFIAny, count: usize, slot: TVMFFIAny) -> Came {
        let mut result = slot;
        let before = float_mode();
        let function = self.function;
        // SAFETY: arguments as the calling convention has them; nothing can vouch for the function, which is under test in a process
        // that is made to be lost.
        let call = || unsafe { function(std::ptr::null_mut(), args, count as i32, &mut result) };
        let status = self.client.api.noted(text, call);
        let mode = (before, float_mode());
        set_float_mode(before);
        Came { status, result, error: self.client.api.take_raised() as usize, mode }
    }

    fn look(&self, laid: &Laid, slot: &TVMFFIAny, came: Came) -> StepSeen {
        let client = self.client;
        let Came { status, result, error, mode } = came;
        let error = error as TVMFFIObjectHandle;
        let mut seen = StepSeen { status, result_index: result.type_index, ..StepSeen::default() };
        let broken = &mut seen.broken;
        if !error.is_null() {
            seen.error = look_at_error(client, error, broken);
        }
        match (status, error.is_null()) {
            (0, false) => {
                let told = seen.error.as_ref().map(|(kind, message)| format!("{kind}: {message}"));
                let message = format!("it returned 0 and left an error behind ({})", told.unwrap_or_default());
                broken.push(Broken::of(&rules::STALE_ERROR, message));
            }
            (1.. | ..=-1, true) => {
                let message = format!("it returned {status} and raised no error");
                broken.push(Broken::of(&rules::FAILURE_WITHOUT_ERROR, message));
            }
            _ => {}
        }
        if !(-1..=0).contains(&status) {
            broken.push(Broken::of(&rules::STATUS, format!("it returned {status}")));
        }
        if mode.0 != mode.1 {
            let message = format!("MXCSR was {:#06x} and is {:#06x}", mode.0, mode.1);
            broken.push(Broken::of(&rules::FLOAT_MODE, message));
        }
        if status == 0 {
            // What was left alone is no result.
            let result = if result.to_bytes() == slot.to_bytes() { TVMFFIAny::NONE } else { result };
            seen.result_index = result.type_index;
            let may_be_released = result::look(&result, laid, broken);
            seen.result = result::plain(client, &result);
            if may_be_released {
                client.api.release(result.payload() as TVMFFIObjectHandle);
            }
        } else if result.type_index >= kTVMFFIStaticObjectBegin {
            let message = format!("it failed with an object of type {} in the result", result.type_index);
            broken.push(Broken::of(&rules::RESULT_OF_FAILURE, message));
        }
        let tensors = laid.look(status == 0, broken);
        seen.tensors = tensors;
        seen
    }

    /// Makes a call over and over, if that does not take too long.
    fn repeat(&self, step: &Step, sanitized: bool) -> Verdict<Seen> {
        const ROUNDS: u32 = 600;
        const PATIENCE: Duration = Duration::from_secs(10);
        let laid = Laid::new(self.client, 0, &step.args)?;
        let first = self.call_with(&laid, step);
        if !first.broken.is_empty() {
            return Ok(Seen::Repeated(None, first.broken));
        }
        let (function, slot, api) = (self.function, slot(step), self.client.api);
        let round = || {
            let mut result = slot;
            // SAFETY: as above.
            let status = unsafe { function(std::ptr::null_mut(), laid.args(), step.args.len() as i32, &mut result) };
            if status == 0 && result.type_index >= kTVMFFIStaticObjectBegin {
                api.release(result.payload() as TVMFFIObjectHandle);
            }
            api.release_raised();
            Ok(())
        };
        // What is done at first use has been done.
        let start = Instant::now();
        round()?;
        if start.elapsed() * ROUNDS > PATIENCE {
            return Ok(Seen::Repeated(None, Vec::new()));
        }
        let text = written(self.name, &step.args);
        // Before the many rounds of the other: where nothing more can be made, nothing more is left.
        let left = self.client.api.noted(&text, || remains::of(&round))?;
        let grown = self.client.api.noted(&text, || growth::of(sanitized, &round))?;
        let mut broken = Vec::new();
        if grown == 0
            && let Some(left) = left
        {
            broken.push(Broken::of(&rules::LEAK, left));
        }
        laid.look(false, &mut broken);
        Ok(Seen::Repeated(Some(grown), broken))
    }
}

fn slot(step: &Step) -> TVMFFIAny {
    let number = TVMFFIAny::new(kTVMFFIInt, dirty(kTVMFFIInt).payload());
    if step.dirty { number } else { TVMFFIAny::NONE }
}

/// The kind and the message of an error, which is given up.
fn look_at_error(client: &Client, error: TVMFFIObjectHandle, broken: &mut Vec<Broken>) -> Option<(String, String)> {
    let mut broke = |rule, message: String| broken.push(Broken::of(rule, message));
    let header = memory::read(error.cast_const().cast::<TVMFFIObject>());
    let cell = memory::read(error.wrapping_byte_add(size_of::<TVMFFIObject>()).cast::<[TVMFFIByteArray; 3]>());
    let (Some(header), Some([kind, message, _])) = (header, cell) else {
        broke(&rules::ERROR_OBJECT, format!("what it raised, at {error:p}, cannot be read"));
        return None;
    };
    if header.type_index != kTVMFFIError {
        let name = shown::type_key(header.type_index).unwrap_or_else(|| format!("type {}", header.type_index));
        broke(&rules::ERROR_OBJECT, format!("what it raised is no Error, but a {name}"));
        return None;
    }
    let text = |array: TVMFFIByteArray| memory::read_bytes(array.data.cast(), array.size.min(4 << 10));
    let (Some(kind), Some(message)) = (text(kind), text(message)) else {
        broke(&rules::ERROR_OBJECT, "the kind or the message of its error cannot be read".to_owned());
        return None;
    };
    if kind.is_empty() {
        broke(&rules::ERROR_KIND, "the kind of its error is empty".to_owned());
    }
    if message.is_empty() {
        broke(&rules::ERROR_MESSAGE, "the message of its error is empty".to_owned());
    } else if message.len() < 4 << 10 && std::str::from_utf8(&message).is_err() {
        broke(&rules::ERROR_MESSAGE, format!("the message of its error is no UTF-8: \"{}\"", message.escape_ascii()));
    }
    client.api.release(error);
    let told = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Some((told(kind), told(message)))
}

/// How this thread computes: the control bits of MXCSR.
#[cfg(target_arch = "x86_64")]
fn float_mode() -> u32 {
    const CONTROL: u32 = 0xFFC0;
    let mut mode = 0_u32;
    // SAFETY: writes four bytes to a place of our own.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &mut mode, options(nostack)) };
    mode & CONTROL
}

/// Has this thread compute as it did before.
#[cfg(target_arch = "x86_64")]
fn set_float_mode(mode: u32) {
    // SAFETY: reads four bytes that were such a mode before, without the flags of exceptions.
    unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &mode, options(nostack)) };
}

#[cfg(not(target_arch = "x86_64"))]
fn float_mode() -> u32 {
    0
}

#[cfg(not(target_arch = "x86_64"))]
fn set_float_mode(_: u32) {}
