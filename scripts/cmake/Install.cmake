# cmake --install: the programs, and in share/rungbench, in the order of the sources, what they read when they run (bench/base/home.h).
# The whole may be moved.
set(home ${CMAKE_INSTALL_DATADIR}/rungbench)
install(TARGETS rungbench rungbench-gate rungbench-train RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")

# Headers of kernels and operations of the user's own
install(DIRECTORY bench/table DESTINATION ${home}/bench FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
install(FILES bench/base/ceil_div.h bench/base/error.h DESTINATION ${home}/bench/base)
install(FILES bench/data/made.h DESTINATION ${home}/bench/data)
install(FILES bench/gate/evidence.h bench/gate/rule.h DESTINATION ${home}/bench/gate)
install(FILES bench/run/rungbench.h DESTINATION ${home}/bench/run)
install(FILES cpu/solution.h DESTINATION ${home}/cpu)
file(GLOB simulator_headers cpu/simulator/*.h)
install(FILES ${simulator_headers} DESTINATION ${home}/cpu/simulator)
file(GLOB kernel_headers kernels/*.h)
install(FILES ${kernel_headers} DESTINATION ${home}/kernels)
install(DIRECTORY cpu/simulator/cuda DESTINATION ${home}/cpu/simulator)
install(DIRECTORY kernels/torch DESTINATION ${home}/kernels)
install(FILES ${RUNGBENCH_TWINS} DESTINATION ${home}/generated)

install(DIRECTORY docs/examples docs/exercises DESTINATION ${home}/docs)
install(PROGRAMS scripts/history.sh scripts/plot.sh scripts/rates.sh scripts/record.sh scripts/train.sh DESTINATION ${home}/scripts)
install(FILES scripts/common.sh DESTINATION ${home}/scripts)
install(DIRECTORY scripts/common scripts/history scripts/plot scripts/record DESTINATION ${home}/scripts PATTERN __pycache__ EXCLUDE)
install(FILES scripts/python/rungbench/player.py DESTINATION ${home}/scripts/python/rungbench)
install(FILES scripts/gate/rates.py DESTINATION ${home}/scripts/gate)

# The library, for find_package(rungbench).
if(TARGET rungbench_library)
    include(CMakePackageConfigHelpers)
    set(package ${CMAKE_INSTALL_LIBDIR}/cmake/rungbench)
    configure_file(scripts/cmake/rungbench.h.in ${PROJECT_BINARY_DIR}/package/rungbench.h @ONLY)
    write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/rungbenchConfigVersion.cmake COMPATIBILITY SameMinorVersion)
    install(TARGETS rungbench_library EXPORT rungbench LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${home})
    install(EXPORT rungbench NAMESPACE rungbench:: FILE rungbenchConfig.cmake DESTINATION ${package})
    install(FILES ${PROJECT_BINARY_DIR}/package/rungbenchConfigVersion.cmake DESTINATION ${package})
    install(FILES ${PROJECT_BINARY_DIR}/package/rungbench.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()

# bash-completion, zsh and fish read --help, which is made from the table of flags.
install(FILES scripts/install/rungbench.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME rungbench)
install(FILES scripts/install/rungbench.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME rungbench-gate)
install(FILES scripts/install/_rungbench DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES scripts/install/rungbench.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# So does help2man, for manual pages.
find_program(HELP2MAN help2man)
find_program(GZIP gzip REQUIRED)
if(HELP2MAN AND NOT CMAKE_CROSSCOMPILING)
    set(about_rungbench "runs and times an operation as a ladder of variants")
    set(about_rungbench-gate "says whether a build is slower than another")
    set(about_rungbench-train "trains a network on MNIST by a rung of mnist_step")
    foreach(program rungbench rungbench-gate rungbench-train)
        set(page ${PROJECT_BINARY_DIR}/${program}.1)
        add_custom_command(OUTPUT ${page}.gz DEPENDS ${program} VERBATIM
            COMMAND ${HELP2MAN} --no-info --no-discard-stderr --version-string=${PROJECT_VERSION} --name=${about_${program}}
                    --output=${page} $<TARGET_FILE:${program}>
            COMMAND ${GZIP} -9nf ${page})
        list(APPEND pages ${page}.gz)
    endforeach()
    add_custom_target(manual ALL DEPENDS ${pages})
    install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL) # where not all was built
else()
    message(STATUS "Left out: the manual pages (help2man was not found)")
endif()

# What is stripped for a package, or by cmake --install --strip, keeps its symbols: by them the simulator finds the arrays of kernels.
set(strip ${PROJECT_BINARY_DIR}/package/strip)
file(GENERATE OUTPUT ${strip} CONTENT "#!/bin/sh\nexec '${CMAKE_STRIP}' -g \"$@\"\n"
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
set(CMAKE_STRIP ${strip})

# cpack -G DEB: a Debian package, of what CMAKE_INSTALL_PREFIX=/usr installs; scripts/package.sh makes it.
set(CPACK_PACKAGE_CONTACT "The rungbench authors <rungbench@example.org>")
set(CPACK_DEBIAN_PACKAGE_NAME rungbench)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON) # for packages of programs that use the library
# A trigger calls ldconfig. CPack has scripts that do, too, unless it is told of others, even if they do not exist.
file(WRITE ${PROJECT_BINARY_DIR}/package/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/package/triggers none/postinst none/postrm)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "kernel benchmark harness: a ladder of variants, checked and timed")
set(CPACK_PACKAGE_DESCRIPTION "It runs an operation (matmul, greyscale, convolution, softmax, ...) as a
ladder of variants, from plain C through OpenBLAS and naive CUDA to tensor
cores and the libraries, checks every answer, and times all by the same
rules. It judges kernels of your own, without a GPU on a simulator, draws
charts, and compares builds for CI.")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gnuplot-nox, python3, python3-jinja2, g++, binutils")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# What a later commit makes is a later version, or apt would not take it for an upgrade. SOURCE_DATE_EPOCH is the time.
string(TIMESTAMP CPACK_DEBIAN_PACKAGE_RELEASE %Y%m%d.%H%M%S UTC)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(scripts/install/changelog.in ${PROJECT_BINARY_DIR}/package/changelog.Debian @ONLY)
configure_file(CHANGELOG.md ${PROJECT_BINARY_DIR}/package/changelog COPYONLY)
foreach(changes changelog changelog.Debian)
    set(file ${PROJECT_BINARY_DIR}/package/${changes})
    add_custom_command(OUTPUT ${file}.gz DEPENDS ${file} VERBATIM COMMAND ${GZIP} -9nfk ${file})
    list(APPEND changelogs ${file}.gz)
endforeach()
add_custom_target(changelog ALL DEPENDS ${changelogs})
install(FILES ${changelogs} DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(FILES scripts/install/lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME rungbench)
include(CPack)
