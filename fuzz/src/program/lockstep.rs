//! Bytes become operations, and operations run on both sides.

use std::{
    ffi::c_void,
    io::{Read, Write},
    os::fd::AsRawFd,
    panic::{AssertUnwindSafe, catch_unwind},
};

use tvm_ffi_spec::{abi::abi, *};
use tvm_ffi_verify::{
    client::{Client, homemade},
    side_by_side::Side,
};

use super::{
    c_text, catalogue, known,
    machine::{CALLEES, Machine, Operand, callee_context},
    pool,
    seen::Seen,
    verb::{Operation, Verb, Want},
};

/// How many arguments an operation has at most.
const ARGS: usize = 6;
/// How many bytes say what an operation is: which function, how many arguments if that is open, and of each argument how
/// it is chosen and which it is.
pub const STEP: usize = 2 + 2 * ARGS;

/// The libraries that programs run on: the reference, and where there is one the release.
pub struct Lockstep {
    sides: Vec<(&'static str, Client, *mut c_void)>,
}

/// Why a program ended early.
enum Stop {
    /// The sides differ, as the text says.
    Difference(String),
    /// They differ, as is known.
    Known,
}

/// What of a run is told while it goes on, so that it is known when the process dies.
trait Watcher {
    /// The next operation, as C.
    fn line(&mut self, line: &str);
    /// Who runs it now.
    fn side(&mut self, _name: &str) {}
    /// What it has come to.
    fn outcome(&mut self, _outcome: &str) {}
}

/// A program as C, and what its operations come to.
#[derive(Default)]
pub struct Transcript {
    /// The operations, as C.
    pub lines: Vec<String>,
    /// What each comes to on the first side: `ok` and a value, or the kind of an error.
    pub outcomes: Vec<String>,
}

impl Watcher for Transcript {
    fn line(&mut self, line: &str) {
        self.lines.push(line.to_owned());
    }

    fn outcome(&mut self, outcome: &str) {
        self.outcomes.push(outcome.to_owned());
    }
}

impl Lockstep {
    /// Programs that run on these libraries.
    pub fn new(sides: &[Side]) -> Self {
        let side = |side: &Side| {
            // The first backtrace of a process reads symbols for longer than a program runs: it is taken here, once.
            side.api.TVMFFIBacktrace(c"".as_ptr(), 0, c"".as_ptr(), 0);
            (side.name, **side, callee_context(side))
        };
        Self { sides: sides.iter().map(side).collect() }
    }

    /// Runs the program that the bytes say in this very process, where it may leave lasting effects; it has no operations
    /// whose only effects are lasting.
    ///
    /// # Panics
    /// Where the sides differ, with the program as C.
    pub fn run(&self, bytes: &[u8]) {
        let mut transcript = Transcript::default();
        if let Some(difference) = self.differs(bytes, false, &mut transcript) {
            panic!("{difference}\n\n{}", c_text::program(&transcript.lines));
        }
    }

    /// Runs the program that the bytes say in this very process, with all its lasting effects.
    pub fn transcript(&self, bytes: &[u8]) -> Transcript {
        let mut transcript = Transcript::default();
        self.differs(bytes, true, &mut transcript);
        transcript
    }

    /// Runs the program that the bytes say in a process of its own. Answers where the sides differ, and where one of them
    /// ends or halts the process: what is wrong, and after an empty line a program as C that shows it and has no operation
    /// too many.
    pub fn problem(&self, bytes: &[u8]) -> Option<String> {
        let mut report = self.apart(bytes)?;
        let mut steps: Vec<&[u8]> = bytes.chunks(STEP).collect();
        for place in (0..steps.len()).rev() {
            let mut fewer = steps.clone();
            fewer.remove(place);
            if let Some(smaller) = self.apart(&fewer.concat()) {
                (steps, report) = (fewer, smaller);
            }
        }
        Some(report)
    }

