-- A row that is written anew to learn whether the database can be written to; it says nothing.
CREATE TABLE readiness (
    number BIGINT PRIMARY KEY,
    filler BYTES NOT NULL
);
