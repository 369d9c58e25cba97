"""What functions return beside single arrays: named tuples, by the names of the C++ structs.

The compiled module makes them by name (src/results.hpp). A batch gives each array a leading axis.
"""

from typing import NamedTuple

from axode.typing import Array


class InverseDynamicsDerivatives(NamedTuple):
    """Joint forces tau (nv,) and their derivatives (nv, nv): entry [j, k] is d tau_j / d ..._k."""

    tau: Array
    by_q: Array
    by_v: Array
    by_a: Array
from axode._results_lie import *  # noqa: F403, E402
from axode._results_screw import *  # noqa: F403, E402

from axode._results_simulate import *  # noqa: E402, F403


from axode._results_dynamics import *  # noqa: F403,E402
from axode._results_model import *  # noqa: F403, E402
from axode._results_kinematics import *  # noqa: F403, E402


from axode._results_mechanism import *  # noqa: E402, F403
from axode._results_flexible import *  # noqa: E402, F403


from axode._results_dynamics import *  # noqa: F403,E402
from axode._results_contacts import *  # noqa: F403
from axode._results_dynamics import *  # noqa: F403
