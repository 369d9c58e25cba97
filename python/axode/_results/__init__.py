"""What functions return beside single arrays: named tuples, by the names of the C++ structs.

The compiled module makes them by name (src/shared/results.hpp), and loads them with the first. A batch gives each
array a leading axis.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from axode._results.contacts import *  # noqa: F403
    from axode._results.dynamics import *  # noqa: F403
    from axode._results.flexible import *  # noqa: F403
    from axode._results.kinematics import *  # noqa: F403
    from axode._results.lie import *  # noqa: F403
    from axode._results.mechanism import *  # noqa: F403
    from axode._results.mechanism_parts import *  # noqa: F403
    from axode._results.model import *  # noqa: F403
    from axode._results.parameters import *  # noqa: F403
    from axode._results.screw import *  # noqa: F403
    from axode._results.simulate import *  # noqa: F403
else:
    import importlib

    PARTS = (
        "contacts",
        "dynamics",
        "flexible",
        "kinematics",
        "lie",
        "mechanism",
        "mechanism_parts",
        "model",
        "parameters",
        "screw",
        "simulate",
    )

    def __getattr__(name: str):
        for part in PARTS:
            module = importlib.import_module(f"axode._results.{part}")
            if name in module.__all__:
                globals()[name] = value = getattr(module, name)
                return value
        raise AttributeError(f"there is no result of the name '{name}'")
