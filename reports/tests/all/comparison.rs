//! What differs between two libraries, and what that is to whom.

use std::collections::{BTreeMap, BTreeSet};

use crate::{sample, sarif};
use snapbox::{assert_data_eq, file};
use tvm_ffi_reports::{
    Answer, Demands, Ended, Evidence, Outcome, Repeated, Report, RunInfo, Target,
    comparison::{Change, Comparison, Effect, FailOn, Kind, Side},
    exit,
    facts::{Facts, FieldFacts, InstanceFacts, MethodFacts, Named, TypeFacts},
    layout::Width,
};

const PATH: &str = "ffi.reflection.AccessPath";
const STRINGIFY: [&str; 2] = [
    "_ZN3tvm3ffi4json9StringifyERKNS0_3AnyENS0_8OptionalIivEE",
    "_ZN3tvm3ffi4json9StringifyERKNS0_3AnyERKNS0_8OptionalIivEE",
];
const DECLARED: &str = "String json::Stringify(const Any&, Optional<int>)";
const INIT_ONCE: &str = "TVMFFIHandleInitOnce";
const PARENT: &str = "ffi.reflection.AccessPath.parent";
const NEW: &str = "__ffi_new__ of ffi.reflection.AccessPath";
const TABLE: &str = "_ZTVN3tvm3ffi9ModuleObjE";

fn schema(result: &str, params: &[&str]) -> String {
    let ty = |name: &&str| serde_json::json!({ "type": name });
    let args: Vec<_> = [result].iter().chain(params).map(ty).collect();
    let schema = serde_json::json!({ "type": "ffi.Function", "args": args }).to_string();
    serde_json::json!({ "type_schema": schema }).to_string()
}

fn field(name: &str, offset: i64) -> FieldFacts {
    FieldFacts {
        name: name.into(),
        offset,
        size: 8,
        alignment: 8,
        flags: 2,
        type_key: "Any".into(),
        ..Default::default()
    }
}

/// What a library shows that has a little of everything.
fn facts() -> Facts {
    let named = |names: &[&str]| names.iter().map(|name| (name.to_string(), Some(schema("int", &["int"])))).collect();
    let path = TypeFacts {
        index: None,
        ancestors: vec!["ffi.Object".into()],
        instances: Some(InstanceFacts { size: 48, kind: 4, creator: true }),
        fields: vec![field("parent", 24), field("step", 32)],
        methods: BTreeMap::from([("_root".into(), MethodFacts { flags: 4, metadata: schema(PATH, &[]) })]),
    };
    let map = TypeFacts { index: Some(72), ancestors: vec!["ffi.Object".into()], ..Default::default() };
    Facts {
        thread_local: BTreeSet::new(),
        soname: Some("libtvm_ffi.so".into()),
        symbols: BTreeMap::from([
            ("TVMFFIObjectDecRef".into(), None),
            ("TVMFFIHandleInitOnce".into(), None),
            (STRINGIFY[0].into(), None),
            (TABLE.into(), Some(112)),
        ]),
        virtual_tables: BTreeMap::from([(TABLE.into(), vec![Some("one".into()), None, Some("two".into())])]),
        layouts: BTreeMap::from([(
            "TVMFFIErrorCell".into(),
            BTreeMap::from([("kind".into(), 24), ("message".into(), 40)]),
        )]),
        constants: Some(BTreeMap::from([
            ("data type bool".into(), "code 6".into()),
            ("DLPack version".into(), "1.2".into()),
        ])),
        globals: Some(Named { listed: true, named: named(&["ffi.MapSize"]) }),
        types: Some(Named { listed: true, named: BTreeMap::from([(PATH.into(), path), ("ffi.Map".into(), map)]) }),
        columns: Some(BTreeMap::from([
            ("__ffi_new__".into(), BTreeMap::from([(PATH.into(), "ffi.Function".into())])),
            ("__ffi_repr__".into(), BTreeMap::from([("ffi.Map".into(), "ffi.Function".into())])),
        ])),
        unknown: BTreeMap::new(),
    }
}

fn report() -> Report {
    let checks = vec![
        sample::check("string.one", &["STR-0001"], Outcome::Pass),
        sample::check("string.another", &["STR-0001"], Outcome::Pass),
        sample::check("error.one", &["ERR-0005"], Outcome::Pass),
    ];
    let target = Target { releases: Vec::new(), yanked: false, ..sample::target() };
    Report::new(sample::tool(), target, sample::run(), Demands::default(), checks).showing(facts())
}

