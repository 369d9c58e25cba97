# Libraries of others: readers and writers of files, decompositions, stiff integrators. They are used inside; no public
# header needs them. KLU is LGPL and therefore linked dynamically.
#
# Where the -dev packages of SUNDIALS, HDF5, cairo and Boost are not installed, scripts/setup has unpacked their headers
# into build/packages and installed the libraries themselves, which then are found by their full names.
set(axode_packages ${PROJECT_SOURCE_DIR}/build/packages/usr)
set(ask "run scripts/setup, or install")

# axode_header(variable header package suffixes...): the folder of a header.
function(axode_header variable header package)
  find_path(${variable} ${header} PATHS ${axode_packages}/include PATH_SUFFIXES ${ARGN})
  if(NOT ${variable})
    message(FATAL_ERROR "There is no ${header}: ${ask} ${package}")
  endif()
endfunction()
# axode_library(variable names...): a library by one of its names.
function(axode_library variable)
  find_library(${variable} NAMES ${ARGN})
  if(NOT ${variable})
    message(FATAL_ERROR "There is no library ${ARGV1}: ${ask} it")
  endif()
endfunction()

find_package(pugixml REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(fmt REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(ZLIB REQUIRED)
axode_header(AXODE_KLU_INCLUDE klu.h libsuitesparse-dev suitesparse)
axode_header(AXODE_HDF5_INCLUDE hdf5.h libhdf5-dev hdf5/serial)
axode_header(AXODE_SUNDIALS_INCLUDE sundials/sundials_config.h libsundials-dev)
file(STRINGS ${AXODE_SUNDIALS_INCLUDE}/sundials/sundials_config.h version REGEX "define SUNDIALS_VERSION_MAJOR 6")
if(NOT version)
  message(FATAL_ERROR "Axode needs SUNDIALS 6; ${AXODE_SUNDIALS_INCLUDE} has another version")
endif()
axode_library(AXODE_HDF5 hdf5_serial libhdf5_serial.so.103)
axode_library(AXODE_CVODE sundials_cvode libsundials_cvode.so.6)
axode_library(AXODE_IDA sundials_ida libsundials_ida.so.6)
axode_library(AXODE_ARKODE sundials_arkode libsundials_arkode.so.5)
axode_library(AXODE_KINSOL sundials_kinsol libsundials_kinsol.so.6)
axode_library(AXODE_SUNMATRIX sundials_sunmatrixsparse libsundials_sunmatrixsparse.so.4)
axode_library(AXODE_NVECTOR sundials_nvecserial libsundials_nvecserial.so.6)

set(axode_headers ${AXODE_KLU_INCLUDE} ${AXODE_HDF5_INCLUDE} ${AXODE_SUNDIALS_INCLUDE})
set(axode_libraries ${AXODE_CVODE} ${AXODE_IDA} ${AXODE_ARKODE} ${AXODE_KINSOL} ${AXODE_SUNMATRIX} ${AXODE_NVECTOR}
    klu zstd ${AXODE_HDF5} z fmt)
