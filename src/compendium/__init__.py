"""The research beside the library: studies rerun, their results, and the book that reads them.

A room per text, named by its citation key: its study, its tables, its figures. A folder ``compendium/<key>`` with a
``study`` module anywhere on the Python path is a room too.
"""

import pkgutil

__path__ = pkgutil.extend_path(__path__, __name__)
