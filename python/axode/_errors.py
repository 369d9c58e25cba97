"""The exceptions of Axode: misuse and bad input, told as what, where and remedy."""


class Error(ValueError):
    """Misuse or bad input. `str()` reads "where: problem; remedy"; the parts are attributes.

    Numerical outcomes that can happen to a correct user (not converged, rank lost) are fields of
    results instead.
    """

    problem: str
    where: str
    remedy: str

    def __init__(self, problem: str = "", where: str = "", remedy: str = "") -> None:
        super().__init__(problem, where, remedy)
        self.problem, self.where, self.remedy = problem, where, remedy

    def __str__(self) -> str:
        text = f"{self.where}: {self.problem}" if self.where else self.problem
        return f"{text}; {self.remedy}" if self.remedy else text


class IoError(Error, OSError):
    """A file that cannot be read or written."""


class LimitError(Error):
    """Input beyond a limit of the library: file size, depth, number of items."""


class SingularError(Error):
    """A model without an answer at this state: a degree of freedom that moves no inertia."""
