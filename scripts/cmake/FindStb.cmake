# stb_image and stb_image_write: headers, and Debian's library of their implementations.
find_path(STB_INCLUDE_DIR stb_image_write.h PATH_SUFFIXES stb)
find_library(STB_LIBRARY NAMES libstb.a stb)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Stb REQUIRED_VARS STB_LIBRARY STB_INCLUDE_DIR
    REASON_FAILURE_MESSAGE "(Debian: libstb-dev)")
if(Stb_FOUND AND NOT TARGET Stb::stb)
    add_library(Stb::stb INTERFACE IMPORTED)
    target_include_directories(Stb::stb SYSTEM INTERFACE ${STB_INCLUDE_DIR})
    target_link_libraries(Stb::stb INTERFACE ${STB_LIBRARY} m)
endif()
