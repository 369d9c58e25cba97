"""What functions return beside single arrays: named tuples, by the names of the C++ structs.

The compiled module makes them by name (src/shared/results.hpp). A batch gives each array a leading axis.
"""

from axode._results_contacts import *  # noqa: F403
from axode._results_dynamics import *  # noqa: F403
from axode._results_flexible import *  # noqa: F403
from axode._results_kinematics import *  # noqa: F403
from axode._results_lie import *  # noqa: F403
from axode._results_mechanism import *  # noqa: F403
from axode._results_mechanism_parts import *  # noqa: F403
from axode._results_model import *  # noqa: F403
from axode._results_parameters import *  # noqa: F403
from axode._results_screw import *  # noqa: F403
from axode._results_simulate import *  # noqa: F403
