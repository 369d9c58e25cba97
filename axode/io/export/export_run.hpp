/// Runs for other programs: CSV, NPZ (NumPy) and HDF5.
///
/// CSV has one line for each sample under a header "time [s],q:elbow [rad],..."; numbers are the
/// shortest that read back to the same bits. NPZ [NPY] and HDF5 have one array for each quantity,
/// (samples x numbers), beside names and units: in NPZ as texts "q_names", "q_units", in HDF5 as
/// attributes "names", "units" of the dataset. O(n); the file is made in memory and then written
/// whole or not at all.
/// Tests: tests/io/export/export_run_test.cpp
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "axode/io/run/run_file.hpp"

namespace axode {

/// Quantities that can be exported, in their order: q, v, a, tau, kinetic, potential, stored, work,
/// and of mechanisms poses, reactions, violation.
std::vector<std::string> run_quantities();

/// A quantity as a matrix of `columns` numbers for each sample.
struct RunQuantity {
  std::string name;
  const std::vector<double>* values = nullptr;  ///< row after row
  std::vector<std::string> names, units;        ///< of the columns
};
/// The ones named, all if none are. Throws Error on a name that is not known.
std::vector<RunQuantity> quantities_of(const Run& run, const std::vector<std::string>& names = {});

/// The contents of the files.
std::string csv_of(const Run& run, const std::vector<std::string>& quantities = {});
std::string npz_of(const Run& run, const std::vector<std::string>& quantities = {});
std::string hdf5_of(const Run& run, const std::vector<std::string>& quantities = {});

/// Writes the run in the format the ending names: .csv, .npz, .h5 or .hdf5. Throws Error on another
/// ending, IoError if it cannot be written or, unless `overwrite`, exists.
void export_run(const Run& run, const std::filesystem::path& file,
                const std::vector<std::string>& quantities = {}, bool overwrite = false);

}  // namespace axode
