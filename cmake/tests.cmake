# How tests are registered.
#
# Labels  fast     under a minute all together; everything but `long`
#         unit     foo_test.c beside foo.c
#         engines  both engines against each other or against arithmetic (tests/engines)
#         e2e      the program as a user starts it (tests/e2e, *.bats)
#         rules    the tree itself: layers, format, clang-tidy
#         long     not in the daily run; a file named *_long_test.c or *_long.bats

# vsg_label(NAME LABEL...): gives a test its labels, and `fast` unless it is long.
function(vsg_label name)
  set(labels ${ARGN})
  if(name MATCHES "_long(_test)?$")
    list(APPEND labels long)
  endif()
  if(NOT "long" IN_LIST labels)
    list(APPEND labels fast)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${labels}")
endfunction()

# vsg_c_tests(LIBRARY NAME LABELS ... SOURCES ...): one cmocka program and one test per source.
function(vsg_c_tests)
  cmake_parse_arguments(ARG "" "LIBRARY" "LABELS;SOURCES" ${ARGN})
  if(NOT BUILD_TESTING OR NOT CMOCKA_FOUND) # tests/CMakeLists.txt makes its absence a failed test
    return()
  endif()
  separate_arguments(wrapper UNIX_COMMAND "${VSG_TEST_WRAPPER}")
  foreach(source IN LISTS ARG_SOURCES)
    get_filename_component(stem ${source} NAME_WE)
    add_executable(${stem} ${source})
    target_link_libraries(${stem} PRIVATE ${ARG_LIBRARY} PkgConfig::CMOCKA PkgConfig::JANSSON)
    target_compile_definitions(${stem} PRIVATE VSG_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data"
                                               VSG_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                                               VSG_MODULE_DIR="${VSG_MODULE_OUTPUT_DIR}")
    set_target_properties(${stem} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    if(TARGET vsgisim-simgrid)
      add_dependencies(${stem} vsgisim-simgrid)
    endif()
    add_test(NAME ${stem} COMMAND ${wrapper} $<TARGET_FILE:${stem}>)
    vsg_label(${stem} ${ARG_LABELS})
  endforeach()
endfunction()
