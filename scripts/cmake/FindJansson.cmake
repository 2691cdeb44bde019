# jansson: JSON.
find_path(JANSSON_INCLUDE_DIR jansson.h)
find_library(JANSSON_LIBRARY jansson)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Jansson REQUIRED_VARS JANSSON_LIBRARY JANSSON_INCLUDE_DIR
    REASON_FAILURE_MESSAGE "(Debian: libjansson-dev)")
if(Jansson_FOUND AND NOT TARGET Jansson::jansson)
    add_library(Jansson::jansson INTERFACE IMPORTED)
    target_include_directories(Jansson::jansson SYSTEM INTERFACE ${JANSSON_INCLUDE_DIR})
    target_link_libraries(Jansson::jansson INTERFACE ${JANSSON_LIBRARY})
endif()
