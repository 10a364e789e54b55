"""No test is timed: on a busy machine that says nothing. Fifty examples, unless a test asks for more."""

from hypothesis import settings

settings.register_profile("project", deadline=None, max_examples=50)
settings.load_profile("project")
