//! What an installed allocator may do while it is asked for a body: use the library, as any function of a client's may.

use std::{
    ffi::c_void,
    ptr::null_mut,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
};

use tvm_ffi_spec::{clause::id, *};

use super::{body, free_body};
use crate::{
    checks::check,
    client::{
        Verdict, callback,
        reentry::{answer, use_library},
        samples::LENGTHS,
        view,
    },
    trial::Trial,
};

/// Whatever an installed allocator makes with the library while it is asked for a body, the object that the body is for has the
/// content that it was made of.
#[check(HOK_0021, STR_0008, ERR_0004, patient = 2)]
fn makes_objects_itself(t: &Trial) -> Verdict {
    install(t)?;
    for len in LENGTHS {
        let text: Vec<u8> = (0..len).map(|at| b'a' + (at % 23) as u8).collect();
        let (raw, mut owned) = (TVMFFIByteArray::new(&text), TVMFFIAny::NONE);
        t.clause(id::STR_0008);
        t.eq(format_args!("a String of {len} bytes"), t.text(&t.string(&text)?.any())?, text.clone())?;
        t.eq(format_args!("Bytes of {len} bytes"), t.text(&t.bytes(&text)?.any())?, text.clone())?;
        t.ok(t.api.TVMFFIAnyViewToOwnedAny(&view::byte_array(&raw), &mut owned))?;
        t.eq(format_args!("an owned copy of {len} bytes"), t.text(&t.own(owned).any())?, text.clone())?;
        t.clause(id::ERR_0004);
        let error = t.new_error("ValueError", &String::from_utf8_lossy(&text), "a backtrace")?;
        let cell: [TVMFFIByteArray; 3] = t.cell("the texts of an Error", error.handle())?;
        for (what, array, expected) in
            [("kind", cell[0], &b"ValueError"[..]), ("message", cell[1], &text), ("backtrace", cell[2], b"a backtrace")]
        {
            t.eq(format_args!("{what} of an Error"), t.read_array(what, array)?, expected.to_vec())?;
        }
    }
    t.clause(id::HOK_0021);
    let dtype = DLDataType { code: kDLFloat, bits: 32, lanes: 4 };
    let mut written = TVMFFIAny::NONE;
    t.ok(t.api.TVMFFIDataTypeToString(&dtype, &mut written))?;
    t.eq("the text of a data type", t.text(&t.own(written).any())?, b"float32x4".to_vec())?;
    for len in [0, 1, 4, 5, 17, 300] {
        let numbers: Vec<_> = (0..len).map(view::int).collect();
        let array = t.call_global("ffi.Array", &numbers)?;
        t.holds_ints(array.handle(), &(0..len).collect::<Vec<_>>())?;
        let entries: Vec<_> = numbers.iter().flat_map(|number| [*number, *number]).collect();
        let map = t.call_global("ffi.Map", &entries)?;
        for number in numbers {
            let found = t.call_global("ffi.MapGetItem", &[map.any(), number])?;
            t.any_eq(format_args!("what a Map of {len} entries has"), &found.any(), &number)?;
        }
    }
    t.ok(t.api.TVMFFISetCustomAllocator(null_mut()))?;
    t.library_was_usable("within an allocator")
}

/// Whether the allocator is at work, which then only answers.
static AT_WORK: AtomicBool = AtomicBool::new(false);
static ASKED: AtomicUsize = AtomicUsize::new(0);

fn install(t: &Trial) -> Verdict {
    t.serve_reentry()?;
    let allocator = TVMFFICustomAllocator { allocate: Some(make_others_first), context: null_mut() };
    t.ok(t.api.TVMFFISetCustomAllocator(Box::into_raw(Box::new(allocator))))
}

unsafe extern "C" fn make_others_first(size: usize, _: usize, _: i32, _: *mut c_void) -> *mut c_void {
    if !AT_WORK.swap(true, Ordering::SeqCst) {
        let asked = ASKED.fetch_add(1, Ordering::Relaxed);
        make_others(size);
        // Every few times is enough for what costs more.
        if asked.is_multiple_of(32) {
            use_library();
        }
        AT_WORK.store(false, Ordering::SeqCst);
    }
    body(size, free_body)
}

/// Makes objects of other content than any that the check makes, as large as what was asked for.
fn make_others(size: usize) {
    let Some(api) = callback::api() else { return };
    let content = vec![b'Z'; size];
    let text = TVMFFIByteArray::new(&content);
    let (mut string, mut bytes, mut written) = (TVMFFIAny::NONE, TVMFFIAny::NONE, TVMFFIAny::NONE);
    api.TVMFFIStringFromByteArray(&text, &mut string);
    api.TVMFFIBytesFromByteArray(&text, &mut bytes);
    api.TVMFFIDataTypeToString(&DLDataType { code: kDLInt, bits: 8, lanes: 16 }, &mut written);
    let (kind, mut error) = (TVMFFIByteArray::new(b"KeyError"), null_mut());
    api.TVMFFIErrorCreate(&kind, &text, &text, &mut error);
    drop(answer("ffi.Array", &[string, bytes, written]));
    for made in [string, bytes, written, TVMFFIAny::new(kTVMFFIError, error as u64)] {
        if made.type_index >= kTVMFFIStaticObjectBegin && made.payload() != 0 {
            api.release(made.payload() as TVMFFIObjectHandle);
        }
    }
}
