//! Arguments of `fewest serve`; a build without the server has them, too, so that its help is complete.

#![cfg_attr(not(feature = "serve"), allow(dead_code, reason = "only the server reads these options"))]

use super::parse::{bytes, duration};
use clap::Args;
use std::net::{IpAddr, SocketAddr};
use std::num::{NonZeroU16, NonZeroU32};
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// The address to listen at; an address that other machines can reach needs a token
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7878")]
    pub(crate) bind: SocketAddr,
    /// Keep tables, strategies and sessions in this folder, in one SQLite file
    #[arg(long, value_name = "DIR", default_value = "fewest-data")]
    pub(crate) data: PathBuf,
    /// Keep them in PostgreSQL instead: postgres://user@host/name
    #[arg(long, value_name = "URL")]
    pub(crate) database: Option<String>,
    /// Show the first page in a browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Another host name of this server (may be repeated)
    #[arg(long, value_name = "NAME")]
    pub(crate) host: Vec<String>,
    /// Address of a trusted proxy, whose X-Forwarded-For and X-Forwarded-Proto headers are used (may be
    /// repeated)
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) proxy: Vec<IpAddr>,
    /// Write a line about each request to standard error, without answers
    #[arg(long)]
    pub(crate) log: bool,
    #[command(flatten)]
    pub(crate) tokens: TokenArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// Options of access by token.
#[derive(Debug, Args)]
#[command(next_help_heading = "Tokens")]
pub(crate) struct TokenArgs {
    /// Ask for the token in this file, or in the variable FEWEST_TOKEN
    #[arg(long, value_name = "FILE")]
    pub(crate) token: Option<PathBuf>,
    /// Make a token, store its hash with the data, print the token and exit
    #[arg(long, conflicts_with_all = ["list_tokens", "revoke_token"])]
    pub(crate) new_token: bool,
    /// Name of the new token
    #[arg(long, value_name = "NAME", requires = "new_token")]
    pub(crate) token_name: Option<String>,
    /// Days after which the new token is refused [default: never]
    #[arg(long, value_name = "N", requires = "new_token")]
    pub(crate) token_days: Option<NonZeroU32>,
    /// List the tokens with their age, last use and expiry, and exit
    #[arg(long, conflicts_with = "revoke_token")]
    pub(crate) list_tokens: bool,
    /// Revoke the token with this ID in the list, and exit; a running server refuses it within seconds
    #[arg(long, value_name = "ID")]
    pub(crate) revoke_token: Option<String>,
}

/// Limits on the use of the server.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Searches at the same time [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroU16>,
    /// The longest search that can be asked for [default: 10m]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) max_time: Option<Duration>,
    /// Memory of a search [default: 500MB]
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub(crate) max_memory: Option<usize>,
    /// The largest table [default: 16MB]
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub(crate) max_body: Option<usize>,
    /// Rows of a table [default: 1000000]
    #[arg(long, value_name = "N")]
    pub(crate) max_rows: Option<usize>,
    /// Columns of a table [default: 10000]
    #[arg(long, value_name = "N")]
    pub(crate) max_columns: Option<usize>,
    /// Tables that are kept [default: 1000]
    #[arg(long, value_name = "N")]
    pub(crate) max_tables: Option<u64>,
    /// Strategies, comparisons and fronts that are kept [default: 10000]
    #[arg(long, value_name = "N")]
    pub(crate) max_strategies: Option<u64>,
    /// Sessions that are kept [default: 1000000]
    #[arg(long, value_name = "N")]
    pub(crate) max_sessions: Option<u64>,
    /// Events in the log of one session [default: 10000]
    #[arg(long, value_name = "N")]
    pub(crate) max_events: Option<u32>,
    /// Size of the database [default: 10GB]
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub(crate) max_disk: Option<usize>,
    /// Requests a second from one address; 0: any number [default: 50, at 127.0.0.1 0]
    #[arg(long, value_name = "N")]
    pub(crate) rate: Option<u32>,
    /// Connections at the same time [default: 2000]
    #[arg(long, value_name = "N")]
    pub(crate) max_connections: Option<usize>,
    /// Connections from one address; 0: any number [default: 200, at 127.0.0.1 half of all]
    #[arg(long, value_name = "N")]
    pub(crate) connections_each: Option<usize>,
    /// Searches followed at the same time [default: 500]
    #[arg(long, value_name = "N")]
    pub(crate) max_streams: Option<usize>,
    /// Searches followed from one address; 0: any number [default: 50, at 127.0.0.1 half of all]
    #[arg(long, value_name = "N")]
    pub(crate) streams_each: Option<usize>,
    /// Time in which a client must send or take at least 20 kB, or its connection is closed [default: 20s]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) patience: Option<Duration>,
}
