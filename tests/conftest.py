"""No test is timed: on a busy machine that says nothing. Fifty examples, unless a test asks for more.

The examples are the same each time, so that what has passed here passes elsewhere; ``--hypothesis-profile search``
looks for new ones.
"""

from hypothesis import settings

settings.register_profile("project", deadline=None, max_examples=50, derandomize=True)
settings.register_profile("search", deadline=None, max_examples=500)
settings.load_profile("project")
