//! Objects that end within one another's ends: however they lie in one another or follow each other, each has ended in time.

use std::{
    ffi::{c_int, c_void},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
};

use tvm_ffi_spec::*;

use super::kit::*;
use crate::{
    checks::check,
    client::{
        Owned, Verdict, callback, header,
        homemade::{self, Homemade},
        memory,
        own_error::error_cell,
    },
    trial::{Trial, deadline},
};

/// An object whose last reference a deleter gives up comes to its end before that call returns, within the ends of up to 32 others.
#[check(OBJ_0009)]
fn last_within_ends(t: &Trial) -> Verdict {
    for depth in [2, 6, 33, 400] {
        ends_within_ends(t, depth, false)?;
    }
    Ok(())
}

/// An object whose last reference is given up while another thread runs a deleter comes to its end before that call returns.
#[check(OBJ_0009)]
fn last_while_others_end(t: &Trial) -> Verdict {
    ends_within_ends(t, 2, true)?;
    ends_within_ends(t, 6, true)
}

/// Has objects of every kind end within one another's ends, up to so many, each on its own thread or all on this one.
fn ends_within_ends(t: &Trial, depth: usize, on_others: bool) -> Verdict {
    ON_OTHERS.store(on_others, Ordering::SeqCst);
    let mixed = |level: usize| NESTED[level % NESTED.len()];
    let chains: [&dyn Fn(usize) -> Kept; 5] =
        [&|_| Kept::Own, &|_| Kept::Opaque, &|_| Kept::Closure, &|_| Kept::InArray, &mixed];
    for chain in chains {
        end_together(t, &chain_of(depth), chain)?;
    }
    ON_OTHERS.store(false, Ordering::SeqCst);
    Ok(())
}

/// Objects that one end within many others gives up come to their end, however many they are.
#[check(OBJ_0009)]
fn many_within_ends(t: &Trial) -> Verdict {
    for (depth, width) in [(1, 1000), (2, 1000), (33, 1000), (70, 300), (300, 300)] {
        end_together(t, &with_rows(depth, 0, 0, width), |_| Kept::Opaque)?;
    }
    Ok(())
}

/// Of many objects that one deleter gives up one after the other, each has ended when the call that has given it up returns, within the ends of
/// up to 32 others: how many have ended before, and in which of these, makes no difference.
#[check(OBJ_0009)]
fn many_in_a_row_within_ends(t: &Trial) -> Verdict {
    let mixed = |at: usize| ROWS[at % ROWS.len()];
    // Of one kind each, and of all kinds in turn.
    for kind in ROWS {
        end_together(t, &with_rows(1, 0, 0, 40), |at| if at == 0 { Kept::Own } else { kind })?;
    }
    for (depth, width) in [(1, 500), (2, 65), (5, 40), (31, 40), (32, 40), (40, 40)] {
        end_together(t, &with_rows(depth, 0, 0, width), |at| if at < depth { Kept::Own } else { mixed(at) })?;
    }
    // In front of what lies deeper and behind it, at each level, so that a row begins where others have come to their end.
    for (depth, before, behind) in [(6, 0, 40), (6, 40, 0), (20, 9, 9), (33, 3, 3), (40, 1, 40)] {
        let kind = |at: usize| if at < depth { NESTED[at % NESTED.len()] } else { mixed(at) };
        end_together(t, &with_rows(depth, before, behind, 0), kind)?;
    }
    end_together(t, &in_tens(4), |at| if at < 111 { NESTED[at % NESTED.len()] } else { mixed(at) })
}

/// An object has ended when the call that gives up its last reference returns, within the ends of up to 32 others, whatever has come to its end on
/// that thread before, by itself or within another's end, and however often.
#[check(OBJ_0009)]
fn last_after_others(t: &Trial) -> Verdict {
    t.serve_callbacks();
    for ((what, make), within) in EARLIER.iter().flat_map(|earlier| [(earlier, 0), (earlier, 1)]) {
        let others = (0..40).map(|_| make(t)).collect::<Verdict<Vec<_>>>()?.concat();
        match within {
            0 => others.iter().try_for_each(|other| dec_ref(t, *other as TVMFFIObjectHandle))?,
            _ => end_together_after(t, &chain_of(within), |_| Kept::Own, &others, "")?,
        }
        t.api.release_raised();
        locked(&WATCHED).drain(..).for_each(|object| homemade::release_weak(object as TVMFFIObjectHandle));
        for depth in [1, 33] {
            let after = match within {
                0 => format!(", after {what} had ended 40 times"),
                _ => format!(", after {what} had ended 40 times within the end of another"),
            };
            end_together_after(t, &chain_of(depth), |at| NESTED[at % 2], &[], &after)?;
        }
    }
    Ok(())
}

