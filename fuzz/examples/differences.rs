//! Lists the differences between the reference and the newest release that random programs show, each once, with a program
//! that shows it and how often it came. They are no verdict: somebody has to go through them, and what is right as it is
//! goes into `program/known.rs`.
//!
//! `cargo run --release -p tvm-ffi-fuzz --example differences -- [SECONDS]`, a minute if nothing is said.

use std::{
    collections::BTreeMap,
    env,
    process::ExitCode,
    time::{Duration, Instant},
};

use tvm_ffi_fuzz::program::lockstep::{Lockstep, STEP};
use tvm_ffi_verify::side_by_side;

/// How many operations a program has.
const OPERATIONS: usize = 8;

fn main() -> ExitCode {
    let seconds = match env::args().nth(1).as_deref().map(str::parse) {
        None => 60,
        Some(Ok(seconds)) => seconds,
        Some(Err(problem)) => {
            eprintln!("error: the number of seconds: {problem}");
            return ExitCode::from(2);
        }
    };
    let Some(release) = side_by_side::release() else {
        eprintln!("error: there is no release to compare with");
        return ExitCode::from(2);
    };
    let lockstep = Lockstep::new(&[side_by_side::reference(), release]);
    let (start, mut random, mut programs) = (Instant::now(), 1_u64, 0);
    let mut found = BTreeMap::new();
    while start.elapsed() < Duration::from_secs(seconds) {
        let mut next = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 56) as u8
        };
        let bytes: Vec<u8> = (0..OPERATIONS * STEP).map(|_| next()).collect();
        programs += 1;
        if let Some(problem) = lockstep.problem(&bytes) {
            let told = problem.split("\n\n").next().unwrap_or_default();
            // Without the number of the operation.
            let told = told.split_once(" = ").map_or(told, |(_, told)| told).to_owned();
            let program: Vec<_> = problem.lines().filter(|line| line.starts_with("  RUN(")).collect();
            found.entry(told).or_insert((0, program.join("\n"))).0 += 1;
        }
    }
    println!("{programs} programs, {} differences", found.len());
    for (difference, (count, program)) in found {
        println!("{count} {difference}\n{program}");
    }
    ExitCode::SUCCESS
}
