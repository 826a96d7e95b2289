//! Converters that use the field which they convert a value for.

use std::{
    ffi::{c_int, c_void},
    ptr::null_mut,
    sync::atomic::{AtomicPtr, AtomicUsize, Ordering},
};

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict,
        api::Api,
        callback::{api, call, raise},
        homemade::{Homemade, release, retain, strong_count},
        types, view,
    },
    trial::Trial,
};

/// What a converter does with the field before it answers.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Use {
    /// Sets it to another object.
    Sets,
    /// Sets it to another object, and then to a third.
    SetsTwice,
    /// Sets it to what it is to be set to.
    SetsTheSame,
    /// Sets it to nothing, which ends what it held if nobody else holds that.
    Empties,
    /// Sets it to what it holds already.
    Keeps,
    /// Reads it, and sees what it held.
    Reads,
}

const USES: [Use; 6] = [Use::Sets, Use::SetsTwice, Use::SetsTheSame, Use::Empties, Use::Keeps, Use::Reads];

/// A setter of a field, in whose converter the field is used.
struct Field {
    setter: Owned,
    /// As the field and its getter have it.
    index: i32,
}

/// The field, and the function that sets it.
static PLACE: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
static SETTER: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
static GETTER: AtomicUsize = AtomicUsize::new(0);
/// What the converter does, by its place among [`USES`] from 1 on; it does it once, and not within it.
static CHOSEN: AtomicUsize = AtomicUsize::new(0);
/// Whether it fails in the end.
static FAILS: AtomicUsize = AtomicUsize::new(0);
/// The objects that it sets the field to.
static OTHERS: [AtomicPtr<c_void>; 2] = [AtomicPtr::new(null_mut()), AtomicPtr::new(null_mut())];
/// What it has read, and the strong count of that.
static READ: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Uses the field if it is to, and answers the value with a reference of its own.
unsafe extern "C" fn convert(_: *mut c_void, value: *const TVMFFIAny, result: *mut TVMFFIAny) -> c_int {
    // SAFETY: the target passes a value that it lends.
    let value = unsafe { value.read() };
    let chosen = CHOSEN.swap(0, Ordering::AcqRel);
    let Some(api) = api() else { return -1 };
    if chosen > 0 && (use_field(api, USES[chosen - 1], &value).is_none() || FAILS.load(Ordering::Acquire) != 0) {
        return raise(api, c"KeyError", c"by the converter").map_or(-1, |_| 0);
    }
    if value.type_index >= kTVMFFIStaticObjectBegin {
        retain(value.payload() as TVMFFIObjectHandle);
    }
    // SAFETY: and a place for the result.
    unsafe { result.write(value) };
    0
}

fn use_field(api: &Api, what: Use, value: &TVMFFIAny) -> Option<()> {
    let set = |value: TVMFFIAny| {
        let place = view::pointer(PLACE.load(Ordering::Acquire));
        call(api, SETTER.load(Ordering::Acquire), &[place, value]).map(drop)
    };
    let object = |place: &AtomicPtr<c_void>| TVMFFIAny::new(kTVMFFIError, place.load(Ordering::Acquire) as u64);
    match what {
        Use::Sets => set(object(&OTHERS[0])),
        Use::SetsTwice => OTHERS.iter().try_for_each(|other| set(object(other))),
        Use::SetsTheSame => set(*value),
        Use::Empties => set(TVMFFIAny::NONE),
        Use::Reads | Use::Keeps => {
            let mut held = TVMFFIAny::NONE;
            // SAFETY: the getter that the target has made for such a field.
            let getter = unsafe { std::mem::transmute::<usize, TVMFFIFieldGetter>(GETTER.load(Ordering::Acquire)) };
            // SAFETY: the address of the field, and a place for what it holds.
            if unsafe { getter(PLACE.load(Ordering::Acquire), &mut held) } != 0 {
                return None;
            }
            let handle = held.payload() as TVMFFIObjectHandle;
            READ.store(handle, Ordering::Release);
            COUNT.store(strong_count(handle) as usize, Ordering::Release);
            let kept = if what == Use::Keeps { set(held) } else { Some(()) };
            release(handle);
            kept
        }
    }
}

