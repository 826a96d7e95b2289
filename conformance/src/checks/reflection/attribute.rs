//! Attribute columns: when they exist, what they cover, and what their entries are.

use std::collections::BTreeSet;

use tvm_ffi_spec::{abi, clause::id, *};

use super::kit::{answers_seven, becomes_owned, counted_function, kept_alive, set_attribute, try_set_attribute};
use crate::{
    checks::check,
    client::{
        Verdict,
        reflected::{self, attribute, column},
        samples::LENGTHS,
        types, view, written,
    },
    trial::Trial,
};

/// TVMFFIGetTypeAttrColumn answers NULL for a name under which no attribute was registered.
#[check(RFL_0020)]
fn unknown_column_is_null(t: &Trial) -> Verdict {
    for name in ["verify.unknown", "__no_such_attribute__", "ffi.Object"] {
        let column = column(t, name);
        t.that(format_args!("column {name}"), column.is_null(), "NULL", format_args!("{column:p}"))?;
    }
    Ok(())
}

/// The first attribute of a name makes the column of that name, with the value as the type's entry.
#[check(RFL_0021)]
fn attribute_is_stored(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    for (number, value) in [view::int(-7), view::float(2.5), view::bool(true)].into_iter().enumerate() {
        let name = format!("verify.attribute{number}");
        set_attribute(t, index, &name, &value)?;
        t.any_eq("the entry", &attribute(t, &name, index)?, &value)?;
    }
    Ok(())
}

/// A second value for a type's attribute is refused, and the first value stays.
#[check(RFL_0026)]
fn attribute_is_set_once(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    set_attribute(t, index, "verify.rank", &view::int(1))?;
    t.raises(try_set_attribute(t, index, "verify.rank", &view::int(2)), &[])?;
    t.any_eq("the entry after a second value was refused", &attribute(t, "verify.rank", index)?, &view::int(1))?;
    t.raises(try_set_attribute(t, index, "verify.rank", &view::int(1)), &[])?;
    if try_set_attribute(t, index, "verify.rank", &TVMFFIAny::NONE) != 0 {
        t.api.release_raised();
    }
    t.any_eq("the entry after None was registered, too", &attribute(t, "verify.rank", index)?, &view::int(1))?;
    // What looks like nothing is a value, too.
    let empty = t.string(b"")?;
    let plain = [view::bool(false), view::int(0), view::float(0.0), view::pointer(std::ptr::null_mut()), empty.any()];
    for (number, first) in plain.iter().enumerate() {
        let column = format!("verify.rank{number}");
        set_attribute(t, index, &column, first)?;
        t.raises(try_set_attribute(t, index, &column, &view::int(2)), &[])?;
        t.any_eq("the entry after a second value was refused", &attribute(t, &column, index)?, first)?;
    }
    Ok(())
}

/// An attribute that is an object outlives the caller's reference.
#[check(RFL_0027)]
fn attribute_is_kept_alive(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    let function = counted_function(t)?;
    set_attribute(t, index, "verify.hook", &function.any())?;
    t.any_eq("the entry", &attribute(t, "verify.hook", index)?, &function.any())?;
    kept_alive(t, "the attribute", function)?;
    answers_seven(t, "the attribute", attribute(t, "verify.hook", index)?)
}

/// An attribute given as a C string or byte array is stored as an owned String or Bytes.
#[check(RFL_0006)]
fn attribute_text_becomes_owned(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    let name = |number: usize| format!("verify.attribute{number}");
    let store = |number, given| set_attribute(t, index, &name(number), &given);
    becomes_owned(t, store, |number| attribute(t, &name(number), index))
}

