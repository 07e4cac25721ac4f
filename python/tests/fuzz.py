"""Fuzz tables with Hypothesis: ``python python/tests/fuzz.py [FRAMES]``, 10,000 frames if no number is given."""

import sys
import warnings

from hypothesis import HealthCheck, Phase, given, settings

from test_errors import any_frame, any_options, try_any

count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000


@settings(
    max_examples=count,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate, Phase.shrink],
)
@given(data=any_frame(), options=any_options)
def fuzz(data, options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try_any(data, options)


fuzz()
print(f"{count} frames, no panic")