    /// The same for this very program.
    fn apart(&self, bytes: &[u8]) -> Option<String> {
        let (mut reader, sink) = std::io::pipe().expect("a pipe can be made");
        // SAFETY: the child only runs the program, writes what comes of it, and ends without running anything else.
        let child = unsafe { libc::fork() };
        assert!(child >= 0, "no process can be made");
        if child == 0 {
            // SAFETY: a program that halts is ended by the signal.
            unsafe { libc::alarm(10) };
            quiet();
            let mut watcher = Told(sink);
            let differs = AssertUnwindSafe(|| self.differs(bytes, true, &mut watcher));
            // Nothing unwinds into what is the parent's.
            let code = match catch_unwind(differs) {
                Ok(None) => 0,
                Ok(Some(difference)) => {
                    let _ = write!(watcher.0, "!{}", difference.replace('\n', "\n!"));
                    0
                }
                Err(_) => 1,
            };
            // SAFETY: ends the process at once.
            unsafe { libc::_exit(code) };
        }
        drop(sink);
        let mut told = String::new();
        // What is no text is told in part.
        let _ = reader.read_to_string(&mut told);
        let mut status = 0;
        // SAFETY: a child of this process, which is waited for once.
        unsafe { libc::waitpid(child, &mut status, 0) };
        let begins = |with: char| told.lines().filter_map(move |line| line.strip_prefix(with));
        let lines: Vec<String> = begins('>').map(str::to_owned).collect();
        let mut problem = begins('!').collect::<Vec<_>>().join("\n");
        if status != 0 {
            let side = begins('@').next_back().unwrap_or("end of a program without operations");
            let signal = libc::WTERMSIG(status);
            problem = format!("the process ends in the {side}, by signal {signal} (0 is a panic of ours)");
        }
        (!problem.is_empty()).then(|| format!("{problem}\n\n{}", c_text::program(&lines)))
    }

    fn differs(&self, bytes: &[u8], apart: bool, watcher: &mut dyn Watcher) -> Option<String> {
        let machines = self.sides.iter().map(|(_, client, this)| Machine::new(*client, *this)).collect();
        let names = self.sides.iter().map(|(name, ..)| *name).collect();
        let mut run = Run { names, machines, apart, iterates: false, watcher };
        let ran = bytes.chunks(STEP).try_for_each(|step| run.step(step));
        let ended = ran.and_then(|()| run.values());
        let left = run.end();
        match ended {
            Err(Stop::Difference(difference)) => Some(difference),
            Err(Stop::Known) => None,
            Ok(()) => left.err(),
        }
    }
}

/// What is told to another process, line by line: of C, of sides, of differences.
struct Told(std::io::PipeWriter);

impl Watcher for Told {
    fn line(&mut self, line: &str) {
        // The other end is there as long as this process.
        let _ = writeln!(self.0, ">{line}");
    }

    fn side(&mut self, name: &str) {
        let _ = writeln!(self.0, "@{name}");
    }
}

/// Has the process print nothing: a library may print when it ends the process.
fn quiet() {
    if let Ok(nothing) = std::fs::File::options().write(true).open("/dev/null") {
        // SAFETY: descriptors of this process.
        unsafe {
            libc::dup2(nothing.as_raw_fd(), 1);
            libc::dup2(nothing.as_raw_fd(), 2);
        }
    }
}

/// A program while it runs.
struct Run<'a> {
    names: Vec<&'static str>,
    machines: Vec<Machine>,
    apart: bool,
    /// Whether it has made an iterator. The reference's holds its Map or Dict; the release's does not, and reads freed memory.
    iterates: bool,
    watcher: &'a mut dyn Watcher,
}

