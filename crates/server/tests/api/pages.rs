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
    assert!(result.contains("mammal") && result.contains("Only this result fits the answers."), "{result}");

    let change = visitor.see(&format!("{session}/questions/1")).await;
    assert!(change.contains("Your answer is <b>4</b>"), "{change}");
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
    assert!(visitor.see("/sessions").await.contains("There are no sessions yet"));
    for form in ["test=legs&unknown=1", "test=legs&value=2"] {
        let session = visitor.send(&format!("/tables/{table}/ask"), "").await;
        visitor.send(&format!("{session}/answer"), form).await;
        visitor.send(&format!("{session}/outcome"), "kind=group&outcome=bird").await;
    }
    let page = visitor.see("/sessions").await;
    assert!(page.contains("1 answers per session, 2 confirmed"), "{page}");
    assert!(page.contains("legs") && page.contains("50 %"), "half of the answers to it were none: {page}");
    assert!(page.contains("confirmed result: bird"));
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

/// Table with gaps and measured numbers.
const LAB: &str = "object,lab,fever,color\na,1.5,0,red\nb,2.5,1,\nc,3.5,0,red\nd,4.5,1,blue\ne,5.5,,blue\n";

#[tokio::test]
async fn a_table_is_read_in_another_way_without_a_new_upload() {
    let bench = Bench::new(crate::bench::Kind::Sqlite).await.unwrap();
    let visitor = Visitor::new(&bench).await;
    let table = bench.table(LAB).await;
    let page = visitor.see(&format!("/tables/{table}")).await;
    assert!(page.contains("2 of 15 cells are empty") && page.contains("It is a fact of its own"), "{page}");
    assert!(page.contains("Measured numbers in “lab”") && page.contains("Ask once, with ranges"), "{page}");
    // Objects are identified: a gap may be anything, until the visitor says otherwise.
    assert!(page.contains("✓</span> It may be anything"), "{page}");
    let place = visitor.send(&format!("/tables/{table}/read"), "missing=answer").await;
    assert_ne!(place, format!("/tables/{table}"));
    let page = visitor.see(&place).await;
    assert!(page.contains("✓</span> It is a fact of its own"), "{page}");
    // The same change leads to the same table, and the change back to the first one.
    assert_eq!(visitor.send(&format!("/tables/{table}/read"), "missing=answer").await, place);
    assert_eq!(visitor.send(&format!("{place}/read"), "missing=").await, format!("/tables/{table}"));
    let left_out = visitor.send(&format!("{place}/read"), "ignore=color").await;
    let page = visitor.see(&left_out).await;
    assert!(
        page.contains("Columns that are left out: “color”.") && page.contains("Use “color” again"),
        "{page}"
    );
    let once = visitor.send(&format!("{place}/read"), "numeric=measure&ignore=&ignore=color").await;
    let page = visitor.see(&once).await;
    assert!(
        page.contains("5 objects, 2 tests")
            && page.contains("Columns of numbers are asked once, with ranges as answers."),
        "{page}"
    );
    // What does not work is told in the words of the page, and the table stays.
    let form = format!("token={}&group=colour", visitor.token);
    let reply = visitor.ask(Method::POST, &format!("/tables/{table}/read"), form).await;
    assert_eq!(reply.status, 422, "{}", reply.text());
    assert!(reply.text().contains("“Column of groups” `colour`"), "{}", reply.text());
    assert!(reply.text().contains("The table stays as it was."));
}

