# Writes HEADER with the git revision of SOURCE_DIR, `-dirty` if tracked files differ from it; empty outside git.
find_package(Git QUIET)
set(revision "")
if(GIT_FOUND)
    execute_process(COMMAND ${GIT_EXECUTABLE} -C ${SOURCE_DIR} describe --always --dirty --abbrev=12 --exclude=*
        OUTPUT_VARIABLE revision ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define RUNGBENCH_GIT_REVISION \"${revision}\"\n")
