# cmake -DPROGRAM=vsgisim -DSCDOC=scdoc -DDIR=share/man -P man-pages.cmake
# Writes the man pages of a program into DIR/man1 and DIR/man5.

set(sources ${DIR}.scd)
file(REMOVE_RECURSE ${DIR} ${sources})
execute_process(COMMAND ${PROGRAM} help --man ${sources} COMMAND_ERROR_IS_FATAL ANY)
file(GLOB pages RELATIVE ${sources} ${sources}/*.scd)
foreach(source IN LISTS pages)
  string(REGEX REPLACE "\\.scd$" "" page ${source})
  string(REGEX REPLACE ".*\\." "" section ${page})
  file(MAKE_DIRECTORY ${DIR}/man${section})
  execute_process(COMMAND ${SCDOC} INPUT_FILE ${sources}/${source}
                  OUTPUT_FILE ${DIR}/man${section}/${page} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
