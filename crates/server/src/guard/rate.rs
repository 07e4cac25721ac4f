//! Request rate by address.
//!
//! The address is that of the connection, or the one that a trusted proxy sends: other headers can be forged.

use super::quota::network;
use crate::error::Problem;
use governor::clock::DefaultClock;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};

/// Requests between two removals of the addresses without recent requests.
const LOOKS: u64 = 4096;

type Limiter = RateLimiter<IpAddr, HashMapStateStore<IpAddr>, DefaultClock>;

/// Rate limit by address.
#[derive(Debug)]
pub(crate) struct Rate {
    limiter: Option<Limiter>,
    looks: AtomicU64,
}

impl Rate {
    /// Creates a limit of `per_second` requests a second on average and ten times as many at once; 0: no limit.
    pub(crate) fn new(per_second: u32) -> Self {
        let quota = NonZeroU32::new(per_second).map(|rate| {
            let burst = NonZeroU32::new(rate.get().saturating_mul(10)).unwrap_or(rate);
            Quota::per_second(rate).allow_burst(burst)
        });
        Self { limiter: quota.map(Limiter::hashmap), looks: AtomicU64::new(0) }
    }

    pub(super) fn check(&self, peer: Option<IpAddr>) -> Result<(), Problem> {
        let (Some(limiter), Some(peer)) = (&self.limiter, peer) else { return Ok(()) };
        if self.looks.fetch_add(1, Ordering::Relaxed) % LOOKS == LOOKS - 1 {
            limiter.retain_recent();
        }
        let busy = |_| Problem::too_many("too many requests from this address; wait a second");
        limiter.check_key(&network(peer)).map_err(busy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_address_has_its_own_patience() {
        let rate = Rate::new(1);
        let ask = |address: &str| rate.check(Some(address.parse().unwrap())).is_ok();
        let asked = (0..50).filter(|_| ask("10.0.0.1")).count();
        assert!((10..50).contains(&asked), "{asked}");
        assert!(ask("10.0.0.2"));
        let asked = (0..50).filter(|host| ask(&format!("2001:db8::{host:x}"))).count();
        assert!((10..50).contains(&asked), "addresses of one network count together: {asked}");
        assert!(Rate::new(0).check(Some([10, 0, 0, 1].into())).is_ok());
    }
}
