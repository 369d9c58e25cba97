/// What `axode kinematics` computes of one state, and the three ways to print it.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "axode/kinematics/centre_of_mass.hpp"
#include "axode/kinematics/frame_kinematics.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/states.hpp"

namespace axode::cli {

/// The frames asked for and what is known of them in one state after the other.
class Kinematics {
 public:
  Kinematics(const StateSpace& space, const KinematicsOptions& options);
  /// Throws NumericalError, which names the frame, if a result is not finite; `which` is the state.
  void evaluate(const GivenState& state, const std::string& which);

  std::size_t size() const { return queries_.size(); }
  const std::string& name(std::size_t i) const { return queries_[i].name; }
  SE3<double> pose(std::size_t i) const;
  Vec6<double> twist(std::size_t i) const;
  Vec6<double> acceleration(std::size_t i) const;
  /// By velocity; good until the next call.
  const std::vector<Vec6<double>>& jacobian(std::size_t i);
  bool has_mass() const { return sums_.mass[0] > 0; }
  const MassSums<double>& sums() const { return sums_; }

  const StateSpace& space;
  const KinematicsOptions& options;
  RotationForm rotation = RotationForm::quaternion;
  std::string relative_to;

 private:
  void compute(const GivenState& state);
  void check_finite(const GivenState& state, const std::string& which);
  /// Components of the second kind of mixed representation need two frames to be expressed in.
  struct Query {
    std::string name;
    FrameRoles angular, linear;
  };
  Rep rep_ = Rep::hybrid;
  std::vector<Query> queries_;
  Poses<double> poses_;
  Motion<Rep::body> motion_;
  MassSums<double> sums_;
  std::vector<Vec6<double>> columns_, linear_columns_;
};

/// How a sequence of states came to its end.
struct Ending {
  bool interrupted = false;
  std::string error;  ///< empty: there was none
  StateShape shape;   ///< of the states, where it is known without any
};

/// Prints states as they come.
class StatePrinter {
 public:
  virtual ~StatePrinter() = default;
  virtual void begin() {}
  virtual void state(Kinematics& kinematics, const GivenState& state, std::size_t number) = 0;
  virtual void end(const Ending& ending) = 0;
};
/// JSON, CSV or text, by the options. `many`: states are numbered.
std::unique_ptr<StatePrinter> state_printer(const Kinematics& kinematics, Output& output,
                                            bool many);

/// w x y z with w >= 0; where w is zero the first other component is positive.
std::array<double, 4> tidy_quaternion(const SO3<double>& R);
/// "shoulder=0.3 ball=1,0,0,0", as --q takes it.
std::string assignments(const StateSpace& space, Order order, std::span<const double> x);

}  // namespace axode::cli
