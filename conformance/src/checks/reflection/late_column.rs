//! Columns that begin after somebody has looked for them in vain.

use tvm_ffi_spec::{clause::id, *};

use super::kit::set_attribute;
use crate::{
    checks::check,
    client::{
        Verdict,
        reflected::{self, column},
        types, view,
    },
    trial::Trial,
};

/// How a column begins: with which attribute of which type, and the clause that says so.
type Beginning = (&'static str, i32, TVMFFIAny);

/// A name that was looked for, and how its column begins.
struct Case {
    name: String,
    beginning: Beginning,
    /// Names that are looked for behind it, of which there is never a column.
    others: usize,
}

/// Every way in which a column can begin, for names of several lengths, which were looked for last or a while ago.
fn cases(t: &Trial, whose: &str) -> Verdict<Vec<Case>> {
    let mine = types::new(t, &format!("verify.late.{whose}"));
    let child = types::new_child(t, &format!("verify.late.{whose}.Child"), mine)?;
    let beginnings: [Beginning; 6] = [
        (id::RFL_0028, kTVMFFINone, TVMFFIAny::NONE),
        (id::RFL_0021, kTVMFFIInt, view::int(1)),
        (id::RFL_0021, kTVMFFIArray, view::bool(false)),
        (id::RFL_0021, mine, view::float(0.5)),
        (id::RFL_0021, child, view::int(0)),
        (id::RFL_0021, mine, view::pointer(std::ptr::null_mut())),
    ];
    let mut cases = Vec::new();
    for beginning in beginnings {
        for (long, others) in [0, 30, 300].into_iter().flat_map(|long| [0, 1, 9].map(|others| (long, others))) {
            let name = format!("verify.late.{whose}{}{}", cases.len(), "_long".repeat(long / 5));
            cases.push(Case { name, beginning, others });
        }
    }
    Ok(cases)
}

/// Looks for the column of a case, which is expected not to be there yet, or to be there.
fn look(t: &Trial, case: &Case, is_there: bool) -> Verdict {
    let (clause, index, value) = case.beginning;
    let shown = &case.name[..case.name.len().min(30)];
    for _ in 0..2 {
        let found = column(t, &case.name);
        t.clause(if is_there { clause } else { id::RFL_0020 });
        t.eq(format_args!("whether there is a column {shown}…"), !found.is_null(), is_there)?;
        if is_there {
            let (entry, what) = (reflected::entry(t, found, index)?, format!("the entry of type {index} in it"));
            match value.type_index {
                kTVMFFINone => t.type_index_eq(what, entry.type_index, kTVMFFINone)?,
                _ => t.any_eq(what, &entry, &value)?,
            }
        }
    }
    t.clause(id::RFL_0020);
    for number in 0..case.others {
        let other = column(t, &format!("verify.late.nobody{number}"));
        t.eq("whether there is a column that nobody has made", other.is_null(), true)?;
    }
    Ok(())
}

fn begin(t: &Trial, case: &Case) -> Verdict {
    let (clause, index, value) = case.beginning;
    t.clause(clause);
    set_attribute(t, index, &case.name, &value)
}

/// A column that was looked for in vain is found once it has begun, by whichever attribute, or by None for type 0.
#[check(RFL_0020, RFL_0021, RFL_0028)]
fn column_that_begins_late(t: &Trial) -> Verdict {
    for case in &cases(t, "here")? {
        look(t, case, false)?;
        begin(t, case)?;
        look(t, case, true)?;
    }
    // All are looked for before the first begins.
    let all = cases(t, "all")?;
    all.iter().try_for_each(|case| look(t, case, false))?;
    all.iter().try_for_each(|case| begin(t, case))?;
    all.iter().try_for_each(|case| look(t, case, true))
}

/// A column that a thread has looked for in vain is found there once another thread has had it begin, by whichever attribute, or by None for type 0.
#[check(RFL_0020, RFL_0021, RFL_0028)]
fn column_that_begins_elsewhere(t: &Trial) -> Verdict {
    let all = cases(t, "elsewhere")?;
    t.changes_are_seen(all.len(), |t, at, after| look(t, &all[at], after), |t, at| begin(t, &all[at]))
}
