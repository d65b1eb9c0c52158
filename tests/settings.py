"""The product's settings, on a data folder that goes away with the tests, and without the local model."""

import atexit
import os
import shutil
import tempfile


def _own_data_folder() -> str:
    """Made by the first process; pytest-xdist's workers share it."""
    if "ASKWEB_TESTS_DATA" not in os.environ:
        os.environ["ASKWEB_TESTS_DATA"] = tempfile.mkdtemp(prefix="askweb-tests-")
        atexit.register(shutil.rmtree, os.environ["ASKWEB_TESTS_DATA"], ignore_errors=True)
    return os.environ["ASKWEB_TESTS_DATA"]


os.environ["ASKWEB_DATA"] = _own_data_folder()
os.environ["ASKWEB_LOCAL_MODEL"] = "off"
os.environ |= dict.fromkeys(("ASKWEB_SIGN_IN_RATE", "ASKWEB_PAIRING_RATE", "ASKWEB_POSTING_RATE"), "off")

from askweb.settings import *  # noqa: E402, F403 - only once the environment says where

# Redis, where there is one, is shared by all processes that test.
CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
