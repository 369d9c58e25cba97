# The part of bench_peers.cmake for the libraries of Debian, and for those that are compiled here from
# sources; each is left out if its parts are missing.
#
# Debian packages: liborocos-kdl-dev libdart-dev libsimbody-dev libbullet-dev libbullet-extras-dev
# (and libeigen3-dev). The rest is fetched by scripts/setup_peers_extra.
#
# Debian's KDL, DART and Simbody are built by -O2 with assertions. Our inline code of them must agree
# about alignment, hence no -march, and about assertions.
set(peers_asserting -O2)
set(peers_sources ${PROJECT_SOURCE_DIR}/build/peers/sources)
set(peers_eigen -isystem /usr/include/eigen3)

# --- KDL --------------------------------------------------------------------------------------------

find_path(AXODE_KDL kdl/chainhdsolver_vereshchagin.hpp)
if(AXODE_KDL)
  peer(kdl_packaged SOURCES bench/peers/kdl.cpp FLAGS ${peers_asserting} OPTIONS ${peers_eigen}
       LINK -lorocos-kdl)
  set(kdl ${peers_sources}/kdl/orocos_kdl/src)
  if(EXISTS ${kdl})
    set(files "")
    foreach(name articulatedbodyinertia chain chaindynparam chainfdsolver_recursive_newton_euler
            chainfksolverpos_recursive chainhdsolver_vereshchagin chainidsolver_recursive_newton_euler
            chainjnttojacsolver frames frames_io jacobian jntarray jntspaceinertiamatrix joint kinfam_io
            rigidbodyinertia rotationalinertia segment tree treefksolverpos_recursive
            treeidsolver_recursive_newton_euler treejnttojacsolver utilities/ldl_solver_eigen
            utilities/svd_eigen_HH)
      list(APPEND files ${kdl}/${name}.cpp)
    endforeach()
    foreach(name error_stack utility utility_io)
      list(APPEND files ${kdl}/utilities/${name}.cxx)
    endforeach()
    # The same headers; the package has config.h, too.
    peer(kdl_native SOURCES bench/peers/kdl.cpp ${files} FLAGS ${peers_native}
         OPTIONS -w ${peers_eigen} -isystem ${AXODE_KDL}/kdl)
  endif()
endif()

# --- Bullet: the package lacks the headers of its inverse dynamics, the sources have them -----------

find_path(AXODE_BULLET bullet/BulletDynamics/Featherstone/btMultiBody.h)
set(bullet ${peers_sources}/bullet/src)
if(EXISTS ${bullet})
  set(bullet_files bench/peers/bullet.cpp bench/peers/bullet_multibody.cpp)
  set(bullet_options -DBT_USE_DOUBLE_PRECISION ${peers_eigen} -isystem ${bullet})
  find_library(AXODE_BULLET_LIBRARY BulletInverseDynamics-float64)
  if(AXODE_BULLET AND AXODE_BULLET_LIBRARY)
    peer(bullet_packaged SOURCES ${bullet_files} FLAGS ${peers_generic}
         OPTIONS -isystem ${AXODE_BULLET}/bullet ${bullet_options}
         LINK -lBulletInverseDynamics-float64 -lBulletDynamics-float64 -lBulletCollision-float64
              -lLinearMath-float64 -lBullet3Common-float64)
  endif()
  file(GLOB files ${bullet}/BulletInverseDynamics/*.cpp ${bullet}/BulletInverseDynamics/details/*.cpp
       ${bullet}/LinearMath/*.cpp)
  foreach(name Bullet3Common/b3AlignedAllocator Bullet3Common/b3Logging Bullet3Common/b3Vector3
          BulletCollision/CollisionDispatch/btCollisionObject BulletDynamics/Dynamics/btRigidBody
          BulletDynamics/ConstraintSolver/btTypedConstraint BulletDynamics/Featherstone/btMultiBody)
    list(APPEND files ${bullet}/${name}.cpp)
  endforeach()
  peer(bullet_native SOURCES ${bullet_files} ${files} FLAGS ${peers_native} OPTIONS -w ${bullet_options})
endif()

# --- DART and Simbody -------------------------------------------------------------------------------

find_path(AXODE_DART dart/dynamics/Skeleton.hpp)
if(AXODE_DART)
  peer(dart_packaged SOURCES bench/peers/dart.cpp FLAGS ${peers_asserting} OPTIONS ${peers_eigen}
       LINK -ldart)
endif()

find_path(AXODE_SIMBODY simbody/SimTKsimbody.h)
if(AXODE_SIMBODY)  # gcc warns of its strides
  peer(simbody_packaged SOURCES bench/peers/simbody.cpp FLAGS ${peers_asserting}
       OPTIONS -isystem ${AXODE_SIMBODY}/simbody -w LINK -lSimTKsimbody -lSimTKmath -lSimTKcommon)
endif()

# --- RBDL and iDynTree ------------------------------------------------------------------------------

set(rbdl ${peers_sources}/rbdl)
if(EXISTS ${rbdl}/src)
  set(files "")
  foreach(name Constraints Dynamics Joint Kinematics Logging Model rbdl_mathutils rbdl_utils rbdl_version)
    list(APPEND files ${rbdl}/src/${name}.cc)
  endforeach()
  set(rbdl_peer SOURCES bench/peers/rbdl.cpp ${files} OPTIONS -w ${peers_eigen}
      -isystem ${rbdl}/include -isystem ${rbdl}/include/Linux)
  peer(rbdl_native ${rbdl_peer} FLAGS ${peers_native})
  peer(rbdl_v3 ${rbdl_peer} FLAGS ${peers_v3})
endif()

set(idyntree ${peers_site}/idyntree)
if(EXISTS ${idyntree}/lib/libidyntree-model.a)
  file(GLOB info ${peers_site}/idyntree-*.dist-info)
  string(REGEX REPLACE ".*idyntree-([0-9.]+)\\.dist-info" "\\1" version "${info}")
  peer(idyntree_packaged SOURCES bench/peers/idyntree.cpp FLAGS ${peers_generic}
       OPTIONS ${peers_eigen} -isystem ${idyntree}/include "-DIDYNTREE_VERSION=\"${version}\""
       LINK ${idyntree}/lib/libidyntree-model.a ${idyntree}/lib/libidyntree-core.a)
endif()

# --- Drake, whose wheel has no headers, and frax, which is written in Python ------------------------

# peer_script(name python script): a program that runs the script by that Python.
function(peer_script name python script)
  set(program ${PROJECT_BINARY_DIR}/peers/${name})
  file(WRITE ${program} "#!/bin/sh\nexec ${PROJECT_SOURCE_DIR}/${python} -B \
    ${PROJECT_SOURCE_DIR}/${script} \"$@\"\n")
  file(CHMOD ${program} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ WORLD_READ)
endfunction()

if(EXISTS ${peers_site}/pydrake)
  peer_script(drake_python build/peers/python/bin/python bench/peers/drake_peer.py)
endif()
if(EXISTS ${PROJECT_SOURCE_DIR}/build/peers/frax/bin/frax_is_there)
  peer_script(frax_python build/peers/frax/bin/python bench/peers/frax_peer.py)
endif()
