//! Instances that `ffi.MakeObjectFromPackedArgs` makes of names and values.

use std::ffi::CStr;

use tvm_ffi_spec::{clause::id, *};

use super::kit::{MAKE, STEP, field, inherited, reads};
use crate::{
    checks::check,
    client::{
        Owned, Raised, Verdict,
        forms::{Form, of_string},
        given::Given,
        homemade::Homemade,
        reflected, types, view,
    },
    trial::Trial,
};

/// ffi.MakeObjectFromPackedArgs makes an instance of a type that is given by its key, a String or a C string.
#[check(INS_0020)]
fn make_by_key(t: &Trial) -> Verdict {
    let (string, object) = (t.string(STEP.as_bytes())?, Homemade::new(kTVMFFIError, ()));
    for first in [string.any(), view::c_str(STEP_C)] {
        let args = [first, view::c_str(c"kind"), view::int(2), view::c_str(c"key"), object.view()];
        is_step(t, &t.call_global(MAKE, &args)?, 2, &object.view())?;
    }
    t.eq("counts of the value", object.counts(), (1, 1))
}

/// ffi.MakeObjectFromPackedArgs makes an instance of a type that is given by its index.
#[check(INS_0020)]
fn make_by_index(t: &Trial) -> Verdict {
    let first = view::int(reflected::type_index(t, STEP)?.into());
    let (kind, key) = (t.string(b"kind")?, t.string(b"key")?);
    let args = [first, key.any(), view::float(0.5), kind.any(), view::int(4)];
    is_step(t, &t.call_global(MAKE, &args)?, 4, &view::float(0.5))
}

/// Expects an access step that nobody else owns.
fn is_step(t: &Trial, step: &Owned, kind: i64, key: &TVMFFIAny) -> Verdict {
    t.type_index_eq("type_index of the object", step.any().type_index, reflected::type_index(t, STEP)?)?;
    t.eq("strong and weak count of the object", t.counts(step.handle())?, (1, 1))?;
    reads(t, "kind", step, &field(t, STEP, "kind")?, &view::int(kind))?;
    reads(t, "key", step, &field(t, STEP, "key")?, key)
}

/// ffi.MakeObjectFromPackedArgs raises an error when a field without a default is left out.
#[check(INS_0021)]
fn make_needs_fields(t: &Trial) -> Verdict {
    let (first, kind, key) = (view::c_str(STEP_C), view::c_str(c"kind"), view::c_str(c"key"));
    for args in [&[first][..], &[first, kind, view::int(1)], &[first, key, view::int(1)]] {
        not_made(t, args, &[])?;
    }
    Ok(())
}

/// ffi.MakeObjectFromPackedArgs takes the type's key and the names of fields in every form of a text.
#[check(INS_0020)]
fn make_by_every_form(t: &Trial) -> Verdict {
    for class in of_string(STEP.as_bytes()) {
        for (kind, key) in of_string(b"kind").iter().zip(of_string(b"key")) {
            let args = [class.view, key.view, view::float(0.5), kind.view, view::int(4)];
            is_step(t, &t.call_global(MAKE, &args)?, 4, &view::float(0.5))?;
        }
    }
    Ok(())
}

/// ffi.MakeObjectFromPackedArgs raises an error for a name that is no field, in whatever form it is given.
#[check(INS_0021)]
fn make_knows_fields(t: &Trial) -> Verdict {
    let (first, kind, key) = (view::c_str(STEP_C), view::c_str(c"kind"), view::c_str(c"key"));
    let one = view::int(1);
    for name in [&b"nobody"[..], b"ke", b"keys", b"Key", b"key ", b"key\0", b"", b"a name of more than seven bytes"] {
        for form in of_string(name) {
            not_made(t, &[first, kind, one, key, one, form.view, one], &[])?;
            not_made(t, &[first, form.view, one, kind, one, key, one], &[])?;
            not_made(t, &[first, kind, one, form.view, one], &[])?;
        }
    }
    Ok(())
}

