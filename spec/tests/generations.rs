//! The generations are consistent in themselves, and have all that their documents name.

use std::collections::BTreeSet;

use tvm_ffi_spec::{
    abi::{Struct, abi},
    clause::{Basis, Clause, Level, areas, clauses, clauses_of, older_areas},
    generation::{Generation, TODAY, generation, generations},
};

/// The functions that the document of August 2025 names.
const IN_ABI_OVERVIEW: &[&str] = &[
    "TVMFFIAnyViewToOwnedAny",
    "TVMFFIErrorMoveFromRaised",
    "TVMFFIErrorSetRaised",
    "TVMFFIErrorSetRaisedFromCStr",
    "TVMFFITypeGetOrAllocIndex",
];
/// The functions and types that the thread names, in old names and in new ones. The other offers for the first typedef were
/// dropped when the thread agreed on `TVMPackedFunc`.
const IN_THREAD: &[&str] = &[
    "TVMAPISetLastError",
    "TVMArgTypeCode",
    "TVMBackendPackedCFunc",
    "TVMByteArray",
    "TVMCFuncSetReturn",
    "TVMDeviceExtType",
    "TVMFrontendCPackedFunc",
    "TVMPackedCFunc",
    "TVMPackedFunc",
    "TVMPackedFuncSetLastError",
    "TVMRetValueHandle",
    "TVMRuntimeCPackedFunc",
    "TVMValue",
];

fn named(name: &str) -> &'static Generation {
    generation(name).unwrap_or_else(|| panic!("there is no generation {name}"))
}

/// Every name of a generation that C has, each as often as it is given.
fn names(generation: &Generation) -> Vec<String> {
    let mut names: Vec<String> = generation.all_functions().into_iter().map(|each| each.name).collect();
    names.extend(generation.all_structs().iter().map(|each| each.name.clone()));
    names.extend(generation.all_typedefs().iter().map(|each| each.name.clone()));
    names.extend(generation.aliases.iter().map(|each| each.name.clone()));
    for group in generation.all_enums() {
        names.push(group.name);
        names.extend(group.constants.into_iter().map(|each| each.name));
    }
    names
}

#[test]
fn there_are_three_and_the_last_is_todays() {
    let found: Vec<_> = generations().iter().map(|each| each.name.as_str()).collect();
    assert_eq!(found, ["legacy", "split", TODAY]);
    assert_eq!(generations().iter().filter(|each| each.is_today()).count(), 1);
    assert!(generations().iter().all(|each| clauses_of(&each.name).next().is_some()), "each can be judged");
}

#[test]
fn every_name_is_given_once() {
    for generation in generations() {
        let mut seen = BTreeSet::new();
        for name in names(generation) {
            assert!(seen.insert(name.clone()), "{}: {name} is given twice", generation.name);
        }
    }
}

#[test]
fn what_stands_as_today_is_in_abi_toml() {
    for generation in generations() {
        let today = &generation.as_today;
        let lacks = |kind: &str, named: &[String], there: BTreeSet<&String>| {
            for name in named {
                assert!(there.contains(name), "{}: abi.toml has no {kind} {name}", generation.name);
            }
        };
        lacks("function", &today.functions, abi().functions.iter().map(|each| &each.name).collect());
        lacks("struct", &today.structs, abi().structs.iter().map(|each| &each.name).collect());
        lacks("typedef", &today.typedefs, abi().typedefs.iter().map(|each| &each.name).collect());
        let constants = abi().enums.iter().flat_map(|group| &group.constants);
        lacks("constant", &today.constants, constants.map(|each| &each.name).collect());
        for described in abi().structs.iter().filter(|each| today.structs.contains(&each.name)) {
            let changed = described.formerly.iter().any(|former| former.size.is_some());
            assert!(!changed, "{}: {} had another size in old releases", generation.name, described.name);
        }
    }
}

#[test]
fn todays_is_all_of_abi_toml() {
    let today = named(TODAY);
    assert_eq!(today.all_functions().len(), abi().functions.len());
    assert_eq!(today.all_structs().len(), abi().structs.len());
    assert_eq!(today.all_typedefs().len(), abi().typedefs.len());
    assert_eq!(today.all_enums().len(), abi().enums.len());
    for (ours, theirs) in today.all_functions().iter().zip(&abi().functions) {
        assert_eq!(ours.declaration(), theirs.declaration());
    }
}

