-- The same statements serve both databases; BYTES stands for what each calls a column of bytes. Times are milliseconds
-- since 1970, lists and options are JSON.

CREATE TABLE tables (
    id      TEXT PRIMARY KEY,
    name    TEXT NOT NULL,
    digest  TEXT NOT NULL,
    options TEXT NOT NULL,
    summary TEXT NOT NULL,
    content BYTES NOT NULL,
    size    BIGINT NOT NULL,
    parent  TEXT,
    created BIGINT NOT NULL
);

CREATE TABLE jobs (
    id       TEXT PRIMARY KEY,
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    kind     TEXT NOT NULL,
    request  TEXT NOT NULL,
    state    TEXT NOT NULL,
    summary  TEXT,
    document TEXT,
    problem  TEXT,
    created  BIGINT NOT NULL,
    finished BIGINT
);
CREATE INDEX jobs_of_table ON jobs (table_id, created);

CREATE TABLE sessions (
    id              TEXT PRIMARY KEY,
    table_id        TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    options         TEXT NOT NULL,
    idempotency_key TEXT UNIQUE,
    events          BIGINT NOT NULL,
    created         BIGINT NOT NULL,
    changed         BIGINT NOT NULL,
    outcome         TEXT
);
CREATE INDEX sessions_of_table ON sessions (table_id, created);

-- What a session is: its answers, in the order in which their tests were first answered.
CREATE TABLE answers (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    test       TEXT NOT NULL,
    position   BIGINT NOT NULL,
    value      TEXT NOT NULL,
    PRIMARY KEY (session_id, test)
);

-- How it came to be: nothing here is ever changed.
CREATE TABLE events (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    number     BIGINT NOT NULL,
    at         BIGINT NOT NULL,
    what       TEXT NOT NULL,
    PRIMARY KEY (session_id, number)
);

-- Tokens that open the door, each as the SHA-256 of its text.
CREATE TABLE tokens (
    hash    TEXT PRIMARY KEY,
    created BIGINT NOT NULL
);
