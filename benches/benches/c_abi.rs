//! The calls that clients make most, on the reference and on the newest peer in one run.

use std::{
    ffi::{c_int, c_void},
    hint::black_box,
    ptr::null_mut,
};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use tvm_ffi_spec::*;
use tvm_ffi_verify::{client::Client, side_by_side};

/// One operation, repeated; set up once for each library. What is timed are the bare functions: crumbs would cost more.
type Operation = fn(&Client) -> Box<dyn FnMut()>;

const OPERATIONS: &[(&str, Operation)] = &[
    ("reference count up and down", count_up_and_down),
    ("small string", |client| string(client, b"seven_b")),
    ("heap string", |client| string(client, b"a string that is put on the heap")),
    ("C string view to owned value", view_to_owned),
    ("function call, three integers", call),
    ("global function look-up", look_up),
    ("error raised and taken", raise_and_take),
    ("data type parsed", parse_dtype),
];

fn count_up_and_down(client: &Client) -> Box<dyn FnMut()> {
    let table = client.api.table();
    let (inc, dec) = (table.TVMFFIObjectIncRef.unwrap(), table.TVMFFIObjectDecRef.unwrap());
    let object = client.string(b"longer than seven").unwrap().into_any().payload() as TVMFFIObjectHandle;
    // SAFETY: the object is never released.
    Box::new(move || unsafe {
        inc(black_box(object));
        dec(black_box(object));
    })
}

fn string(client: &Client, text: &'static [u8]) -> Box<dyn FnMut()> {
    let table = client.api.table();
    let (make, dec) = (table.TVMFFIStringFromByteArray.unwrap(), table.TVMFFIObjectDecRef.unwrap());
    Box::new(move || {
        let mut out = TVMFFIAny::NONE;
        // SAFETY: valid arguments; what was made is released.
        unsafe {
            make(black_box(&TVMFFIByteArray::new(text)), &mut out);
            release(dec, &out);
        }
    })
}

fn view_to_owned(client: &Client) -> Box<dyn FnMut()> {
    let table = client.api.table();
    let (convert, dec) = (table.TVMFFIAnyViewToOwnedAny.unwrap(), table.TVMFFIObjectDecRef.unwrap());
    let view = TVMFFIAny::new(kTVMFFIRawStr, c"a string that is put on the heap".as_ptr() as u64);
    Box::new(move || {
        let mut out = TVMFFIAny::NONE;
        // SAFETY: valid arguments; what was made is released.
        unsafe {
            convert(black_box(&view), &mut out);
            release(dec, &out);
        }
    })
}

fn call(client: &Client) -> Box<dyn FnMut()> {
    let table = client.api.table();
    unsafe extern "C" fn sum(_: *mut c_void, args: *const TVMFFIAny, count: i32, result: *mut TVMFFIAny) -> c_int {
        // SAFETY: the caller passes `count` integers and room for a result.
        unsafe {
            let args = std::slice::from_raw_parts(args, count as usize);
            *result = TVMFFIAny::new(kTVMFFIInt, args.iter().map(TVMFFIAny::payload).sum());
        }
        0
    }
    let call = table.TVMFFIFunctionCall.unwrap();
    let function = client.function(null_mut(), sum, None).unwrap().into_any().payload() as TVMFFIObjectHandle;
    let mut args = [1, 2, 3].map(|value| TVMFFIAny::new(kTVMFFIInt, value));
    Box::new(move || {
        let mut result = TVMFFIAny::NONE;
        // SAFETY: the function is never released; the arguments are valid.
        unsafe { call(black_box(function), args.as_mut_ptr(), 3, &mut result) };
        black_box(result);
    })
}

fn look_up(client: &Client) -> Box<dyn FnMut()> {
    let table = client.api.table();
    let (get, dec) = (table.TVMFFIFunctionGetGlobal.unwrap(), table.TVMFFIObjectDecRef.unwrap());
    Box::new(move || {
        let mut function = null_mut();
        // SAFETY: valid arguments; the reference is released.
        unsafe {
            get(black_box(&TVMFFIByteArray::new(b"ffi.FunctionRemoveGlobal")), &mut function);
            dec(function);
        }
    })
}

fn raise_and_take(client: &Client) -> Box<dyn FnMut()> {
    let table = client.api.table();
    let (raise, take) = (table.TVMFFIErrorSetRaisedFromCStr.unwrap(), table.TVMFFIErrorMoveFromRaised.unwrap());
    let dec = table.TVMFFIObjectDecRef.unwrap();
    Box::new(move || {
        let mut error = null_mut();
        // SAFETY: valid arguments; the error is released.
        unsafe {
            raise(c"ValueError".as_ptr(), c"a message".as_ptr());
            take(&mut error);
            dec(error);
        }
    })
}

fn parse_dtype(client: &Client) -> Box<dyn FnMut()> {
    let table = client.api.table();
    let parse = table.TVMFFIDataTypeFromString.unwrap();
    Box::new(move || {
        let mut dtype = DLDataType::default();
        // SAFETY: valid arguments.
        unsafe { parse(black_box(&TVMFFIByteArray::new(b"float32x4")), &mut dtype) };
        black_box(dtype);
    })
}

/// # Safety
/// `value` is owned by the caller, who gives it up.
unsafe fn release(dec: unsafe extern "C" fn(TVMFFIObjectHandle) -> c_int, value: &TVMFFIAny) {
    if value.type_index >= kTVMFFIStaticObjectBegin {
        // SAFETY: an object that the caller owns.
        unsafe { dec(value.payload() as TVMFFIObjectHandle) };
    }
}

fn c_abi(criterion: &mut Criterion) {
    let sides: Vec<_> = std::iter::once(side_by_side::reference()).chain(side_by_side::release()).collect();
    for (name, operation) in OPERATIONS {
        let mut group = criterion.benchmark_group(*name);
        for side in &sides {
            let mut run = operation(side);
            group.bench_function(BenchmarkId::from_parameter(side.name), |bencher| bencher.iter(&mut run));
        }
        group.finish();
    }
}

criterion_group!(benches, c_abi);
criterion_main!(benches);
