# The page of the viewer is part of the library: axode/view/page_data.cpp holds its bytes. It is committed as
# viewer/dist/viewer.html, so that Axode builds without Node; scripts/build_viewer makes it from viewer/src.
set(AXODE_VIEWER_PAGE ${PROJECT_SOURCE_DIR}/viewer/dist/viewer.html)
configure_file(axode/view/page/page_data.cpp.in page_data.cpp @ONLY)
set_source_files_properties(${PROJECT_BINARY_DIR}/page_data.cpp PROPERTIES
                            OBJECT_DEPENDS ${AXODE_VIEWER_PAGE} SKIP_UNITY_BUILD_INCLUSION ON)
target_sources(axode PRIVATE ${PROJECT_BINARY_DIR}/page_data.cpp)
