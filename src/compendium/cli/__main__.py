"""``python -m compendium.cli`` is ``compendium``."""

import sys

from compendium.cli import main

sys.exit(main())
