//! Counters in the text format of Prometheus.

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Upper ends of the histogram's ranges of durations, in seconds.
const RANGES: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 5.0];

/// Counters since the server started.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    routes: Mutex<BTreeMap<(String, String, u16), Row>>,
}

#[derive(Clone, Debug, Default)]
struct Row {
    count: u64,
    seconds: f64,
    ranges: [u64; RANGES.len()],
}

impl Metrics {
    fn add(&self, method: &str, route: &str, status: u16, time: Duration) {
        let mut routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        let row = routes.entry((route.to_owned(), method.to_owned(), status)).or_default();
        let seconds = time.as_secs_f64();
        row.count += 1;
        row.seconds += seconds;
        for (range, end) in row.ranges.iter_mut().zip(RANGES) {
            *range += u64::from(seconds <= end);
        }
    }

    /// All counters and `gauges` as text.
    pub(crate) fn text(&self, gauges: &[(&str, &str, u64)]) -> String {
        let mut text = String::new();
        for (name, help, value) in gauges {
            let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}\n");
        }
        let name = "fewest_http_request_seconds";
        let _ = write!(text, "# HELP {name} Time to the head of the response.\n# TYPE {name} histogram\n");
        let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner);
        for ((route, method, status), row) in routes.iter() {
            let labels = format!("route=\"{route}\",method=\"{method}\",status=\"{status}\"");
            for (count, end) in row.ranges.iter().zip(RANGES) {
                let _ = writeln!(text, "{name}_bucket{{{labels},le=\"{end}\"}} {count}");
            }
            let Row { count, seconds, .. } = row;
            let _ = writeln!(text, "{name}_bucket{{{labels},le=\"+Inf\"}} {count}");
            let _ = writeln!(text, "{name}_sum{{{labels}}} {seconds}\n{name}_count{{{labels}}} {count}");
        }
        text
    }
}

/// Counts and logs a request by its route, because the path itself may hold a person's answers.
pub(crate) async fn measure(State(metrics): State<Arc<Metrics>>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let route = route.unwrap_or_else(|| "none".to_owned());
    // A method can be any word, and each word would become a row.
    let method = match request.method().as_str() {
        known @ ("GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "PATCH" | "OPTIONS") => known.to_owned(),
        _ => "other".to_owned(),
    };
    let response = next.run(request).await;
    let (status, time) = (response.status().as_u16(), start.elapsed());
    metrics.add(&method, &route, status, time);
    tracing::info!(method, route, status, ms = time.as_secs_f64() * 1e3, "request");
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_all_that_is_below_their_end() {
        let metrics = Metrics::default();
        for ms in [1, 3, 700] {
            metrics.add("GET", "/x/{id}", 200, Duration::from_millis(ms));
        }
        let text = metrics.text(&[("fewest_jobs", "Jobs.", 2)]);
        for line in [
            "fewest_jobs 2",
            "fewest_http_request_seconds_bucket{route=\"/x/{id}\",method=\"GET\",status=\"200\",le=\"0.001\"} 1",
            "fewest_http_request_seconds_bucket{route=\"/x/{id}\",method=\"GET\",status=\"200\",le=\"0.5\"} 2",
            "fewest_http_request_seconds_bucket{route=\"/x/{id}\",method=\"GET\",status=\"200\",le=\"+Inf\"} 3",
            "fewest_http_request_seconds_count{route=\"/x/{id}\",method=\"GET\",status=\"200\"} 3",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }
}
