//! PostgreSQL that stops while clients answer.

use super::clients::Clients;
use super::postgres::Postgres;
use super::server::Server;
use super::{report, times};

/// The database stops and comes back: no acknowledged answer is lost, and the server reports that it cannot store
/// anything as long as it cannot.
#[test]
fn issue_21_outages_lose_and_double_nothing() {
    let Some(postgres) = Postgres::get() else { return };
    let outages = times("FEWEST_OUTAGES", 3);
    let url = postgres.database();
    let start = || Server::start(Server::command(&["--database", &url]));
    let mut server = start();
    let clients = Clients::begin(&server);
    for round in 0..outages {
        clients.answer_while(server.address, || {
            clients.wait_for_kept(10);
            match round % 3 {
                0 => postgres.stop("fast"),
                1 => postgres.stop("immediate"),
                _ => return postgres.end_connections(),
            }
            clients.wait_for_failed(5);
            server.wait_for_readiness(503);
            postgres.start();
            server.wait_for_readiness(200);
            clients.wait_for_kept(10);
        });
        server.wait_for_readiness(200);
        clients.answer_while(server.address, || clients.wait_for_kept(10));
        clients.verify(&server);
        if round % 2 == 1 {
            server.kill();
            server = start();
            clients.verify(&server);
        }
    }
    let sum = clients.verify(&server);
    report(&format!("{outages} outages of PostgreSQL: {sum}; 0 lost, 0 doubled"));
}