/// An attribute of any kind and form is its type's entry.
#[check(RFL_0021, RFL_0027, RFL_0006)]
fn attribute_of_any_kind(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    // None is what stands where there is no entry.
    let samples = t.samples()?.into_iter().filter(|sample| sample.any().type_index != kTVMFFINone);
    for (number, sample) in samples.enumerate() {
        t.clause(match sample.any().type_index {
            kTVMFFIRawStr | kTVMFFIByteArrayPtr => id::RFL_0006,
            kTVMFFIStaticObjectBegin.. => id::RFL_0027,
            _ => id::RFL_0021,
        });
        let name = format!("verify.attribute{number}");
        set_attribute(t, index, &name, &sample.any())?;
        let what = format_args!("the entry that was given as {}", sample.name);
        t.is_sample(what, &attribute(t, &name, index)?, &sample)?;
    }
    Ok(())
}

/// Value types, built-in objects and types registered at run time can have attributes.
#[check(RFL_0030)]
fn attributes_for_all_kinds_of_types(t: &Trial) -> Verdict {
    let mine = types::new(t, "verify.Point");
    let built_in = (kTVMFFIInt..=kTVMFFISmallBytes).chain(kTVMFFIObject..=kTVMFFIOpaquePyObject);
    for index in built_in.chain([mine]).filter(|&index| index != kTVMFFIDLTensorPtr) {
        set_attribute(t, index, "verify.rank", &view::int(index.into()))?;
        t.any_eq(
            format_args!("the entry of type {index}"),
            &attribute(t, "verify.rank", index)?,
            &view::int(index.into()),
        )?;
    }
    Ok(())
}

/// A value other than None that is registered for the type of None is its entry, in a column that is new, exists already or was made without
/// entries, or the registration is refused.
#[check(RFL_0021, RFL_0028, RFL_0030)]
fn attribute_of_none(t: &Trial) -> Verdict {
    let mine = types::new(t, "verify.Point");
    let none = TVMFFIAny::NONE;
    let before: [&[(i32, TVMFFIAny)]; 4] = [
        &[],
        &[(kTVMFFINone, none)],
        &[(kTVMFFIInt, view::int(1)), (mine, view::int(2))],
        &[(mine, view::int(2)), (kTVMFFINone, none)],
    ];
    // Texts that are to become owned ones are for other checks to judge.
    let other = |index: i32| !matches!(index, kTVMFFINone | kTVMFFIRawStr | kTVMFFIByteArrayPtr);
    let values = t.samples()?.into_iter().filter(|sample| other(sample.any().type_index));
    for (number, sample) in values.enumerate() {
        for (how, others) in before.iter().enumerate() {
            let name = format!("verify.of_none{number}.{how}");
            for (index, value) in *others {
                t.clause(if *index == kTVMFFINone { id::RFL_0028 } else { id::RFL_0030 });
                set_attribute(t, *index, &name, value)?;
            }
            t.clause(id::RFL_0021);
            match try_set_attribute(t, kTVMFFINone, &name, &sample.any()) {
                0 => {
                    let what = format_args!(
                        "the entry of None that was given as {}, after {} others",
                        sample.name,
                        others.len()
                    );
                    t.is_sample(what, &attribute(t, &name, kTVMFFINone)?, &sample)?;
                }
                code => t.raises(code, &[]).map(drop)?,
            }
            for (index, value) in others.iter().filter(|(index, _)| *index != kTVMFFINone) {
                t.any_eq(format_args!("the entry of type {index}"), &attribute(t, &name, *index)?, value)?;
            }
        }
    }
    Ok(())
}

/// Registering an attribute for an index that no type has raises an error, or stores the attribute at that index.
#[check(RFL_0038)]
fn attribute_of_unknown_type(t: &Trial) -> Verdict {
    for index in [100, 1 << 16] {
        match try_set_attribute(t, index, "verify.rank", &view::int(7)) {
            0 => t.any_eq(format_args!("the entry of {index}"), &attribute(t, "verify.rank", index)?, &view::int(7))?,
            code => t.raises(code, &[]).map(drop)?,
        }
    }
    Ok(())
}

/// Registering an attribute for a negative type index raises an error.
#[check(RFL_0040)]
fn attribute_of_negative_index(t: &Trial) -> Verdict {
    for index in [i32::MIN, -1] {
        t.raises(try_set_attribute(t, index, "verify.rank", &view::int(7)), &[])?;
    }
    Ok(())
}

