/// What each evaluation of one state begins with.
#pragma once
#include "axode/engine/engine.hpp"

namespace axode::engine {

/// Constants and arguments; trigonometry and general joints done. v and a may be none.
Call<double> start(Engine& e, In<double> q, In<double> v, In<double> a) noexcept;
/// The tree's bodies, for their poses.
EngineSteps steps_of(const Engine& e) noexcept;

}  // namespace axode::engine
