//! Client of a request: its address, and whether it uses TLS.
//!
//! The address is that of the connection, unless that is a proxy in the server's settings: headers of other clients
//! can be forged.

use axum::extract::{ConnectInfo, Request};
use axum::http::HeaderMap;
use std::net::{IpAddr, SocketAddr};

/// Client of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Visitor {
    /// Address of the client; `None` without a socket, or if a proxy does not send it.
    pub(crate) address: Option<IpAddr>,
    /// Whether the client uses TLS, with a proxy in between.
    pub(crate) is_secure: bool,
}

impl Visitor {
    /// Finds the client of `request`; the headers of `proxies` are trusted.
    pub(super) fn of(request: &Request, proxies: &[IpAddr]) -> Self {
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
        match peer.map(|peer| peer.to_canonical()) {
            Some(peer) if proxies.contains(&peer) => Self {
                address: forwarded(request.headers()),
                is_secure: last(request.headers(), "x-forwarded-proto")
                    .is_some_and(|scheme| scheme.eq_ignore_ascii_case("https")),
            },
            address => Self { address, is_secure: false },
        }
    }
}

/// Last value of a list, which the proxy itself added; those before it came from outside.
fn last<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let value = headers.get_all(name).iter().next_back()?.to_str().ok()?;
    value.rsplit(',').next().map(str::trim)
}

fn forwarded(headers: &HeaderMap) -> Option<IpAddr> {
    let text = last(headers, "x-forwarded-for")?;
    let with_port = || text.parse::<SocketAddr>().map(|address| address.ip());
    let plain = text.trim_start_matches('[').trim_end_matches(']').parse();
    plain.or_else(|_| with_port()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    fn visitor(peer: [u8; 4], headers: &[(&str, &str)]) -> Visitor {
        let mut request = Request::builder();
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut request = request.body(Body::empty()).unwrap();
        request.extensions_mut().insert(ConnectInfo(SocketAddr::from((peer, 1))));
        Visitor::of(&request, &[[10, 0, 0, 1].into()])
    }

    #[test]
    fn only_a_proxy_that_is_known_is_believed() {
        let told = [("x-forwarded-for", "1.1.1.1, 2.2.2.2"), ("x-forwarded-proto", "https")];
        let direct = visitor([10, 0, 0, 2], &told);
        assert_eq!(direct, Visitor { address: Some([10, 0, 0, 2].into()), is_secure: false });
        let behind = visitor([10, 0, 0, 1], &told);
        assert_eq!(behind, Visitor { address: Some([2, 2, 2, 2].into()), is_secure: true });
        let port = visitor([10, 0, 0, 1], &[("x-forwarded-for", "[2001:db8::1]:99")]);
        assert_eq!(port.address, Some("2001:db8::1".parse().unwrap()));
        assert_eq!(visitor([10, 0, 0, 1], &[]), Visitor::default());
        let plain = visitor([10, 0, 0, 1], &[("x-forwarded-proto", "https,http")]);
        assert!(!plain.is_secure, "the last word is the proxy's own");
    }
}
