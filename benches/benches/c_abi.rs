//! Every operation on the reference and on the newest public release in one process, and what only new processes show.
//!
//! `benches/README.md` says how to run this and how to read what comes of it.

use std::{env, thread, time::Duration};

use criterion::{BenchmarkId, Criterion, SamplingMode};
use tvm_ffi_benches::{
    fresh,
    library::Library,
    operations::{
        self,
        operation::{FEW, Operation},
    },
    pair::{Pair, Sides},
    plot,
    report::{Row, Table, save},
};
use tvm_ffi_verify::side_by_side;

/// How many new processes are started for each library and measure.
const PROCESSES: usize = 11;
/// How many samples are taken of an operation, which takes the longer the more elements it goes through; criterion allows no
/// fewer than ten.
fn samples(elements: usize) -> usize {
    match elements {
        0..100_000 => 50,
        100_000..1_000_000 => 20,
        _ => 10,
    }
}

/// Set to have nobody in the process but the thread that is measured. Otherwise there is another, which sleeps: the reference, which
/// counts references without atomic instructions where it can, is not shown at its best.
const ALONE: &str = "TVM_FFI_BENCH_ALONE";

fn main() {
    let alone = env::var_os(ALONE).is_some();
    if !alone {
        thread::spawn(|| {
            loop {
                thread::park();
            }
        });
    }
    let mut criterion = Criterion::default()
        .warm_up_time(Duration::from_millis(50))
        .measurement_time(Duration::from_millis(400))
        .nresamples(2_000)
        .configure_from_args();
    let Some(release) = side_by_side::release() else { return };
    let reference = side_by_side::reference();
    let sides = Sides { release: Library::new(*release), ours: Library::new(*reference) };
    // As criterion has it: what cargo passes for `cargo bench` and what its user may add.
    let has = |argument| env::args().any(|other| other == argument);
    let trying = has("--test") || !has("--bench");

    let times = Table::begin(if alone { "Time in a process of one thread" } else { "Time" }, release.name);
    let operations = operations::all().into_iter().filter(|operation| !alone || !operation.name.contains("threads"));
    let rows = compare(&mut criterion, &sides, operations, trying);
    criterion.final_summary();
    if has("--list") {
        return;
    }
    if !trying && !rows.is_empty() {
        show_times(times.with(rows), alone);
    }
    let filter = env::args().skip(1).find(|argument| !argument.starts_with('-'));
    if !alone && filter.is_none_or(|filter| "process".contains(&filter)) {
        let program = env!("CARGO_BIN_EXE_tvm-ffi-benches").as_ref();
        let processes = Table::begin("In a new process", release.name);
        let rows = fresh::compare(program, [&release.path, &reference.path], if trying { 1 } else { PROCESSES });
        if !trying {
            let processes = processes.with(rows);
            println!("\n{}", processes.text());
            println!("{}", processes.save("process").expect("the results can be written").display());
        }
    }
}

/// Runs every operation that criterion's arguments ask for.
fn compare(
    criterion: &mut Criterion,
    sides: &Sides,
    operations: impl Iterator<Item = Operation>,
    trying: bool,
) -> Vec<Row> {
    let most = if trying { FEW } else { usize::MAX };
    let mut rows = Vec::new();
    for operation in operations {
        let samples = samples(operation.elements());
        let id = match operation.size {
            Some(size) => BenchmarkId::new(&operation.name, size),
            None => BenchmarkId::from_parameter(&operation.name),
        };
        let mut group = criterion.benchmark_group(operation.area);
        group.sample_size(samples).sampling_mode(SamplingMode::Flat);
        // Set up at the first call: operations that are not asked for are not called.
        let mut pair = None;
        group.bench_function(id, |bencher| {
            let pair = pair.get_or_insert_with(|| {
                let mut pair = Pair::set_up(sides, &operation, most);
                if !trying {
                    pair.calibrate();
                }
                pair
            });
            bencher.iter_custom(|runs| pair.sample(runs));
        });
        group.finish();
        if let Some(pair) = pair {
            // What came before these was criterion warming up.
            let measured = pair.samples.len().saturating_sub(samples);
            rows.push(Row::of(&operation, "ns", &pair.samples[measured..]));
        }
    }
    rows
}

/// Shows the times, and writes them as JSON and as plots.
fn show_times(table: Table, alone: bool) {
    println!("\n{}", table.text());
    let (ratios, growth) = (plot::ratios(&table), plot::growth(&table));
    let files = match alone {
        true => vec![table.save("time_alone")],
        false => vec![table.save("time"), save("ratios.svg", &ratios), save("growth.svg", &growth)],
    };
    for file in files {
        println!("{}", file.expect("the results can be written").display());
    }
}