/// A column's address stays the same while the column grows and other columns are made, and shows what has come without being asked for again.
#[check(RFL_0022)]
fn column_never_moves(t: &Trial) -> Verdict {
    set_attribute(t, kTVMFFIInt, "verify.early", &view::int(1))?;
    let early = column(t, "verify.early");
    for number in 0..300 {
        let index = types::new(t, &format!("verify.Type{number}"));
        set_attribute(t, index, &format!("verify.other{number}"), &view::int(2))?;
        set_attribute(t, index, "verify.early", &view::int(number))?;
        // Read through the address that was answered first, as a client does that has kept it and does not ask again.
        t.any_eq("the entry", &reflected::entry(t, early, index)?, &view::int(number))?;
        if number % 2 == 0 {
            t.eq("address of the column", column(t, "verify.early"), early)?;
        }
    }
    t.any_eq("the first entry", &reflected::entry(t, early, kTVMFFIInt)?, &view::int(1))
}

/// A column has one address, on any thread, in copies of the process, and while one ends.
#[check(RFL_0022)]
fn column_lasts(t: &Trial) -> Verdict {
    set_attribute(t, kTVMFFIInt, "verify.lasting", &view::int(1))?;
    t.lasts("the address of a column", |client| {
        let address = client.api.TVMFFIGetTypeAttrColumn(&TVMFFIByteArray::new(b"verify.lasting"));
        client.any_eq("the entry", &reflected::entry(client, address, kTVMFFIInt)?, &view::int(1))?;
        Ok(address as usize)
    })
}

