# The programs of the comparison of libraries, build/bench/peers/<library>_<build>, for each library
# of bench/peers that scripts/setup bench and scripts/setup_peers have fetched. Target bench_peers_all
# makes all of them, and bench_peers_models.
#
# Builds: native (-O3 -march=native), packaged (the library as delivered), v3 (to count instructions:
# valgrind knows no AVX-512). Each library is compiled by the compiler that suits it, hence by commands
# of our own; bench/peers/protocol.hpp needs nothing but C++17.
set(peers_native -O3 -march=native -DNDEBUG)
set(peers_v3 -O3 -march=x86-64-v3 -DNDEBUG)
set(peers_generic -O2 -DNDEBUG)
add_custom_target(bench_peers_all)

# Compiles a source file of the program `name`; `result` is set to the object. The program tells its
# flags, not its options.
function(peer_object result name source compiler flags options)
  string(REPLACE ";" " " told "${flags}")
  string(MAKE_C_IDENTIFIER "${source}" identifier)
  set(object ${PROJECT_BINARY_DIR}/peers/${name}.objects/${identifier}.o)
  cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
  add_custom_command(
    OUTPUT ${object} DEPENDS ${source} DEPFILE ${object}.d
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/peers/${name}.objects
    COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${compiler} -std=c++17 -I${PROJECT_SOURCE_DIR} ${options} ${flags}
            "-DPEERS_FLAGS=\"${told}\"" -MD -MF ${object}.d -c ${source} -o ${object}
    COMMENT "Compiling ${source} for ${name}" VERBATIM)
  set(${result} ${object} PARENT_SCOPE)
endfunction()

set(peers_common "")
foreach(source protocol flat_model coordinates)
  if(EXISTS ${PROJECT_SOURCE_DIR}/bench/peers/${source}.cpp)
    peer_object(object common bench/peers/${source}.cpp ${CMAKE_CXX_COMPILER} "${peers_generic}"
                "-Wall;-Wextra;-Wpedantic;-Wconversion;-Wshadow")
    list(APPEND peers_common ${object})
  endif()
endforeach()
add_custom_target(peers_common DEPENDS ${peers_common})

# peer(name SOURCES s... [COMPILER c] FLAGS f... OPTIONS o... LINK l...): one program.
function(peer name)
  cmake_parse_arguments(PARSE_ARGV 1 peer "" "COMPILER" "SOURCES;FLAGS;OPTIONS;LINK")
  if(NOT peer_COMPILER)
    set(peer_COMPILER ${CMAKE_CXX_COMPILER})
  endif()
  set(objects "")
  foreach(source ${peer_SOURCES})
    peer_object(object ${name} ${source} ${peer_COMPILER} "${peer_FLAGS}" "${peer_OPTIONS}")
    list(APPEND objects ${object})
  endforeach()
  set(program ${PROJECT_BINARY_DIR}/peers/${name})
  add_custom_command(OUTPUT ${program} DEPENDS ${objects} ${peers_common} peers_common
                     COMMAND ${CMAKE_CXX_COMPILER} ${objects} ${peers_common} ${peer_LINK} -o ${program}
                     COMMENT "Linking ${name}" VERBATIM)
  add_custom_target(${name} DEPENDS ${program})
  add_dependencies(bench_peers_all ${name})
endfunction()

# --- Axode as it is delivered: it chooses instructions at run time ---------------------------------

add_executable(axode_packaged EXCLUDE_FROM_ALL bench/peers/axode.cpp ${peers_common})
set_target_properties(axode_packaged PROPERTIES
                      RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/peers)
target_link_libraries(axode_packaged PRIVATE axode::axode)
axode_own(axode_packaged)
target_compile_definitions(axode_packaged PRIVATE PEERS_FLAGS="-O3")
add_dependencies(axode_packaged peers_common)
add_dependencies(bench_peers_all axode_packaged)

add_executable(bench_peers_models EXCLUDE_FROM_ALL bench/peers/models.cpp bench/peers/flat_model.cpp)
target_link_libraries(bench_peers_models PRIVATE axode::axode)
axode_own(bench_peers_models)
add_dependencies(bench_peers_all bench_peers_models)

# --- Libraries of PyPI ------------------------------------------------------------------------------

file(GLOB peers_site CONFIGURE_DEPENDS build/peers/python/lib/python3*/site-packages)
find_program(AXODE_CLANG NAMES clang++)

set(cmeel ${peers_site}/cmeel.prefix)
if(EXISTS ${cmeel}/include/pinocchio/config.hpp)
  # Its Data allocates four times nv^3 numbers for second derivatives, 32 GB for 1000 joints: a copy of
  # that header leaves them empty. Nothing that is timed uses them.
  file(READ ${cmeel}/include/pinocchio/src/multibody/data.hxx text)
  string(REGEX REPLACE "(d2tau_[a-z]+)\\(model\\.nv, model\\.nv, model\\.nv\\)" "\\1(0, 0, 0)" text "${text}")
  file(CONFIGURE OUTPUT peers/include/pinocchio/src/multibody/data.hxx CONTENT "${text}" @ONLY)
  set(pinocchio_options -DBOOST_MPL_LIMIT_LIST_SIZE=30 -DBOOST_MPL_LIMIT_VECTOR_SIZE=30
      -DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS -DBOOST_FUSION_INVOKE_MAX_ARITY=12 -w
      -isystem ${cmeel}/include -isystem ${cmeel}/include/eigen3 -isystem /usr/include/eigen3)
  set(pinocchio_link -L${cmeel}/lib -lboost_serialization -Wl,-rpath,${cmeel}/lib)
  set(pinocchio SOURCES bench/peers/pinocchio.cpp LINK ${pinocchio_link} OPTIONS
      -isystem ${PROJECT_BINARY_DIR}/peers/include ${pinocchio_options})
  peer(pinocchio_gcc_native ${pinocchio} FLAGS ${peers_native} -fno-math-errno)
  peer(pinocchio_packaged SOURCES bench/peers/pinocchio.cpp FLAGS ${peers_generic}
       OPTIONS ${pinocchio_options} -DPINOCCHIO_ENABLE_TEMPLATE_INSTANTIATION
       LINK ${pinocchio_link} -lpinocchio_default)
  if(AXODE_CLANG)
    set(clang COMPILER ${AXODE_CLANG} ${pinocchio} FLAGS)
    peer(pinocchio_clang_native ${clang} ${peers_native})
    peer(pinocchio_clang_v3 ${clang} ${peers_v3})
    # All these make it faster: fused multiplications as g++ has them by itself, more inlining, and for
    # most functions no vectors of Eigen.
    list(APPEND clang -ffp-contract=fast -fno-math-errno -mllvm -inline-threshold=2000)
    peer(pinocchio_clang_tuned_native ${clang} ${peers_native})
    peer(pinocchio_clang_tuned_scalar_native ${clang} ${peers_native} -DEIGEN_DONT_VECTORIZE)
  endif()
endif()

file(GLOB mujoco_library CONFIGURE_DEPENDS ${peers_site}/mujoco/libmujoco.so.*)
if(mujoco_library)
  peer(mujoco_packaged SOURCES bench/peers/mujoco.cpp FLAGS ${peers_generic}
       OPTIONS -isystem ${peers_site}/mujoco/include
       LINK ${mujoco_library} -Wl,-rpath,${peers_site}/mujoco)
endif()

include(cmake/bench_peers_debian.cmake)