impl Run<'_> {
    /// Runs the operation that these bytes say, and before it what makes its arguments.
    fn step(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        let mut step = [0; STEP];
        step[..bytes.len()].copy_from_slice(bytes);
        let verb = &catalogue::all()[usize::from(step[0]) % catalogue::all().len()];
        if known::UNTRIED.iter().any(|untried| untried.verb == verb.name) || (verb.lasting && !self.apart) {
            return Ok(());
        }
        let genes: Vec<(u8, u8)> = step[2..].chunks(2).map(|gene| (gene[0], gene[1])).collect();
        let more = if verb.more.is_some() { usize::from(step[1]) % (ARGS + 1 - verb.wants.len()) } else { 0 };
        let wants = verb.wants.iter().chain(std::iter::repeat_n(&verb.more, more).flatten());
        let mut args = Vec::new();
        for (want, &(how, which)) in wants.zip(&genes) {
            match self.operand(want, how, which.into())? {
                Some(operand) => args.push(operand),
                None => return Ok(()),
            }
        }
        // Now and then one argument too few or too many, where it is the callee's business to notice.
        if verb.function.is_none() && verb.more.is_none() {
            match step[1] {
                250.. => drop(args.pop()),
                245.. => args.push(Operand::Int(0)),
                _ => {}
            }
        }
        self.without_cycles(verb, &mut args)?;
        self.walked_as_kept(verb, &mut args)?;
        without_gigabytes(verb, &mut args);
        offered_once(&mut args);
        self.perform(Operation { verb, args })
    }

    /// An argument; none where there is no such thing.
    fn operand(&mut self, want: &Want, how: u8, which: usize) -> Result<Option<Operand>, Stop> {
        Ok(Some(match want {
            Want::Value(_) if how >= 224 => plain(which),
            Want::Value(_) if how >= 176 => match self.made(which, |_| true) {
                Some(number) if how >= 216 && self.is_object(number) => Operand::Moved(number),
                Some(number) => Operand::Made(number),
                None => plain(which),
            },
            Want::Value(ty) => self.fitting(ty, which)?,
            Want::Object(key) => return Ok(self.find_or_make(key, which)?.map(Operand::Made)),
            Want::Bytes(pool) => Operand::Bytes(pool[which % pool.len()]),
            Want::CStr => Operand::CStr(which % pool::C_TEXTS.len()),
            Want::Number(list) => Operand::Int(list[which % list.len()]),
            Want::Dtype => Operand::Dtype(pool::DTYPES[which % pool::DTYPES.len()]),
            Want::Callee => Operand::Callee(which % CALLEES.len()),
            Want::Shape => Operand::Shape(which % pool::SHAPES.len()),
            Want::Null => Operand::Pointer(0),
        }))
    }

    /// A value of a type as signatures spell it.
    fn fitting(&mut self, ty: &str, which: usize) -> Result<Operand, Stop> {
        Ok(match ty {
            "Any" | "AnyView" => match self.made(which / 2, |_| true) {
                Some(number) if which.is_multiple_of(2) => Operand::Made(number),
                _ => plain(which / 2),
            },
            "int" => Operand::Int(pool::INTS[which % pool::INTS.len()]),
            "bool" => Operand::Bool(which % 2 == 1),
            "str" if which.is_multiple_of(3) => {
                let text = Operand::Bytes(pool::TEXTS[which / 3 % pool::TEXTS.len()]);
                self.make("TVMFFIStringFromByteArray", vec![text])?.map_or(Operand::None, Operand::Made)
            }
            "str" => Operand::CStr(which % pool::C_TEXTS.len()),
            "bytes" => Operand::Bytes(pool::TEXTS[which % pool::TEXTS.len()]),
            "void*" => Operand::Pointer(0),
            "Optional<int>" if which.is_multiple_of(3) => Operand::None,
            "Optional<int>" => Operand::Int(pool::INTS[which % pool::INTS.len()]),
            _ if ty.starts_with("Array<Tuple<int, ffi.Function") => self.callbacks(ty, which)?,
            _ => {
                // `List<Any>` is a `ffi.List`.
                let name = ty.split('<').next().unwrap_or(ty);
                let key = if name.starts_with("ffi.") { name.to_owned() } else { format!("ffi.{name}") };
                self.find_or_make(&key, which)?.map_or_else(|| plain(which), Operand::Made)
            }
        })
    }

    /// Callbacks of a walk: an Array of tuples of a type index, a function, and a flag if the type says so.
    fn callbacks(&mut self, ty: &str, which: usize) -> Result<Operand, Stop> {
        let index = [-1, 64, 71, 75, 72, 1, 65][which % 7];
        let callee = Operand::Callee(which / 7 % CALLEES.len());
        let Some(function) = self.make("TVMFFIFunctionCreate", vec![callee])? else { return Ok(Operand::None) };
        let mut tuple = vec![Operand::Int(index), Operand::Made(function)];
        if ty.contains("bool") {
            tuple.push(Operand::Bool(which.is_multiple_of(2)));
        }
        let tuple = self.make("ffi.Array", tuple)?.map_or(Operand::None, Operand::Made);
        Ok(self.make("ffi.Array", vec![tuple])?.map_or(Operand::None, Operand::Made))
    }

    /// The number of an object of that type: of one that is there, or of a new one.
    fn find_or_make(&mut self, key: &str, which: usize) -> Result<Option<usize>, Stop> {
        let index = abi().types.iter().find(|ty| ty.key == key).and_then(|ty| ty.index);
        let fits = |value: &TVMFFIAny| match key {
            "ffi.Object" => value.type_index >= kTVMFFIStaticObjectBegin,
            _ => Some(value.type_index) == index,
        };
        if let Some(number) = self.made(which, fits) {
            return Ok(Some(number));
        }
        let text = |text: &'static [u8]| Operand::Bytes(text);
        let (verb, args) = match key {
            "ffi.Array" | "ffi.Object" => ("ffi.Array", vec![Operand::Int(1), Operand::CStr(1), Operand::Float(0.5)]),
            "ffi.List" => ("ffi.List", vec![Operand::Int(1), Operand::CStr(1), Operand::Int(2)]),
            "ffi.Map" | "ffi.Dict" => {
                (catalogue::named(key).name, vec![Operand::CStr(1), Operand::Int(1), Operand::Int(1), Operand::CStr(2)])
            }
            "ffi.Shape" => ("ffi.Shape", vec![Operand::Int(2), Operand::Int(3)]),
            "ffi.Function" => ("TVMFFIFunctionCreate", vec![Operand::Callee(which % CALLEES.len())]),
            "ffi.Error" => ("TVMFFIErrorCreate", vec![text(b"ValueError"), text(b"made"), text(b"")]),
            "ffi.BigInt" => ("TVMFFIBigIntFromByteArray", vec![text(pool::BIG_INTS[4 + which % 5])]),
            "ffi.Tensor" => {
                let shape = Operand::Shape(which % pool::SHAPES.len());
                let dtype = Operand::Dtype(pool::DTYPES[which % 2]);
                ("TVMFFITensorFromDLPack", vec![shape, dtype, Operand::Int(0), Operand::Int(0)])
            }
            "ffi.Module" => ("ffi.SystemLib", vec![]),
            "ffi.VisitInterrupt" => ("ffi.VisitInterrupt", vec![plain(which)]),
            "ffi.StructuralKey" => ("ffi.StructuralKey", vec![plain(which)]),
            _ => return Ok(None),
        };
        self.make(verb, args)
    }

    /// Runs an operation for what it makes; answers its number, unless it made nothing.
    fn make(&mut self, verb: &str, args: Vec<Operand>) -> Result<Option<usize>, Stop> {
        self.perform(Operation { verb: catalogue::named(verb), args })?;
        let values = &self.machines[0].values;
        let last = values.len() - 1;
        Ok((values[last].type_index != kTVMFFINone).then_some(last))
    }

    /// The number of a value that is there and fits, counted from the latest.
    fn made(&self, which: usize, fits: impl Fn(&TVMFFIAny) -> bool) -> Option<usize> {
        let there = |value: &TVMFFIAny| value.type_index != kTVMFFINone && fits(value);
        let values = self.machines[0].values.iter().enumerate().rev();
        let numbers: Vec<usize> = values.filter(|(_, value)| there(value)).map(|(number, _)| number).collect();
        numbers.get(which % numbers.len().max(1)).copied()
    }

    fn is_object(&self, number: usize) -> bool {
        self.machines[0].values[number].type_index >= kTVMFFIStaticObjectBegin
    }

    /// Has what goes into a mutable container be no container: one that contains itself is never freed, and the release
    /// does not survive looking at it.
    fn without_cycles(&mut self, verb: &Verb, args: &mut [Operand]) -> Result<(), Stop> {
        const FILLS: &[&str] = &["ffi.ListAppend", "ffi.ListInsert", "ffi.ListSetItem", "ffi.DictSetItem"];
        if verb.name == "ffi.ListReplaceSlice" && args.len() > 3 {
            let items = vec![Operand::Int(8), Operand::CStr(2)];
            args[3] = self.make("ffi.List", items)?.map_or(Operand::None, Operand::Made);
        }
        if FILLS.contains(&verb.name) {
            for arg in args.iter_mut().skip(1) {
                let (Operand::Made(number) | Operand::Moved(number)) = *arg else { continue };
                let type_index = self.machines[0].values[number].type_index;
                const LEAVES: &[i32] = &[kTVMFFIStr, kTVMFFIBytes, kTVMFFIShape, kTVMFFITensor, kTVMFFIBigInt];
                let leaf = type_index < kTVMFFIStaticObjectBegin || LEAVES.contains(&type_index);
                if !leaf {
                    *arg = Operand::Int(number as i64);
                }
            }
        }
        Ok(())
    }

    /// Has what is walked be in the form in which values are kept: the release does not look into what is only passed.
    fn walked_as_kept(&mut self, verb: &Verb, args: &mut [Operand]) -> Result<(), Stop> {
        const WALKS: &[&str] = &["ffi.StructuralWalk", "ffi.StructuralVisit", "ffi.StructuralMutator"];
        if WALKS.iter().any(|walk| verb.name.starts_with(walk)) {
            for arg in args.iter_mut() {
                *arg = match *arg {
                    Operand::Moved(number) => Operand::Made(number),
                    Operand::CStr(number) => {
                        let text = Operand::Bytes(pool::C_TEXTS[number].to_bytes());
                        self.make("TVMFFIStringFromByteArray", vec![text])?.map_or(Operand::None, Operand::Made)
                    }
                    Operand::Bytes(_) => Operand::None,
                    ref other => other.clone(),
                };
            }
        }
        Ok(())
    }

    /// Runs an operation on every side, and holds what they come to against each other.
    fn perform(&mut self, operation: Operation) -> Result<(), Stop> {
        let number = self.machines[0].values.len();
        self.watcher.line(&c_text::line(number, &operation));
        self.iterates |= operation.verb.name.ends_with("ForwardIterFunctor");
        let mut outcomes = Vec::new();
        for (machine, name) in self.machines.iter_mut().zip(&self.names) {
            self.watcher.side(name);
            let code = operation.run(machine);
            outcomes.push(if code == 0 {
                format!("ok, {}", Seen::new(&machine.client).text(&machine.values[number]))
            } else {
                machine.client.take_raised().map_or_else(|| "no error".to_owned(), |raised| raised.kind)
            });
        }
        self.watcher.outcome(&outcomes[0]);
        self.same(operation.verb.name, &format!("v[{number}] = {}", operation.verb.name), &outcomes)?;
        self.offers(&operation)
    }

    /// Holds against each other which of the arguments that were offered have been taken.
    fn offers(&self, operation: &Operation) -> Result<(), Stop> {
        for arg in &operation.args {
            let Operand::Moved(number) = *arg else { continue };
            let taken = |machine: &Machine| machine.values[number].type_index == kTVMFFINone;
            let told = |machine| if taken(machine) { "taken" } else { "left" }.to_owned();
            let outcomes: Vec<String> = self.machines.iter().map(told).collect();
            self.same("an offer", &format!("v[{number}], which was offered"), &outcomes)?;
        }
        Ok(())
    }

    /// Looks at all values once more: operations change what others have made.
    fn values(&mut self) -> Result<(), Stop> {
        for number in 0..self.machines[0].values.len() {
            let text = |machine: &Machine| Seen::new(&machine.client).text(&machine.values[number]);
            let texts: Vec<String> = self.machines.iter().map(text).collect();
            self.same("the end", &format!("v[{number}] in the end"), &texts)?;
        }
        Ok(())
    }

    fn same(&self, verb: &str, what: &str, outcomes: &[String]) -> Result<(), Stop> {
        match outcomes {
            [first, second] if first != second => match known::reason(verb, [first, second]) {
                Some(_) => Err(Stop::Known),
                None => {
                    let [one, other] = [self.names[0], self.names[1]];
                    Err(Stop::Difference(format!("{what}:\n  {one}: {first}\n  {other}: {second}")))
                }
            },
            _ => Ok(()),
        }
    }

    /// Gives everything up, and holds the objects that live on against each other.
    fn end(&mut self) -> Result<(), String> {
        let mut left = Vec::new();
        for machine in &mut self.machines {
            let client = machine.client;
            let mut seen = Seen::new(&client);
            machine.values.iter().for_each(|value| drop(seen.text(value)));
            seen.objects.iter().for_each(|object| homemade::retain_weak(*object));
            machine.clean();
            let is_left = |object: &&TVMFFIObjectHandle| client.counts(**object).is_ok_and(|(strong, _)| strong > 0);
            let mut indices: Vec<i32> = seen.objects.iter().filter(is_left).map(|object| type_index(*object)).collect();
            indices.sort_unstable();
            seen.objects.iter().for_each(|object| homemade::release_weak(*object));
            left.push(indices);
        }
        match left.as_slice() {
            [first, second] if first != second && !self.iterates => Err(format!(
                "types of the objects that are left:\n  {}: {first:?}\n  {}: {second:?}",
                self.names[0], self.names[1]
            )),
            _ => Ok(()),
        }
    }
}

