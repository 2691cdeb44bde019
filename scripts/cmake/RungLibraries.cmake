# Libraries that are rungs, and that a build can do without. Those that it need not know are opened at run time:
# cpu/backend/opened_blas.c.

# rung_library(NAME MISSING LEFT-OUT): takes the library whose NAME_INCLUDE_DIR and NAME_LIBRARY were found. Sets HAVE_NAME to
# 0 or 1 as RUNGBENCH_NAME wants it, and adds the library to RUNGBENCH_RUNG_LIBRARIES. The texts say what is not there.
macro(rung_library name missing left_out)
    set(HAVE_${name} 0)
    if(NOT RUNGBENCH_${name} STREQUAL OFF)
        if(${name}_INCLUDE_DIR AND ${name}_LIBRARY)
            set(HAVE_${name} 1)
            string(TOLOWER ${name} target)
            add_library(${target} INTERFACE)
            # SYSTEM: its headers need not pass our warnings.
            target_include_directories(${target} SYSTEM INTERFACE ${${name}_INCLUDE_DIR})
            target_link_libraries(${target} INTERFACE ${${name}_LIBRARY})
            list(APPEND RUNGBENCH_RUNG_LIBRARIES ${target})
        elseif(RUNGBENCH_${name} STREQUAL ON)
            message(FATAL_ERROR "RUNGBENCH_${name} is ON, but ${missing}")
        else()
            message(STATUS "Left out: ${left_out}")
        endif()
    endif()
endmacro()

find_path(OPENBLAS_INCLUDE_DIR openblas_config.h PATH_SUFFIXES openblas HINTS /usr/include/${CMAKE_LIBRARY_ARCHITECTURE})
find_library(OPENBLAS_LIBRARY openblas)
rung_library(OPENBLAS "OpenBLAS was not found (Debian: libopenblas-dev)"
    "the OpenBLAS rung (OpenBLAS was not found; Debian: libopenblas-dev)")
list(APPEND RUNGBENCH_RUNG_LIBRARIES ${CMAKE_DL_LIBS}) # dlsym(), dlopen()
if(NOT HAVE_OPENBLAS AND NOT RUNGBENCH_OPENBLAS STREQUAL OFF)
    list(APPEND RUNGBENCH_MISSING libopenblas-dev)
endif()

# Release 3 of oneDNN has another interface.
find_path(ONEDNN_INCLUDE_DIR oneapi/dnnl/dnnl_version.h)
find_library(ONEDNN_LIBRARY dnnl)
set(release "")
if(ONEDNN_INCLUDE_DIR)
    file(STRINGS "${ONEDNN_INCLUDE_DIR}/oneapi/dnnl/dnnl_version.h" release REGEX "define DNNL_VERSION_MAJOR 2$")
endif()
if(NOT release)
    set(ONEDNN_LIBRARY ONEDNN_LIBRARY-NOTFOUND)
endif()
rung_library(ONEDNN "oneDNN 2 was not found (Debian: libdnnl-dev)"
    "the oneDNN rung (oneDNN 2 was not found; Debian: libdnnl-dev)")
