# need(PACKAGE DEBIAN): find_package(), but what is missing is named together, by Debian's names, for scripts/common.sh.
set(RUNGBENCH_MISSING "")
macro(need package debian)
    find_package(${package})
    if(NOT ${package}_FOUND)
        list(APPEND RUNGBENCH_MISSING ${debian})
    endif()
endmacro()

# Says which packages are missing; needs_are_met(REQUIRED) stops there.
function(needs_are_met)
    if(RUNGBENCH_MISSING)
        list(JOIN RUNGBENCH_MISSING " " packages)
        message(STATUS "Missing, by Debian's names: ${packages}")
        if(ARGV0 STREQUAL REQUIRED)
            message(FATAL_ERROR "Missing: ${packages} (Debian's names). What lies under another prefix is found with "
                "-DCMAKE_PREFIX_PATH=PREFIX, or CMAKE_PREFIX_PATH in the environment.")
        endif()
    endif()
endfunction()
