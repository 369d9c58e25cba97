# bench/<module>/*.cpp becomes the executable bench_<module>, compiled for any x86-64 (or other
# baseline), and bench_<module>_native, compiled for this processor. bench/support is in both.
find_package(benchmark REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)

add_library(bench_support STATIC bench/support/compare.cpp bench/support/timed.cpp)
target_link_libraries(bench_support PUBLIC benchmark::benchmark)
axode_own(bench_support)

# Libraries to compare with, fetched by scripts/setup_peers; without one its columns stay empty.
add_library(bench_peers INTERFACE)
target_link_libraries(bench_peers INTERFACE Eigen3::Eigen)
if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/build/peers/include)
  target_include_directories(bench_peers SYSTEM INTERFACE ${PROJECT_SOURCE_DIR}/build/peers/include)
endif()

# As an interface, so that the objects for lanes get the flags too.
add_library(bench_flags_generic INTERFACE)
target_compile_definitions(bench_flags_generic INTERFACE AXODE_BENCH_FLAGS="baseline")
add_library(bench_flags_native INTERFACE)
target_compile_options(bench_flags_native INTERFACE -march=native)
target_compile_definitions(bench_flags_native INTERFACE AXODE_BENCH_FLAGS="-march=native")

function(axode_bench target flags)
  add_executable(${target})
  target_link_libraries(${target} PRIVATE axode::axode bench_support bench_peers ${flags})
  axode_own(${target})
  axode_sources(${target} ${ARGN})
endfunction()

file(GLOB modules RELATIVE ${PROJECT_SOURCE_DIR}/bench CONFIGURE_DEPENDS bench/*)
list(REMOVE_ITEM modules support peers simulate mechanism flexible)  # peers: bench_peers.cmake; others: below
foreach(module ${modules})
  file(GLOB files CONFIGURE_DEPENDS bench/${module}/*.cpp)
  if(files)
    axode_bench(bench_${module} bench_flags_generic ${files})
    axode_bench(bench_${module}_native bench_flags_native ${files})
  endif()
endforeach()

# Error against time of the integration methods: the library counts, as it is installed.
file(GLOB files CONFIGURE_DEPENDS bench/simulate/*.cpp)
axode_bench(bench_work_precision bench_flags_generic ${files})
# How the cost of mechanisms grows with their loops.
axode_bench(bench_mechanism bench_flags_generic bench/mechanism/scaling.cpp)
# The manoeuvre of the flexible arm, evaluations of its equations, chains of elastic links.
file(GLOB files CONFIGURE_DEPENDS bench/flexible/*.cpp)
axode_bench(bench_flexible bench_flags_generic ${files})

include(cmake/bench_peers.cmake)
