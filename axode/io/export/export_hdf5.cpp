/// HDF5 files: made in memory by the HDF5 library, then written as other files are.
#include <hdf5.h>

#include <array>

#include "axode/core/error.hpp"
#include "axode/io/export/export_run.hpp"

namespace axode {
namespace {

/// An object of the library, closed at the end. Throws Error if there is none.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {
    if (id < 0) throw Error("the HDF5 library refuses to make the file", "export");
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { close_(id_); }
  operator hid_t() const noexcept { return id_; }  // NOLINT(google-explicit-constructor)

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

void check(herr_t status) {
  if (status < 0) throw Error("the HDF5 library refuses to make the file", "export");
}

/// Texts as an attribute; one text if there is but one and it is not a list.
void put_texts(hid_t object, const char* name, const std::vector<std::string>& texts, bool list) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  check(H5Tset_size(type, H5T_VARIABLE));
  check(H5Tset_cset(type, H5T_CSET_UTF8));
  const hsize_t n = texts.size();
  const Handle space(list ? H5Screate_simple(1, &n, nullptr) : H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  std::vector<const char*> pointers;
  pointers.reserve(texts.size());
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  if (n > 0) check(H5Awrite(attribute, type, pointers.data()));
}

struct DatasetShape {
  std::size_t rows, columns;
  bool scalar;  ///< one number for each row: a list, not a matrix
};

void put_quantity(hid_t file, const RunQuantity& x, const DatasetShape& shape) {
  const std::array<hsize_t, 2> size{shape.rows, shape.columns};
  const Handle space(H5Screate_simple(shape.scalar ? 1 : 2, size.data(), nullptr), H5Sclose);
  const Handle timeless(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  check(H5Pset_obj_track_times(timeless, false));  // the same run gives the same bytes
  const Handle data(
      H5Dcreate2(file, x.name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, timeless, H5P_DEFAULT),
      H5Dclose);
  if (!x.values->empty())
    check(H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x.values->data()));
  if (!shape.scalar) put_texts(data, "names", x.names, true);
  put_texts(data, "units", x.units, !shape.scalar);
}

std::string image_of(hid_t file) {
  check(H5Fflush(file, H5F_SCOPE_GLOBAL));
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  if (size < 0) check(-1);
  std::string bytes(size, '\0');
  if (H5Fget_file_image(file, bytes.data(), bytes.size()) != size) check(-1);
  return bytes;
}

}  // namespace

std::string hdf5_of(const Run& run, const std::vector<std::string>& quantities) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // it would print to standard error
  const std::vector<RunQuantity> chosen = quantities_of(run, quantities);
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  constexpr std::size_t growth = std::size_t{1} << 20;
  check(H5Pset_fapl_core(access, growth, false));  // in memory, nothing on disk
  const Handle timeless(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  check(H5Pset_obj_track_times(timeless, false));  // of the root group
  const Handle file(H5Fcreate("run.h5", H5F_ACC_TRUNC, timeless, access), H5Fclose);
  const std::size_t rows = run.times.size();
  put_quantity(file, {"time", &run.times, {}, {"s"}}, {rows, 1, true});
  for (const RunQuantity& x : chosen) {
    const bool scalar = x.values == &run.kinetic || x.values == &run.potential ||
                        x.values == &run.stored || x.values == &run.work;
    put_quantity(file, x, {rows, x.names.size(), scalar});
  }
  const RunMetadata& m = run.metadata;
  put_texts(file, "model", {m.model_name}, false);
  put_texts(file, "model_file", {m.model_file}, false);
  put_texts(file, "axode_version", {m.axode_version}, false);
  put_texts(file, "command_line", {m.command_line}, false);
  put_texts(file, "options", {m.options}, false);
  return image_of(file);
}

}  // namespace axode
