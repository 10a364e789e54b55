"""A release: what can be downloaded, read, cited and built again, byte for byte, from one commit."""

from compendium.release._archive import (
    checksums,
    zip_folder,
)
from compendium.release._crate import (
    crate,
)
from compendium.release._release import (
    build_release,
)
from compendium.release._version import (
    prepare,
    tag,
)

__all__ = [
    "build_release",
    "checksums",
    "crate",
    "prepare",
    "tag",
    "zip_folder",
]
