//! `abi.toml` is consistent in itself.

use std::collections::{BTreeMap, BTreeSet};

use tvm_ffi_spec::{
    abi::{Abi, Former, Release, abi},
    constants::*,
};

/// Something with a history: a label for messages, the release it appeared in, and what it was since then.
struct Entry<'a> {
    label: String,
    since: &'a str,
    formerly: &'a [Former],
}

fn entries(abi: &'static Abi) -> Vec<Entry<'static>> {
    let entry = |label: String, since, formerly| Entry { label, since, formerly };
    let mut all = Vec::new();
    all.extend(abi.capabilities.iter().map(|it| entry(format!("capability {}", it.name), &it.since, &[])));
    all.extend(abi.functions.iter().map(|it| entry(format!("function {}", it.name), &it.since, &[])));
    all.extend(abi.cxx_symbols.iter().map(|it| entry(format!("C++ symbol {}", it.name), &it.since, &[])));
    all.extend(abi.typedefs.iter().map(|it| entry(format!("typedef {}", it.name), &it.since, &[])));
    all.extend(abi.globals.iter().map(|it| entry(format!("global {}", it.name), &it.since, &[])));
    for it in &abi.types {
        let later =
            |label: String, since: &'static Option<String>| entry(label, since.as_ref().unwrap_or(&it.since), &[]);
        all.push(entry(format!("type {}", it.key), &it.since, &[]));
        all.extend(it.metadata.iter().map(|metadata| later(format!("metadata of {}", it.key), &metadata.since)));
        all.extend(it.fields.iter().map(|field| later(format!("field {}.{}", it.key, field.name), &field.since)));
        all.extend(it.methods.iter().map(|method| later(format!("method {}.{}", it.key, method.name), &method.since)));
    }
    for it in &abi.attributes {
        all.push(entry(format!("attribute {}", it.name), &it.since, &[]));
        for entry_of in &it.entries {
            let since = entry_of.since.as_ref().unwrap_or(&it.since);
            all.push(entry(format!("attribute {} of {}", it.name, entry_of.type_key), since, &[]));
        }
    }
    for it in &abi.structs {
        all.push(entry(format!("struct {}", it.name), &it.since, &it.formerly));
        for field in &it.fields {
            let since = field.since.as_ref().unwrap_or(&it.since);
            all.push(entry(format!("field {}.{}", it.name, field.name), since, &field.formerly));
        }
    }
    for it in abi.enums.iter().flat_map(|group| &group.constants) {
        all.push(entry(format!("constant {}", it.name), &it.since, &it.formerly));
    }
    all
}

#[test]
fn every_date_is_a_release() {
    for Entry { label, since, formerly } in entries(abi()) {
        let place = |name| abi().release(name).unwrap_or_else(|| panic!("{label}: {name} is not a release"));
        let mut last = place(since);
        for (nth, former) in formerly.iter().enumerate() {
            let until = place(&former.until);
            assert!(if nth == 0 { until >= last } else { until > last }, "{label}: the former states are out of order");
            assert!(until + 1 < abi().releases.len(), "{label}: what held until the newest release is not former");
            let Former { name, ty, size, value, .. } = former;
            assert!(name.is_some() || ty.is_some() || size.is_some() || value.is_some(), "{label}: nothing differed");
            last = until;
        }
    }
}

#[test]
fn releases_are_in_order() {
    let version = |text: &str| -> Vec<u32> {
        text.replace("post", "").split('.').map(|number| number.parse().expect("a number")).collect()
    };
    assert_eq!(abi().releases.len(), 28);
    assert!(abi().releases.is_sorted_by(|a, b| version(&a.name) < version(&b.name)), "by name");
    assert!(abi().releases.is_sorted_by(|a, b| a.date <= b.date), "by date");
    for release in &abi().releases {
        assert_eq!(version(&release.claims).len(), 3, "{} claims three numbers", release.name);
        assert!(version(&release.name) < version(&release.claims) || release.name.starts_with(&release.claims));
    }
}

#[test]
fn releases_have_a_wheel_each() {
    let sums: BTreeSet<_> = abi().releases.iter().map(|release| &release.sha256).collect();
    assert_eq!(sums.len(), abi().releases.len(), "no two wheels are the same");
    for Release { name, sha256, library, yanked, peer, .. } in &abi().releases {
        for sum in [sha256, library] {
            let digits = sum.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            assert!(sum.len() == 64 && digits, "{name}: not a SHA-256: {sum}");
        }
        assert!(abi().releases_of(library).any(|release| release.name == *name), "{name}");
        // What was withdrawn and what was not are told apart by it.
        assert!(abi().releases_of(library).all(|release| release.yanked == *yanked), "{name}");
        assert!(!(*yanked && *peer), "{name} was withdrawn: nobody has to be like it");
    }
    assert_eq!(abi().peers().count(), 4);
    assert_eq!(abi().newest_peer().name, abi().releases.last().unwrap().name, "the newest release is a peer");
}

#[test]
fn a_claim_is_yanked_with_all_that_make_it() {
    assert!(abi().is_yanked_claim("0.1.13"));
    for claimed in ["0.1.8", "0.1.14", "0.1.16", "9.9.9"] {
        assert!(!abi().is_yanked_claim(claimed), "{claimed}");
    }
}

#[test]
fn every_name_is_given_once() {
    let mut seen = BTreeMap::new();
    for Entry { label, .. } in entries(abi()) {
        *seen.entry(label).or_insert(0) += 1;
    }
    let mut constants = BTreeMap::new();
    for constant in abi().enums.iter().flat_map(|group| &group.constants) {
        let former = constant.formerly.iter().filter_map(|former| former.name.as_ref());
        for name in former.chain([&constant.name]) {
            *constants.entry(format!("constant name {name}")).or_insert(0) += 1;
        }
    }
    let twice: Vec<_> = seen.into_iter().chain(constants).filter(|(_, times)| *times > 1).collect();
    assert!(twice.is_empty(), "{twice:?}");
}

#[test]
fn the_file_is_complete() {
    assert_eq!(abi().functions.len(), 50);
    assert_eq!(abi().cxx_symbols.len(), 31);
    assert_eq!(abi().structs.len(), 22);
    assert_eq!(abi().globals.len(), 100);
    assert_eq!(abi().types.len(), 39);
    assert_eq!(abi().types.iter().map(|ty| ty.fields.len()).sum::<usize>(), 18);
    assert_eq!(abi().types.iter().map(|ty| ty.methods.len()).sum::<usize>(), 13);
    assert_eq!(abi().attributes.len(), 19);
    assert_eq!(abi().attributes.iter().map(|attribute| attribute.entries.len()).sum::<usize>(), 77);
    let exported = |release: &str| abi().functions.iter().filter(|f| abi().at_least(release, &f.since)).count();
    let counts = [("0.1.0", 42), ("0.1.4", 42), ("0.1.5", 44), ("0.1.6", 45), ("0.1.8", 46), ("0.1.12", 46)];
    for (release, count) in counts.into_iter().chain([("0.1.13", 48), ("0.1.14", 48), ("0.1.14.post0", 50)]) {
        assert_eq!(exported(release), count, "functions that {release} exports");
    }
}

#[test]
fn cxx_symbols_that_are_gone_were_there_before() {
    for symbol in &abi().cxx_symbols {
        let until = symbol.until.as_deref().unwrap_or(&symbol.since);
        assert!(abi().at_least(until, &symbol.since), "{} was gone before it came", symbol.name);
    }
}

#[test]
fn headers_are_known() {
    let functions = abi().functions.iter().map(|it| (&it.name, &it.header));
    let typedefs = abi().typedefs.iter().map(|it| (&it.name, &it.header));
    let structs = abi().structs.iter().map(|it| (&it.name, &it.header));
    let enums = abi().enums.iter().map(|it| (&it.name, &it.header));
    for (name, header) in functions.chain(typedefs).chain(structs).chain(enums) {
        assert!(["c_api", "c_env_api", "dlpack"].contains(&header.as_str()), "{name}: unknown header {header}");
    }
}

/// A capability's evidence exists and is as old as the capability; a function belongs to the capability it shows.
#[test]
fn capabilities_have_evidence() {
    for capability in &abi().capabilities {
        let name = &capability.name;
        for symbol in &capability.functions {
            let function = abi().function(symbol).unwrap_or_else(|| panic!("{name}: no function {symbol}"));
            assert_eq!((&function.capability, &function.since), (name, &capability.since), "{symbol}");
        }
        for global in &capability.globals {
            let found = abi().global(global);
            assert_eq!(found.unwrap_or_else(|| panic!("{name}: no global {global}")).since, capability.since);
        }
        for key in &capability.type_keys {
            let found = abi().type_of_key(key);
            assert_eq!(found.unwrap_or_else(|| panic!("{name}: no type {key}")).since, capability.since);
        }
    }
    for function in &abi().functions {
        let capability = abi().capability(&function.capability);
        let since = &capability.unwrap_or_else(|| panic!("{}: unknown capability", function.name)).since;
        assert_eq!(&function.since, since, "{} and its capability", function.name);
    }
    for symbol in &abi().cxx_symbols {
        let capability = abi().capability(&symbol.capability);
        let since = &capability.unwrap_or_else(|| panic!("{}: unknown capability", symbol.name)).since;
        assert_eq!(&symbol.since, since, "{} and its capability", symbol.name);
    }
}

/// What came later vouches for what came before, so the chain cannot lead back.
#[test]
fn implied_by_leads_to_later_capabilities() {
    for capability in &abi().capabilities {
        for later in &capability.implied_by {
            let later = abi().capability(later).unwrap_or_else(|| panic!("{}: unknown {later}", capability.name));
            assert!(
                abi().release(&later.since) > abi().release(&capability.since),
                "{} is implied by {}, which is no newer",
                capability.name,
                later.name
            );
        }
    }
}

#[test]
fn static_types_have_the_index_of_a_constant() {
    let group = abi().enums.iter().find(|group| group.name == "TVMFFITypeIndex").expect("the enumeration is described");
    assert!(group.constants.is_sorted_by_key(|constant| constant.value));
    let fixed: Vec<_> = abi().types.iter().filter_map(|ty| Some((ty, ty.index?))).collect();
    assert!(fixed.is_sorted_by_key(|(_, index)| index));
    assert!(abi().types[fixed.len()..].iter().all(|ty| ty.index.is_none()), "those without an index come last");
    for (ty, index) in fixed {
        let constant = group.constants.iter().find(|constant| constant.value == i64::from(index));
        let constant = constant.unwrap_or_else(|| panic!("{}: index {index} has no name", ty.key));
        assert!(abi().at_least(&ty.since, &constant.since), "{} is older than {}", ty.key, constant.name);
        assert_eq!(ty.depth(), i32::from(index > kTVMFFIObject), "depth of {}", ty.key);
        assert!(index < kTVMFFIStaticObjectEnd);
    }
}

/// Ancestors come before their descendants and are listed from the root; fields lie in the instance, one after another
/// unless an inherited one is shown under another name; entries are those of known types.
#[test]
fn the_registry_agrees_with_itself() {
    for (place, ty) in abi().types.iter().enumerate() {
        if let Some(parent) = ty.ancestors.last() {
            let found = abi().types[..place].iter().find(|earlier| earlier.key == *parent);
            let parent = found.unwrap_or_else(|| panic!("{}: no type {parent} before it", ty.key));
            assert_eq!(parent.ancestors, ty.ancestors[..ty.ancestors.len() - 1], "ancestors of {}", ty.key);
            assert!(abi().at_least(&ty.since, &parent.since), "{} is older than {}", ty.key, parent.key);
        }
        assert!(ty.index.is_some() || !ty.ancestors.is_empty(), "{} needs a parent", ty.key);
        assert!(ty.fields.is_empty() || ty.metadata.is_some(), "{} has fields and no size", ty.key);
        for field in &ty.fields {
            let size = ty.metadata.as_ref().map_or(0, |metadata| metadata.size.into());
            assert!(field.offset >= 24 && field.offset % field.align == 0, "{}.{}", ty.key, field.name);
            assert!(field.offset + field.size <= size, "{}.{}", ty.key, field.name);
        }
    }
    assert!(abi().attributes.is_sorted_by(|a, b| a.name < b.name));
    for (attribute, entry) in abi().attributes.iter().flat_map(|it| it.entries.iter().map(move |entry| (it, entry))) {
        let ty = abi().type_of_key(&entry.type_key);
        let ty = ty.unwrap_or_else(|| panic!("{}: no type {}", attribute.name, entry.type_key));
        let since = entry.since.as_ref().unwrap_or(&attribute.since);
        assert!(abi().at_least(since, &ty.since), "{} of {} is older than the type", attribute.name, ty.key);
        assert!(["void*", "ffi.Function", "bool"].contains(&entry.kind.as_str()), "{} of {}", attribute.name, ty.key);
        assert_eq!(entry.kind == "bool", entry.value.is_some(), "{} of {}", attribute.name, ty.key);
    }
}

#[test]
fn signatures_name_their_function() {
    for global in &abi().globals {
        let signature = &global.signature;
        assert!(signature == "packed" || signature.starts_with(&format!("{}(", global.name)), "{signature}");
        let typed = global.metadata.contains("named_args");
        assert!(global.metadata.starts_with(r#"{"type_schema":"{\"type\":\"ffi.Function\""#), "{}", global.metadata);
        assert_eq!(typed, signature != "packed", "metadata of {}", global.name);
    }
}

#[test]
fn constants_are_rust_constants() {
    assert_eq!(abi().constant("kTVMFFIAny"), Some(kTVMFFIAny.into()));
    assert_eq!(abi().constant("kTVMFFIDynObjectBegin"), Some(kTVMFFIDynObjectBegin.into()));
    assert_eq!(abi().constant("kTVMFFIFieldFlagBitSetterIsFunctionObj"), Some(kTVMFFIFieldFlagBitSetterIsFunctionObj));
    assert_eq!(abi().constant("kDLFloat4_e2m1fn"), Some(kDLFloat4_e2m1fn.into()));
    assert_eq!(abi().constant("no such constant"), None);
}

#[test]
fn former_states_end_with_their_release() {
    let constant = abi().enums.iter().flat_map(|group| &group.constants).find(|it| it.name == "kTVMFFIStaticObjectEnd");
    let constant = constant.expect("the constant is described");
    let value = |release| abi().former(&constant.formerly, release).map_or(Some(constant.value), |former| former.value);
    assert_eq!(value("0.1.0"), Some(75));
    assert_eq!(value("0.1.8.post2"), Some(75));
    assert_eq!(value("0.1.9"), Some(77));
    assert_eq!(value("0.1.14"), Some(78));
    assert_eq!(value("0.1.14.post0"), Some(79));
}