/// A column covers the index of every type that has the attribute, in whatever order they have got it.
#[check(RFL_0023)]
fn column_covers_its_types(t: &Trial) -> Verdict {
    // So many that a column grows several times, however much room it begins with.
    let far = (0..1200).map(|number| types::new(t, &format!("verify.Type{number}"))).collect::<Vec<_>>();
    let all = [kTVMFFIFloat, kTVMFFIArray, far[0], far[100], far[1199]];
    for order in [[3, 1, 4, 0, 2], [0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [4, 0, 2, 1, 3], [2, 4, 0, 3, 1], [1, 4, 3, 0, 2]]
    {
        let (name, mut with) = (format!("verify.rank{order:?}"), Vec::new());
        for index in order.map(|place| all[place]) {
            set_attribute(t, index, &name, &view::int(index.into()))?;
            with.push(index);
            let column = t.read("column", column(t, &name))?;
            let covered = i64::from(column.begin_index)..i64::from(column.begin_index) + i64::from(column.size);
            for &of in &with {
                let (is_covered, wanted) = (covered.contains(&of.into()), format!("{of} among them"));
                t.that("indices that the column covers", is_covered, wanted, written(&covered))?;
                let entry = t.read("the entry", column.data.wrapping_offset((of - column.begin_index) as isize))?;
                t.any_eq(format_args!("the entry of type {of} after that of {index}"), &entry, &view::int(of.into()))?;
            }
        }
    }
    Ok(())
}

/// An attribute that is set for a type leaves the entries of all other types in the library's own columns as they are.
#[check(RFL_0023)]
fn other_entries_stay(t: &Trial) -> Verdict {
    let function = counted_function(t)?;
    // So many that a column grows several times, however much room it begins with.
    let far = (0..1200).map(|number| types::new(t, &format!("verify.Type{number}"))).collect::<Vec<_>>();
    for attribute in &abi::abi().attributes {
        let (name, address) = (&attribute.name, column(t, &attribute.name));
        if address.is_null() {
            continue;
        }
        let (mine, none) = (types::new(t, &format!("verify.of{name}")), TVMFFIAny::NONE.to_bytes());
        let upto = mine.max(far[1199]) as usize + 1;
        // All that the column has from type 0 on, and None behind it, by the address that is answered now.
        let entries = || -> Verdict<Vec<[u8; 16]>> {
            let column = t.read("column", self::column(t, name))?;
            let (begin, size) = (column.begin_index.max(0), column.size.clamp(0, 1 << 13));
            let bytes = t.read_bytes(format!("the entries of {name}"), column.data.cast(), size as usize * 16)?;
            let mut all = vec![TVMFFIAny::NONE.to_bytes(); begin as usize];
            all.extend(bytes.chunks_exact(16).map(|entry| <[u8; 16]>::try_from(entry).unwrap_or_default()));
            all.resize(all.len().max(upto), TVMFFIAny::NONE.to_bytes());
            Ok(all)
        };
        for index in [kTVMFFIOpaquePyObject, far[0], kTVMFFIFunction, far[250], far[700], mine, kTVMFFIFloat] {
            let mut expected = entries()?;
            if expected[index as usize] == none {
                set_attribute(t, index, name, &function.any())?;
                let found = entries()?;
                expected[index as usize] = found[index as usize];
                let other = expected.iter().zip(&found).position(|(expected, found)| expected != found);
                t.eq(format_args!("type whose entry in {name} was changed by that of type {index}"), other, None)?;
            }
        }
    }
    Ok(())
}

/// A value of any kind and form, be it false, zero or empty, is its type's entry still when the column has grown beyond a thousand types.
#[check(RFL_0021, RFL_0025)]
fn entries_of_any_kind_stay(t: &Trial) -> Verdict {
    let samples: Vec<_> = t.samples()?.into_iter().filter(|sample| sample.any().type_index != kTVMFFINone).collect();
    let types: Vec<_> = (0..1200).map(|number| types::new(t, &format!("verify.Type{number}"))).collect();
    let (with, others) = types.split_at(samples.len());
    let step = others.len() / 6;
    for (&index, sample) in with.iter().zip(&samples) {
        set_attribute(t, index, "verify.kept", &sample.any())?;
    }
    // What stood there before is looked at after each growth, by its address and afresh.
    let early = column(t, "verify.kept");
    for &far in others.iter().step_by(step) {
        set_attribute(t, far, "verify.kept", &view::bool(false))?;
        for (&index, sample) in with.iter().zip(&samples) {
            let what = format_args!("the entry that was given as {}, after one of type {far}", sample.name);
            t.is_sample(what, &reflected::entry(t, early, index)?, sample)?;
            t.is_sample(what, &attribute(t, "verify.kept", index)?, sample)?;
        }
    }
    for (number, &other) in others.iter().enumerate() {
        let expected = if number % step == 0 { view::bool(false) } else { TVMFFIAny::NONE };
        t.clause(if number % step == 0 { id::RFL_0021 } else { id::RFL_0025 });
        t.any_eq(format_args!("the entry of type {other}"), &attribute(t, "verify.kept", other)?, &expected)?;
    }
    Ok(())
}

/// Every entry that a column claims to cover can be read.
#[check(RFL_0023)]
fn column_is_readable_to_its_end(t: &Trial) -> Verdict {
    let mine = [kTVMFFIFloat, types::new(t, "verify.Point")];
    for index in mine {
        set_attribute(t, index, "verify.rank", &view::int(index.into()))?;
        let column = t.read("column", column(t, "verify.rank"))?;
        let last = i64::from(column.begin_index) + i64::from(column.size);
        t.that("indices that the column covers", last > index.into(), format_args!("{index} among them"), last)?;
        // A column may have room for types to come. Of much room the first places are looked at, and the last.
        for place in (0..column.size.min(1 << 13)).chain([column.size - 1]) {
            let entry = t.read("an entry that the column covers", column.data.wrapping_add(place as usize))?;
            let of = column.begin_index + place;
            let value = entry.type_index == kTVMFFINone || mine.contains(&of);
            t.that(format_args!("the entry of type {of}"), value, "None", format_args!("{entry:?}"))?;
        }
    }
    Ok(())
}

/// A column of a release without begin_index counts from type index 0, whatever types have the attribute and in whatever order they have got it.
#[check(RFL_0024)]
fn column_counts_from_zero(t: &Trial) -> Verdict {
    let [mine, other] = ["verify.Point", "verify.Line"].map(|key| types::new(t, key));
    let orders = [
        vec![mine],
        vec![other, mine],
        vec![kTVMFFIFloat],
        vec![kTVMFFIFloat, mine],
        vec![mine, kTVMFFIFloat],
        vec![kTVMFFIFunction, other],
        vec![other, kTVMFFIFunction, kTVMFFIInt],
    ];
    for (number, types) in orders.into_iter().enumerate() {
        let name = format!("verify.rank{number}");
        for (at, &index) in types.iter().enumerate() {
            set_attribute(t, index, &name, &view::int(index.into()))?;
            let column = t.read("column", column(t, &name))?;
            t.eq("upper half of the size", column.begin_index, 0)?;
            for &of in &types[..=at] {
                let entry = t.read("the entry", column.data.wrapping_add(of as usize))?;
                t.any_eq(format_args!("the entry of type {of}"), &entry, &view::int(of.into()))?;
            }
        }
    }
    Ok(())
}

/// The entry of a type without the attribute is None, even if its parent or child has the attribute.
#[check(RFL_0025)]
fn other_entries_are_none(t: &Trial) -> Verdict {
    let parent = types::new(t, "verify.Parent");
    let mine = types::new_child(t, "verify.Mine", parent)?;
    let child = types::new_child(t, "verify.Child", mine)?;
    set_attribute(t, mine, "verify.rank", &view::int(7))?;
    let late = types::new(t, "verify.Late");
    let column = column(t, "verify.rank");
    for other in [kTVMFFIInt, kTVMFFIObject, kTVMFFIArray, parent, child, late, 100, 1 << 20] {
        let entry = reflected::entry(t, column, other)?;
        t.type_index_eq(format_args!("type_index of the entry of type {other}"), entry.type_index, kTVMFFINone)?;
    }
    t.any_eq("the entry", &reflected::entry(t, column, mine)?, &view::int(7))
}

/// Registering None as an attribute of type index 0 makes a column without entries, as often as it is done.
#[check(RFL_0028)]
fn index_zero_makes_the_column(t: &Trial) -> Verdict {
    for _ in 0..3 {
        set_attribute(t, kTVMFFINone, "verify.rank", &TVMFFIAny::NONE)?;
        let address = column(t, "verify.rank");
        t.that("the column", !address.is_null(), "an address", "NULL")?;
        for index in [kTVMFFINone, kTVMFFIInt, kTVMFFIArray] {
            let entry = reflected::entry(t, address, index)?;
            t.type_index_eq(format_args!("type_index of the entry of type {index}"), entry.type_index, kTVMFFINone)?;
        }
    }
    Ok(())
}

/// Registering None as an attribute of type index 0 leaves a column that exists as it is.
#[check(RFL_0028)]
fn index_zero_leaves_a_column_alone(t: &Trial) -> Verdict {
    let index = types::new(t, "verify.Point");
    set_attribute(t, index, "verify.rank", &view::int(7))?;
    let before = column(t, "verify.rank");
    set_attribute(t, kTVMFFINone, "verify.rank", &TVMFFIAny::NONE)?;
    t.eq("address of the column", column(t, "verify.rank"), before)?;
    t.any_eq("the entry", &reflected::entry(t, before, index)?, &view::int(7))
}

/// Columns whose names begin alike are different columns.
#[check(RFL_0029)]
fn columns_are_told_apart(t: &Trial) -> Verdict {
    let names = ["verify.rank", "verify.rank_of", "verify.ran", "verify.rank\0", "verify.rank\0s"];
    for (number, name) in names.into_iter().enumerate() {
        let address = column(t, name);
        t.that(
            format_args!("column {name:?} before it was made"),
            address.is_null(),
            "NULL",
            format_args!("{address:p}"),
        )?;
        set_attribute(t, kTVMFFIArray, name, &view::int(number as i64))?;
    }
    for (number, name) in names.into_iter().enumerate() {
        t.any_eq(format_args!("the entry in {name:?}"), &attribute(t, name, kTVMFFIArray)?, &view::int(number as i64))?;
    }
    Ok(())
}

/// Columns are told apart by the whole of their names, however long these are: by any byte, be it the first, the last or one behind a NUL.
#[check(RFL_0029)]
fn columns_with_names_of_any_length(t: &Trial) -> Verdict {
    let mut names = BTreeSet::new();
    for len in LENGTHS.into_iter().filter(|len| *len >= 6) {
        let alike = vec![b'n'; len];
        let mut with_a_nul = alike.clone();
        with_a_nul[len / 2] = 0;
        for (name, at) in [&alike, &with_a_nul]
            .into_iter()
            .flat_map(|name| [0, 1, len / 2, len / 2 + 1, len - 2, len - 1].map(|at| (name, at)))
        {
            let mut other = name.clone();
            other[at] = b'x';
            names.insert(other);
        }
        names.extend([alike, with_a_nul]);
    }
    let set = |name: &[u8], value: &TVMFFIAny| {
        t.ok(t.api.TVMFFITypeRegisterAttr(kTVMFFIArray, &TVMFFIByteArray::new(name), value))
    };
    let values = || (0..).map(view::int);
    names.iter().zip(values()).try_for_each(|(name, value)| set(name, &value))?;
    for (name, value) in names.iter().zip(values()) {
        let found = reflected::entry(t, t.api.TVMFFIGetTypeAttrColumn(&TVMFFIByteArray::new(name)), kTVMFFIArray)?;
        let (len, begin) = (name.len(), name[..6].escape_ascii().to_string());
        t.any_eq(format_args!("the entry in a column with a name of {len} bytes that begins {begin}"), &found, &value)?;
    }
    Ok(())
}

/// The name of an attribute is copied when the attribute is registered.
#[check(RFL_0029)]
fn attribute_name_is_copied(t: &Trial) -> Verdict {
    let kinds = types::of_each_kind(t, "verify.Named")?;
    for name in ["v.n", "verify.fifteen_", "verify.volatile_and_longer_than_any_inline_buffer"] {
        for (number, (what, index)) in [("a built-in type", kTVMFFIArray)].into_iter().chain(kinds).enumerate() {
            let (kept, value) = (format!("{name}{number}"), view::int(number as i64));
            // Gone right after the call, and not merely changed.
            let passed = t.guarded(kept.as_bytes())?;
            t.ok(t.api.TVMFFITypeRegisterAttr(index, &passed.array(), &value))?;
            drop(passed);
            t.any_eq(format_args!("the entry of {what}"), &attribute(t, &kept, index)?, &value)?;
        }
    }
    Ok(())
}

/// The columns `__any_hash__` and `__any_equal__` exist when the library has been loaded.
#[check(RFL_0031)]
fn hashing_columns_exist(t: &Trial) -> Verdict {
    exist(t, &["__any_hash__", "__any_equal__"])
}

/// The columns that mutators read exist when the library has been loaded.
#[check(RFL_0032)]
fn structural_columns_exist(t: &Trial) -> Verdict {
    exist(t, &["__s_mutate__", "__s_maybe_inplace_mutate__", "__ffi_shallow_copy__"])
}

/// The column that visitors read exists when the library has been loaded.
#[check(RFL_0039)]
fn visiting_column_exists(t: &Trial) -> Verdict {
    exist(t, &["__s_visit__"])
}

/// The columns for structural comparison and serialisation exist when the library has been loaded.
#[check(RFL_0033)]
fn comparison_columns_exist(t: &Trial) -> Verdict {
    exist(t, &["__s_equal__", "__s_hash__", "__data_to_json__", "__data_from_json__"])
}

/// Expects columns of these names.
fn exist(t: &Trial, names: &[&str]) -> Verdict {
    for name in names {
        let address = column(t, name);
        t.that(format_args!("column {name}"), !address.is_null(), "an address", "NULL")?;
        t.read(format!("column {name}"), address)?;
    }
    Ok(())
}
