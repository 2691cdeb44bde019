# Reads bench/rungs.def and sets RUNGBENCH_RUNG_FILES to the files of all rungs and backends that this build can have,
# RUNGBENCH_KERNEL_FILES to those of rungs with device code among them, and RUNGBENCH_SIMULATED_KERNELS to the op/name of
# each kernel that is simulated, too.
# A line without its file, or a file without its line, stops the build here.
set(table "${PROJECT_SOURCE_DIR}/bench/rungs.def")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${table}")
set(folder_cpu cpu)
set(folder_cuda kernels)

# What is beside the rungs: backends, and what they and the rungs share.
set(shared_cpu
    cpu/cpu_backend.c
    cpu/cpu_blas.c
    cpu/cpu_ceiling_kernels.c
    cpu/cpu_ceilings.c
    cpu/cpu_describe.c
    cpu/cpu_energy.c
    cpu/cpu_evict.c
    cpu/cpu_files.c
    cpu/cpu_host.c
    cpu/cpu_limits.c
    cpu/cpu_mask.c
    cpu/cpu_notes.c
    cpu/cpu_state.c
    cpu/matmul_microkernels.c
    cpu/matmul_plan.c)
set(shared_sim
    cpu/sim_backend.c
    cpu/sim_block.c
    cpu/sim_copy.c
    cpu/sim_fault.c
    cpu/sim_fiber.c
    cpu/sim_grid.c
    cpu/sim_memory.c
    cpu/sim_order.c
    cpu/sim_shared.c
    cpu/sim_trouble.c
    cpu/sim_warp.c)
set(shared_cuda
    kernels/cuda_backend.c
    kernels/cuda_capability.c
    kernels/cuda_ceilings.c
    kernels/cuda_clock_kernels.cu
    kernels/cuda_device.c
    kernels/cuda_error.c
    kernels/cuda_evict.c
    kernels/cuda_fma_kernel.cu
    kernels/cuda_graph.c
    kernels/cuda_hold.c
    kernels/cuda_memory.c
    kernels/cuda_memory_kernels.cu
    kernels/cuda_notes.c
    kernels/cuda_nvml.c
    kernels/cuda_profiler.c
    kernels/cuda_state.c
    kernels/cuda_timer.c)

# The simulated twin of a kernel is its own .cu file, compiled as C++ with the simulator's cuda_runtime.h, and its
# launcher under the twin's name.
function(simulate op name file)
    set(twin "${PROJECT_BINARY_DIR}/generated/${op}_sim_${name}.cpp")
    file(CONFIGURE OUTPUT "${twin}" CONTENT
        "#define ${op}_cuda_${name} ${op}_sim_${name}\n#include \"${PROJECT_SOURCE_DIR}/${file}\"\n")
    list(APPEND RUNGBENCH_RUNG_FILES "${twin}")
    list(APPEND RUNGBENCH_SIMULATED_KERNELS "${op}/${name}")
    set(RUNGBENCH_RUNG_FILES "${RUNGBENCH_RUNG_FILES}" PARENT_SCOPE)
    set(RUNGBENCH_SIMULATED_KERNELS "${RUNGBENCH_SIMULATED_KERNELS}" PARENT_SCOPE)
endfunction()

# An operation's file is bench/<op>_op.c.
set(RUNGBENCH_OP_FILES "")
file(STRINGS "${table}" lines REGEX "^OP\\(")
foreach(line IN LISTS lines)
    string(REGEX REPLACE "^OP\\(([a-z0-9_]+)\\).*" "bench/\\1_op.c" file "${line}")
    list(APPEND RUNGBENCH_OP_FILES ${file})
endforeach()

set(named "")
set(RUNGBENCH_RUNG_FILES ${shared_cpu} ${shared_sim})
set(RUNGBENCH_KERNEL_FILES "")
set(RUNGBENCH_SIMULATED_KERNELS "")
if(HAVE_CUDA)
    list(APPEND RUNGBENCH_RUNG_FILES ${shared_cuda})
endif()
file(STRINGS "${table}" lines REGEX "^(RUNG|KERNEL)\\(")
foreach(line IN LISTS lines)
    if(line MATCHES "^RUNG\\(([a-z0-9_]+), *([a-z0-9_]+), *([a-z0-9_]+), *([a-z0-9_]+),")
        set(stem "${folder_${CMAKE_MATCH_3}}/${CMAKE_MATCH_1}_${CMAKE_MATCH_2}")
        string(TOUPPER "HAVE_${CMAKE_MATCH_4}" have)
    elseif(line MATCHES "^KERNEL\\(([a-z0-9_]+), *([a-z0-9_]+), *([a-z0-9_]+),")
        set(stem "${folder_cuda}/${CMAKE_MATCH_1}_cuda_${CMAKE_MATCH_2}")
        set(have HAVE_CUDA)
        if(CMAKE_MATCH_3 STREQUAL "host")
            simulate("${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}" "${stem}.cu")
        endif()
    else()
        message(FATAL_ERROR "bench/rungs.def: cannot read the line '${line}'")
    endif()
    file(GLOB found RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/${stem}.c" "${PROJECT_SOURCE_DIR}/${stem}.cu")
    if(found STREQUAL "")
        message(FATAL_ERROR "bench/rungs.def names ${CMAKE_MATCH_1} ${CMAKE_MATCH_2}, but there is no ${stem}.c or .cu")
    endif()
    list(APPEND named ${found})
    if(${have})
        list(APPEND RUNGBENCH_RUNG_FILES ${found})
        list(FILTER found INCLUDE REGEX "\\.cu$")
        list(APPEND RUNGBENCH_KERNEL_FILES ${found})
    endif()
endforeach()
list(TRANSFORM RUNGBENCH_KERNEL_FILES PREPEND "${PROJECT_SOURCE_DIR}/")

file(GLOB present CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
    "${PROJECT_SOURCE_DIR}/cpu/*.c" "${PROJECT_SOURCE_DIR}/kernels/*.c" "${PROJECT_SOURCE_DIR}/kernels/*.cu")
foreach(file IN LISTS present)
    if(NOT file IN_LIST named AND NOT file IN_LIST shared_cpu AND NOT file IN_LIST shared_sim AND NOT file IN_LIST shared_cuda)
        message(FATAL_ERROR "${file} has no line in bench/rungs.def, so nothing would build or run it")
    endif()
endforeach()
