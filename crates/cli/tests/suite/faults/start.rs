//! Start of a server where something is wrong, and protection of its data against other servers and users.

use super::clients::Clients;
use super::postgres::Postgres;
use super::server::{Client, Server};
use crate::common::{Folder, Run};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// Checks that the command fails to start, with one line that contains each of `says`.
fn refused(mut command: Command, says: &[&str]) {
    let run = run(&mut command);
    if let Some(fault) = run.refusal_after_warnings(says) {
        panic!("{fault}");
    }
}

/// Runs a command that must end by itself; a server that starts nevertheless is killed.
fn run(command: &mut Command) -> Run {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(30) {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Run::from(child.wait_with_output().unwrap())
}

impl Run {
    /// Fault of a refusal, which must be exit code 2 and one message, after warnings of the log.
    fn refusal_after_warnings(&self, says: &[&str]) -> Option<String> {
        let message = self.err.lines().filter(|line| !line.contains(" WARN ")).collect::<Vec<_>>().join("\n");
        Self { code: self.code, out: self.out.clone(), err: message }.refusal(2, says)
    }
}

fn on(folder: &Folder, name: &str) -> Command {
    Server::command(&["--data", folder.path(name).to_str().unwrap()])
}

#[test]
fn issue_21_item_14_the_folder_is_for_its_owner_alone() {
    let folder = Folder::new();
    let (data, file) = (folder.path("data"), folder.path("data/fewest.sqlite3"));
    let mut server = Server::on_folder(&data);
    let clients = Clients::begin(&server);
    clients.answer_while(server.address, || clients.wait_for_kept(1));
    assert_eq!(mode(&data), 0o700);
    let mut names: Vec<_> = fs::read_dir(&data).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    assert!(names.len() >= 4 && names.iter().all(|path| mode(path) == 0o600), "{names:?}");
    server.kill();
    // Files that an older version left readable are restricted, with a warning.
    let open = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    open(&data, 0o755);
    names.iter().for_each(|path| open(path, 0o644));
    let mut server = Server::on_folder(&data);
    assert_eq!(mode(&data), 0o700);
    assert!(names.iter().all(|path| mode(path) == 0o600));
    server.wait_for_log("for its owner alone");
    server.kill();
    // A folder that holds other files too is not restricted.
    folder.write("data/notes.txt", "mine");
    open(&data, 0o755);
    open(&file, 0o644);
    let _server = Server::on_folder(&data);
    assert_eq!((mode(&data), mode(&file)), (0o755, 0o600));
}

#[test]
fn issue_21_item_15_one_server_for_a_folder() {
    let folder = Folder::new();
    let mut server = Server::on_folder(&folder.path("data"));
    let process = format!("process {}", server.child.id());
    refused(
        on(&folder, "data"),
        &["--data", "data", "another `fewest serve`", &process, "name another folder"],
    );
    // A token can be created nevertheless.
    assert_eq!(folder.run(&["serve", "--data", "data", "--new-token"]).code, Some(0));
    server.kill();
    let again = Server::on_folder(&folder.path("data"));
    assert_eq!(again.readiness(), 200, "a killed server leaves no lock behind");
}

#[test]
fn issue_21_item_15_one_server_for_a_postgres() {
    let Some(postgres) = Postgres::get() else { return };
    let url = postgres.database();
    let command = || Server::command(&["--database", &url]);
    let mut first = Server::start(command());
    refused(command(), &["--database", "another `fewest serve`", "name another database"]);
    first.kill();
    let first = Server::start(command());
    let clients = Clients::begin(&first);
    // While the first server is stopped, its connections end and another server takes the database.
    first.signal("-STOP");
    postgres.end_connections();
    let mut second = Server::start(command());
    first.signal("-CONT");
    first.wait_for_readiness(503);
    clients.answer_while(first.address, || clients.wait_for_failed(3));
    assert_eq!(clients.verify(&second).kept, 0, "it changes nothing while another server has the database");
    first.wait_for_log("another server has taken the database over");
    assert_eq!(second.readiness(), 200);
    second.kill();
    first.wait_for_readiness(200);
    clients.answer_while(first.address, || clients.wait_for_kept(3));
    clients.verify(&first);
}

/// Folder with a database that was used, and the bytes of its file.
fn used(name: &str) -> (Folder, Vec<u8>) {
    let folder = Folder::new();
    let mut server = Server::on_folder(&folder.path(name));
    let clients = Clients::begin(&server);
    clients.answer_while(server.address, || clients.wait_for_kept(30));
    server.signal("-TERM");
    assert!(server.child.wait().unwrap().success());
    let bytes = fs::read(folder.path(name).join("fewest.sqlite3")).unwrap();
    (folder, bytes)
}

#[test]
fn issue_21_item_20_broken_files_are_told_at_once() {
    let (folder, bytes) = used("data");
    folder.write("data/fewest.sqlite3", "object,test\na,1\n".repeat(100));
    refused(on(&folder, "data"), &["fewest.sqlite3 is no SQLite database", "name another folder"]);
    folder.write("data/fewest.sqlite3", &bytes[..100]);
    refused(on(&folder, "data"), &["fewest.sqlite3"]);
    folder.write("data/fewest.sqlite3", &bytes[..bytes.len() / 2]);
    refused(on(&folder, "data"), &["fewest.sqlite3 is damaged", "restore it from a copy"]);
    let mut damaged = bytes.clone();
    damaged[4096..].chunks_mut(4096).step_by(3).for_each(|page| page.fill(0x5a));
    folder.write("data/fewest.sqlite3", &damaged);
    refused(on(&folder, "data"), &["fewest.sqlite3 is damaged", "restore it from a copy"]);
    // A log of changes without its file must not be taken for a new database, which would delete it.
    fs::remove_file(folder.path("data/fewest.sqlite3")).unwrap();
    folder.write("data/fewest.sqlite3-wal", "changes");
    refused(on(&folder, "data"), &["fewest.sqlite3 is missing or empty", "put the file back"]);
    assert_eq!(folder.read("data/fewest.sqlite3-wal"), "changes");
    fs::remove_file(folder.path("data/fewest.sqlite3-wal")).unwrap();
    folder.write("data/fewest.sqlite3", &bytes);
    assert_eq!(Server::on_folder(&folder.path("data")).readiness(), 200, "the copy is as good as it was");
}

#[test]
fn issue_21_item_20_a_folder_without_rights_is_told_at_once() {
    let folder = Folder::new();
    fs::create_dir(folder.path("data")).unwrap();
    let set = |name: &str, mode| {
        fs::set_permissions(folder.path(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    set("", 0o755);
    set("data", 0o555);
    let mut command = on(&folder, "data");
    if fs::write(folder.path("data/probe"), "").is_ok() {
        // The superuser may write anywhere; another user may not.
        fs::remove_file(folder.path("data/probe")).unwrap();
        let arguments: Vec<_> = command.get_args().map(ToOwned::to_owned).collect();
        let program = folder.path("fewest");
        fs::copy(command.get_program(), &program).unwrap();
        set("fewest", 0o755);
        command = Command::new("setpriv");
        command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "--"]).arg(program).args(arguments);
    }
    refused(command, &["--data", "ermission denied", "name a folder that can be written to"]);
}

#[test]
fn issue_21_item_20_a_broken_postgres_is_told_at_once() {
    let nowhere = "postgres://fewest@127.0.0.1:1/none";
    let database = |url: &str| Server::command(&["--database", url]);
    refused(
        database(nowhere),
        &["no PostgreSQL answers at", "127.0.0.1:1", "refused", "start it, or mend --database"],
    );
    let secret = "postgres://fewest:secret@no.such.host.invalid/none";
    refused(database(secret), &["no PostgreSQL answers at", "no.such.host.invalid"]);
    assert!(!run(&mut database(secret)).err.contains("secret"));
    let Some(postgres) = Postgres::get() else { return };
    refused(
        database(&postgres.url_of("no_such_database")),
        &["no_such_database", "does not exist", "createdb"],
    );
    let stranger = postgres.database().replace("fewest@", "stranger:secret@");
    refused(database(&stranger), &["refuses the user", "stranger", "mend the user or the password"]);
    postgres.sql("CREATE ROLE guest LOGIN PASSWORD 'right'");
    postgres.ask_for_password("guest");
    let guest = postgres.database().replace("fewest@", "guest:secret@");
    refused(
        database(&guest),
        &["refuses the user", "password authentication failed", "mend the user or the password"],
    );
    assert!(!run(&mut database(&guest)).err.contains("secret"));
    let newer = postgres.database();
    drop(Server::start(database(&newer)));
    postgres.sql_on(&newer, "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) VALUES (99, 'later', true, '', 0)");
    refused(database(&newer), &["was used by a newer fewest", "change 99"]);
    let foreign = postgres.database();
    postgres.sql_on(&foreign, "CREATE TABLE sessions (id INTEGER)");
    refused(database(&foreign), &["holds what another program made", "sessions", "name an empty one"]);
}

/// Responses while the database is away: they say what is known, and no more.
#[test]
fn issue_21_item_6_an_outage_is_told_as_such() {
    let Some(postgres) = Postgres::get() else { return };
    let url = postgres.database();
    let server = Server::start(Server::command(&["--database", &url]));
    let _clients = Clients::begin(&server);
    postgres.stop("fast");
    let mut client = Client::new(server.address).unwrap();
    let (status, problem) = client.json("GET", "/api/v1/tables", &Value::Null).unwrap();
    assert_eq!((status, &problem["type"]), (503, &Value::from("urn:fewest:problem:database")), "{problem}");
    assert!(client.head.contains("retry-after: "), "{}", client.head);
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("the database does not answer"), "{detail}");
    server.wait_for_log("the database does not answer");
}
