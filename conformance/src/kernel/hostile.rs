//! The calls that a hostile client makes: variations of a good call, each different in one thing, or calls that are legal of any
//! function, where no good call is known.
//!
//! Every value is what it says it is, but for NULL. What an integer, or a pointer, means is the function's own: such values are only
//! passed where it is known that the function takes something else, and integers are never varied.

use tvm_ffi_reports::{duty::Duty, kernel::rules};
use tvm_ffi_spec::*;

use super::{
    arena,
    calls::Outcome,
    errand::Step,
    given::{DType, Form, Given, Strides, Tensor},
};

/// What one process does.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// What is special about it, in words.
    pub situation: String,
    /// The rule that is broken when the process does not survive it, where nothing tells better.
    pub rule: &'static Duty,
    /// The calls, one after another; the last is the one that it is about.
    pub steps: Vec<Step>,
    /// What has to come of it, beside the rules of every call.
    pub aim: Aim,
}

/// What has to come of calls.
#[derive(Clone, Debug)]
pub enum Aim {
    /// Nothing in particular: success or an error.
    Either,
    /// The same, of a call that may take much longer than others.
    Larger,
    /// What is known of the call.
    Known(Outcome),
    /// What came of the good call.
    AsGood,
    /// What came of the good call, unless the function means otherwise: it may keep a state.
    Again,
    /// The same elements as after the good call, if it succeeds.
    SameElements,
    /// The heap does not grow.
    NoGrowth,
}

/// A good call, and what is known of the parameters.
#[derive(Clone, Debug)]
pub struct Good {
    pub args: Vec<Given>,
    /// For each parameter, whether a pointer may be what it takes.
    pub pointers: Vec<bool>,
}

fn scenario(situation: impl Into<String>, rule: &'static Duty, steps: Vec<Step>, aim: Aim) -> Scenario {
    Scenario { situation: situation.into(), rule, steps, aim }
}

fn of(situation: impl Into<String>, rule: &'static Duty, args: Vec<Given>) -> Scenario {
    scenario(situation, rule, vec![Step::of(args)], Aim::Either)
}

/// Calls that are legal of any function.
pub fn of_unknown() -> Vec<Scenario> {
    const TENSORS: usize = 6;
    let tensors = |form| {
        (1..=TENSORS).map(move |count| {
            let args = vec![Given::Tensor(Tensor { form, ..Tensor::usual() }); count];
            let plural = if count == 1 { "" } else { "s" };
            of(format!("{count} tensor{plural}"), &rules::WRONG_COUNT, args)
        })
    };
    let one =
        kinds().into_iter().map(|(name, given)| of(format!("one argument, {name}"), &rules::WRONG_KIND, vec![given]));
    let none = of("no arguments", &rules::WRONG_COUNT, Vec::new());
    [none].into_iter().chain(one).chain(tensors(Form::Borrowed)).collect()
}

/// A call that was survived once more, with a number in the result.
pub fn into_a_number(step: &Step) -> Scenario {
    let dirty = Step { dirty: true, ..step.clone() };
    scenario("with a number in the result", &rules::RESULT_SLOT, vec![dirty], Aim::Either)
}

/// Variations of a good call.
pub fn of_good(good: &Good) -> Vec<Scenario> {
    let args: Vec<_> = good.args.iter().map(forgetful).collect();
    let mut all = Vec::new();
    all.extend(counts(&args));
    for place in 0..args.len() {
        let with = |given: Given| {
            let mut args = args.clone();
            args[place] = given;
            args
        };
        for (name, given) in kinds().into_iter().filter(|(_, given)| !alike(given, &args[place])) {
            all.push(of(format!("argument {place} is {name}"), &rules::WRONG_KIND, with(given)));
        }
        let may_be_pointer = good.pointers.get(place).copied().unwrap_or_default();
        if !may_be_pointer && args[place] != Given::None {
            // None is NULL to compiled C++ that takes an object.
            all.push(of(format!("argument {place} is None"), &rules::NULL_POINTER, with(Given::None)));
            all.push(of(format!("argument {place} is a NULL pointer"), &rules::NULL_POINTER, with(Given::Null)));
        }
        let alone = args.iter().filter(|given| matches!(given, Given::Tensor(_))).count() == 1;
        if let Given::Tensor(tensor) = &args[place] {
            all.push(of(format!("argument {place} is a NULL tensor"), &rules::NULL_POINTER, with(Given::NoTensor)));
            for (name, rule, tensor) in tensors(tensor, alone) {
                all.push(of(format!("argument {place} {name}"), rule, with(Given::Tensor(tensor))));
            }
        }
    }
    all.extend(together(&args));
    all
}

