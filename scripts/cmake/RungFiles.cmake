# Reads bench/table/rungs.def and sets RUNGBENCH_RUNG_FILES to the files of all rungs and backends that this build can have,
# RUNGBENCH_LIBRARY_FILES to those of the backends and of what rungs share,
# RUNGBENCH_KERNEL_FILES to those of rungs with device code among them, RUNGBENCH_CPU_RUNG_FILES to those of CPU rungs and
# of what they share, and RUNGBENCH_SIMULATED_KERNELS to the op/name of each kernel that is simulated, too. Writes
# rung_sources.h, which says in which file each rung is.
# A line without its file, or a file without its line, stops the build here.
set(table "${PROJECT_SOURCE_DIR}/bench/table/rungs.def")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${table}")

# A backend and its rungs lie in the folder of its name, those of CUDA and of several GPUs in kernels/, the simulator in
# cpu/. The name of the backend is left out of a file's, but where one folder has two.
set(folders cpu kernels)
set(further "")
file(STRINGS "${table}" lines REGEX "^BACKEND\\(")
foreach(line IN LISTS lines)
    string(REGEX REPLACE "^BACKEND\\(([a-z0-9_]+),.*" "\\1" name "${line}")
    string(REGEX REPLACE "^[^,]*, *([a-z0-9_]+),.*" "HAVE_\\1" have "${line}")
    string(TOUPPER "${have}" have)
    set(folder_${name} ${name})
    if(NOT name MATCHES "^(cpu|cuda|gpus|sim)$")
        list(APPEND folders ${name})
        if(${have})
            list(APPEND further "${PROJECT_SOURCE_DIR}/${name}/backend/*.c")
        endif()
    endif()
endforeach()
set(folder_cuda kernels)
set(folder_gpus kernels)

# What is beside the rungs: the backends, and what rungs share.
file(GLOB shared CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
    "${PROJECT_SOURCE_DIR}/cpu/backend/*.c" "${PROJECT_SOURCE_DIR}/cpu/simulator/*.c"
    "${PROJECT_SOURCE_DIR}/cpu/simulator/*.cpp" ${further})
list(APPEND shared cpu/microkernels.c cpu/work.c)
if(HAVE_OPENBLAS)
    list(APPEND shared cpu/openblas_sgemm.c)
endif()
file(GLOB cuda_shared CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
    "${PROJECT_SOURCE_DIR}/kernels/*.c" "${PROJECT_SOURCE_DIR}/kernels/backend/*.c"
    "${PROJECT_SOURCE_DIR}/kernels/backend/*.cu")

# The simulated twin of a kernel is its own file, compiled as C++ with the simulator's cuda_runtime.h, and its
# launcher under the twin's name. So are those of other kernels, which it may hand over to: twins.h renames them all, and
# begins with what all kernels may use.
set(RUNGBENCH_TWINS "${PROJECT_BINARY_DIR}/generated/twins.h")
function(simulate op name file)
    set(twin "${PROJECT_BINARY_DIR}/generated/${op}_sim_${name}.cpp")
    file(CONFIGURE OUTPUT "${twin}" CONTENT
        "#include \"${RUNGBENCH_TWINS}\"\n#include \"${PROJECT_SOURCE_DIR}/${file}\"\n")
    list(APPEND RUNGBENCH_RUNG_FILES "${twin}")
    if(file MATCHES "[.]cu$")
        list(APPEND RUNGBENCH_SIMULATED_KERNELS "${op}/${name}")
    endif()
    set(RUNGBENCH_RUNG_FILES "${RUNGBENCH_RUNG_FILES}" PARENT_SCOPE)
    set(RUNGBENCH_SIMULATED_KERNELS "${RUNGBENCH_SIMULATED_KERNELS}" PARENT_SCOPE)
endfunction()

set(named "")
set(RUNGBENCH_RUNG_FILES ${shared})
set(RUNGBENCH_KERNEL_FILES "")
set(RUNGBENCH_SIMULATED_KERNELS "")
set(twin_names "")
set(sources "")
if(HAVE_CUDA)
    list(APPEND RUNGBENCH_RUNG_FILES ${cuda_shared})
    if(NOT HAVE_NCCL)
        list(REMOVE_ITEM RUNGBENCH_RUNG_FILES kernels/nccl_cards.c)
    endif()
