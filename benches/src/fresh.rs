//! What only a new process shows: how long it takes to load a library, and how much memory the library and its objects take.

use std::{
    ffi::{CString, c_void},
    os::unix::ffi::OsStrExt,
    path::Path,
    process::Command,
    ptr::null_mut,
    time::Instant,
};

use tvm_ffi_spec::*;
use tvm_ffi_verify::client::{callback::keep_self, view};

use crate::{
    library::{Library, handle},
    operations::kit::{self, register_type},
    report::Row,
};

/// The argument that has the program take one measure.
pub const ARGUMENT: &str = "measure";
/// How many objects are made to see what one of them takes.
const OBJECTS: usize = 10_000;

/// One measure: what it is, its unit, and how a process takes it that has not opened the library at the path yet.
struct Measure {
    name: String,
    unit: &'static str,
    take: Box<dyn Fn(&Path) -> f64>,
}

fn measures() -> Vec<Measure> {
    let measure =
        |name: &str, unit, take: fn(&Path) -> f64| Measure { name: name.to_owned(), unit, take: Box::new(take) };
    let mut all = vec![
        measure("dlopen to first call", "us", dlopen_to_first_call),
        measure("first error raised", "us", first_error),
        measure("resident memory after load", "KiB", |path| {
            let before = resident();
            dlopen_to_first_call(path);
            (resident() - before) / 1024.0
        }),
        measure("1,000 types registered, each", "ns", |path| register_types(path, 1_000)),
        measure("10,000 types registered, each", "ns", |path| register_types(path, 10_000)),
        measure("memory of 10,000 types, each", "bytes", |path| {
            let (lib, keys) = (Library::open(path), names(10_000));
            let before = heap();
            keys.iter().for_each(|key| {
                register_type(&lib, key);
            });
            (heap() - before) / keys.len() as f64
        }),
        measure("100,000 global functions registered, each", "ns", |path| {
            let (lib, names) = (Library::open(path), names(100_000));
            let function = function(&lib);
            each(&names, |name| set_global(&lib, name, function))
        }),
        measure("memory of 100,000 global functions, each", "bytes", |path| {
            let (lib, names) = (Library::open(path), names(100_000));
            let function = function(&lib);
            let before = heap();
            names.iter().for_each(|name| set_global(&lib, name, function));
            (heap() - before) / names.len() as f64
        }),
    ];
    all.extend(KINDS.iter().map(|&(name, make)| Measure {
        name: format!("memory of {name}"),
        unit: "bytes",
        take: Box::new(move |path| memory_of(path, make)),
    }));
    all
}

/// How an object of each kind is made.
type Make = fn(&Library) -> TVMFFIAny;

const KINDS: &[(&str, Make)] = &[
    ("a String of 8 bytes", |lib| lib.string(b"eight_by")),
    ("a String of 40 bytes", |lib| lib.string(&[b'a'; 40])),
    ("a String of 4096 bytes", |lib| lib.string(&[b'a'; 4096])),
    ("a Function", function),
    ("an Error", |lib| {
        let [kind, message, backtrace] =
            [&b"ValueError"[..], b"a message of some length", b""].map(TVMFFIByteArray::new);
        let mut out = null_mut();
        lib.ok(lib.TVMFFIErrorCreate(&kind, &message, &backtrace, &mut out));
        TVMFFIAny::new(kTVMFFIError, out as u64)
    }),
    ("an opaque object", |lib| {
        let mut out = null_mut();
        lib.ok(lib.TVMFFIObjectCreateOpaque(null_mut(), kTVMFFIOpaquePyObject, Some(keep_self), &mut out));
        TVMFFIAny::new(kTVMFFIOpaquePyObject, out as u64)
    }),
    ("a Tensor", |lib| {
        thread_local! {
            static FROM: *mut DLManagedTensor = kit::managed();
        }
        FROM.with(|from| kit::tensor(lib, *from))
    }),
    ("a Shape of 4", |lib| of_ints(lib, "ffi.Shape", 4)),
    ("an Array of 4", |lib| of_ints(lib, "ffi.Array", 4)),
    ("an Array of 100", |lib| of_ints(lib, "ffi.Array", 100)),
    ("a List of 4", |lib| of_ints(lib, "ffi.List", 4)),
    ("a List of 100", |lib| of_ints(lib, "ffi.List", 100)),
    ("a Map of 4", |lib| of_ints(lib, "ffi.Map", 8)),
    ("a Map of 8", |lib| of_ints(lib, "ffi.Map", 16)),
    ("a Map of 100", |lib| of_ints(lib, "ffi.Map", 200)),
    ("a Dict of 4", |lib| of_ints(lib, "ffi.Dict", 8)),
    ("a Dict of 100", |lib| of_ints(lib, "ffi.Dict", 200)),
    ("a big integer of 4 words", |lib| {
        let mut out = TVMFFIAny::NONE;
        lib.ok(lib.TVMFFIBigIntFromByteArray(&TVMFFIByteArray::new(&[0x5A; 32]), &mut out));
        out
    }),
];

/// Takes every measure of the release and of the reference, in so many new processes of `program` each, in turns.
///
/// # Panics
/// If a process cannot be started or fails.
pub fn compare(program: &Path, paths: [&Path; 2], processes: usize) -> Vec<Row> {
    let row = |measure: Measure| {
        let pairs: Vec<_> = (0..processes).map(|_| paths.map(|path| ask(program, path, &measure.name))).collect();
        Row::new("process", &measure.name, measure.unit, &pairs)
    };
    measures().into_iter().map(row).collect()
}

