//! Medians, and how sure they are.
//!
//! Times on a busy machine are not normally distributed: most of them are near the fastest, and some are far off. The median
//! does not care about these, and the interval of a median follows from the order of the samples alone, whatever they are
//! distributed like.

/// A ratio with the interval in which it lies with a confidence of 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// The median.
    pub middle: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The median of some numbers; 0 of none.
pub fn median(numbers: &[f64]) -> f64 {
    let sorted = sorted(numbers);
    match sorted.len() {
        0 => 0.0,
        count if count % 2 == 1 => sorted[count / 2],
        count => (sorted[count / 2 - 1] + sorted[count / 2]) / 2.0,
    }
}

/// The ratio of two libraries, from pairs of samples that were taken at the same time: first over second.
pub fn ratio(pairs: &[[f64; 2]]) -> Ratio {
    let ratios: Vec<_> = pairs.iter().map(|[first, second]| first / second).collect();
    let sorted = sorted(&ratios);
    let count = sorted.len();
    if count == 0 {
        return Ratio { middle: 1.0, low: 1.0, high: 1.0 };
    }
    // How many samples lie below the true median is binomially distributed: count / 2, give or take sqrt(count) / 2.
    let rank = (count as f64 + 1.0) / 2.0 - 1.96 * (count as f64).sqrt() / 2.0;
    let below = rank.max(1.0) as usize - 1;
    Ratio { middle: median(&ratios), low: sorted[below], high: sorted[count - 1 - below] }
}

/// The geometric mean; 1 of none.
pub fn geometric_mean(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, count) = numbers.into_iter().fold((0.0, 0_u32), |(sum, count), number| (sum + number.ln(), count + 1));
    (sum / f64::from(count.max(1))).exp()
}

fn sorted(numbers: &[f64]) -> Vec<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
    }

    #[test]
    fn the_interval_lies_around_the_median_and_leaves_out_what_is_far_off() {
        let mut pairs: Vec<_> = (0..50).map(|at| [200.0 + f64::from(at), 100.0]).collect();
        pairs[49][0] = 10_000.0;
        let Ratio { middle, low, high } = ratio(&pairs);
        assert!(low < middle && middle < high, "{low} {middle} {high}");
        // The 18th and the 33rd of 50, as in tables of the binomial distribution.
        assert_eq!((low, high), (2.17, 2.32));
    }

    #[test]
    fn of_ten_samples_the_two_at_the_ends_are_left_out() {
        let pairs: Vec<_> = (1..=10).map(|at| [f64::from(at), 1.0]).collect();
        assert_eq!(ratio(&pairs), Ratio { middle: 5.5, low: 2.0, high: 9.0 });
    }

    #[test]
    fn few_samples_have_a_wide_interval() {
        let Ratio { low, high, .. } = ratio(&[[1.0, 1.0], [2.0, 1.0], [3.0, 1.0]]);
        assert_eq!((low, high), (1.0, 3.0));
    }

    #[test]
    fn twice_and_half_cancel_out() {
        assert!((geometric_mean([2.0, 0.5]) - 1.0).abs() < 1e-9);
    }
}