/// Has a text be indented by no more than what can be written in the time that a program has.
fn without_gigabytes(verb: &Verb, args: &mut [Operand]) {
    if let ("ffi.json.Stringify", Some(Operand::Int(indent))) = (verb.name, args.get_mut(1)) {
        *indent = (*indent).min(1000);
    }
}

/// Has a value be offered once: there is one reference to take.
fn offered_once(args: &mut [Operand]) {
    for place in 1..args.len() {
        let (before, rest) = args.split_at_mut(place);
        if let Operand::Moved(number) = rest[0]
            && before.contains(&rest[0])
        {
            rest[0] = Operand::Made(number);
        }
    }
}

fn type_index(object: TVMFFIObjectHandle) -> i32 {
    // SAFETY: an object whose memory a weak reference holds.
    unsafe { (*object.cast::<TVMFFIObject>()).type_index }
}

/// Any plain value.
fn plain(which: usize) -> Operand {
    let (kind, which) = (which % 10, which / 10);
    match kind {
        0 | 1 => Operand::Int(pool::INTS[which % pool::INTS.len()]),
        2 => Operand::None,
        3 => Operand::CStr(which % pool::C_TEXTS.len()),
        4 => Operand::Bytes(pool::TEXTS[which % pool::TEXTS.len()]),
        5 => Operand::Float(pool::FLOATS[which % pool::FLOATS.len()]),
        6 => Operand::Bool(which % 2 == 1),
        7 => Operand::Dtype(pool::DTYPES[which % pool::DTYPES.len()]),
        8 => Operand::Device(pool::DEVICES[which % pool::DEVICES.len()]),
        _ if which % 2 == 0 => Operand::Borrowed(which / 2 % pool::SHAPES.len()),
        _ => Operand::Pointer(16 * which),
    }
}
