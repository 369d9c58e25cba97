/// What the compiled code for many states is given of a Batch.
/// Tests: tests/engine/batch_test.cpp
#pragma once
#include "axode/engine/batch.hpp"

namespace axode::batch {

/// Constants and options; arguments and results are not in it yet.
Job make_job(const Batch& batch, Task task, std::ptrdiff_t states, const BatchOptions& options);

/// Makes the paths of matrices, if they are not there.
void make_pattern(Batch& batch);
/// Adds them, and what products with inverses need of them, to a job.
void add_pattern(Batch& batch, Job& job);

}  // namespace axode::batch
