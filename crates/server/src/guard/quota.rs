//! Quotas of connections, streams or bytes in use at the same time, in total and by address.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Limit on the number of connections, streams or bytes in use at the same time.
#[derive(Debug)]
pub(crate) struct Quota {
    all: usize,
    each: usize,
    used: Mutex<Used>,
}

#[derive(Debug, Default)]
struct Used {
    all: usize,
    by_address: BTreeMap<IpAddr, usize>,
}

/// Limit of a quota that is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuotaFull {
    /// Limit of all addresses together.
    All,
    /// Limit of this address.
    Address,
}

/// Share of a quota, returned when it is dropped.
#[derive(Debug)]
pub(crate) struct QuotaShare {
    quota: Arc<Quota>,
    address: Option<IpAddr>,
    amount: usize,
}

impl Quota {
    /// Creates a quota of at most `all` in use, and at most `each` of them by one address; 0 for `each`: no limit by
    /// address. A single share may exceed both, so that no request is too large for ever; 0 for `all` refuses
    /// everything.
    pub(crate) fn new(all: usize, each: usize) -> Arc<Self> {
        Arc::new(Self { all, each, used: Mutex::default() })
    }

    fn used(&self) -> MutexGuard<'_, Used> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes `amount` for `address`; without an address, only the total is limited.
    ///
    /// # Errors
    /// When the quota is full.
    pub(crate) fn take(
        self: &Arc<Self>,
        address: Option<IpAddr>,
        amount: usize,
    ) -> Result<QuotaShare, QuotaFull> {
        let address = address.map(network);
        self.add(address, amount)?;
        Ok(QuotaShare { quota: Arc::clone(self), address, amount })
    }

    fn add(&self, address: Option<IpAddr>, amount: usize) -> Result<(), QuotaFull> {
        let mut used = self.used();
        let has_room = |used: usize, most: usize| used == 0 || used.saturating_add(amount) <= most;
        if let Some(address) = address.filter(|_| self.each > 0)
            && !has_room(used.by_address.get(&address).copied().unwrap_or(0), self.each)
        {
            return Err(QuotaFull::Address);
        }
        if self.all == 0 || !has_room(used.all, self.all) {
            return Err(QuotaFull::All);
        }
        used.all += amount;
        if let Some(address) = address {
            *used.by_address.entry(address).or_default() += amount;
        }
        Ok(())
    }

    fn give_back(&self, address: Option<IpAddr>, amount: usize) {
        let mut used = self.used();
        used.all = used.all.saturating_sub(amount);
        if let Some(address) = address
            && let Some(of_address) = used.by_address.get_mut(&address)
        {
            *of_address = of_address.saturating_sub(amount);
            // Addresses that use nothing are removed.
            if *of_address == 0 {
                used.by_address.remove(&address);
            }
        }
    }

    /// Amount in use.
    pub(crate) fn in_use(&self) -> usize {
        self.used().all
    }
}

impl QuotaShare {
    /// Takes `more` for this share.
    ///
    /// # Errors
    /// When the quota is full.
    pub(crate) fn grow(&mut self, more: usize) -> Result<(), QuotaFull> {
        // A share that is alone stays alone: the amount that it has already does not count against it.
        self.quota.give_back(self.address, self.amount);
        let added = self.quota.add(self.address, self.amount + more);
        match added {
            Ok(()) => self.amount += more,
            Err(_) => self.amount = 0,
        }
        added
    }
}

impl Drop for QuotaShare {
    fn drop(&mut self) {
        self.quota.give_back(self.address, self.amount);
    }
}

/// Network of an address: for IPv6 its first 64 bits, since one client can use any address within them.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(address) => IpAddr::V4(address),
            None => IpAddr::V6((u128::from(address) >> 64 << 64).into()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_address_takes_it_all_and_what_is_dropped_is_free_again() {
        let (quota, one, other) = (Quota::new(5, 3), [10, 0, 0, 1].into(), [10, 0, 0, 2].into());
        let mut shares: Vec<QuotaShare> = (0..3).map(|_| quota.take(Some(one), 1).unwrap()).collect();
        assert_eq!(quota.take(Some(one), 1).unwrap_err(), QuotaFull::Address);
        shares.extend((0..2).map(|_| quota.take(Some(other), 1).unwrap()));
        assert_eq!(quota.take(Some(other), 1).unwrap_err(), QuotaFull::All);
        assert_eq!(quota.in_use(), 5);
        shares.clear();
        assert_eq!(quota.in_use(), 0);
        assert!(quota.used().by_address.is_empty());
    }

    #[test]
    fn a_share_grows_within_its_limits_and_one_alone_gets_all_it_needs() {
        let quota = Quota::new(10, 5);
        let mut large = quota.take(Some([10, 0, 0, 1].into()), 8).unwrap();
        assert_eq!(large.grow(1), Ok(()));
        assert_eq!(quota.take(Some([10, 0, 0, 2].into()), 2).unwrap_err(), QuotaFull::All);
        let small = quota.take(Some([10, 0, 0, 2].into()), 1).unwrap();
        assert_eq!(large.grow(1), Err(QuotaFull::All));
        assert_eq!(quota.in_use(), 1, "what could not grow gave back what it had");
        drop((large, small));
        assert_eq!(quota.in_use(), 0);
        assert_eq!(Quota::new(0, 0).take(None, 1).unwrap_err(), QuotaFull::All);
    }
}