/// A setter whose converter sets the field itself, empties it or reads it puts what the converter answers into the field, and each object that the
/// field has held is given up once, be the field one of values or of objects.
#[check(DCL_0021, DCL_0022)]
fn converter_uses_the_field(t: &Trial) -> Verdict {
    t.serve_callbacks();
    t.short_backtraces();
    for index in [kTVMFFIAny, kTVMFFIObject, kTVMFFIError] {
        let field = Field::new(t, index)?;
        for (at, what) in USES.into_iter().enumerate() {
            // With what the field held in the hands of others, too, and with the field alone having it.
            for (fails, held_alone, gives_none) in [false, true]
                .into_iter()
                .flat_map(|fails| [(fails, false, false), (fails, true, false), (fails, true, true)])
            {
                CHOSEN.store(1 + at, Ordering::Release);
                FAILS.store(fails.into(), Ordering::Release);
                field.is_set(t, what, fails, held_alone, gives_none)?;
            }
        }
    }
    Ok(())
}

impl Field {
    fn new(t: &Trial, index: i32) -> Verdict<Self> {
        let address = convert as *const () as i64;
        let setter =
            t.call_global("ffi.MakeFieldSetter", &[view::int(index.into()), view::int(0), view::int(address)])?;
        let getter = t.call_global("ffi.MakeFieldGetter", &[view::int(index.into())])?;
        SETTER.store(setter.handle(), Ordering::Release);
        GETTER.store(getter.any().payload() as usize, Ordering::Release);
        Ok(Self { setter, index })
    }

    /// What a field holds of an object, or of None.
    fn words(&self, value: &TVMFFIAny) -> [u64; 2] {
        let is_none = value.type_index == kTVMFFINone;
        match self.index {
            kTVMFFIAny => [value.type_index as u64, value.payload()],
            _ => [if is_none { 0 } else { value.payload() }, 0],
        }
    }

    /// Sets the field while the converter uses it, and looks at what becomes of all that it has held.
    fn is_set(&self, t: &Trial, what: Use, fails: bool, held_alone: bool, gives_none: bool) -> Verdict {
        let objects: [_; 4] = std::array::from_fn(|_| Homemade::new(kTVMFFIError, ()));
        let [former, given, first, second] = &objects;
        let mut place = [0_u64; 2];
        for (other, object) in OTHERS.iter().zip([first, second]) {
            other.store(object.handle(), Ordering::Release);
        }
        PLACE.store((&raw mut place).cast(), Ordering::Release);
        let chosen = CHOSEN.swap(0, Ordering::AcqRel);
        t.call(&self.setter, &[view::pointer((&raw mut place).cast()), former.view()])?;
        CHOSEN.store(chosen, Ordering::Release);
        if held_alone {
            former.set_counts(1, 1);
        }
        let value = if gives_none { TVMFFIAny::NONE } else { given.view() };
        let answer = t.answer_of(self.setter.handle(), &[view::pointer((&raw mut place).cast()), value])?;
        let of = format!("a field of type index {} whose converter does this: {what:?}, fails: {fails}", self.index);
        t.clause(if fails { id::DCL_0022 } else { id::DCL_0021 });
        t.eq(format_args!("whether there is an error of {of}"), answer.is_err(), fails)?;
        // Where it fails, the field is as the converter has left it.
        let left = match what {
            _ if !fails => value,
            Use::Sets => first.view(),
            Use::SetsTwice => second.view(),
            Use::SetsTheSame => value,
            Use::Empties => TVMFFIAny::NONE,
            Use::Keeps | Use::Reads => former.view(),
        };
        // Written to by the target, behind the compiler's back.
        let found = t.read("the field", &raw const place)?;
        t.eq(format_args!("the words of {of}"), found, self.words(&left))?;
        if matches!(what, Use::Reads | Use::Keeps) {
            t.eq(format_args!("what is read of {of}"), READ.load(Ordering::Acquire), former.handle())?;
            // The field's reference, the getter's, and ours; a library may hold one more meanwhile.
            let (count, least) = (COUNT.load(Ordering::Acquire), if held_alone { 2 } else { 3 });
            let what = format_args!("strong count of what is read of {of}");
            t.that(what, count >= least, format_args!("at least {least}"), count)?;
        }
        let is_left = |object: &Homemade| u32::from(left.payload() == object.handle() as u64);
        for (name, object, others) in [
            ("the former value", former, !held_alone),
            ("the value", given, true),
            ("another", first, true),
            ("a third", second, true),
        ] {
            let expected = u32::from(others) + is_left(object);
            let ends = usize::from(expected == 0);
            t.eq(format_args!("strong count of {name} after {of}"), object.counts().0, expected)?;
            t.eq(format_args!("ends of {name} after {of}"), object.ends().len(), ends)?;
        }
        t.call(&self.setter, &[view::pointer((&raw mut place).cast()), TVMFFIAny::NONE]).map(drop)
    }
}

