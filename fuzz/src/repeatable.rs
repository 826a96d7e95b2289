//! The same inputs in each run.

use bolero::bolero_engine::{Engine, Failure, Test, driver::Options, input::Bytes, panic, rng};

/// Tries what `BOLERO_RANDOM_SEED` and `BOLERO_RANDOM_ITERATIONS` say, as bolero names them.
pub struct Repeatable {
    /// How many bytes an input has at most.
    pub length: usize,
}

impl<T: Test<Value: std::fmt::Debug>> Engine<T> for Repeatable {
    type Output = ();

    /// # Panics
    /// With the input, as small as it gets, where the test fails.
    fn run(self, mut test: T, options: Options) {
        let asked = rng::Options::default();
        let seed = asked.seed.unwrap_or(1);
        panic::set_hook();
        panic::forward_panic(false);
        for number in 0..asked.iterations.unwrap_or(500) {
            let mut random = fastrand::Rng::with_seed(seed as u64 ^ (number as u64) << 32);
            // Half of the inputs are long: what is made of a short one has zeros where that ends.
            let length = if random.bool() { self.length } else { random.usize(..=self.length) };
            let mut input = vec![0; length];
            random.fill(&mut input);
            if let Err(error) = test.test(&mut Bytes::new(&input, &options)) {
                let smallest = match options.shrink_time_or_default().is_zero() {
                    true => None,
                    false => test.shrink(input.clone(), None, &options),
                };
                let failure = smallest.unwrap_or_else(|| Failure {
                    error,
                    input: test.generate_value(&mut Bytes::new(&input, &options)),
                    seed: None,
                });
                panic::forward_panic(true);
                panic!("input {number} with BOLERO_RANDOM_SEED={seed}: {failure:#}");
            }
        }
        panic::forward_panic(true);
    }
}