#[tokio::test]
async fn a_measured_number_answers_all_cuts_and_is_one_line() {
    let bench = Bench::new(crate::bench::Kind::Sqlite).await.unwrap();
    let visitor = Visitor::new(&bench).await;
    let table = bench.table(LAB).await;
    let session = visitor.send(&format!("/tables/{table}/ask"), "strategy=none&without=color").await;
    let page = visitor.see(&session).await;
    assert!(page.contains("Measured number for lab"), "{page}");
    let test = page.split("name=\"test\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let test = test.replace("&gt;", ">").replace("&#62;", ">");
    let form = format!("test={}&number=3,0", test.replace(' ', "%20").replace('>', "%3E"));
    let next = visitor.send(&format!("{session}/answer"), &form).await;
    let page = visitor.see(&next).await;
    // The cuts lie half-way between the values of the table, at 2, 3, 4 and 5: 3.0 is at most 3.
    assert!(page.contains("more than 2, at most 3"), "{page}");
    assert!(page.contains("Only this result fits the answers."), "only b lies there: {page}");
    assert_eq!(page.matches("class=\"q\"").count(), 1, "{page}");
    visitor.send(&format!("{session}/withdraw"), "test=lab").await;
    assert!(visitor.see(&session).await.contains("5 objects are possible"));
    let reply = visitor
        .ask(
            Method::POST,
            &format!("{session}/answer"),
            format!("token={}&{}", visitor.token, form.replace("3,0", "three")),
        )
        .await;
    assert_eq!(reply.status, 422);
    assert!(reply.text().contains("write a number such as 5.5"), "{}", reply.text());
}

#[tokio::test]
async fn facts_are_searched_and_told_beside_the_question() {
    let bench = Bench::new(crate::bench::Kind::Sqlite).await.unwrap();
    let visitor = Visitor::new(&bench).await;
    let opened = visitor.send("/examples/zoo", "").await;
    let session = visitor.send(&format!("{opened}/ask"), "").await;
    let page = visitor.see(&format!("{session}/questions/1?find=TAIL")).await;
    assert!(page.contains("tail?") && page.contains(">1 test<"), "{page}");
    let asked = page.split("name=\"asked\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let told = format!("known=1&asked={asked}&test=tail&value=%3D1");
    let next = visitor.send(&format!("{session}/facts"), &told).await;
    assert!(next.contains(&format!("test={asked}")), "the question stays: {next}");
    let page = visitor.see(&next).await;
    assert!(
        page.contains(&format!("name=\"test\" value=\"{asked}\"")) && page.contains("known before"),
        "{page}"
    );
    // Columns of 0 and 1 are yes and no.
    assert!(page.contains("<b class=\"said\">yes</b>"), "{page}");

    let page = visitor.see(&format!("{session}/tests?find=f")).await;
    assert!(page.contains("feathers") && page.contains("fins") && !page.contains("id=\"t1\">milk"), "{page}");
    let all = "all=&test=feathers&value=%3D0&test=fins&value=&test=venomous&value=%3F";
    visitor.send(&format!("{session}/facts"), all).await;
    let page = visitor.see(&format!("{session}/tests")).await;
    assert!(page.contains("after 3 answers") && page.contains(">best<"), "{page}");
}

#[tokio::test]
async fn a_contradiction_shows_what_nearly_fits() {
    let bench = Bench::new(crate::bench::Kind::Sqlite).await.unwrap();
    let visitor = Visitor::new(&bench).await;
    let table = bench.table("object,a,b,c\nx,1,1,0\ny,0,0,0\nz,0,1,1\n").await;
    let session = visitor.send(&format!("/tables/{table}/ask"), "strategy=none").await;
    for (test, value) in [("a", "1"), ("b", "1"), ("c", "1")] {
        visitor.send(&format!("{session}/answer"), &format!("test={test}&value={value}")).await;
    }
    let page = visitor.see(&format!("{session}/result")).await;
    assert!(page.contains("No object fits all answers") && page.contains("These objects fit best"), "{page}");
    let order: Vec<usize> = [">x<", ">z<", ">y<"].iter().map(|name| page.find(name).unwrap()).collect();
    assert!(order.is_sorted(), "{page}");
    assert_eq!(page.matches("fits 2 of 3").count(), 2, "{page}");
    assert!(page.contains("fits 0 of 3"));
}

#[tokio::test]
async fn asking_without_a_strategy_searches_first_and_uses_what_was_found() {
    let bench = Bench::new(crate::bench::Kind::Sqlite).await.unwrap();
    let visitor = Visitor::new(&bench).await;
    let opened = visitor.send("/examples/printer", "").await;
    let session = visitor.send(&format!("{opened}/ask"), "").await;
    let id = session.rsplit('/').next().unwrap();
    let options = bench.get(&format!("/api/v1/sessions/{id}")).await.expect(200).json()["options"].clone();
    let strategy = options["strategy"].as_str().expect("a strategy was found").to_owned();
    let found = bench.get(&format!("/api/v1/strategies/{strategy}")).await.expect(200).json();
    assert_eq!(found["result"]["optimal"], true, "a second is enough for eight faults");
    let again = visitor.send(&format!("{opened}/ask"), "").await;
    let id = again.rsplit('/').next().unwrap();
    let options = bench.get(&format!("/api/v1/sessions/{id}")).await.expect(200).json()["options"].clone();
    assert_eq!(options["strategy"], strategy.as_str(), "the search is not repeated");
    let plain = visitor.send(&format!("{opened}/ask"), "strategy=none").await;
    let id = plain.rsplit('/').next().unwrap();
    let options = bench.get(&format!("/api/v1/sessions/{id}")).await.expect(200).json()["options"].clone();
    assert!(options.get("strategy").is_none(), "{options}");
}

#[tokio::test]
async fn a_value_that_was_not_recorded_is_no_i_do_not_know() {
    let bench = Bench::new(crate::bench::Kind::Sqlite).await.unwrap();
    let visitor = Visitor::new(&bench).await;
    let table =
        crate::bench::name(&bench.upload("?missing=answer", "object,a,b\nx,1,\ny,0,0\nz,,1\n").await.json());
    let session = visitor.send(&format!("/tables/{table}/ask"), "strategy=none").await;
    let page = visitor.see(&session).await;
    assert!(page.contains("<b>not recorded</b>") && page.contains("I don’t know"), "{page}");
    let place = |text: &str| page.find(text).unwrap();
    assert!(place("<b>yes</b>") < place("<b>no</b>") && place("<b>no</b>") < place("<b>not recorded</b>"));
    visitor.send(&format!("{session}/answer"), "test=a&value=not+recorded").await;
    let page = visitor.see(&format!("{session}/result")).await;
    assert!(page.contains("<b class=\"said\">not recorded</b>") && page.contains(">z "), "{page}");
}

/// Pages speak to people: no flag of the command line is on them, whatever they say.
#[tokio::test]
async fn no_page_names_a_flag() {
    let bench = Bench::new(crate::bench::Kind::Sqlite).await.unwrap();
    let visitor = Visitor::new(&bench).await;
    let table = bench.table(LAB).await;
    let session = visitor.send(&format!("/tables/{table}/ask"), "").await;
    let mut pages =
        vec![visitor.see("/").await, visitor.see("/sign-in").await, visitor.see("/sessions").await];
    for page in ["", "/build", "/compare", "/ask", "/shared?t=fever&v=0"] {
        pages.push(visitor.see(&format!("/tables/{table}{page}")).await);
    }
    for page in ["/questions/1?why=1", "/tests", "/candidates", "/result", "/explain?object=a&other=b"] {
        pages.push(visitor.see(&format!("{session}{page}")).await);
    }
    for (place, form) in [
        (format!("/tables/{table}/read"), "missing=error"),
        (format!("/tables/{table}/read"), "group=nothing"),
        (format!("/tables/{table}/read"), "prior=color"),
        (format!("/tables/{table}/read"), "object=nothing"),
        (format!("/tables/{table}/build"), "objective=expected&algorithm=nothing"),
        (format!("/tables/{table}/build"), "objective=expected&max_worst=x"),
        (format!("{session}/answer"), "test=fever&value=maybe"),
        (format!("{session}/answer"), "test=fever"),
        (format!("{session}/outcome"), "kind=object&outcome=nothing"),
    ] {
        let reply = visitor.ask(Method::POST, &place, format!("token={}&{form}", visitor.token)).await;
        assert_ne!(reply.status, StatusCode::SEE_OTHER, "{place} {form}");
        pages.push(reply.text());
    }
    for page in pages {
        let flag = page
            .match_indices(" --")
            .find(|(at, _)| page[at + 3..].starts_with(|c: char| c.is_ascii_lowercase()));
        let flag = flag.or_else(|| page.match_indices("`--").next());
        assert!(flag.is_none(), "{:?} in {page}", flag);
    }
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_kept_for_another_choice() {
    let bench = Bench::new(crate::bench::Kind::Sqlite).await.unwrap();
    let visitor = Visitor::new(&bench).await;
    let part =
        |head: &str, body: &str| format!("--x\r\nContent-Disposition: form-data; {head}\r\n\r\n{body}\r\n");
    let table = "object,group,t,u\na,g,1,0\nb,,0,0\nc,h,1,1\n";
    let form = part("name=\"token\"", &visitor.token)
        + &part("name=\"table\"; filename=\"a.csv\"", table)
        + "--x--\r\n";
    let mut request = Bench::request(Method::POST, "/", "multipart/form-data; boundary=x", form);
    let headers = request.headers_mut();
    headers.insert("accept", "text/html".parse().unwrap());
    headers.insert("cookie", format!("fewest_form={}", visitor.token).parse().unwrap());
    let reply = bench.send(request).await;
    assert_eq!(reply.status, 422, "{}", reply.text());
    let page = reply.text();
    assert!(
        page.contains("object `b` has no group") && page.contains("“What to find: the object itself”"),
        "{page}"
    );
    let place = page
        .split("action=\"/files/")
        .nth(1)
        .expect("the file is kept")
        .split('"')
        .next()
        .unwrap()
        .to_owned();
    let wrong = format!("token={}&group=nothing", visitor.token);
    let reply = visitor.ask(Method::POST, &format!("/files/{place}"), wrong).await;
    assert_eq!(reply.status, 422);
    assert!(reply.text().contains(&place), "it is still kept");
    let read = visitor.send(&format!("/files/{place}"), "identify=objects").await;
    assert!(visitor.see(&read).await.contains("3 objects, 2 tests"));
    let gone = format!("token={}&identify=objects", visitor.token);
    let reply = visitor.ask(Method::POST, &format!("/files/{place}"), gone).await;
    assert!(reply.status == 400 && reply.text().contains("open it again"), "{}", reply.text());
}
