//! Servers that are killed while clients answer.

use super::clients::{Clients, Sum};
use super::postgres::Postgres;
use super::server::Server;
use super::{Random, report, times};
use crate::common::Folder;
use std::time::Duration;

/// Number of kills after which clients begin new sessions, so that their logs stay short.
const KILLS_A_SESSION: usize = 25;

fn kill(kills: usize, seed: u64, start: impl Fn() -> Server) -> Sum {
    let (mut random, mut sum, mut done) = (Random(seed), Sum::default(), 0);
    let mut server = start();
    while done < kills {
        let clients = Clients::begin(&server);
        for _ in 0..KILLS_A_SESSION.min(kills - done) {
            // By answers and not by time alone, so that a busy machine is as hard a test as an idle one.
            let (answers, pause) = (random.below(12), Duration::from_millis(random.below(15)));
            clients.answer_while(server.address, || {
                clients.wait_for_kept(answers as usize);
                std::thread::sleep(pause);
                server.kill();
            });
            server = start();
            clients.verify(&server);
            done += 1;
        }
        sum += clients.verify(&server);
    }
    assert!(sum.kept > kills, "the clients got to answer: {sum}");
    sum
}

/// The server is killed while clients answer; afterwards every acknowledged answer is stored, once.
#[test]
fn issue_21_kills_lose_and_double_nothing_on_sqlite() {
    let kills = times("FEWEST_KILLS", 30);
    let folder = Folder::new();
    let sum = kill(kills, 1, || Server::on_folder(&folder.path("data")));
    report(&format!("{kills} kills on SQLite: {sum}; 0 lost, 0 doubled"));
}

#[test]
fn issue_21_kills_lose_and_double_nothing_on_postgres() {
    let Some(postgres) = Postgres::get() else { return };
    let kills = times("FEWEST_POSTGRES_KILLS", 6);
    let url = postgres.database();
    let sum = kill(kills, 2, || Server::start(Server::command(&["--database", &url])));
    report(&format!("{kills} kills on PostgreSQL: {sum}; 0 lost, 0 doubled"));
}
