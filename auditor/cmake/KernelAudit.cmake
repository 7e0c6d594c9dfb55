# Build conventions shared by all folders:
#   ka_library(name SOURCES … [DEPS …])          static library, warnings on, root of the tree on the include path
#   ka_executable(name SOURCES … [DEPS …])       into build/bin
#   ka_test(name SOURCES … [DEPS …] [LABELS …] [TIMEOUT s] [SERIAL])  GoogleTest executable, every case listed by
#                                                ctest; SERIAL: nothing else runs beside it
#   ka_embed_text(target SYMBOL name [BASE dir] FILES …)  files compiled in (auditor/core/embedded_text.h)
include(CheckCXXCompilerFlag)
find_package(Threads REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
# Checks must not vanish in release builds; nothing of ours uses assert().
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")

find_program(KA_CCACHE ccache)
if(KA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_PCH_EXTSUM=1 CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${CMAKE_SOURCE_DIR}/auditor/cmake/cached_compile.sh ${KA_CCACHE})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()

set(KA_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough)
if(KERNEL_AUDIT_WERROR)
  list(APPEND KA_WARNINGS -Werror)
endif()
# GCC 12 reports these on correct standard-library code at -O2 (GCC bugs 105329, 105562, 105651).
list(APPEND KA_WARNINGS -Wno-restrict -Wno-maybe-uninitialized -Wno-missing-field-initializers
     -Wno-stringop-overflow -Wno-stringop-overread)

function(ka_configure_target target)
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR})
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${KA_WARNINGS}>)
  if(KERNEL_AUDIT_SANITIZE)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${KERNEL_AUDIT_SANITIZE};-fno-sanitize-recover=all;-fno-omit-frame-pointer>)
    target_link_options(${target} PUBLIC -fsanitize=${KERNEL_AUDIT_SANITIZE})
  endif()
endfunction()

function(ka_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC nlohmann_json::nlohmann_json Threads::Threads ${ARG_DEPS})
  ka_configure_target(${name})
endfunction()

function(ka_executable name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS})
  ka_configure_target(${name})
endfunction()

if(KERNEL_AUDIT_TESTS)
  enable_testing()
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()

function(ka_test name)
  cmake_parse_arguments(ARG "SERIAL" "TIMEOUT" "SOURCES;DEPS;LABELS" ${ARGN})
  if(NOT KERNEL_AUDIT_TESTS)
    return()
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} GTest::gmock GTest::gtest GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE KA_SOURCE_DIR="${CMAKE_SOURCE_DIR}" KA_BINARY_DIR="${CMAKE_BINARY_DIR}")
  ka_configure_target(${name})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests-bin)
  # An empty list of labels vanishes on the way, and its name would take the next property's name as its value.
  set(properties TIMEOUT ${ARG_TIMEOUT} RUN_SERIAL ${ARG_SERIAL})
  if(ARG_LABELS)
    list(APPEND properties LABELS "${ARG_LABELS}")
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST TEST_PREFIX "${name}." PROPERTIES ${properties})
endfunction()

# Generates a source file that defines `const std::vector<kernel_audit::EmbeddedText>& <SYMBOL>()`, declared by
# the user as: namespace kernel_audit { const std::vector<EmbeddedText>& SYMBOL(); } (auditor/core/embedded_text.h).
# NAMES are relative to BASE.
function(ka_embed_text target)
  cmake_parse_arguments(ARG "" "SYMBOL;BASE" "FILES" ${ARGN})
  if(NOT ARG_BASE)
    set(ARG_BASE ${CMAKE_CURRENT_SOURCE_DIR})
  endif()
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${ARG_SYMBOL}.cpp)
  list(JOIN ARG_FILES "|" joined)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DSYMBOL=${ARG_SYMBOL} -DBASE=${ARG_BASE} "-DFILES=${joined}"
            -P ${CMAKE_SOURCE_DIR}/auditor/cmake/EmbedText.cmake
    DEPENDS ${ARG_FILES} ${CMAKE_SOURCE_DIR}/auditor/cmake/EmbedText.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
