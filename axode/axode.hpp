/// Axode: kinematics and dynamics of multibody systems. All that daily work needs, in one include.
///
/// What is not here has its header in the same rooms: bounds on steps and files, the parts that the
/// algorithms are made of, definitions for scalars other than double (any_scalar/).
#pragma once

// Errors: what, where, and how to fix it.
#include "axode/core/error.hpp"

// Screws, twists, wrenches and inertia; rotations and poses, their exponentials and adjoints.
#include "axode/lie/adjoint.hpp"
#include "axode/lie/rotation.hpp"
#include "axode/screw/chasles.hpp"
#include "axode/screw/convert.hpp"
#include "axode/screw/inertia.hpp"

// Trees: joints, bodies, frames; states; from files.
#include "axode/io/model_file.hpp"
#include "axode/io/scene_file.hpp"
#include "axode/model/builder.hpp"
#include "axode/model/frames.hpp"
#include "axode/model/state.hpp"

// Production evaluation in double: one state, many states.
#include "axode/engine/batch.hpp"
#include "axode/engine/calls.hpp"
#include "axode/engine/energy.hpp"
#include "axode/engine/engine.hpp"
#include "axode/engine/frames.hpp"
#include "axode/engine/kinematics_calls.hpp"

// Kinematics: poses, Jacobians of any frame in any frame, inverse kinematics.
#include "axode/kinematics/centre_of_mass.hpp"
#include "axode/kinematics/frames/frame_kinematics.hpp"
#include "axode/kinematics/inverse/inverse_kinematics.hpp"
#include "axode/kinematics/jacobian.hpp"
#include "axode/kinematics/motion.hpp"
#include "axode/kinematics/poses.hpp"

// Dynamics: the reference, in any representation.
#include "axode/dynamics/derivatives/linearize.hpp"
#include "axode/dynamics/derivatives/oscillations.hpp"
#include "axode/dynamics/energy.hpp"
#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/dynamics/matrices/coriolis.hpp"
#include "axode/dynamics/matrices/mass_matrix.hpp"

// Mechanisms with closed loops: in any coordinates; position, motion, mobility, reactions.
#include "axode/io/mechanism/mechanism_file.hpp"
#include "axode/mechanism/analysis/follow.hpp"
#include "axode/mechanism/analysis/mobility.hpp"
#include "axode/mechanism/analysis/motion_analysis.hpp"
#include "axode/mechanism/dynamics/linearize.hpp"
#include "axode/mechanism/dynamics/mechanism_dynamics.hpp"
#include "axode/mechanism/dynamics/reactions.hpp"
#include "axode/mechanism/equations/formulate.hpp"

// Elastic links.
#include "axode/flexible/tree/builder.hpp"
#include "axode/flexible/tree/dynamics.hpp"
#include "axode/flexible/tree/modal.hpp"
#include "axode/io/flexible/flexible_file.hpp"

// Simulation of all three, and the files of runs.
#include "axode/io/run/run_file.hpp"
#include "axode/simulate/run/simulate.hpp"