/// ffi.MakeObjectFromPackedArgs raises an error for a field that is given twice, in whatever two forms its name is.
#[check(INS_0021, INS_0025)]
fn make_takes_a_field_once(t: &Trial) -> Verdict {
    let (text, object) = (t.string(b"a text of more than seven bytes")?, Homemade::new(kTVMFFIError, ()));
    let (number, before) = (view::int(1), t.counts(text.handle())?);
    let step = [("kind", number), ("key", object.view())];
    let number_and_text = [("_int_index", number), ("_str_index", text.any()), ("value", number)];
    for (class, fields) in [(STEP_C, &step[..]), (c"ffi.IntEnum", &number_and_text)] {
        t.clause(id::INS_0021);
        if class != STEP_C && types::find(t, "ffi.IntEnum").is_none() {
            continue;
        }
        let names: Vec<_> = fields.iter().map(|(name, value)| (view_of(name), *value)).collect();
        let all: Vec<_> = names.iter().flat_map(|(name, value)| [name.view, *value]).collect();
        t.call_global(MAKE, &[&[view::c_str(class)], &all[..]].concat())?;
        for (at, (name, value)) in fields.iter().enumerate() {
            for (first, again) in pairs_of_forms(name) {
                let mut args = all.clone();
                args[2 * at] = first.view;
                let mut as_last = args.clone();
                as_last[2 * at..].rotate_left(2);
                // The second time right behind the first, and behind all others; the first one also the last of all fields.
                let orders = [(&args, 2 * at + 2), (&args, args.len()), (&as_last, args.len())];
                for (order, place) in orders {
                    t.clause(id::INS_0021);
                    let mut twice = order.clone();
                    twice.splice(place..place, [again.view, *value]);
                    let refused = not_made(t, &[&[view::c_str(class)], &twice[..]].concat(), &[]);
                    drop(refused.map_err(|failure| {
                        failure.noting(format!("the field {name} as {} and as {}", first.name, again.name))
                    })?);
                    t.clause(id::INS_0025);
                    t.eq("counts of values", (object.counts(), t.counts(text.handle())?), ((1, 1), before))?;
                }
            }
        }
    }
    Ok(())
}

/// A name as a C string.
fn view_of(name: &str) -> Form {
    of_string(name.as_bytes()).swap_remove(0)
}

/// A name in each form together with each.
fn pairs_of_forms(name: &str) -> Vec<(Form, Form)> {
    let forms = of_string(name.as_bytes()).len();
    let form = |place: usize| of_string(name.as_bytes()).swap_remove(place);
    (0..forms * forms).map(|pair| (form(pair / forms), form(pair % forms))).collect()
}

/// ffi.MakeObjectFromPackedArgs refuses what is no type, a name that is no string and a name without a value.
#[check(INS_0022)]
fn make_refuses(t: &Trial) -> Verdict {
    let (first, kind, key) = (view::c_str(STEP_C), view::c_str(c"kind"), view::c_str(c"key"));
    let one = view::int(1);
    not_made(t, &[view::c_str(c"verify.NoSuchType"), kind, one], &[])?;
    not_made(t, &[view::float(1.5), kind, one, key, one], &[])?;
    not_made(t, &[first, one, one, key, one], &[])?;
    not_made(t, &[first, kind, one, key], &[]).map(drop)
}

/// ffi.MakeObjectFromPackedArgs raises an error for a value that a field does not take.
#[check(INS_0023)]
fn make_refuses_values(t: &Trial) -> Verdict {
    let args = [view::c_str(STEP_C), view::c_str(c"kind"), view::c_str(c"text"), view::c_str(c"key"), view::int(1)];
    not_made(t, &args, &[]).map(drop)
}

/// The error of ffi.MakeObjectFromPackedArgs for a missing field, a name that is no field, or one given twice is a
/// TypeError.
#[check(INS_0027)]
fn make_raises_type_errors(t: &Trial) -> Verdict {
    let (first, kind, key) = (view::c_str(STEP_C), view::c_str(c"kind"), view::c_str(c"key"));
    let one = view::int(1);
    let calls: [&[TVMFFIAny]; 4] = [
        &[first],
        &[first, kind, one],
        &[first, kind, one, key, one, view::c_str(c"nobody"), one],
        &[first, kind, one, kind, one, key, one],
    ];
    calls.into_iter().try_for_each(|args| not_made(t, args, &["TypeError"]).map(drop))
}

