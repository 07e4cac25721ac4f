//! Pages, without a browser: forms, redirects, and messages about problems.

use crate::bench::{Bench, PETS, Reply, on_both};
use axum::http::{Method, StatusCode};

on_both!(a_person_is_asked_and_changes_an_answer, usage_is_counted);

/// Client that behaves like a browser without scripts.
struct Visitor<'a> {
    bench: &'a Bench,
    token: String,
}

impl<'a> Visitor<'a> {
    async fn new(bench: &'a Bench) -> Self {
        let reply = bench.get("/").await.expect(200);
        let cookie = reply.headers["set-cookie"].to_str().unwrap();
        let token = cookie.strip_prefix("fewest_form=").unwrap().split(';').next().unwrap();
        assert!(reply.text().contains(token), "the form carries the token");
        Self { bench, token: token.to_owned() }
    }

    async fn ask(&self, method: Method, path: &str, form: String) -> Reply {
        let kind = if form.is_empty() { "" } else { "application/x-www-form-urlencoded" };
        let mut request = Bench::request(method, path, kind, form);
        let headers = request.headers_mut();
        headers.insert("accept", "text/html,*/*;q=0.8".parse().unwrap());
        headers.insert("cookie", format!("fewest_form={}", self.token).parse().unwrap());
        self.bench.send(request).await
    }

    /// Page at `path`, after redirects.
    async fn see(&self, path: &str) -> String {
        let mut path = path.to_owned();
        for _ in 0..4 {
            let reply = self.ask(Method::GET, &path, String::new()).await;
            match reply.status {
                StatusCode::SEE_OTHER => path = place(&reply),
                status => {
                    assert_eq!(status, 200, "{path}: {}", reply.text());
                    assert_eq!(reply.headers["content-type"], "text/html; charset=utf-8");
                    return reply.text();
                }
            }
        }
        panic!("{path}: redirects without end")
    }

    /// Sends a form and returns the address that it redirects to.
    async fn send(&self, path: &str, form: &str) -> String {
        let reply = self.ask(Method::POST, path, format!("token={}&{form}", self.token)).await;
        assert_eq!(reply.status, StatusCode::SEE_OTHER, "{}", reply.text());
        place(&reply)
    }
}

fn place(reply: &Reply) -> String {
    reply.headers["location"].to_str().unwrap().to_owned()
}

async fn a_person_is_asked_and_changes_an_answer(bench: Bench) {
    let table = bench.table(PETS).await;
    let visitor = Visitor::new(&bench).await;
    for page in ["", "/build", "/compare", "/ask"] {
        assert!(visitor.see(&format!("/tables/{table}{page}")).await.contains("<h1"));
    }
    let session = visitor.send(&format!("/tables/{table}/ask"), "").await;
    let first = visitor.see(&session).await;
    assert!(first.contains("legs?") && first.contains("value=\"4\""), "{first}");
    let next = visitor.send(&format!("{session}/answer"), "test=legs&value=4").await;
    assert_eq!(next, format!("{session}/questions/2"));
    let result = visitor.see(&next).await;
    assert!(result.contains("mammal") && result.contains("The answers leave nothing else."), "{result}");

    let change = visitor.see(&format!("{session}/questions/1")).await;
    assert!(change.contains("You said <b>4</b>"), "{change}");
    let next = visitor.send(&format!("{session}/answer"), "test=legs&value=2").await;
    assert!(visitor.see(&next).await.contains("bird"));
    assert!(visitor.see(&format!("{session}/candidates")).await.contains("legs? 4, not 2"));
    assert!(visitor.see(&format!("{session}/explain?object=dog&other=hen")).await.contains("Does it bark?"));
    let shared = visitor.see(&format!("/tables/{table}/shared?t=legs&v=2")).await;
    assert!(shared.contains("bird") && shared.contains("Go on from these answers"));

    visitor.send(&format!("{session}/withdraw"), "test=legs").await;
    let next = visitor.send(&format!("{session}/answer"), "test=legs&unknown=1").await;
    let second = visitor.see(&next).await;
    assert!(second.contains("Does it bark?") && second.contains("don’t know"), "{second}");
    // No animal of the table gives both answers: one of them must be changed.
    visitor.send(&format!("{session}/answer"), "test=legs&value=2").await;
    let next = visitor.send(&format!("{session}/answer"), "test=barks&value=yes&known=1").await;
    let result = visitor.see(&next).await;
    assert!(result.contains("No object fits all answers") && result.contains("/questions/2"), "{result}");
}

async fn usage_is_counted(bench: Bench) {
    let table = bench.table(PETS).await;
    let visitor = Visitor::new(&bench).await;
    assert!(visitor.see("/sessions").await.contains("None yet"));
    for form in ["test=legs&unknown=1", "test=legs&value=2"] {
        let session = visitor.send(&format!("/tables/{table}/ask"), "").await;
        visitor.send(&format!("{session}/answer"), form).await;
        visitor.send(&format!("{session}/outcome"), "outcome=group%3Abird").await;
    }
    let page = visitor.see("/sessions").await;
    assert!(page.contains("1 answers a session, 2 confirmed"), "{page}");
    assert!(page.contains("legs") && page.contains("50 %"), "half of the answers to it were none: {page}");
    assert!(page.contains("it was bird"));
}

#[tokio::test]
async fn problems_are_pages_for_those_who_look_at_pages() {
    let bench = Bench::new(crate::bench::Kind::Sqlite).await.unwrap();
    let visitor = Visitor::new(&bench).await;
    let nothing = format!("/tables/{}", "0".repeat(32));
    let reply = visitor.ask(Method::GET, &nothing, String::new()).await;
    assert_eq!(reply.status, 404);
    assert_eq!(reply.headers["content-type"], "text/html; charset=utf-8");
    assert!(reply.headers.contains_key("content-security-policy"));
    assert!(reply.text().contains("<h1>Not found</h1>"));
    bench.get(&nothing).await.expect(404);

    let reply = visitor.ask(Method::POST, "/examples/zoo", "token=00&x=1".to_owned()).await;
    assert_eq!(reply.status, 403, "a form without the token of our own pages");
    let opened = visitor.send("/examples/zoo", "").await;
    assert!(visitor.see(&opened).await.contains("101 objects (59 different), 16 tests, 7 groups"));
    assert_eq!(visitor.send("/examples/zoo", "").await, opened, "one copy is enough");

    let reply = visitor.ask(Method::GET, &format!("{opened}/build?lambda=%22%3Cb%3E"), String::new()).await;
    assert_eq!(reply.status, 200);
    assert!(!reply.text().contains("\"<b>"), "what is in an address is shown as text");
    let form = format!("token={}&objective=exponential&lambda=0.5", visitor.token);
    let reply = visitor.ask(Method::POST, &format!("{opened}/build"), form).await;
    assert_eq!(reply.status, 422);
    assert!(
        reply.text().contains("role=\"alert\"") && reply.text().contains("value=\"0.5\""),
        "{}",
        reply.text()
    );
}
