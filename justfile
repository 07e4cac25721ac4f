# Show the recipes.
default:
    @just --list

# All that must hold before a change lands, as CI runs it.
ci:
    scripts/test

# Run the tests.
test:
    cargo test --workspace --features fewest-cli/full

# Walk the pages in a real browser.
browser *ARGS:
    scripts/browser-test {{ARGS}}

# Build the Python package, install it into a new environment and test it there.
python *ARGS:
    scripts/python-test {{ARGS}}

# Measure the Python package; needs it installed, with polars and scikit-learn.
bench-python *ARGS:
    python3 bench/python/bars.py {{ARGS}}

# Lint with warnings denied.
lint:
    cargo clippy --workspace --all-targets --features fewest-cli/full -- -D warnings

# Format the code.
fmt:
    cargo fmt --all

# Build the documentation with warnings denied.
doc $RUSTDOCFLAGS="-D warnings":
    cargo doc --workspace --features fewest-cli/full --no-deps

# Measure reading: bytes per second and peak memory.
bench-read *ARGS:
    cargo run --release --package fewest-bench --bin read -- {{ARGS}}

# Measure building: time and peak memory per algorithm.
bench-build *ARGS:
    cargo run --release --package fewest-bench --bin grow -- {{ARGS}}

# Measure beside other growers of trees; `just bench-peers --write` renews docs/performance.md.
bench-peers *ARGS:
    python3 bench/peers/run.py {{ARGS}}

# Count instructions, and fail if growing trees takes many more than before.
guard *ARGS:
    cargo run --release --package fewest-guard -- {{ARGS}}

# Measure the exact solver against its targets.
bench-exact *ARGS:
    cargo build --release
    cargo run --release --package fewest-bench --bin exact -- {{ARGS}}

# Build a strategy for a table of animals.
demo:
    cargo run --release -- build examples/zoo.csv