/// ffi.MakeObjectFromPackedArgs raises an error for a type of which no instances are made.
#[check(INS_0024)]
fn make_needs_a_creator(t: &Trial) -> Verdict {
    for key in [c"ffi.Object", c"ffi.Array", c"ffi.Function", c"ffi.Module"] {
        not_made(t, &[view::c_str(key)], &[])?;
    }
    let index = types::new(t, "verify.Unmade");
    not_made(t, &[view::int(index.into())], &[]).map(drop)
}

/// ffi.MakeObjectFromPackedArgs keeps no reference and no memory when it raises an error.
#[check(INS_0025)]
fn make_keeps_nothing(t: &Trial) -> Verdict {
    let object = Homemade::new(kTVMFFIError, ());
    let (first, kind, key) = (view::c_str(STEP_C), view::c_str(c"kind"), view::c_str(c"key"));
    let fields = [[key, object.view()], [kind, view::int(1)]];
    // By key and by index; what nobody has, what is no integer and what is no name stand before, between and behind fields.
    for class in [first, view::int(reflected::type_index(t, STEP)?.into())] {
        not_made(t, &[class, key, object.view()], &[])?;
        for wrong in [[view::c_str(c"nobody"), object.view()], [kind, object.view()], [view::int(1), object.view()]] {
            for place in 0..=fields.len() {
                let mut given = fields.to_vec();
                given.insert(place, wrong);
                not_made(t, &[&[class], given.as_flattened()].concat(), &[])?;
                t.eq("counts of a value of what was not made", object.counts(), (1, 1))?;
            }
        }
    }
    t.no_growth("memory for what was not made", || {
        let text = view::c_str(c"a text of more than seven bytes");
        not_made(t, &[first, key, text, kind, view::int(1), view::c_str(c"nobody"), text], &[]).map(drop)
    })
}

/// A value that is given away to ffi.MakeObjectFromPackedArgs stays in its slot or ends when the object is not made, whatever is wrong,
/// and is held by the object alone when it is.
#[check(INS_0025)]
fn make_given_values(t: &Trial) -> Verdict {
    let (class, kind, key) = (view::c_str(STEP_C), view::c_str(c"kind"), view::c_str(c"key"));
    let (one, nobody) = (view::int(1), view::c_str(c"nobody"));
    // What is wrong with the others, if anything is; the type is wrong last.
    let wrong: [&[TVMFFIAny]; 7] = [
        &[],
        &[kind],
        &[nobody, one],
        &[one, one],
        &[kind, view::c_str(c"text")],
        &[kind, one, kind, one],
        &[kind, one, key, one],
    ];
    for (class, others) in
        wrong.map(|others| (class, others)).into_iter().chain([(nobody, &[kind, one][..]), (class, &[kind, one])])
    {
        for before in [true, false] {
            let mut given = Given::default();
            let pair = [key, given.arg()];
            let args = if before { [&[class], others, &pair].concat() } else { [&[class], &pair[..], others].concat() };
            let answer = t.answer(MAKE, &args)?;
            let what = format!("{MAKE} {} {} other arguments", if before { "behind" } else { "before" }, others.len());
            drop(answer);
            given.is_accounted_for(t, what)?;
        }
    }
    Ok(())
}

/// ffi.MakeObjectFromPackedArgs sets inherited fields as well as the type's own.
#[check(INS_0026)]
fn make_inherited_fields(t: &Trial) -> Verdict {
    let name = t.string(b"a text of more than seven bytes")?;
    let args = [
        view::c_str(c"ffi.IntEnum"),
        view::c_str(c"_str_index"),
        name.any(),
        view::c_str(c"value"),
        view::int(9),
        view::c_str(c"_int_index"),
        view::int(9),
    ];
    let made = t.call_global(MAKE, &args)?;
    for (field, expected) in [("_str_index", name.any()), ("_int_index", view::int(9)), ("value", view::int(9))] {
        let field = inherited(t, "ffi.IntEnum", field)?;
        reads(t, "a field", &made, &field, &expected)?;
    }
    Ok(())
}

const STEP_C: &CStr = c"ffi.reflection.AccessStep";

/// Expects an object not to be made.
fn not_made(t: &Trial, args: &[TVMFFIAny], kinds: &[&str]) -> Verdict<Raised> {
    t.call_fails(&t.global(MAKE)?, args, kinds)
}