/// Fields lie one behind the other, at places that fit them, or share the place of the one before.
fn assert_consistent(owner: &str, described: &Struct, pick: fn((u32, u32)) -> u32) {
    let size = pick(described.size);
    assert_eq!(size % pick(described.align), 0, "{owner}: the size is no multiple of the alignment");
    let (mut begin, mut end) = (0, 0);
    for field in &described.fields {
        let (offset, width) = (pick(field.offset), pick(field.size));
        assert!(offset >= end || offset == begin, "{owner}.{} lies in another field", field.name);
        assert!(offset + width <= size, "{owner}.{} lies beyond the end", field.name);
        if width <= pick(described.align) {
            assert_eq!(offset % width, 0, "{owner}.{} is not aligned", field.name);
        }
        (begin, end) = (offset, end.max(offset + width));
    }
    assert!(size - end < pick(described.align), "{owner}: {} bytes at the end are nobody's", size - end);
}

#[test]
fn offsets_agree_with_sizes() {
    for generation in generations() {
        for described in generation.all_structs() {
            let owner = format!("{}: {}", generation.name, described.name);
            assert_consistent(&format!("{owner}, 64-bit"), described, |(wide, _)| wide);
            assert_consistent(&format!("{owner}, 32-bit"), described, |(_, narrow)| narrow);
        }
    }
}

#[test]
fn everything_is_told_and_has_a_header() {
    const HEADERS: &[&str] =
        &["c_api", "c_env_api", "dlpack", "c_packed_func", "c_backend_api", "c_runtime_api", "none"];
    for generation in generations() {
        let told = |name: &str, header: &str, doc: &str| {
            assert!(HEADERS.contains(&header), "{}: {name} has the header {header}", generation.name);
            assert!(doc.trim_end().ends_with('.'), "{}: {name} is told in sentences: {doc}", generation.name);
        };
        generation.all_functions().iter().for_each(|each| told(&each.name, &each.header, &each.doc));
        generation.all_typedefs().iter().for_each(|each| told(&each.name, &each.header, &each.doc));
        generation.aliases.iter().for_each(|each| told(&each.name, &each.header, &each.doc));
        for each in generation.all_structs() {
            told(&each.name, &each.header, &each.doc);
            each.fields.iter().for_each(|field| told(&field.name, &each.header, &field.doc));
        }
        for group in generation.all_enums() {
            group.constants.iter().for_each(|each| told(&each.name, &group.header, &each.doc));
        }
        let all = names(generation);
        for alias in &generation.aliases {
            assert!(all.contains(&alias.of), "{} is a name of {}, which there is not", alias.name, alias.of);
        }
    }
}

#[test]
fn split_has_what_its_document_names() {
    let split = named("split");
    let functions: BTreeSet<_> = split.all_functions().into_iter().map(|each| each.name).collect();
    assert_eq!(functions.len(), 39);
    assert!(IN_ABI_OVERVIEW.iter().all(|name| functions.contains(*name)));
    let header = split.record("TVMFFIObject").unwrap();
    let fields: Vec<_> = header.fields.iter().map(|field| (field.name.as_str(), field.offset.0)).collect();
    let expected =
        [("type_index", 0), ("weak_ref_count", 4), ("strong_ref_count", 8), ("deleter", 16), ("__ensure_align", 16)];
    assert_eq!((header.size, fields.as_slice()), ((24, 24), expected.as_slice()));
    let error = split.record("TVMFFIErrorCell").unwrap();
    let fields: Vec<_> = error.fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(fields, ["kind", "message", "traceback", "update_traceback"]);
}

#[test]
fn legacy_has_what_its_document_names() {
    let legacy = named("legacy");
    let all = names(legacy);
    for name in IN_THREAD {
        assert!(all.iter().any(|each| each == name), "legacy has no {name}");
    }
    let count = |header: &str| legacy.functions.iter().filter(|each| each.header == header).count();
    assert_eq!((legacy.functions.len(), count("none")), (56, 4));
    // What the thread wants beside the convention, and nothing else.
    assert_eq!(count("c_packed_func"), 1);
    assert!(
        legacy
            .functions
            .iter()
            .filter(|each| each.name.starts_with("TVMBackend"))
            .all(|each| { each.header == "c_backend_api" || each.header == "none" })
    );
}