/// What is tried of a good call that succeeds, beside variations: on another thread, and with a number in the result.
pub fn of_success(args: &[Given]) -> Vec<Scenario> {
    let args: Vec<_> = args.iter().map(forgetful).collect();
    let step = || Step::of(args.clone());
    let on_thread = Step { thread: true, ..step() };
    let dirty = Step { dirty: true, ..step() };
    vec![
        scenario("on another thread", &rules::ANOTHER_THREAD, vec![on_thread], Aim::AsGood),
        scenario("with a number in the result", &rules::RESULT_SLOT, vec![dirty], Aim::AsGood),
    ]
}

/// The good call a second time. No call may end the process, but nothing promises that each comes to the same.
pub fn again(args: &[Given]) -> Scenario {
    let args: Vec<_> = args.iter().map(forgetful).collect();
    scenario("a second time", &rules::CRASH, vec![Step::of(args.clone()), Step::of(args)], Aim::Again)
}

/// The good call after one that was refused.
pub fn after(refused: &Step, args: &[Given]) -> Scenario {
    let args = args.iter().map(forgetful).collect();
    scenario("after a call that failed", &rules::AFTER_ERROR, vec![refused.clone(), Step::of(args)], Aim::AsGood)
}

/// The same call over and over.
pub fn over_and_over(step: &Step, situation: &str) -> Scenario {
    scenario(format!("{situation}, over and over"), &rules::LEAK, vec![step.clone()], Aim::NoGrowth)
}

/// The same argument, without what it becomes.
fn forgetful(given: &Given) -> Given {
    match given {
        Given::Tensor(tensor) => Given::Tensor(Tensor { becomes: None, ..tensor.clone() }),
        other => other.clone(),
    }
}

/// Fewer arguments, and one more.
fn counts(args: &[Given]) -> Vec<Scenario> {
    let fewer = (0..args.len())
        .map(|count| of(format!("{count} of {} arguments", args.len()), &rules::WRONG_COUNT, args[..count].to_vec()));
    let more = [args, &[Given::Float(0.5)]].concat();
    fewer.chain([of("one argument too many", &rules::WRONG_COUNT, more)]).collect()
}

/// A value of each kind that no function takes for an address.
fn kinds() -> Vec<(&'static str, Given)> {
    let long = "a text of more than seven bytes".to_owned();
    vec![
        ("a float", Given::Float(0.5)),
        ("a small string", Given::Text("text".to_owned())),
        ("a String", Given::Text(long.clone())),
        ("a C string", Given::CText(long.clone())),
        ("Bytes", Given::Bytes(long.clone().into_bytes())),
        ("a byte array", Given::ByteArray(long.into_bytes())),
        ("a data type", Given::DataType(DType::FLOAT32)),
        ("a device", Given::Device(kDLCPU, 0)),
        ("a Shape", Given::Shape(vec![2, 3])),
        ("an Array", Given::Array(vec![2, 3])),
        ("a Function", Given::Function),
        ("an Error", Given::Error),
        ("a tensor", Given::Tensor(Tensor::usual())),
        ("a Tensor", Given::Tensor(Tensor { form: Form::Object, ..Tensor::usual() })),
    ]
}

/// Whether two values are of one kind.
fn alike(one: &Given, other: &Given) -> bool {
    std::mem::discriminant(one) == std::mem::discriminant(other)
}

