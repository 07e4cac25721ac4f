//! Host that a request names.
//!
//! A foreign page can make a browser believe that its host name has this server's address (DNS rebinding), and then
//! read the responses. Such a request still names the foreign host, and is refused.

use crate::error::Problem;
use axum::http::{HeaderMap, Uri, header};
use std::net::{IpAddr, SocketAddr};

/// Host names of this server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hosts {
    /// Names of the local machine: the server is bound to a loopback address.
    Loopback,
    /// Any IP address, and these names. A foreign page cannot use DNS rebinding with an IP address as its host.
    Named(Vec<String>),
}

impl Hosts {
    /// Host names of a server that listens at `address`, besides those given.
    pub fn of(address: SocketAddr, names: Vec<String>) -> Self {
        if address.ip().is_loopback() && names.is_empty() { Self::Loopback } else { Self::Named(names) }
    }

    pub(super) fn check(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), Problem> {
        let mut all = headers.get_all(header::HOST).iter();
        let (first, of_uri) = (all.next(), uri.authority().map(|authority| authority.as_str()));
        // A proxy may use the first and this server the second [RFC 9112, section 3.2].
        if all.next().is_some() {
            return Err(Problem::bad_request("the request has several `Host` headers; send one"));
        }
        let named = first.map(|host| host.to_str().unwrap_or_default());
        if let (Some(named), Some(of_uri)) = (named, of_uri)
            && !named.eq_ignore_ascii_case(of_uri)
        {
            return Err(Problem::bad_request(
                "the request names one host in its address and another in `Host`",
            ));
        }
        let Some(host) = named.or(of_uri).map(without_port) else {
            return Err(Problem::bad_request("the request names no host"));
        };
        let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().ok();
        let is_local = host.eq_ignore_ascii_case("localhost") || address.is_some_and(|ip| ip.is_loopback());
        let known = is_local
            || match self {
                Self::Loopback => false,
                Self::Named(names) => {
                    address.is_some() || names.iter().any(|name| name.eq_ignore_ascii_case(host))
                }
            };
        if known {
            return Ok(());
        }
        Err(Problem::forbidden(
            "the request names a host that is not a name of this server; the person who runs the server can add the name",
        ))
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_known(hosts: &Hosts, host: &str) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        hosts.check(&headers, &Uri::from_static("/")).is_ok()
    }

    #[test]
    fn a_server_at_home_answers_to_local_names_only() {
        let hosts = Hosts::of("127.0.0.1:7878".parse().unwrap(), Vec::new());
        for host in ["localhost", "LOCALHOST:7878", "127.0.0.1:7878", "[::1]:7878", "127.0.0.2"] {
            assert!(is_known(&hosts, host), "{host}");
        }
        for host in ["evil.example", "evil.example:7878", "localhost.evil.example", "192.168.0.7", ""] {
            assert!(!is_known(&hosts, host), "{host}");
        }
    }

    #[test]
    fn a_public_server_answers_to_addresses_and_given_names() {
        let hosts = Hosts::of("0.0.0.0:80".parse().unwrap(), vec!["ask.example".to_owned()]);
        assert!(is_known(&hosts, "ask.example") && is_known(&hosts, "10.0.0.1:80"));
        assert!(!is_known(&hosts, "evil.example"));
    }
}
