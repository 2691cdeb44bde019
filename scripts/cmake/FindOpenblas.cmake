# Sets HAVE_OPENBLAS to 0 or 1 as RUNGBENCH_OPENBLAS wants it, and adds the library to RUNGBENCH_RUNG_LIBRARIES.
set(HAVE_OPENBLAS 0)
if(NOT RUNGBENCH_OPENBLAS STREQUAL OFF)
    find_path(OPENBLAS_INCLUDE_DIR openblas_config.h PATH_SUFFIXES openblas
        HINTS /usr/include/${CMAKE_LIBRARY_ARCHITECTURE})
    find_library(OPENBLAS_LIBRARY openblas)
    if(OPENBLAS_INCLUDE_DIR AND OPENBLAS_LIBRARY)
        set(HAVE_OPENBLAS 1)
        add_library(openblas INTERFACE)
        # SYSTEM: its headers need not pass our warnings.
        target_include_directories(openblas SYSTEM INTERFACE ${OPENBLAS_INCLUDE_DIR})
        target_link_libraries(openblas INTERFACE ${OPENBLAS_LIBRARY})
        list(APPEND RUNGBENCH_RUNG_LIBRARIES openblas ${CMAKE_DL_LIBS}) # dlsym()
    elseif(RUNGBENCH_OPENBLAS STREQUAL ON)
        message(FATAL_ERROR "RUNGBENCH_OPENBLAS is ON, but OpenBLAS was not found (Debian: libopenblas-dev)")
    else()
        message(STATUS "Left out: the OpenBLAS rung (OpenBLAS was not found; Debian: libopenblas-dev)")
    endif()
endif()