/// What a field held is not in it any more when that ends, and may set the field at its end: what it sets it to is there, or what the field was to be
/// set to, and nothing is given up twice.
#[check(DCL_0021)]
fn former_value_uses_the_field(t: &Trial) -> Verdict {
    /// What the field is found to hold.
    static FOUND: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
    static SETS: AtomicUsize = AtomicUsize::new(0);
    static IS_ANY: AtomicUsize = AtomicUsize::new(0);
    unsafe extern "C" fn use_it(_: TVMFFIObjectHandle, flags: c_int) {
        let Some(api) = api().filter(|_| flags & kTVMFFIObjectDeleterFlagBitMaskStrong != 0) else { return };
        let place = PLACE.load(Ordering::Acquire).cast::<u64>();
        // SAFETY: the field of the check, of which two words are there.
        let word = unsafe { place.add(IS_ANY.load(Ordering::Acquire)).read() };
        FOUND.store(word as *mut c_void, Ordering::Release);
        if SETS.load(Ordering::Acquire) != 0 {
            let value = TVMFFIAny::new(kTVMFFIError, OTHERS[0].load(Ordering::Acquire) as u64);
            if call(api, SETTER.load(Ordering::Acquire), &[view::pointer(place.cast()), value]).is_none() {
                api.release_raised();
            }
        }
    }
    t.serve_callbacks();
    let dynamic = types::new(t, "verify.UsesItsField");
    for (index, sets, next_is_none) in [kTVMFFIAny, kTVMFFIObject, dynamic]
        .into_iter()
        .flat_map(|index| [(index, 0, false), (index, 0, true), (index, 1, false), (index, 1, true)])
    {
        // A field of this one type takes nothing else.
        if index == dynamic && sets == 1 {
            continue;
        }
        let field = Field::new(t, index)?;
        let kind = if index == dynamic { dynamic } else { kTVMFFIError };
        let former = Homemade::with_deleter(kind, (), Some(use_it));
        let (next, other) = (Homemade::new(kind, ()), Homemade::new(kTVMFFIError, ()));
        let mut place = [0_u64; 2];
        PLACE.store((&raw mut place).cast(), Ordering::Release);
        OTHERS[0].store(other.handle(), Ordering::Release);
        SETS.store(sets, Ordering::Release);
        IS_ANY.store(usize::from(index == kTVMFFIAny), Ordering::Release);
        let address = view::pointer((&raw mut place).cast());
        t.call(&field.setter, &[address, former.view()])?;
        former.set_counts(1, 1);
        let value = if next_is_none { TVMFFIAny::NONE } else { next.view() };
        t.call(&field.setter, &[address, value])?;
        let of = format!("a field of type index {index} that is set to {value:?}");
        t.ne(
            format_args!("what was found at the end of the former value of {of}"),
            FOUND.load(Ordering::Acquire),
            former.handle(),
        )?;
        let found: [u64; 2] = t.read("the field", &raw const place)?;
        let has = |value: &TVMFFIAny| found == field.words(value);
        let holds = has(&value) || sets == 1 && has(&other.view());
        t.that(
            format_args!("the words of {of}"),
            holds,
            "those of a value that it was set to",
            format_args!("{found:x?}"),
        )?;
        for object in [&next, &other] {
            let expected = 1 + u32::from(has(&object.view()));
            t.eq(format_args!("strong count of what {of} was or is set to"), object.counts().0, expected)?;
        }
        SETS.store(0, Ordering::Release);
        t.call(&field.setter, &[address, TVMFFIAny::NONE])?;
    }
    Ok(())
}
