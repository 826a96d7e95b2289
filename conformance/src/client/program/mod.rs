//! A C program that repeats what a check does: a statement for each call, written down while a failure is run again.
//!
//! Nothing is written before [`begin`], so a check that passes pays nothing. What is written stands in the page of breadcrumbs, where
//! it outlives a crash; the heap, which some checks measure, is left as it is. What other threads do, and functions of the suite's own that the
//! library calls, stands between the rest in the order in which it happened, behind lines that say [where it belongs](IN). What a program
//! cannot do is [left out](leave_out), and then there is no program.

mod argument;
mod course;
mod places;
mod value;

use std::{
    ffi::{c_int, c_void},
    fmt::Display,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

pub use argument::{Answer, Argument};
pub use course::{CALLBACK, IN};
use course::{Course, Place};
use places::{Kind, Places};
use tvm_ffi_spec::*;
pub use value::Statement;

use crate::client::{crumb::Crumbs, memory, names};

/// How a line begins that says what a program leaves out.
pub const LEFT_OUT: &str = "#error ";

/// Whether one is to be written, and whether what is done now is a part of it: it is not where something was left out.
static BEGUN: AtomicBool = AtomicBool::new(false);
static ON: AtomicBool = AtomicBool::new(false);
static RECORDER: Mutex<Recorder> = Mutex::new(Recorder {
    crumbs: None,
    calls: 0,
    course: Course::NONE,
    latest: Place { thread: 0, callback: 0, time: 0 },
    places: Places::NONE,
    mark: None,
});

/// What has been written, and what the program knows by name.
struct Recorder {
    crumbs: Option<Crumbs>,
    calls: u32,
    course: Course,
    /// Where the latest statement belongs.
    latest: Place,
    places: Places,
    mark: Option<Mark>,
}

/// How far a program had come.
#[derive(Clone, Copy)]
struct Mark {
    calls: u32,
    text: usize,
    places: usize,
    course: Course,
    latest: Place,
}

/// A call that is being made.
pub struct Call {
    number: u32,
    title: String,
}

/// Has everything written down that is done from now on.
pub fn begin(crumbs: Crumbs) {
    let mut recorder = lock();
    recorder.crumbs = Some(crumbs);
    recorder.course.begin();
    BEGUN.store(true, Ordering::Release);
    ON.store(true, Ordering::Release);
}

/// Whether what is done now is written.
pub fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// A property is tried on another input: what was done with the one before is no part of the program.
pub fn case_begins() {
    if !BEGUN.load(Ordering::Relaxed) {
        return;
    }
    let mut recorder = lock();
    let Some(crumbs) = recorder.crumbs else { return };
    match recorder.mark {
        None if !is_on() => {}
        None => {
            let text = crumbs.program().len();
            let Recorder { calls, ref places, course, latest, .. } = *recorder;
            recorder.mark = Some(Mark { calls, text, places: places.len(), course, latest });
        }
        Some(Mark { calls, text, places, course, latest }) => {
            crumbs.program().cut(text);
            recorder.places.cut(places);
            (recorder.calls, recorder.course, recorder.latest) = (calls, course, latest);
            ON.store(true, Ordering::Release);
        }
    }
}

/// Notes what no program can repeat: then there is none.
pub fn leave_out(why: &str) {
    if is_on() {
        lock().leave_out(why);
    }
}

/// The same of the whole check. From now on nothing is locked here either, so that a copy of this process does not wait for a thread
/// that it has no copy of.
pub fn give_up(why: &str) {
    leave_out(why);
    BEGUN.store(false, Ordering::Release);
}

/// Writes a call of an exported function.
pub fn call(name: &str, args: &[(&str, &dyn Argument)], declare: fn(u32) -> String) -> Option<Call> {
    enter(|statement| {
        let args: Vec<String> = args.iter().map(|(name, arg)| arg.spell(name, statement)).collect();
        let lead = declare(statement.number);
        statement.add(format_args!("  {lead}{name}({});\n", args.join(", ")));
        name.to_owned()
    })
}

/// A reference to an object is about to be given up.
pub fn is_given_up(object: TVMFFIObjectHandle) {
    with(|recorder, _| recorder.forget_if_last(object));
}

/// Writes another call, which is what `spell` makes of the variable that it writes to.
pub fn other(
    out: Option<&dyn Argument>,
    spell: impl FnOnce(&mut Statement, &str) -> String,
    declare: fn(u32) -> String,
) -> Option<Call> {
    enter(|statement| {
        let out = out.map(|out| out.spell("result", statement)).unwrap_or_default();
        let call = spell(statement, &out);
        statement.add(format_args!("  {}{call};\n", declare(statement.number)));
        "it".to_owned()
    })
}

/// Writes that the suite counts a reference itself, as compiled clients do.
pub fn counts(how: &str, object: TVMFFIObjectHandle) {
    enter(|statement| {
        let object = statement.handle(object);
        statement.add(format_args!("  {how}({object});\n"));
        String::new()
    });
    with(|recorder, thread| recorder.course.frame(thread).within = false);
    if ["release", "TVMFFIObjectDecRef"].contains(&how) {
        is_given_up(object);
    }
}

/// Writes a call of a function object, which has that name and is told like this.
pub fn function_call(
    told: &str,
    function: TVMFFIObjectHandle,
    args: *const TVMFFIAny,
    count: i32,
    result: *mut TVMFFIAny,
) -> Option<Call> {
    enter(|statement| {
        let number = statement.number;
        statement.add(format_args!("  /* {} */\n", told.replace("*/", "* /")));
        let function_in_c = statement.handle(function);
        let values: Vec<String> = (0..usize::try_from(count).unwrap_or_default().min(1000))
            .map(|place| match memory::read(args.wrapping_add(place)) {
                Some(arg) => statement.value(&arg),
                None => statement.leave_out("an argument cannot be read"),
            })
            .collect();
        let args = match values.as_slice() {
            [] => "NULL".to_owned(),
            values => {
                statement.add(format_args!("  TVMFFIAny a{number}[] = {{{}}};\n", values.join(", ")));
                format!("a{number}")
            }
        };
        let result = result.spell("result", statement);
        statement
            .add(format_args!("  int c{number} = TVMFFIFunctionCall({function_in_c}, {args}, {count}, {result});\n"));
        names::function(function).unwrap_or_else(|| "the function".to_owned())
    })
}

/// Writes what a call has come to, and learns what it has given out.
pub fn returned(call: Option<Call>, answer: &dyn Answer, args: &[(&str, &dyn Argument)]) {
    let Some(Call { number, title }) = call else { return };
    with(|recorder, thread| {
        recorder.course.frame(thread).within = false;
        let title = value::literal(title.as_bytes());
        let status = answer.status(number);
        let mut said: Vec<_> =
            args.iter().filter_map(|(name, arg)| arg.learn(name, number, &mut recorder.places)).collect();
        let told = answer.learn(number, &mut recorder.places);
        if said.is_empty() {
            said.extend(told);
        }
        let text: String =
            said.iter().map(|(how, out)| format!("  {how}({number}, {title}, {status}, {out});\n")).collect();
        recorder.add(thread, &text);
    });
}

/// A function of the suite's own is handed over, with this `self`: from here on the library calls it.
pub fn hands_over(function: Option<TVMFFISafeCallType>, this: *mut c_void) {
    if let Some(function) = function {
        with(|recorder, thread| {
            recorder.course.frame(thread).handed = recorder.course.callback(function as usize, this as usize);
        });
    }
}

/// Such a function is called. Answers whether what it does can be written.
pub(super) fn is_called(function: usize, this: *mut c_void, args: *const TVMFFIAny, count: i32) -> bool {
    let noticed = with(|recorder, thread| {
        if !recorder.course.calls(thread, function, this as usize) {
            recorder.leave_out("the library calls functions of the suite's own too deep in one another");
            return false;
        }
        for place in 0..usize::try_from(count).unwrap_or_default().min(16) {
            let object =
                memory::read(args.wrapping_add(place)).filter(|arg| arg.type_index >= kTVMFFIStaticObjectBegin);
            let object = object.map(|arg| arg.payload()).filter(|object| recorder.places.exactly(*object).is_none());
            if let Some(object) = object {
                let number = recorder.next();
                recorder.add(thread, &format!("  TVMFFIObjectHandle h{number} = args[{place}].v_obj;\n"));
                recorder.places.add(object, Kind::Handle, number);
            }
        }
        true
    });
    noticed == Some(true)
}

/// It has answered.
pub(super) fn has_answered(status: c_int, result: *const TVMFFIAny) {
    with(|recorder, thread| {
        let answer =
            memory::read(result).filter(|answer| status == 0 && answer.to_bytes() != TVMFFIAny::NONE.to_bytes());
        let (mut text, wrote) = (String::new(), recorder.course.frame(thread).wrote);
        if let Some(answer) = answer {
            let mut statement = Statement::new(recorder.calls, &recorder.places);
            let value = statement.value(&answer);
            // Without a call, the reference that it gives is one that it has counted itself.
            if answer.type_index >= kTVMFFIStaticObjectBegin && !wrote {
                let object = statement.handle(answer.payload() as *const c_void);
                statement.add(format_args!("  retain({object});\n"));
            }
            statement.add(format_args!("  *result = {value};\n"));
            let Statement { text: statements, left_out, own, .. } = statement;
            if let Some(why) = left_out.or((!own.is_empty()).then_some("it answers an object of the suite's own")) {
                return recorder.leave_out(why);
            }
            text = statements;
        }
        recorder.add(thread, &format!("{text}  return {status};\n"));
        recorder.course.returns(thread);
    });
}

/// Writes that this thread's raised error is taken.
pub fn takes_raised(error: TVMFFIObjectHandle) {
    with(|recorder, thread| {
        let number = recorder.next();
        recorder.add(thread, &format!("  TVMFFIObjectHandle h{number} = raised();\n"));
        recorder.places.add(error as u64, Kind::Handle, number);
    });
}

/// Writes that a reference is given up.
pub fn gives_up(object: TVMFFIObjectHandle) {
    counts("TVMFFIObjectDecRef", object);
}

/// Writes that memory is looked at which the target has given out, and learns where that leads. `kind` is the Rust type of what is there, or
/// none for bytes.
pub fn looks(what: &dyn Display, address: usize, bytes: &[u8], kind: Option<&str>) {
    with(|recorder, thread| {
        let is_header = kind == Some(std::any::type_name::<TVMFFIObject>());
        let found = match recorder.places.exactly(address as u64) {
            Some(place) => Some((place, 0)),
            None if is_header => None,
            None => recorder.places.find(address as u64),
        };
        let Some((place, offset)) = found else { return };
        let from = recorder.places.spell(place, offset);
        recorder.places.learn(place, offset, bytes);
        let how = match kind.and_then(|kind| kind.rsplit("::").next()) {
            Some("TVMFFIAny") => "look_any",
            Some("TVMFFIObject") => "look_header",
            Some("TVMFFIByteArray") => "look_array",
            Some(_) => "look",
            None => "look_text",
        };
        const MOST: usize = 512;
        if bytes.len() <= MOST {
            let what = value::literal(what.to_string().as_bytes());
            recorder.add(thread, &format!("  {how}({what}, {from}, {});\n", bytes.len()));
        }
    });
}

/// Writes that the header of an object of the suite's own is looked at.
pub fn looks_at_header(what: &dyn Display, object: TVMFFIObjectHandle) {
    if !is_on() {
        return;
    }
    if let Some(bytes) = memory::read_bytes(object, size_of::<TVMFFIObject>()) {
        looks(what, object as usize, &bytes, Some(std::any::type_name::<TVMFFIObject>()));
    }
}

fn enter(write: impl FnOnce(&mut Statement) -> String) -> Option<Call> {
    with(|recorder, thread| {
        if recorder.course.frame(thread).within {
            recorder.leave_out("the library calls functions of the suite's own, which call it");
            return None;
        }
        let (number, callback) = (recorder.next(), recorder.course.frame(thread).handed);
        let mut statement = Statement { callback, ..Statement::new(number, &recorder.places) };
        let title = write(&mut statement);
        let Statement { text, left_out, own, .. } = statement;
        if let Some(why) = left_out {
            recorder.leave_out(why);
            return None;
        }
        for (place, object) in own.into_iter().enumerate() {
            recorder.places.add_own(object, number, place as u16);
        }
        recorder.add(thread, &text);
        let frame = recorder.course.frame(thread);
        (frame.within, frame.wrote) = (true, true);
        Some(Call { number, title })
    })?
}

/// Works on the program; not at all where it is not written, or no longer.
fn with<R>(work: impl FnOnce(&mut Recorder, usize) -> R) -> Option<R> {
    if !is_on() {
        return None;
    }
    let mut recorder = lock();
    match recorder.course.thread() {
        _ if !is_on() => None,
        Ok(thread) => Some(work(&mut recorder, thread)),
        Err(why) => {
            recorder.leave_out(why);
            None
        }
    }
}

impl Recorder {
    fn next(&mut self) -> u32 {
        self.calls += 1;
        self.calls
    }

    /// Forgets where an object lies of which one reference is left, and which is about to lose it.
    fn forget_if_last(&mut self, object: TVMFFIObjectHandle) {
        const ONE_OF_EACH: u64 = 1 << 32 | 1;
        if memory::read(object.cast::<u64>()) == Some(ONE_OF_EACH) {
            self.places.forget(object as u64);
        }
    }

    /// Adds statements of a thread.
    fn add(&mut self, thread: usize, text: &str) {
        let place = self.course.place(thread);
        if place != self.latest {
            let open = self.course.frame(usize::from(self.latest.thread)).within;
            let Place { thread, callback, time } = place;
            self.write(&format!("{IN}{thread} {callback} {time}{}\n", if open { " open" } else { "" }));
            self.latest = place;
        }
        // Threads are waited for where the check has found them ended.
        while let Some(ended) = if thread == 0 { self.course.ended() } else { None } {
            self.write(&format!("  join({ended});\n"));
        }
        self.write(text);
    }

    fn write(&mut self, text: &str) {
        if self.crumbs.is_some_and(|crumbs| !crumbs.program().add(text)) {
            self.leave_out("there are too many calls to write down");
        }
    }

    fn leave_out(&mut self, why: &str) {
        let Some(crumbs) = self.crumbs.filter(|_| is_on()) else { return };
        ON.store(false, Ordering::Release);
        let line = format!("{LEFT_OUT}{why}\n");
        // Where there is no room, there is no need for what stands there.
        if !crumbs.program().add(&line) {
            crumbs.program().cut(0);
            crumbs.program().add(&line);
        }
    }
}

fn lock() -> std::sync::MutexGuard<'static, Recorder> {
    RECORDER.lock().unwrap_or_else(PoisonError::into_inner)
}
