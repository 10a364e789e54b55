"""No test is timed: how long an example takes on a busy machine says nothing. Fifty examples, unless a test says more."""

from hypothesis import settings

settings.register_profile("project", deadline=None, max_examples=50)
settings.load_profile("project")
