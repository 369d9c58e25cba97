"""Dynamics by Pinocchio, in the order of Axode's velocities: stacks over the states, of matrices over
some of them.

Joint damping and friction have no part in its rnea and aba. The base moves with its velocity in body
axes, as Axode's by default, so that the derivatives along it are the same too.
"""

import numpy as np
import pinocchio as pin


def symmetric(upper):
    return np.triu(upper) + np.triu(upper, 1).T


def moved(momentum, to):
    """(angular, linear) about the origin -> about the point."""
    return np.concatenate([momentum[:3] - np.cross(to, momentum[3:]), momentum[3:]])


def momenta(model, data, s):
    """About the origin of the world, and about the centre of mass of all links, the root as well."""
    hg = pin.computeCentroidalMomentum(model, data, s.q, s.v)
    total = moved(np.concatenate([hg.angular, hg.linear]), -data.com[0])
    root = model.inertias[0]
    mass = data.mass[0] + root.mass
    return total, moved(total, (data.mass[0] * data.com[0] + root.mass * root.lever) / mass)


def stacks(found):
    return {key: np.array([x[key] for x in found]) for key in found[0]}


def inverse(robot, states, some):
    """Potential energies are relative to the first state."""
    m, d, order = robot.model, robot.data, robot.columns()
    square, found, of_some = np.ix_(order, order), [], []
    for s, _ in states:
        total, centroidal = momenta(m, d, s)
        tau = pin.rnea(m, d, s.q, s.v, s.a)
        damped = tau + m.damping * s.v
        found.append(
            {
                "tau": tau[order],
                "damped": damped[order],
                "lossy": (damped + m.upperDryFrictionLimit * np.sign(s.v))[order],
                "bias": pin.nonLinearEffects(m, d, s.q, s.v)[order],
                "gravity": pin.computeGeneralizedGravity(m, d, s.q)[order],
                "momentum": total,
                "centroidal": centroidal,
                "kinetic": pin.computeKineticEnergy(m, d, s.q, s.v),
                "potential": pin.computePotentialEnergy(m, d, s.q),
                "mass": symmetric(pin.crba(m, d, s.q))[square],
            }
        )
    for s, _ in some:
        C = pin.computeCoriolisMatrix(m, d, s.q, s.v)
        x = {"coriolis": (C @ s.v)[order], "mass_rate": (C + C.T)[square]}
        by_q, by_qd, mass = pin.computeRNEADerivatives(m, d, s.q, s.v, s.a)
        x |= {"tau_by_q": by_q[square], "tau_by_v": by_qd[square]}
        of_some.append(x | {"tau_by_a": symmetric(mass)[square]})
    result = stacks(found) | stacks(of_some)
    result["potential"] -= result["potential"][0]
    return result


def coupled_accelerations(robot, mass, bias, tau):
    """Joints that follow others move with them, a = E y, and share their forces."""
    E = robot.coupling()
    return E @ np.linalg.solve(E.T @ mass @ E, E.T @ (tau - bias))


def coupled_derivatives(robot, s, a):
    """Derivatives of y, from those of the forces at the accelerations."""
    m, d, order, E = robot.model, robot.data, robot.columns(), robot.coupling()
    theirs = np.zeros(m.nv)
    theirs[order] = a
    all_by = pin.computeRNEADerivatives(m, d, s.q, s.v, theirs)
    by_q, by_qd, mass = (E.T @ by[np.ix_(order, order)] @ E for by in (*all_by[:2], symmetric(all_by[2])))
    inverse = np.linalg.inv(mass)
    return {"a_by_q": -inverse @ by_q, "a_by_v": -inverse @ by_qd, "a_by_tau": inverse}


def forward(robot, states, some):
    """If joints follow others, the derivatives are those of independent joints along independent
    joints."""
    m, d, order = robot.model, robot.data, robot.columns()
    square, found, of_some = np.ix_(order, order), [], []
    for s, ours in states:
        if robot.mimics:
            mass = symmetric(pin.crba(m, d, s.q))[square]
            bias = pin.nonLinearEffects(m, d, s.q, s.v)[order]
            found.append({"a": coupled_accelerations(robot, mass, bias, ours.tau)})
        else:
            found.append({"a": pin.aba(m, d, s.q, s.v, s.tau)[order]})
    for (s, _), x in zip(some, found, strict=False):
        if robot.mimics:
            of_some.append(coupled_derivatives(robot, s, x["a"]))
        else:
            by_q, by_qd, by_tau = pin.computeABADerivatives(m, d, s.q, s.v, s.tau)
            by = {"a_by_q": by_q, "a_by_v": by_qd, "a_by_tau": symmetric(by_tau)}
            of_some.append({key: matrix[square] for key, matrix in by.items()})
    return stacks(found) | stacks(of_some)