fn compared(change: impl FnOnce(&mut Report)) -> Comparison {
    let mut new = report();
    change(&mut new);
    let [old, new] = [("old.json", report()), ("new.so", new)].map(|(name, report)| Side::of(name.into(), report));
    Comparison::of(sample::tool(), old, new, FailOn::Breaking)
}

fn with_facts(change: impl FnOnce(&mut Facts)) -> Comparison {
    compared(|report| change(report.facts.as_mut().unwrap()))
}

/// What differs, in short.
fn told(comparison: &Comparison) -> Vec<(Effect, Kind, &str)> {
    comparison.differences.iter().map(|found| (found.effect, found.kind, found.name.as_str())).collect()
}

fn of_type<'a>(facts: &'a mut Facts, key: &str) -> &'a mut TypeFacts {
    facts.types.as_mut().unwrap().named.get_mut(key).unwrap()
}

fn put(facts: &mut Facts, symbol: &str, size: Option<u64>) {
    facts.symbols.insert(symbol.into(), size);
}

fn take(facts: &mut Facts, symbol: &str) {
    facts.symbols.remove(symbol);
}

fn lay(facts: &mut Facts, field: &str, byte: u64) {
    facts.layouts.entry("TVMFFIErrorCell".into()).or_default().insert(field.into(), byte);
}

fn table(facts: &mut Facts) -> &mut Vec<Option<String>> {
    facts.virtual_tables.get_mut(TABLE).unwrap()
}

fn set(facts: &mut Facts, constant: &str, value: &str) {
    facts.constants.as_mut().unwrap().insert(constant.into(), value.into());
}

fn globals(facts: &mut Facts) -> &mut BTreeMap<String, Option<String>> {
    &mut facts.globals.as_mut().unwrap().named
}

fn takes(facts: &mut Facts, params: &[&str]) {
    globals(facts).insert("ffi.MapSize".into(), Some(schema("int", params)));
}

fn path(facts: &mut Facts) -> &mut TypeFacts {
    of_type(facts, PATH)
}

fn column<'a>(facts: &'a mut Facts, name: &str) -> &'a mut BTreeMap<String, String> {
    facts.columns.as_mut().unwrap().get_mut(name).unwrap()
}

fn broken(report: &mut Report, id: &str, outcome: Outcome) {
    let check = report.checks.iter_mut().find(|check| check.id == id).unwrap();
    check.outcome = outcome;
    check.broken = Some(Evidence::told(check.clauses[0].clone(), "expected 4, got 5"));
}

fn text(comparison: &Comparison) -> String {
    let mut styled = Vec::new();
    comparison.text(Width::Unlimited, false, &mut styled).unwrap();
    anstream::adapter::strip_str(std::str::from_utf8(&styled).unwrap()).to_string()
}

#[test]
fn a_library_does_not_differ_from_itself() {
    let comparison = compared(|_| ());
    assert_eq!((told(&comparison), comparison.not_compared.len()), (vec![], 0));
    assert_eq!(comparison.exit_code(), exit::CONFORMS);
    assert!(text(&comparison).ends_with("no difference\n"));
}

