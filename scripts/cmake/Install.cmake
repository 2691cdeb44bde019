# cmake --install: the programs, and in share/rungbench, in the order of the sources, what they read when they run (bench/base/home.h).
# The whole may be moved.
set(home ${CMAKE_INSTALL_DATADIR}/rungbench)
install(TARGETS rungbench rungbench-gate rungbench-train RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")

# Headers of kernels and operations of the user's own
install(DIRECTORY bench/table DESTINATION ${home}/bench FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
install(FILES bench/base/ceil_div.h bench/base/error.h DESTINATION ${home}/bench/base)
install(FILES bench/data/made.h DESTINATION ${home}/bench/data)
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
install(FILES scripts/gate/rates.py DESTINATION ${home}/scripts/gate)

# bash-completion, zsh and fish read --help, which is made from the table of flags.
install(FILES scripts/install/rungbench.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME rungbench)
install(FILES scripts/install/rungbench.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME rungbench-gate)
install(FILES scripts/install/_rungbench DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES scripts/install/rungbench.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# So does help2man, for manual pages.
find_program(HELP2MAN help2man)
if(HELP2MAN AND NOT CMAKE_CROSSCOMPILING)
    foreach(program rungbench rungbench-gate rungbench-train)
        set(page ${PROJECT_BINARY_DIR}/${program}.1)
        add_custom_command(OUTPUT ${page} DEPENDS ${program} VERBATIM
            COMMAND ${HELP2MAN} --no-info --version-string=${PROJECT_VERSION} --no-discard-stderr --output=${page} $<TARGET_FILE:${program}>)
        list(APPEND pages ${page})
    endforeach()
    add_custom_target(manual ALL DEPENDS ${pages})
    install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
else()
    message(STATUS "Left out: the manual pages (help2man was not found)")
endif()