/// Variations of one tensor among the arguments, which may be alone among them.
fn tensors(tensor: &Tensor, alone: bool) -> Vec<(String, &'static Duty, Tensor)> {
    let unlike = || Tensor { values: None, ..tensor.clone() };
    let shaped = |shape: &[i64]| Tensor { shape: shape.to_vec(), ..unlike() };
    let mut all: Vec<(String, &'static Duty, Tensor)> = Vec::new();
    let mut add = |name: &str, rule, varied: Tensor| {
        if varied.extent() <= arena::LARGEST {
            all.push((name.to_owned(), rule, varied));
        }
    };
    if !tensor.shape.is_empty() {
        add("has no dimensions", &rules::OTHER_SHAPE, shaped(&[]));
        let mut empty = tensor.shape.clone();
        empty[0] = 0;
        // Beside others it has another extent than they have.
        let rule = if alone { &rules::EMPTY_TENSOR } else { &rules::OTHER_SHAPE };
        add("is empty, with NULL for its data", rule, shaped(&empty));
    }
    add("has one more dimension", &rules::OTHER_SHAPE, shaped(&[tensor.shape.as_slice(), &[1]].concat()));
    for (place, &extent) in tensor.shape.iter().enumerate() {
        let with = |extent: i64| {
            let mut shape = tensor.shape.clone();
            shape[place] = extent;
            shaped(&shape)
        };
        if extent > 1 {
            add(
                &format!("has an extent of {} in place of {extent}", extent / 2),
                &rules::OTHER_SHAPE,
                with(extent / 2),
            );
        }
        let longer = extent * 2 + 1;
        add(&format!("has an extent of {longer} in place of {extent}"), &rules::OTHER_SHAPE, with(longer));
    }
    let dtypes = [
        DType::scalar(kDLFloat, 64),
        DType::FLOAT32,
        DType::scalar(kDLFloat, 16),
        DType::scalar(kDLInt, 8),
        DType::scalar(kDLInt, 32),
        DType { lanes: 4, ..DType::FLOAT32 },
    ];
    for dtype in dtypes.into_iter().filter(|dtype| *dtype != tensor.dtype) {
        add(&format!("is of {dtype}"), &rules::OTHER_DTYPE, Tensor { dtype, ..unlike() });
    }
    let device = if tensor.is_on_host() { (kDLCUDA, 0) } else { (kDLROCM, 0) };
    add("is on another device", &rules::FOREIGN_DEVICE, Tensor { device, ..unlike() });
    all
}

/// Other extents that fit together: each extent that the tensors have becomes another one, wherever it stands.
fn resized(args: &[Given]) -> Vec<Scenario> {
    /// An extent that is no multiple of anything, and beyond what somebody may have set aside for all that ever comes.
    const MANY: i64 = 4099;
    let shapes = args.iter().filter_map(|given| match given {
        Given::Tensor(tensor) if tensor.is_on_host() => Some(&tensor.shape),
        _ => None,
    });
    let mut extents: Vec<i64> = shapes.flatten().copied().filter(|extent| *extent > 1).collect();
    extents.sort_unstable();
    extents.dedup();
    let with = |old: i64, new: i64| -> Vec<Given> {
        let resized = args.iter().map(|given| match given {
            Given::Tensor(tensor) if tensor.is_on_host() && tensor.shape.contains(&old) => {
                let shape = tensor.shape.iter().map(|extent| if *extent == old { new } else { *extent }).collect();
                Given::Tensor(Tensor { shape, values: None, ..tensor.clone() })
            }
            other => other.clone(),
        });
        resized.collect()
    };
    let fits = |args: &Vec<Given>| {
        args.iter().all(|given| !matches!(given, Given::Tensor(tensor) if tensor.extent() > arena::LARGEST))
    };
    let mut all = Vec::new();
    for old in extents {
        let smaller = if old > 2 { vec![1, old - 1] } else { vec![1] };
        let larger = [old + 1, MANY].into_iter().filter(|new| *new > old);
        for new in smaller.into_iter().chain(larger) {
            let args = with(old, new);
            if fits(&args) {
                let aim = if new == MANY { Aim::Larger } else { Aim::Either };
                let situation = format!("each extent of {old} is {new}");
                all.push(scenario(situation, &rules::OTHER_SHAPE, vec![Step::of(args)], aim));
            }
        }
    }
    all
}

/// Variations of all tensors of a call, after which it finds the same elements.
fn together(args: &[Given]) -> Vec<Scenario> {
    let vary = |change: &dyn Fn(&mut Tensor)| -> Vec<Given> {
        let varied = args.iter().map(|given| match given {
            Given::Tensor(tensor) if tensor.is_on_host() => {
                let mut tensor = tensor.clone();
                change(&mut tensor);
                Given::Tensor(tensor)
            }
            other => other.clone(),
        });
        varied.collect()
    };
    let same = |situation: &str, rule, change: &dyn Fn(&mut Tensor)| {
        scenario(situation, rule, vec![Step::of(vary(change))], Aim::SameElements)
    };
    let is_tensor = |given: &Given| matches!(given, Given::Tensor(tensor) if tensor.is_on_host());
    if !args.iter().any(is_tensor) {
        return Vec::new();
    }
    let many = |given: &Given| matches!(given, Given::Tensor(tensor) if tensor.is_on_host() && tensor.shape.len() > 1);
    let mut all = resized(args);
    if args.iter().any(many) {
        all.push(same("the rows of all tensors lie apart", &rules::LAYOUT, &|tensor| tensor.strides = Strides::Apart));
        all.push(same("all tensors lie by columns", &rules::LAYOUT, &|tensor| tensor.strides = Strides::ByColumns));
    }
    all.extend([
        same("all tensors have strides below zero", &rules::LAYOUT, &|tensor| tensor.strides = Strides::Backwards),
        same("all tensors have twice the strides", &rules::LAYOUT, &|tensor| tensor.strides = Strides::Every(2)),
        same("all tensors begin at a byte offset", &rules::BYTE_OFFSET, &|tensor| tensor.byte_offset = 256),
        same("all tensors have NULL for their strides", &rules::LAYOUT, &|tensor| tensor.strides = Strides::Null),
        same("all tensors are aligned to their elements alone", &rules::ALIGNMENT, &|tensor| {
            tensor.shift = tensor.dtype.size() as u64;
        }),
        same("all tensors in the other form, object or pointer", &rules::LAYOUT, &|tensor| {
            tensor.form = if tensor.form == Form::Object { Form::Borrowed } else { Form::Object };
        }),
        scenario(
            "all tensors are empty, with NULL for their data",
            &rules::EMPTY_TENSOR,
            vec![Step::of(vary(&|tensor| {
                tensor.values = None;
                if let Some(first) = tensor.shape.first_mut() {
                    *first = 0;
                }
            }))],
            Aim::Either,
        ),
    ]);
    // Each alone, too: a function that asks for strides of one tensor may forget another.
    let places = args.iter().enumerate().filter(|(_, given)| is_tensor(given)).map(|(place, _)| place);
    if places.clone().count() > 1 {
        for place in places {
            let mut varied = args.to_vec();
            if let Given::Tensor(tensor) = &mut varied[place] {
                tensor.strides = Strides::Every(2);
            }
            let situation = format!("argument {place} has twice the strides");
            all.push(scenario(situation, &rules::LAYOUT, vec![Step::of(varied)], Aim::SameElements));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_good_call_is_varied_in_one_thing_at_a_time() {
        let tensor = Given::Tensor(Tensor { becomes: Some(vec![1.0; 64]), ..Tensor::usual() });
        let good = Good { args: vec![tensor.clone(), Given::Int(3)], pointers: vec![false, true] };
        let scenarios = of_good(&good);
        let situations: Vec<_> = scenarios.iter().map(|each| each.situation.as_str()).collect();
        assert!(
            situations.contains(&"1 of 2 arguments") && situations.contains(&"argument 0 is None"),
            "{situations:?}"
        );
        assert!(!situations.contains(&"argument 1 is None"), "what a pointer means is the function's own");
        let ints = scenarios.iter().flat_map(|each| &each.steps[0].args).filter(|given| matches!(given, Given::Int(_)));
        assert!(ints.clone().count() > 0 && ints.into_iter().all(|given| *given == Given::Int(3)));
        let unknown = of_unknown();
        let args = unknown.iter().flat_map(|each| &each.steps[0].args);
        let dubious = |given: &Given| matches!(given, Given::Int(_) | Given::None | Given::Null | Given::NoTensor);
        assert!(!args.into_iter().any(dubious));
    }
}