#[test]
fn each_difference_has_its_effect() {
    use Effect::*;
    type Case = (fn(&mut Facts), Effect, Kind, &'static str);
    let cases: [Case; 27] = [
        (|facts| facts.soname = None, BreaksPrebuilt, Kind::Library, "soname"),
        (|facts| take(facts, INIT_ONCE), BreaksPrebuiltAndSources, Kind::Function, INIT_ONCE),
        (|facts| put(facts, "TVMFFIOwn", None), Addition, Kind::Function, "TVMFFIOwn"),
        (|facts| put(facts, "fork_level", Some(4)), Addition, Kind::Variable, "fork_level"),
        (|facts| put(facts, INIT_ONCE, Some(8)), BreaksPrebuiltAndSources, Kind::Function, INIT_ONCE),
        (
            |facts| facts.thread_local = BTreeSet::from([TABLE.into()]),
            BreaksPrebuiltAndSources,
            Kind::CxxSymbol,
            "vtable for ModuleObj",
        ),
        (|facts| take(facts, STRINGIFY[0]), BreaksPrebuiltAndSources, Kind::CxxSymbol, DECLARED),
        (|facts| put(facts, TABLE, Some(120)), BreaksPrebuilt, Kind::CxxSymbol, "vtable for ModuleObj"),
        (|facts| table(facts).swap(0, 2), BreaksPrebuilt, Kind::VirtualTable, "vtable for ModuleObj"),
        (|facts| lay(facts, "message", 48), BreaksPrebuilt, Kind::Struct, "TVMFFIErrorCell.message"),
        (|facts| lay(facts, "cause_chain", 80), BreaksPrebuilt, Kind::Struct, "TVMFFIErrorCell.cause_chain"),
        (|facts| set(facts, "data type bool", "code 1"), BreaksPrebuilt, Kind::Constant, "data type bool"),
        (|facts| set(facts, "DLPack version", "1.3"), Other, Kind::Constant, "DLPack version"),
        (|facts| globals(facts).clear(), BreaksPrebuiltAndSources, Kind::Global, "ffi.MapSize"),
        (|facts| takes(facts, &["int", "int"]), BreaksPrebuiltAndSources, Kind::Global, "ffi.MapSize"),
        (|facts| takes(facts, &["Any"]), Other, Kind::Global, "ffi.MapSize"),
        (|facts| of_type(facts, "ffi.Map").index = Some(73), BreaksPrebuilt, Kind::Type, "ffi.Map"),
        (|facts| path(facts).ancestors.clear(), BreaksPrebuilt, Kind::Type, PATH),
        (|facts| path(facts).instances.as_mut().unwrap().size = 56, BreaksPrebuilt, Kind::Type, PATH),
        (|facts| path(facts).instances = None, BreaksPrebuiltAndSources, Kind::Type, PATH),
        (|facts| path(facts).fields.swap(0, 1), Other, Kind::Type, PATH),
        (|facts| path(facts).fields[0].offset = 40, BreaksPrebuilt, Kind::Field, PARENT),
        // It can be written no more.
        (|facts| path(facts).fields[0].flags = 2048, BreaksPrebuiltAndSources, Kind::Field, PARENT),
        (|facts| path(facts).fields.push(field("own", 48)), Addition, Kind::Field, "ffi.reflection.AccessPath.own"),
        (
            |facts| path(facts).methods.clear(),
            BreaksPrebuiltAndSources,
            Kind::Method,
            "ffi.reflection.AccessPath._root",
        ),
        (|facts| column(facts, "__ffi_new__").clear(), BreaksPrebuiltAndSources, Kind::Attribute, NEW),
        // The ABI has it no more.
        (|facts| column(facts, "__ffi_repr__").clear(), Other, Kind::Attribute, "__ffi_repr__ of ffi.Map"),
    ];
    for (number, (change, effect, kind, name)) in cases.into_iter().enumerate() {
        let comparison = with_facts(change);
        assert_eq!(told(&comparison), [(effect, kind, name)], "case {number}: {}", comparison.differences[0].what);
        assert_eq!(comparison.exit_code() == exit::CONFORMS, !effect.is_breaking(), "case {number}");
    }
}

#[test]
fn a_successor_serves_programs_that_are_built_anew() {
    let comparison = with_facts(|facts| {
        facts.symbols.remove(STRINGIFY[0]);
        facts.symbols.insert(STRINGIFY[1].into(), None);
    });
    let [gone, new] = comparison.differences.as_slice() else { panic!("{:?}", comparison.differences) };
    assert_eq!(
        (gone.effect, gone.change, gone.since.as_deref()),
        (Effect::BreaksPrebuilt, Change::Removed, Some("0.1.13"))
    );
    assert_eq!((new.effect, new.since.as_deref()), (Effect::Addition, Some("0.1.13")));
}

#[test]
fn what_is_read_through_a_struct_that_lies_elsewhere_is_not_compared() {
    let comparison = with_facts(|facts| {
        facts.layouts.insert("TVMFFITypeInfo".into(), BTreeMap::from([("fields".into(), 48)]));
        facts.types.as_mut().unwrap().named.clear();
    });
    assert_eq!(told(&comparison), []);
    assert!(comparison.not_compared[0].contains("TVMFFITypeInfo"), "{:?}", comparison.not_compared);
}

#[test]
fn what_a_library_does_not_list_it_may_have() {
    let mut old = report();
    globals(old.facts.as_mut().unwrap()).insert("own.Function".into(), None);
    let mut new = report();
    new.facts.as_mut().unwrap().globals = Some(Named { listed: false, named: BTreeMap::new() });
    let [old, new] = [old, new].map(|report| Side::of("some.so".into(), report));
    let comparison = Comparison::of(sample::tool(), old, new, FailOn::Breaking);
    assert_eq!(told(&comparison), [(Effect::BreaksPrebuiltAndSources, Kind::Global, "ffi.MapSize")]);
    let untold = "whether the new library has own.Function: it does not list its global functions";
    assert_eq!(comparison.not_compared, [untold]);
}

#[test]
fn clauses_are_told_once_and_weighed_by_what_they_rest_on() {
    let comparison = compared(|report| {
        broken(report, "string.one", Outcome::Fail);
        broken(report, "string.another", Outcome::Crash);
        broken(report, "error.one", Outcome::Leak);
    });
    // Prebuilt clients rely on the NUL, and the other clause is documented.
    let expected = [(Effect::BreaksPrebuilt, Kind::Clause, "ERR-0005"), (Effect::Worse, Kind::Clause, "STR-0001")];
    assert_eq!(told(&comparison), expected);
    let what = &comparison.differences[1].what;
    assert!(what.contains("string.one and 1 other check: expected 4, got 5"), "{what}");
}

#[test]
fn what_happens_by_chance_or_is_not_decided_is_no_difference() {
    let comparison = compared(|report| {
        broken(report, "string.one", Outcome::Fail);
        report.checks[0].repeated = Some(Repeated { runs: 3, failed: 1 });
        report.checks[1].outcome = Outcome::Unsupported;
        report.checks[2].outcome = Outcome::Blocked;
        report.checks[2].blocked_by = Some("function TVMFFIErrorCreate".into());
    });
    assert_eq!(told(&comparison), []);
    assert_eq!(
        comparison.not_compared,
        [
            "1 check: ends now in one way and now in another on the new library (string.one)",
            "1 check: not applicable to the new library",
            "1 check: waits for function TVMFFIErrorCreate on the new library",
        ]
    );
}

#[test]
fn what_counts_is_chosen_and_what_was_not_compared_is_no_success() {
    let exit_of = |fail_on, change: fn(&mut Report)| {
        let mut new = report();
        change(&mut new);
        let [old, new] = [report(), new].map(|report| Side::of("some.so".into(), report));
        Comparison::of(sample::tool(), old, new, fail_on).exit_code()
    };
    let add: fn(&mut Report) = |report| put(report.facts.as_mut().unwrap(), "TVMFFIOwn", None);
    let claim: fn(&mut Report) = |report| report.target.claimed_version = None;
    assert_eq!([FailOn::Breaking, FailOn::Addition, FailOn::Any].map(|on| exit_of(on, add)), [0, 1, 1]);
    assert_eq!([FailOn::Breaking, FailOn::Addition, FailOn::Any].map(|on| exit_of(on, claim)), [0, 0, 1]);
    let nothing: fn(&mut Report) = |report| (report.facts, report.checks) = (None, Vec::new());
    let failed: fn(&mut Report) = |report| report.checks[0].outcome = Outcome::Error;
    let interrupted: fn(&mut Report) = |report| report.run = RunInfo { ended: Ended::Interrupted, ..sample::run() };
    let codes = [nothing, failed, interrupted].map(|change| exit_of(FailOn::Breaking, change));
    assert_eq!(codes, [exit::NOTHING_RAN, exit::HARNESS_FAILED, exit::INTERRUPTED]);
}

/// A comparison with something of every effect.
fn whole() -> Comparison {
    compared(|report| {
        broken(report, "string.one", Outcome::Fail);
        broken(report, "error.one", Outcome::Crash);
        report.target.claimed_version = Some("0.1.6\u{1b}[31m".into());
        let facts = report.facts.as_mut().unwrap();
        facts.symbols.remove("TVMFFIHandleInitOnce");
        facts.symbols.insert("TVMFFITensorCreateUnsafeView".into(), None);
        of_type(facts, PATH).fields[1].offset = 40;
        facts
            .unknown
            .insert("struct MapObj".into(), "does not survive the question (the process was ended by SIGSEGV)".into());
    })
}

#[test]
fn text_of_a_comparison() {
    assert_data_eq!(text(&whole()), file!["snapshots/comparison.txt"].raw());
}

#[test]
fn markdown_of_a_comparison() {
    let mut page = Vec::new();
    whole().markdown(&mut page).unwrap();
    assert_data_eq!(String::from_utf8(page).unwrap(), file!["snapshots/comparison.md"].raw());
}

#[test]
fn sarif_of_a_comparison_keeps_to_the_standard() {
    let findings = whole().findings();
    let (written, typed) = sarif::read(&findings);
    assert_eq!(written, typed);
    for finding in &findings.findings {
        assert!(findings.rules.iter().any(|rule| rule.id == finding.rule), "{}", finding.rule);
    }
}

#[test]
fn a_comparison_survives_json() {
    let comparison = whole();
    let text = serde_json::to_string(&comparison).unwrap();
    assert_eq!(serde_json::from_str::<Comparison>(&text).unwrap(), comparison);
}