// ---- what ends ------------------------------------------------------------------------------------------------------

/// An object that a deleter may give up.
#[derive(Clone, Copy, PartialEq)]
enum Kept {
    /// An object of the client's own.
    Own,
    /// An opaque object.
    Opaque,
    /// A function with a closure.
    Closure,
    /// An opaque object that an Array holds.
    InArray,
    /// An object of the client's own that has no deleter.
    WithoutDeleter,
    /// An object of the client's own that has a weak reference.
    Watched,
}

impl Kept {
    /// The object that is a member of those that end together; whoever gives it up ends it.
    fn new_object(self, t: &Trial, at: usize) -> Verdict<TVMFFIObjectHandle> {
        unsafe extern "C" fn end_own(object: TVMFFIObjectHandle, flags: c_int) {
            let at = memory::read(object.wrapping_byte_add(size_of::<TVMFFIObject>()).cast::<usize>());
            if let (true, Some(at)) = (flags & kTVMFFIObjectDeleterFlagBitMaskStrong != 0, at) {
                has_ended(at);
            }
        }
        unsafe extern "C" fn end_closure(at: *mut c_void) {
            has_ended((at as usize).wrapping_sub(1));
        }
        // A library may have no opaque objects of a NULL handle.
        let closure = (at + 1) as *mut c_void;
        Ok(match self {
            Self::Own => Homemade::with_deleter(kTVMFFIObject, at, Some(end_own)).handle(),
            Self::WithoutDeleter => Homemade::with_deleter(kTVMFFIObject, at, None).handle(),
            Self::Watched => {
                let object = Homemade::with_deleter(kTVMFFIObject, at, Some(end_own)).handle();
                homemade::retain_weak(object);
                object
            }
            Self::Opaque => given_up(t.opaque(closure, end_closure)?),
            Self::Closure => given_up(t.function(closure, callback::return_none, Some(end_closure))?),
            Self::InArray => given_up(t.call_global("ffi.Array", &[t.opaque(closure, end_closure)?.any()])?),
        })
    }
}

/// Those whose deleter can give up others.
const NESTED: [Kept; 4] = [Kept::Own, Kept::InArray, Kept::Closure, Kept::Opaque];
/// All of them.
const ROWS: [Kept; 6] = [Kept::Own, Kept::WithoutDeleter, Kept::Closure, Kept::Watched, Kept::InArray, Kept::Opaque];

