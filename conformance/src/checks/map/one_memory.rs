//! Keys that a client puts into one place in memory, one after the other, and borrows out: each is what stands there at the time of the
//! call.

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Answer, Owned, Verdict,
        one_memory::{OneMemory, pairs},
        view,
    },
    trial::Trial,
};

/// The forms in which a text may be borrowed, or stand among the arguments themselves.
const FORMS: [i32; 4] = [kTVMFFIRawStr, kTVMFFIByteArrayPtr, kTVMFFISmallStr, kTVMFFISmallBytes];

/// How many of the [`texts`] are in a container.
const KEPT: usize = 4;

/// Texts of one length, and such as another begins with: the first are in a container.
fn texts(form: i32) -> [&'static [u8]; 6] {
    match form {
        kTVMFFISmallStr | kTVMFFISmallBytes => [b"one", b"two", b"on", b"one_two", b"six", b"one_"],
        _ => [
            b"the first text here",
            b"the other text here",
            b"the first",
            b"the first text here, and more of it",
            b"the third text here",
            b"the first text",
        ],
    }
}

/// A function that looks a key up: of which container, its name, and the clauses that say what it does with a key that is there and with
/// one that is not.
type Door = (&'static str, &'static str, [&'static str; 2]);

/// A key that is borrowed from the place in memory where another stood at the call before is looked up in a Map and an Array as the text that
/// stands there then, whatever its form.
#[check(MAP_0002, MAP_0004, MAP_0005, ARR_0014)]
fn keys_in_one_memory(t: &Trial) -> Verdict {
    let doors = [
        ("ffi.Map", "GetItem", [id::MAP_0002, id::MAP_0005]),
        ("ffi.Map", "Count", [id::MAP_0004; 2]),
        ("ffi.Array", "Contains", [id::ARR_0014; 2]),
    ];
    looked_up(t, &doors)
}

/// `ffi.MapGetItemOrMissing` looks a key that is borrowed from the place in memory where another stood at the call before up as the text that
/// stands there then, whatever its form.
#[check(MAP_0006)]
fn or_missing_in_one_memory(t: &Trial) -> Verdict {
    looked_up(t, &[("ffi.Map", "GetItemOrMissing", [id::MAP_0006; 2])])
}

/// A key that is borrowed from the place in memory where another stood at the call before is looked up in a Dict and a List as the text that
/// stands there then, whatever its form.
#[check(DCT_0006, DCT_0007, DCT_0008, LST_0016)]
fn keys_of_a_dict_in_one_memory(t: &Trial) -> Verdict {
    let doors = [
        ("ffi.Dict", "GetItem", [id::DCT_0006, id::DCT_0007]),
        ("ffi.Dict", "Count", [id::DCT_0006; 2]),
        ("ffi.Dict", "GetItemOrMissing", [id::DCT_0008; 2]),
        ("ffi.List", "Contains", [id::LST_0016; 2]),
    ];
    looked_up(t, &doors)
}

/// Expects each of two texts that are looked up one after the other to be found or not for what it is, by each function.
fn looked_up(t: &Trial, doors: &[Door]) -> Verdict {
    for (form, others) in FORMS.into_iter().flat_map(|form| [(form, 0), (form, 9)]) {
        let (all, mut memory) = (texts(form), OneMemory::new());
        let kept = owned(t, form, &all[..KEPT])?;
        for &(kind, door, clauses) in doors {
            let function = t.global(&format!("{kind}{door}"))?;
            let container = holding(t, kind, &kept, others)?;
            // The arguments stand in one place, too.
            let mut args = [container.any(), TVMFFIAny::NONE];
            for at in pairs(all.len()).flatten() {
                let is_there = at < KEPT;
                args[1] = memory.borrowed(form, all[at]);
                let found = number(t.answer_of(function.handle(), &args)?);
                let place = if is_there { at as i64 } else { NOTHING };
                let expected = if door.starts_with("GetItem") { place } else { is_there.into() };
                t.clause(clauses[usize::from(!is_there)]);
                let text = all[at].escape_ascii();
                let what = format!("what {kind}{door} answers for {text}, in form {form}, beside {others} others");
                t.eq(what, found, expected)?;
            }
        }
    }
    Ok(())
}

/// A Dict is given, and rid of, a key that is borrowed from the place in memory where another stood at the call before, whatever its form.
#[check(DCT_0002, DCT_0003, DCT_0004, patient = 2)]
fn keys_set_in_one_memory(t: &Trial) -> Verdict {
    t.short_backtraces();
    for (form, others) in FORMS.into_iter().flat_map(|form| [(form, 0), (form, 9)]) {
        let (all, mut memory) = (texts(form), OneMemory::new());
        let owned = owned(t, form, &all)?;
        let (set, erase) = (t.global("ffi.DictSetItem")?, t.global("ffi.DictErase")?);
        for both in pairs(all.len()) {
            let dict = holding(t, "ffi.Dict", &owned[..KEPT], others)?;
            let mut expected: Vec<_> = (0..).take(KEPT).collect();
            expected.resize(all.len(), NOTHING);
            let content = || -> Verdict<Vec<i64>> {
                let find = |key: &Owned| -> Verdict<i64> {
                    Ok(number(t.answer("ffi.DictGetItem", &[dict.any(), key.any()])?))
                };
                owned.iter().map(find).collect()
            };
            let what =
                |done: &str| format!("what a Dict has after {both:?} were {done}, in form {form}, beside {others}");
            let mut args = [dict.any(), TVMFFIAny::NONE, TVMFFIAny::NONE];
            for (at, value) in both.into_iter().zip([-5, -6]) {
                args[1] = memory.borrowed(form, all[at]);
                args[2] = view::int(value);
                t.call(&set, &args)?;
                expected[at] = value;
            }
            t.clause(if both[0] < KEPT && both[1] < KEPT { id::DCT_0003 } else { id::DCT_0002 });
            t.eq(what("set"), content()?, expected.clone())?;
            for at in both {
                args[1] = memory.borrowed(form, all[at]);
                t.call(&erase, &args[..2])?;
                expected[at] = NOTHING;
            }
            t.clause(id::DCT_0004);
            t.eq(what("erased"), content()?, expected)?;
        }
    }
    Ok(())
}

/// In the place of a number: what is asked for is not there.
const NOTHING: i64 = -1;

/// The number that a function has answered, if it is one.
fn number(answer: Answer) -> i64 {
    match answer.map(|answer| answer.any()) {
        Ok(any) if matches!(any.type_index, kTVMFFIInt | kTVMFFIBool) => any.payload() as i64,
        _ => NOTHING,
    }
}

/// Strings or Bytes of the library's, as the form has them.
fn owned(t: &Trial, form: i32, texts: &[&[u8]]) -> Verdict<Vec<Owned>> {
    let is_string = matches!(form, kTVMFFIRawStr | kTVMFFISmallStr);
    texts.iter().map(|text| if is_string { t.string(text) } else { t.bytes(text) }).collect()
}

/// A container with these keys, in a map with their places as values, and so many integers behind them.
fn holding(t: &Trial, kind: &str, keys: &[Owned], others: i64) -> Verdict<Owned> {
    let is_map = matches!(kind, "ffi.Map" | "ffi.Dict");
    let all = keys.iter().map(Owned::any).chain((1000..1000 + others).map(view::int)).zip(0..);
    let args = all.flat_map(|(key, place)| [Some(key), is_map.then(|| view::int(place))]);
    t.call_global(kind, &args.flatten().collect::<Vec<_>>())
}
