-- What a session was begun with, as a digest: the same key with another request is refused.
ALTER TABLE sessions ADD COLUMN request_digest TEXT;

-- Whose token it is, when it opened the door last, and when it stops doing so.
ALTER TABLE tokens ADD COLUMN name TEXT;
ALTER TABLE tokens ADD COLUMN used BIGINT;
ALTER TABLE tokens ADD COLUMN expires BIGINT;

-- Lists are read page by page.
CREATE INDEX sessions_by_creation ON sessions (created DESC, id);
CREATE INDEX sessions_by_change ON sessions (changed DESC, id);
CREATE INDEX jobs_by_creation ON jobs (kind, created DESC, id);
