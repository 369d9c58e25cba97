"""The compiled module for this package's own use: its private functions are in no stub."""

from typing import Any

from axode import _axode

compiled: Any = _axode
