//! Strength of the tests in the random model: the densities of γ.

/// Values of β in the papers' study.
pub const BETAS: [f64; 7] = [0.5, 0.75, 0.95, 1.0, 2.0, 4.0, 8.0];

/// Density of `γ = 1/2 + B/2` at `gamma`, for B from Beta(1, β): `2 β (2 − 2γ)^(β−1)` from 1/2 to 1, else 0
/// [BellalaBhavnaniScott2010, simulations]. For β < 1 it is unbounded towards 1.
pub fn beta_density(beta: f64, gamma: f64) -> f64 {
    if !(0.5..=1.0).contains(&gamma) {
        return 0.0;
    }
    2.0 * beta * (2.0 - 2.0 * gamma).powf(beta - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_density_with_the_mean_of_the_beta_distribution() {
        for beta in BETAS {
            // Integrated over u = (2 − 2γ)^β, which is uniform, so that the pole of small β does no harm.
            const STEPS: u32 = 20_000;
            let (mut mass, mut mean) = (0.0, 0.0);
            let gamma = |u: f64| 1.0 - u.powf(1.0 / beta) / 2.0;
            for step in 0..STEPS {
                let (low, high) = (
                    gamma(f64::from(step + 1) / f64::from(STEPS)),
                    gamma(f64::from(step) / f64::from(STEPS)),
                );
                let middle = gamma((f64::from(step) + 0.5) / f64::from(STEPS));
                mass += beta_density(beta, middle) * (high - low);
                mean += middle / f64::from(STEPS);
            }
            assert!((mass - 1.0).abs() < 2e-3, "β = {beta}: {mass}");
            assert!((mean - (0.5 + 0.5 / (1.0 + beta))).abs() < 1e-4, "β = {beta}: {mean}");
        }
    }

    #[test]
    fn it_is_flat_for_one_and_zero_elsewhere() {
        assert_eq!([0.5, 0.7, 1.0].map(|gamma| beta_density(1.0, gamma)), [2.0; 3]);
        assert_eq!((beta_density(2.0, 0.4), beta_density(2.0, 1.1), beta_density(2.0, 1.0)), (0.0, 0.0, 0.0));
        assert_eq!(beta_density(8.0, 0.5), 16.0);
    }
}