/// What ends before others do, by name: makes objects of which the last reference is then given up.
type Earlier = (&'static str, fn(&Trial) -> Verdict<Vec<usize>>);

const EARLIER: [Earlier; 12] = [
    ("an object without a deleter", |_| Ok(vec![own(None, 0)])),
    ("an object without a deleter that has weak references", |_| Ok(vec![own(None, 2)])),
    ("an object that has weak references", |_| Ok(vec![own(Some(homemade::remember_end), 2)])),
    ("an object of which others hold a reference", |t| {
        let object = own(Some(homemade::remember_end), 0);
        t.ok(t.api.TVMFFIObjectIncRef(object as TVMFFIObjectHandle))?;
        Ok(vec![object; 2])
    }),
    ("an object whose deleter raises an error", |_| Ok(vec![own(Some(end_raising), 0)])),
    ("an object whose deleter makes a call that fails", |_| Ok(vec![own(Some(end_failing), 0)])),
    ("an object whose deleter makes an object and ends it", |_| Ok(vec![own(Some(end_making), 0)])),
    ("an object whose deleter gives up one without a deleter", |_| Ok(vec![own(Some(end_without_deleter), 0)])),
    ("an error without a deleter", |_| {
        Ok(vec![Homemade::with_deleter(kTVMFFIError, error_cell(), None).handle() as usize])
    }),
    ("a string, an error, a function, a tensor, an Array or a Map", |t| {
        Ok(KINDS.iter().map(|kind| (kind.make)(t) as usize).filter(|object| *object != 0).collect())
    }),
    ("an object of the library's that has a weak reference", |t| {
        let object = given_up(t.opaque(HANDLE as *mut c_void, callback::keep_self)?) as usize;
        homemade::retain_weak(object as TVMFFIObjectHandle);
        locked(&WATCHED).push(object);
        Ok(vec![object])
    }),
    ("an Array of objects without a deleter", |t| {
        let parts = [0; 40].map(|_| TVMFFIAny::new(kTVMFFIObject, own(None, 0) as u64));
        // Each of them moves: the Array alone holds them then.
        let array = t.call_global("ffi.Array", &parts)?;
        parts.iter().for_each(|part| homemade::release(part.payload() as TVMFFIObjectHandle));
        Ok(vec![given_up(array) as usize])
    }),
];

/// The library's objects whose weak reference is still to be given up.
static WATCHED: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// The address of a new object of the client's own, with weak references beside that of the strong one.
fn own(deleter: Option<TVMFFIObjectDeleter>, weak: u32) -> usize {
    let object = Homemade::with_deleter(kTVMFFIObject, (), deleter);
    object.set_counts(1, 1 + weak);
    object.handle() as usize
}

unsafe extern "C" fn end_raising(_: TVMFFIObjectHandle, _: c_int) {
    if let Some(api) = callback::api() {
        api.TVMFFIErrorSetRaisedFromCStr(c"ValueError".as_ptr(), c"raised by a deleter".as_ptr());
    }
}

unsafe extern "C" fn end_failing(_: TVMFFIObjectHandle, _: c_int) {
    if let Some(api) = callback::api() {
        api.TVMFFITypeKeyToIndex(&TVMFFIByteArray::new(b"verify.no_such_type"), &mut 0);
        api.release_raised();
    }
}

unsafe extern "C" fn end_making(_: TVMFFIObjectHandle, _: c_int) {
    let Some(api) = callback::api() else { return };
    let mut out = TVMFFIAny::NONE;
    if api.TVMFFIStringFromByteArray(&TVMFFIByteArray::new(TEXT), &mut out) == 0 && out.type_index == kTVMFFIStr {
        api.TVMFFIObjectDecRef(out.payload() as TVMFFIObjectHandle);
    }
}

unsafe extern "C" fn end_without_deleter(_: TVMFFIObjectHandle, _: c_int) {
    if let Some(api) = callback::api() {
        api.TVMFFIObjectDecRef(own(None, 0) as TVMFFIObjectHandle);
    }
}

/// The address of an object that is no longer the check's to release.
fn given_up(object: Owned) -> TVMFFIObjectHandle {
    object.into_any().payload() as TVMFFIObjectHandle
}

// ---- trees of objects -----------------------------------------------------------------------------------------------

/// Which objects the end of each gives up, one after the other. The first is that of which all others are a part.
type Shape = Vec<Vec<usize>>;

/// A chain of so many objects.
fn chain_of(depth: usize) -> Shape {
    with_rows(depth, 0, 0, 0)
}

/// A chain of so many objects, each of which gives up others in front of the next and behind it, and the last one so many.
fn with_rows(depth: usize, before: usize, behind: usize, last: usize) -> Shape {
    let mut shape = vec![Vec::new(); depth];
    for level in 0..depth {
        let next = (level + 1 < depth).then_some(level + 1);
        let (before, behind) = if next.is_some() { (before, behind) } else { (0, last) };
        let leaves: Vec<usize> = (shape.len()..shape.len() + before + behind).collect();
        shape[level] = leaves[..before].iter().copied().chain(next).chain(leaves[before..].iter().copied()).collect();
        shape.resize(shape.len() + before + behind, Vec::new());
    }
    shape
}

/// So many levels of objects, each of which gives up ten.
fn in_tens(levels: u32) -> Shape {
    let (inner, all) = ((10_usize.pow(levels - 1) - 1) / 9, (10_usize.pow(levels) - 1) / 9);
    (0..all).map(|at| if at < inner { (10 * at + 1..=10 * at + 10).collect() } else { Vec::new() }).collect()
}

/// One of the objects that end together.
#[derive(Default)]
struct Member {
    /// Which others it gives up, and what else.
    below: Vec<usize>,
    address: usize,
    /// Whether it has a deleter that tells of its end.
    tells: bool,
    /// How often it has ended.
    ends: usize,
    /// Whether it had not ended when the call that gave up its last reference came back.
    put_off: bool,
}

/// The objects that end together at present.
static MEMBERS: Mutex<Vec<Member>> = Mutex::new(Vec::new());
/// What else the last of a chain gives up.
static OTHERS: Mutex<Vec<usize>> = Mutex::new(Vec::new());
/// Whether each last reference is given up on a thread of its own.
static ON_OTHERS: AtomicBool = AtomicBool::new(false);

fn locked<T>(what: &'static Mutex<T>) -> MutexGuard<'static, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has objects of these kinds end together, and expects each to have ended in time.
fn end_together(t: &Trial, shape: &Shape, kind: impl Fn(usize) -> Kept) -> Verdict {
    end_together_after(t, shape, kind, &[], "")
}

/// The same when something has ended before, which failures tell; and has the last object that gives up none give up these.
fn end_together_after(
    t: &Trial,
    shape: &Shape,
    kind: impl Fn(usize) -> Kept,
    others: &[usize],
    after: &str,
) -> Verdict {
    t.serve_callbacks();
    let mut members = Vec::new();
    for (at, below) in shape.iter().enumerate() {
        let tells = kind(at) != Kept::WithoutDeleter;
        let address = kind(at).new_object(t, at)? as usize;
        members.push(Member { below: below.clone(), address, tells, ..Member::default() });
    }
    *locked(&MEMBERS) = members;
    *locked(&OTHERS) = others.to_vec();
    give_up(0);
    // How many others end while each does: those that it lies in, and the Array that holds it.
    let mut others = vec![0; shape.len()];
    for (at, below) in shape.iter().enumerate() {
        others[at] += usize::from(kind(at) == Kept::InArray);
        below.iter().for_each(|inner| others[*inner] = others[at] + 1);
    }
    let on_others = ON_OTHERS.load(Ordering::SeqCst);
    let meanwhile = if on_others { "on a thread of its own, " } else { "" };
    for (at, member) in locked(&MEMBERS).iter().enumerate() {
        let others = others[at];
        let what =
            format!("the end of object {at} of {}, {meanwhile}within the ends of {others} others{after}", shape.len());
        t.eq(format_args!("calls of the deleter at {what}"), member.ends, 1)?;
        let put_off = (on_others || others <= 32) && member.put_off;
        t.that(what, !put_off, "before TVMFFIObjectDecRef returns", "later")?;
    }
    Ok(())
}

/// Ends a member, and gives up those below it.
fn has_ended(at: usize) {
    let below = {
        let mut members = locked(&MEMBERS);
        let Some(member) = members.get_mut(at) else { return };
        member.ends += 1;
        std::mem::take(&mut member.below)
    };
    if below.is_empty() {
        let others = std::mem::take(&mut *locked(&OTHERS));
        for (api, other) in callback::api().into_iter().flat_map(|api| others.iter().map(move |other| (api, *other))) {
            api.TVMFFIObjectDecRef(other as TVMFFIObjectHandle);
        }
    }
    below.into_iter().for_each(give_up);
}

/// Gives up the last reference to a member, and looks whether it has ended then.
fn give_up(at: usize) {
    let (address, tells) = {
        let member = &locked(&MEMBERS)[at];
        (member.address, member.tells)
    };
    let give_up = move || {
        let Some(api) = callback::api() else { return };
        let object = address as TVMFFIObjectHandle;
        api.TVMFFIObjectDecRef(object);
        let mut members = locked(&MEMBERS);
        if !tells && header::both(object).0 == 0 {
            members[at].ends += 1;
        }
        members[at].put_off = members[at].ends == 0;
    };
    if ON_OTHERS.load(Ordering::SeqCst) { on_another_thread(give_up) } else { give_up() }
}

/// Makes a call on another thread, and waits for it for a while.
fn on_another_thread(call: impl FnOnce() + Copy + Send + 'static) {
    let (tell, told) = mpsc::channel();
    let call_and_tell = move || {
        call();
        // Nobody listens any more when it took too long.
        let _ = tell.send(());
    };
    match thread::Builder::new().spawn(call_and_tell) {
        Ok(_) => drop(deadline::receive(&told)),
        // The system has no thread to give.
        Err(_) => call(),
    }
}
