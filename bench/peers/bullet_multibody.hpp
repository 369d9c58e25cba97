/// A btMultiBody of a flat model, for the forward dynamics of bench/peers/bullet.cpp. Bullet's links
/// have their frames in the centre of mass, along the principal axes of inertia.
#pragma once
#include <BulletDynamics/Featherstone/btMultiBody.h>

#include <memory>
#include <vector>

#include "bench/peers/coordinates.hpp"

namespace peers {

class BulletMultiBody {
 public:
  BulletMultiBody(const Model& model, const States& states);

  /// Sets state k with all forces, and finds the accelerations.
  void forward_dynamics(int k);
  /// The acceleration found at state k in the coordinates of the flat model.
  void add_acceleration(int k, std::vector<double>& out) const;

 private:
  /// Bullet's frame of a link in the frame of the body.
  struct Frame {
    btMatrix3x3 R = btMatrix3x3::getIdentity();
    btVector3 com{0, 0, 0};
    btVector3 moments{0, 0, 0};
  };
  struct BaseState {
    btVector3 position{0, 0, 0}, velocity{0, 0, 0}, omega{0, 0, 0}, force{0, 0, 0}, torque{0, 0, 0};
    btQuaternion from_world = btQuaternion::getIdentity();
  };
  static Frame frame_of(const Body& body);
  void add_link(int link, const Body& body, const Frame& parent, const Frame& own, int parent_link);
  void add_base_state(const Frame& base, int k);

  const Model* model_;
  const States* states_;
  Coordinates coordinates_;
  bool free_;
  int first_;  ///< body of the first link
  btVector3 gravity_;
  std::unique_ptr<btMultiBody> multibody_;
  std::vector<BaseState> base_;
  std::vector<btVector3> weights_;
  btAlignedObjectArray<btScalar> numbers_;  // scratch of Bullet
  btAlignedObjectArray<btVector3> vectors_;
  btAlignedObjectArray<btMatrix3x3> matrices_;
};

}  // namespace peers
