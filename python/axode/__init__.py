"""Kinematics and dynamics of multibody systems by screw theory and Lie groups.

The names are those of the C++ library. Angles in rad, lengths in m, SI throughout; six-vectors have
the angular part first. Arrays are float64 in C order. Where an argument is a state of shape (n,), one
of shape (batch, n) gives a result with a leading batch axis.
"""

from axode import typing as typing
from axode._errors import Error as Error
from axode._errors import IoError as IoError
from axode._errors import LimitError as LimitError
from axode._errors import SingularError as SingularError
from axode._axode import *  # noqa: F403
from axode._axode import version as __version__
from axode._results import *  # noqa: F403
from axode._run import Run as Run
from axode._simulate import Event as Event
from axode._simulate import Scene as Scene
from axode._simulate import load_scene as load_scene
from axode._simulate import parse_scene as parse_scene
from axode._simulate import simulate as simulate
from axode._simulate import simulate_file as simulate_file
from axode._integrate import integrate as integrate
from axode._flexible import *  # noqa: F403
from axode._view import Page as Page
from axode._view import show as show
