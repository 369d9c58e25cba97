"""Errors, threads and the processor."""

from axode._axode import best_instruction_set, set_threads, threads
from axode._errors import Error, IoError, LimitError, SingularError

__all__ = [
    "best_instruction_set",
    "Error",
    "IoError",
    "LimitError",
    "set_threads",
    "SingularError",
    "threads",
]