fn ask(program: &Path, path: &Path, measure: &str) -> f64 {
    let output =
        Command::new(program).arg(ARGUMENT).arg(path).arg(measure).output().expect("the program can be started");
    let text = String::from_utf8_lossy(&output.stdout);
    let complaint = || panic!("{measure} of {}: {}", path.display(), String::from_utf8_lossy(&output.stderr));
    text.trim().parse().unwrap_or_else(|_| complaint())
}

/// Takes the measure of that name of the library at the path: what a new process does.
///
/// # Panics
/// If there is no such measure, or the library cannot be used.
pub fn take(path: &Path, name: &str) -> f64 {
    let measure = measures().into_iter().find(|measure| measure.name == name);
    (measure.unwrap_or_else(|| panic!("there is no measure {name}")).take)(path)
}

/// In microseconds. What is called makes a String, so that whatever is set up at the first use has been.
fn dlopen_to_first_call(path: &Path) -> f64 {
    let path = CString::new(path.as_os_str().as_bytes()).expect("a path has no NUL");
    let start = Instant::now();
    // SAFETY: a library that this process was told to use, and a function of it with the type that the header gives it.
    let code = unsafe {
        let library = libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
        assert!(!library.is_null(), "{path:?} can be opened");
        let make = libc::dlsym(library, c"TVMFFIStringFromByteArray".as_ptr());
        type Make = unsafe extern "C" fn(*const TVMFFIByteArray, *mut TVMFFIAny) -> i32;
        let make = std::mem::transmute::<*mut c_void, Option<Make>>(make).expect("the library has the function");
        make(&TVMFFIByteArray::new(b"a string that is put on the heap"), &mut TVMFFIAny::NONE.clone())
    };
    assert_eq!(code, 0, "the first call succeeds");
    start.elapsed().as_nanos() as f64 / 1000.0
}

/// In microseconds. The first error has a library read the symbols of the process.
fn first_error(path: &Path) -> f64 {
    let lib = Library::open(path);
    let start = Instant::now();
    lib.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"a message".as_ptr());
    let mut error = null_mut();
    lib.TVMFFIErrorMoveFromRaised(&mut error);
    assert!(!error.is_null(), "an error was raised");
    start.elapsed().as_nanos() as f64 / 1000.0
}

/// In nanoseconds for each.
fn register_types(path: &Path, count: usize) -> f64 {
    let (lib, keys) = (Library::open(path), names(count));
    each(&keys, |key| {
        register_type(&lib, key);
    })
}

fn memory_of(path: &Path, make: Make) -> f64 {
    let lib = Library::open(path);
    // What is made once for all, such as the function's own look-up.
    let mut objects = Vec::with_capacity(OBJECTS + 1);
    objects.push(make(&lib));
    let before = heap();
    objects.extend((0..OBJECTS).map(|_| make(&lib)));
    // What malloc keeps for itself is no part of an object.
    let taken = ((heap() - before) / OBJECTS as f64).round();
    assert!(objects.iter().all(|object| !handle(object).is_null()), "objects were made");
    taken
}

fn of_ints(lib: &Library, global: &str, count: i64) -> TVMFFIAny {
    let args: Vec<_> = (0..count).map(view::int).collect();
    // Not through the client, whose own notes would count.
    let mut function = null_mut();
    lib.ok(lib.TVMFFIFunctionGetGlobal(&TVMFFIByteArray::new(global.as_bytes()), &mut function));
    let made = lib.call(function, &args);
    lib.TVMFFIObjectDecRef(function);
    made
}

fn function(lib: &Library) -> TVMFFIAny {
    unsafe extern "C" fn nothing(_: *mut c_void, _: *const TVMFFIAny, _: i32, _: *mut TVMFFIAny) -> i32 {
        0
    }
    let mut out = null_mut();
    lib.ok(lib.TVMFFIFunctionCreate(null_mut(), Some(nothing), None, &mut out));
    TVMFFIAny::new(kTVMFFIFunction, out as u64)
}

fn set_global(lib: &Library, name: &str, function: TVMFFIAny) {
    lib.ok(lib.TVMFFIFunctionSetGlobal(&TVMFFIByteArray::new(name.as_bytes()), handle(&function), 0));
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("bench.a_name_of_some_length_{number}")).collect()
}

/// How many nanoseconds something takes for each name.
fn each(names: &[String], step: impl Fn(&str)) -> f64 {
    let start = Instant::now();
    names.iter().for_each(|name| step(name));
    start.elapsed().as_nanos() as f64 / names.len() as f64
}

/// Bytes of this process that lie in memory.
fn resident() -> f64 {
    let text = std::fs::read_to_string("/proc/self/statm").expect("the kernel tells of this process");
    let pages: f64 = text.split(' ').nth(1).and_then(|pages| pages.parse().ok()).expect("a number of pages");
    // SAFETY: sysconf only answers a question.
    pages * unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as f64
}

/// Bytes that malloc has handed out and not got back.
fn heap() -> f64 {
    // SAFETY: mallinfo2 only reads malloc's own records.
    let info = unsafe { libc::mallinfo2() };
    (info.uordblks + info.hblkhd) as f64
}