#[test]
fn clauses_are_well_formed_and_none_is_todays() {
    for (name, area) in older_areas() {
        let period = if *name == "legacy" { "0.7"..="0.7" } else { "2025-09-01"..="2025-09-26" };
        assert!(areas().all(|todays| todays.prefix != area.prefix), "{} is a prefix of today's", area.prefix);
        let mut texts = BTreeSet::new();
        for (nth, clause) in area.clauses.iter().enumerate() {
            let Clause { id, level, basis, client, since, until, text, source, why, .. } = clause;
            assert_eq!(*id, format!("{}-{:04}", area.prefix, nth + 1));
            assert!(clause.holds_for(name) && !clause.holds_for(TODAY), "{id}");
            let weak = matches!(basis, Basis::Observed | Basis::Courtesy);
            assert!(!weak || *level == Level::Should, "{id}: what was only measured is no MUST");
            assert_eq!(
                client.is_some(),
                *basis == Basis::CompiledIn,
                "{id}: clients are named for what is compiled in"
            );
            let sentence = |text: &str| text.ends_with('.') && !text.trim().is_empty();
            assert!(sentence(text) && sentence(why) && !source.is_empty(), "{id}: text, source and why are sentences");
            assert!(texts.insert(text), "{id}: the sentence is given twice");
            for day in [Some(since), until.as_ref()].into_iter().flatten() {
                assert!(period.contains(&day.as_str()), "{id}: {day} is not of its time");
            }
        }
    }
}

/// A clause of today's that older generations have names them, and today's among them.
#[test]
fn clauses_name_generations_that_there_are() {
    for clause in clauses() {
        assert!(clause.holds_for(TODAY), "{}", clause.id);
        assert!(clause.generations.iter().all(|name| generation(name).is_some()), "{}", clause.id);
    }
    let own = clauses_of("split").filter(|clause| !clause.holds_for(TODAY)).count();
    assert!(clauses_of("split").count() > own && own > 0);
}

#[test]
fn global_functions_are_todays() {
    let split = &named("split").globals;
    assert_eq!(split.len(), 35);
    assert!(split.is_sorted() && split.iter().all(|name| abi().globals.iter().any(|global| global.name == *name)));
}

#[test]
fn states_are_told_by_functions_that_no_earlier_one_has() {
    let split = named("split");
    let state = |names: &[&str]| {
        let exports: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
        split.state(&exports).map(|state| state.name.as_str())
    };
    assert_eq!(state(&["TVMFFITraceback"]), Some("1a"));
    assert_eq!(state(&["TVMFFIBacktrace"]), Some("1b"));
    assert_eq!(state(&["TVMFFITraceback", "TVMFFIBacktrace"]), Some("1b"));
    assert_eq!(state(&["TVMFFIObjectIncRef"]), None);
}

#[test]
fn evidence_names_what_there_is() {
    for generation in generations() {
        let functions: BTreeSet<_> = generation.all_functions().into_iter().map(|each| each.name).collect();
        for name in &generation.evidence.has {
            assert!(functions.contains(name), "{}: {name} is no function of it", generation.name);
        }
        assert!(
            generation.evidence.has_one.is_empty()
                || generation.evidence.has_one.iter().any(|it| functions.contains(it))
        );
        for name in &generation.evidence.lacks {
            assert!(!functions.contains(name), "{}: {name} is a function of it", generation.name);
        }
        let Some(object) = &generation.evidence.object else { continue };
        let shown = generation.shown_by_an_object(67);
        assert_eq!(shown.len(), object.fields.len(), "{}: the header has all of these fields", generation.name);
        let covered: u32 = shown.iter().map(|(field, _)| field.size.0).sum();
        assert_eq!(covered, 24, "{}: every byte of the header is told", generation.name);
        let counts = shown.iter().find(|(field, _)| field.name == object.counts);
        assert!(counts.is_some_and(|(_, value)| value.is_some()), "{}: a count is shown", generation.name);
    }
}

/// Of a generation that exports decide, no library of another has all that tells it.
#[test]
fn exports_of_one_refute_another() {
    let exports = |name: &str| named(name).all_functions().into_iter().map(|each| each.name).collect::<Vec<_>>();
    let refuted = |one: &str, by: &str| named(one).evidence.refuted_by(&exports(by));
    for name in ["legacy", "split", TODAY] {
        assert_eq!(refuted(name, name), None, "{name}");
    }
    assert_eq!(refuted("legacy", TODAY).as_deref(), Some("exports no TVMAPISetLastError"));
    assert_eq!(refuted("split", TODAY).as_deref(), Some("exports TVMFFIGetVersion"));
    assert_eq!(refuted("split", "legacy").as_deref(), Some("exports no TVMFFIErrorMoveFromRaised"));
    let both = [exports("legacy"), exports("split")].concat();
    let refuted = named("legacy").evidence.refuted_by(&both);
    assert!(refuted.is_some_and(|told| told.starts_with("exports TVMFFI")), "a library that speaks both is not legacy");
}
