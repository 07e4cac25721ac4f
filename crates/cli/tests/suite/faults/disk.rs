//! Disks that are full or fail while clients answer.

use super::clients::{Clients, Sum};
use super::server::Server;
use super::{report, times};
use crate::common::Folder;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Disk that can be made to fail, and repaired.
trait Disk {
    /// Folder on it for a server.
    fn data(&self) -> PathBuf;
    /// Command for a server on it.
    fn command(&self) -> Command {
        Server::command(&["--data", self.data().to_str().unwrap()])
    }
    fn fail(&self);
    fn mend(&self);
}

/// Disk whose writes are refused by a library that is loaded before the C library.
struct Refusing {
    folder: Folder,
    wish: &'static str,
}

impl Refusing {
    fn new(wish: &'static str) -> Self {
        let folder = Folder::new();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/faults/shim.c");
        let mut compile = Command::new("cc");
        compile.args(["-shared", "-fPIC", "-O1", "-o"]).arg(folder.path("shim.so")).arg(source).arg("-ldl");
        assert!(compile.status().unwrap().success());
        Self { folder, wish }
    }
}

impl Disk for Refusing {
    fn data(&self) -> PathBuf {
        self.folder.path("data")
    }

    fn command(&self) -> Command {
        let mut command = Server::command(&["--data", self.data().to_str().unwrap()]);
        command
            .env("LD_PRELOAD", self.folder.path("shim.so"))
            .env("FEWEST_FAULTS", self.folder.path("faults"));
        command
    }

    fn fail(&self) {
        // At once, and not half-written.
        self.folder.write("faults.new", self.wish);
        fs::rename(self.folder.path("faults.new"), self.folder.path("faults")).unwrap();
    }

    fn mend(&self) {
        fs::remove_file(self.folder.path("faults")).unwrap();
    }
}

/// Small disk in memory that is filled up.
struct Small {
    folder: Folder,
}

impl Small {
    /// Mounts the disk; `None` where disks cannot be mounted.
    fn new() -> Option<Self> {
        let folder = Folder::new();
        fs::create_dir(folder.path("disk")).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=8m", "tmpfs"]).arg(folder.path("disk"));
        let is_mounted = mount.output().is_ok_and(|run| run.status.success());
        is_mounted.then_some(Self { folder })
    }

    fn filler(&self) -> PathBuf {
        self.folder.path("disk/filler")
    }
}

impl Disk for Small {
    fn data(&self) -> PathBuf {
        self.folder.path("disk/data")
    }

    fn fail(&self) {
        use std::io::Write;
        let mut filler = fs::File::create(self.filler()).unwrap();
        let room = [0; 4096];
        while filler.write(&room).is_ok_and(|written| written > 0) {}
    }

    fn mend(&self) {
        fs::remove_file(self.filler()).unwrap();
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.folder.path("disk")).output();
    }
}

/// Answers on a disk that fails and is repaired again, `rounds` times; the server is killed after each.
fn answer_through_faults(disk: &impl Disk, rounds: usize, fails_always: bool) -> Sum {
    let mut sum = Sum::default();
    for _ in 0..rounds {
        let mut server = Server::start(disk.command());
        let clients = Clients::begin(&server);
        clients.answer_while(server.address, || {
            clients.wait_for_kept(20);
            disk.fail();
            clients.wait_for_failed(12);
            if fails_always {
                server.wait_for_readiness(503);
            }
            disk.mend();
            server.wait_for_readiness(200);
            clients.wait_for_kept(20);
        });
        clients.verify(&server);
        server.kill();
        server = Server::start(disk.command());
        sum += clients.verify(&server);
        server.kill();
        // Each round starts with an empty disk.
        fs::remove_dir_all(disk.data()).unwrap();
    }
    sum
}

/// A full disk: answers are refused and `/readyz` is 503; once there is space again, answers are stored, and stay.
#[test]
fn issue_21_item_1_full_disk_loses_no_acknowledged_answer() {
    let rounds = times("FEWEST_FULL_DISKS", 3);
    let (sum, kind) = match Small::new() {
        Some(disk) => (answer_through_faults(&disk, rounds, true), "a small disk in memory"),
        None => (answer_through_faults(&Refusing::new("ENOSPC"), rounds, true), "writes that are refused"),
    };
    report(&format!("{rounds} full disks ({kind}): {sum}; 0 lost, 0 doubled"));
    let sum = answer_through_faults(&Refusing::new("ENOSPC 50"), rounds, false);
    report(&format!("{rounds} disks where every second write finds no room: {sum}; 0 lost, 0 doubled"));
}

/// A disk that fails to write, or to flush what was written.
#[test]
fn issue_21_item_1_failing_disk_loses_no_acknowledged_answer() {
    let rounds = times("FEWEST_DISK_FAULTS", 2);
    for (wish, fails_always) in [("EIO", true), ("EIO 30", false), ("SYNC", true), ("SYNC 50", false)] {
        let sum = answer_through_faults(&Refusing::new(wish), rounds, fails_always);
        report(&format!("{rounds} disks that fail ({wish}): {sum}; 0 lost, 0 doubled"));
    }
}
