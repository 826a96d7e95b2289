//! Fields that have one default factory, or one default value, in common.

use std::{
    ffi::c_int,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicI32, Ordering::SeqCst},
    },
};

use tvm_ffi_spec::{clause::id, *};

use crate::{
    checks::check,
    client::{
        Owned, Verdict, globals,
        homemade::Homemade,
        node::{get_any, set_any},
        types, view,
    },
    trial::Trial,
};

/// The most fields that a type has here.
const MOST: usize = 20;

/// The fields of a type: how many its parents have, and how many it has itself.
const LEVELS: [&[usize]; 9] = [&[2], &[1, 1], &[3], &[2, 1], &[1, 0, 2], &[1, 1, 1, 1], &[8], &[5, 0, 4], &[MOST]];

/// Each field that is left out holds a value that its default factory has made for it alone, though other fields have the same factory, inherited
/// ones among them.
#[check(DCL_0005, DCL_0017, GRF_0031)]
fn a_factory_is_called_for_each_field(t: &Trial) -> Verdict {
    let one = t.callback(|_, _| Some(new_object()))?;
    let other = t.callback(|_, _| Some(new_object()))?;
    // One for all, or two in turn.
    for factories in [[&one, &one], [&one, &other]] {
        let is_one = std::ptr::eq(factories[0], factories[1]);
        for levels in LEVELS.into_iter().skip(usize::from(!is_one)).step_by(if is_one { 1 } else { 3 }) {
            let fields: usize = levels.iter().sum();
            let key = format!("verify.OneFactory.{is_one}.{levels:?}");
            let from = kTVMFFIFieldFlagBitMaskDefaultFromFactory;
            let index = declare(t, &key, levels, |at| (factories[at % 2].any(), from))?;
            for maker in makers(t, index, &key)? {
                for given in [vec![], vec![fields - 1], vec![1, 0]] {
                    t.clause(maker.clause);
                    let what =
                        format!("of an instance that {} makes, with {levels:?} fields, given {given:?}", maker.name);
                    MADE.lock().unwrap_or_else(PoisonError::into_inner).clear();
                    let instance = maker.make(t, &given)?;
                    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner).clone();
                    let held: [TVMFFIAny; MOST] = t.cell("the instance", instance.handle())?;
                    let left_out = |at: &usize| !given.contains(at);
                    t.eq(format_args!("calls of the factories {what}"), made.len(), fields - given.len())?;
                    let mut found: Vec<_> =
                        (0..fields).filter(left_out).map(|at| held[at].payload() as usize).collect();
                    found.sort_unstable();
                    made.sort_unstable();
                    t.eq(format_args!("what the fields hold that are left out, {what}"), found, made)?;
                    for at in &given {
                        t.any_eq(format_args!("field {at} {what}"), &held[*at], &view::int(*at as i64))?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// Each field that is left out holds the very object that is its default, though it is the default of other fields, too, inherited ones among
/// them, and each has a reference of its own.
#[check(DCL_0004, DCL_0016, GRF_0031)]
fn a_default_is_given_to_each_field(t: &Trial) -> Verdict {
    for levels in LEVELS {
        let fields: usize = levels.iter().sum();
        let object = Homemade::new(kTVMFFIObject, ());
        let key = format!("verify.OneDefault.{levels:?}");
        let index = declare(t, &key, levels, |_| (object.view(), 0))?;
        for maker in makers(t, index, &key)? {
            for given in [vec![], vec![1, 0]] {
                t.clause(if maker.clause == id::DCL_0005 { id::DCL_0004 } else { maker.clause });
                if maker.clause == id::DCL_0017 {
                    t.clause(id::DCL_0016);
                }
                let what = format!("of an instance that {} makes, with {levels:?} fields, given {given:?}", maker.name);
                let (before, _) = object.counts();
                let instance = maker.make(t, &given)?;
                let held: [TVMFFIAny; MOST] = t.cell("the instance", instance.handle())?;
                for (at, held) in held.iter().enumerate().take(fields) {
                    let expected = if given.contains(&at) { view::int(at as i64) } else { object.view() };
                    t.any_eq(format_args!("field {at} {what}"), held, &expected)?;
                }
                let more = object.counts().0 - before;
                t.eq(format_args!("references that the fields {what} hold"), more as usize, fields - given.len())?;
            }
        }
    }
    Ok(())
}

/// The objects that factories have made.
static MADE: Mutex<Vec<usize>> = Mutex::new(Vec::new());

fn new_object() -> TVMFFIAny {
    let object = Homemade::new(kTVMFFIObject, ());
    MADE.lock().unwrap_or_else(PoisonError::into_inner).push(object.handle() as usize);
    object.view()
}

/// What makes instances: its name, the clause about its factories, the function, and what this is given in front of fields by name.
struct Maker {
    name: &'static str,
    clause: &'static str,
    function: Owned,
    first: TVMFFIAny,
    /// The type's key, where fields are given in the text of a graph.
    graph_of: Option<String>,
    /// What `first` is a view of.
    _keeps: Option<Owned>,
}

impl Maker {
    /// An instance in which these fields are given their places, as numbers.
    fn make(&self, t: &Trial, given: &[usize]) -> Verdict<Owned> {
        if let Some(key) = &self.graph_of {
            let nodes: Vec<_> = (0..MOST).map(|at| format!(r#"{{"type":"int","data":{at}}}"#)).collect();
            let data: Vec<_> = given.iter().map(|at| format!(r#""{}":{at}"#, name(*at).escape_ascii())).collect();
            let node = format!(r#"{{"type":"{key}","data":{{{}}}}}"#, data.join(","));
            let text = format!(r#"{{"root_index":{MOST},"nodes":[{},{node}]}}"#, nodes.join(","));
            return t.call(&self.function, &[t.string(text.as_bytes())?.any()]);
        }
        let names = given.iter().map(|at| t.string(name(*at))).collect::<Verdict<Vec<_>>>()?;
        let named = names.iter().zip(given).flat_map(|(name, at)| [name.any(), view::int(*at as i64)]);
        t.call(&self.function, &[self.first].into_iter().chain(named).collect::<Vec<_>>())
    }
}

/// All that makes instances of a type.
fn makers(t: &Trial, index: i32, key: &str) -> Verdict<Vec<Maker>> {
    let of = |name, clause, function, first| Maker { name, clause, function, first, graph_of: None, _keeps: None };
    let (make, own_key) = ("ffi.MakeObjectFromPackedArgs", t.string(key.as_bytes())?);
    let by_key = of("ffi.MakeObjectFromPackedArgs, by the type's key,", id::DCL_0017, t.global(make)?, own_key.any());
    let mut makers = vec![
        of(make, id::DCL_0017, t.global(make)?, view::int(index.into())),
        Maker { _keeps: Some(own_key), ..by_key },
    ];
    // As old as defaults in graphs.
    let Some(register) = globals::find(t, "ffi._RegisterFFIInit")? else { return Ok(makers) };
    t.call(&register, &[view::int(index.into())])?;
    let sentinel = t.call_global("ffi.GetKwargsObject", &[])?;
    let init = of("an initialiser", id::DCL_0005, types::function_in(t, "__ffi_init__", index)?, sentinel.any());
    makers.push(Maker { _keeps: Some(sentinel), ..init });
    if let Some(read) = globals::find(t, "ffi.FromJSONGraphString")? {
        let of_graph = of("ffi.FromJSONGraphString", id::GRF_0031, read, TVMFFIAny::NONE);
        makers.push(Maker { graph_of: Some(key.to_owned()), ..of_graph });
    }
    Ok(makers)
}

/// The type that the creator makes instances of.
static TYPE: AtomicI32 = AtomicI32::new(0);

/// A new type with so many fields at each level, the root's first, with these defaults and the flags that say what these are.
fn declare(t: &Trial, key: &str, levels: &[usize], default: impl Fn(usize) -> (TVMFFIAny, i64)) -> Verdict<i32> {
    let (mut index, mut next) = (kTVMFFIObject, 0);
    for (level, fields) in levels.iter().enumerate() {
        let key = if level + 1 == levels.len() { key.to_owned() } else { format!("{key}.{level}") };
        index = types::new_child(t, &key, index)?;
        let total = size_of::<TVMFFIObject>() + size_of::<[TVMFFIAny; MOST]>();
        let metadata = TVMFFITypeMetadata { creator: Some(create), ..types::metadata(total as i32) };
        t.ok(t.api.TVMFFITypeRegisterMetadata(index, &metadata))?;
        for at in next..next + fields {
            let offset = size_of::<TVMFFIObject>() + at * size_of::<TVMFFIAny>();
            let (default_value_or_factory, flags) = default(at);
            let field = TVMFFIFieldInfo {
                flags: flags | kTVMFFIFieldFlagBitMaskHasDefault | kTVMFFIFieldFlagBitMaskWritable,
                getter: Some(get_any),
                setter: set_any as *mut _,
                default_value_or_factory,
                ..types::field(name(at), kTVMFFIAny, size_of::<TVMFFIAny>() as i64, offset as i64)
            };
            t.ok(t.api.TVMFFITypeRegisterField(index, &field))?;
        }
        next += fields;
    }
    TYPE.store(index, SeqCst);
    Ok(index)
}

/// The name of a field.
fn name(at: usize) -> &'static [u8] {
    &b"abcdefghijklmnopqrst"[at..=at]
}

unsafe extern "C" fn create(result: *mut TVMFFIObjectHandle) -> c_int {
    let instance = Homemade::new(TYPE.load(SeqCst), [TVMFFIAny::NONE; MOST]);
    // SAFETY: the caller gives a place for the handle.
    unsafe { *result = instance.handle() };
    0
}
