//! Tensors of another shape, data type, layout or device than a good client passes.

use tvm_ffi_reports::{duty::Duty, kernel::rules};
use tvm_ffi_spec::*;

use super::scenario::{Aim, Scenario, is_tensor_of_the_host, of as of_call, scenario};
use crate::kernel::{
    arena,
    errand::Step,
    given::{DType, Form, Given, Strides, Tensor},
};

/// What the data of a tensor is aligned to, in bytes, where nothing else is said.
const ALIGNMENT: u64 = 256;
/// As many dimensions as an array of NumPy could long have at most.
const MOST_DIMENSIONS: usize = 32;

/// Variations of one tensor among the arguments, which may be alone among them.
pub fn of(tensor: &Tensor, alone: bool) -> Vec<(String, &'static Duty, Tensor)> {
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
    }
    if let [first, second, rest @ ..] = &*tensor.shape {
        let fewer = [&[first * second], rest].concat();
        add("has its elements in one dimension less", &rules::OTHER_SHAPE, shaped(&fewer));
    }
    add("has one more dimension", &rules::OTHER_SHAPE, shaped(&[tensor.shape.as_slice(), &[1]].concat()));
    let many = [&vec![1; MOST_DIMENSIONS - tensor.shape.len().min(MOST_DIMENSIONS)], tensor.shape.as_slice()].concat();
    add("has very many dimensions", &rules::OTHER_SHAPE, shaped(&many));
    for (place, &extent) in tensor.shape.iter().enumerate() {
        let with = |extent: i64| {
            let mut shape = tensor.shape.clone();
            shape[place] = extent;
            shaped(&shape)
        };
        // Beside others it has another extent than they have.
        let rule = if alone { &rules::EMPTY_TENSOR } else { &rules::OTHER_SHAPE };
        let name = match place {
            0 => "is empty, with NULL for its data".to_owned(),
            _ => format!("is empty, with an extent of 0 in dimension {place} and NULL for its data"),
        };
        add(&name, rule, with(0));
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
        // Two of them share a byte.
        DType::scalar(kDLInt, 4),
        DType::scalar(kDLInt, 32),
        DType { lanes: 4, ..DType::FLOAT32 },
    ];
    for dtype in dtypes.into_iter().filter(|dtype| *dtype != tensor.dtype) {
        add(&format!("is of {dtype}"), &rules::OTHER_DTYPE, Tensor { dtype, ..unlike() });
    }
    if tensor.is_on_host() && tensor.count() > 1 {
        let one = Tensor { strides: Strides::Zero, ..unlike() };
        // There is nothing behind its only element.
        let shift = ALIGNMENT - one.extent() as u64 % ALIGNMENT;
        add("has strides of 0", &rules::LAYOUT, Tensor { shift, ..one });
    }
    let device = if tensor.is_on_host() { (kDLCUDA, 0) } else { (kDLCPU, 0) };
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
        let smaller = if old > 2 { vec![0, 1, old - 1] } else { vec![0, 1] };
        let larger = [old + 1, MANY].into_iter().filter(|new| *new > old);
        for new in smaller.into_iter().chain(larger) {
            let args = with(old, new);
            if fits(&args) {
                let aim = if new == MANY { Aim::Larger } else { Aim::Either };
                let rule = if new == 0 { &rules::EMPTY_TENSOR } else { &rules::OTHER_SHAPE };
                let situation = format!("each extent of {old} is {new}");
                all.push(scenario(situation, rule, vec![Step::of(args)], aim));
            }
        }
    }
    all
}

/// The call with tensors that have no elements, wherever they are.
fn empty(args: &[Given]) -> Option<Scenario> {
    let emptied = args.iter().map(|given| match given {
        Given::Tensor(tensor) if !tensor.shape.is_empty() => {
            let mut tensor = Tensor { values: None, ..tensor.clone() };
            tensor.shape[0] = 0;
            Given::Tensor(tensor)
        }
        other => other.clone(),
    });
    let emptied: Vec<_> = emptied.collect();
    (emptied != args).then(|| of_call("all tensors are empty, with NULL for their data", &rules::EMPTY_TENSOR, emptied))
}

/// Variations of all tensors of a call, after which it finds the same elements.
pub fn together(args: &[Given]) -> Vec<Scenario> {
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
    if !args.iter().any(is_tensor_of_the_host) {
        return empty(args).into_iter().collect();
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
        same("all tensors end where memory ends", &rules::ALIGNMENT, &|tensor| {
            tensor.shift = (ALIGNMENT - tensor.extent() as u64 % ALIGNMENT) % ALIGNMENT;
        }),
        same("all tensors in the other form, object or pointer", &rules::LAYOUT, &|tensor| {
            tensor.form = if tensor.form == Form::Object { Form::Borrowed } else { Form::Object };
        }),
    ]);
    all.extend(empty(args));
    let on_device = vary(&|tensor| tensor.device = (kDLCUDA, 0));
    all.push(of_call("all tensors are on another device", &rules::FOREIGN_DEVICE, on_device));
    // Each alone, too: a function that asks for strides of one tensor may forget another.
    let places = args.iter().enumerate().filter(|(_, given)| is_tensor_of_the_host(given)).map(|(place, _)| place);
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