endif()
set(RUNGBENCH_LIBRARY_FILES ${RUNGBENCH_RUNG_FILES})
list(FILTER RUNGBENCH_LIBRARY_FILES EXCLUDE REGEX "^cpu/simulator/")
file(STRINGS "${table}" lines REGEX "^(RUNG|KERNEL)\\(")
foreach(line IN LISTS lines)
    if(line MATCHES "^RUNG\\(([a-z0-9_]+), *([a-z0-9_]+), *([a-z0-9_]+), *([a-z0-9_]+),")
        string(TOUPPER "HAVE_${CMAKE_MATCH_4}" have)
        set(stem "${folder_${CMAKE_MATCH_3}}/${CMAKE_MATCH_1}/${CMAKE_MATCH_2}")
        if(NOT CMAKE_MATCH_3 STREQUAL gpus)
            string(REPLACE "/${CMAKE_MATCH_3}_" "/" stem "${stem}")
        endif()
        set(variants "${CMAKE_MATCH_1}/${CMAKE_MATCH_2}")
    elseif(line MATCHES "^KERNEL\\(([a-z0-9_]+), *([a-z0-9_]+),")
        set(stem "${folder_cuda}/${CMAKE_MATCH_1}/${CMAKE_MATCH_2}")
        set(have HAVE_CUDA)
        set(variants "${CMAKE_MATCH_1}/cuda_${CMAKE_MATCH_2}" "${CMAKE_MATCH_1}/sim_${CMAKE_MATCH_2}")
        string(APPEND twin_names "#define ${CMAKE_MATCH_1}_cuda_${CMAKE_MATCH_2} ${CMAKE_MATCH_1}_sim_${CMAKE_MATCH_2}\n")
    else()
        message(FATAL_ERROR "bench/table/rungs.def: cannot read the line '${line}'")
    endif()
    file(GLOB found RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/${stem}.c" "${PROJECT_SOURCE_DIR}/${stem}.cu")
    if(found STREQUAL "")
        message(FATAL_ERROR "bench/table/rungs.def names ${CMAKE_MATCH_1} ${CMAKE_MATCH_2}, but there is no ${stem}.c or .cu")
    endif()
    list(APPEND named ${found})
    if(line MATCHES "^KERNEL\\(([a-z0-9_]+), *([a-z0-9_]+),")
        simulate("${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}" "${found}")
    endif()
    foreach(variant IN LISTS variants)
        string(APPEND sources "{\"${variant}\", \"${found}\"},\n")
    endforeach()
    if(${have})
        list(APPEND RUNGBENCH_RUNG_FILES ${found})
    endif()
    if(${have} AND line MATCHES "^KERNEL" AND found MATCHES "[.]cu$") # the kernels of a library are not ours
        list(APPEND RUNGBENCH_KERNEL_FILES ${found})
    endif()
endforeach()
file(CONFIGURE OUTPUT "${RUNGBENCH_TWINS}" CONTENT "#include \"kernels/device.h\"\n${twin_names}")
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/rung_sources.h" CONTENT "${sources}")
list(TRANSFORM RUNGBENCH_KERNEL_FILES PREPEND "${PROJECT_SOURCE_DIR}/")
set(RUNGBENCH_CPU_RUNG_FILES ${RUNGBENCH_RUNG_FILES})
list(FILTER RUNGBENCH_CPU_RUNG_FILES INCLUDE REGEX "^cpu/")
list(FILTER RUNGBENCH_CPU_RUNG_FILES EXCLUDE REGEX "^cpu/(backend|simulator)/")

list(TRANSFORM folders PREPEND "${PROJECT_SOURCE_DIR}/")
list(TRANSFORM folders APPEND "/*/*.c" OUTPUT_VARIABLE patterns)
file(GLOB present CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" ${patterns} "${PROJECT_SOURCE_DIR}/kernels/*/*.cu")
list(FILTER present EXCLUDE REGEX "^[^/]*/backend/") # no rungs
foreach(file IN LISTS present)
    if(NOT file IN_LIST named AND NOT file IN_LIST shared AND NOT file IN_LIST cuda_shared)
        message(FATAL_ERROR "${file} has no line in bench/table/rungs.def, so nothing would build or run it")
    endif()
endforeach()
