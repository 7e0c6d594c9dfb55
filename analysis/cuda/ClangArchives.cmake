# Finds LLVM and Clang 16 to 19 and defines ka_clang: headers as system headers, and the static archives by
# name. The imported targets of distribution packages resolve to libLLVM.so and libclang-cpp.so, which would
# tie kernel-audit-extract to the machine it was built on; so the archives are listed here instead.
set(KA_LLVM_ROOT "" CACHE PATH "Prefix of the LLVM to use, e.g. /usr/lib/llvm-19; empty: the newest of 19 to 16 found")

if(KA_LLVM_ROOT)
  set(ka_llvm_candidates ${KA_LLVM_ROOT})
else()
  set(ka_llvm_candidates "")
  foreach(version 19 18 17 16)
    list(APPEND ka_llvm_candidates /usr/lib/llvm-${version} /usr/lib64/llvm${version} /usr/local/llvm-${version})
  endforeach()
  list(APPEND ka_llvm_candidates /usr/local)
endif()
foreach(candidate IN LISTS ka_llvm_candidates)
  if(NOT EXISTS ${candidate}/bin/llvm-config OR NOT EXISTS ${candidate}/lib/libclangSema.a)
    continue()
  endif()
  # LLVM's own package files look for libraries that are not needed here, and ask for a C compiler to do so.
  execute_process(COMMAND ${candidate}/bin/llvm-config --version OUTPUT_VARIABLE ka_llvm_version
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  if(ka_llvm_version VERSION_GREATER_EQUAL 16 AND ka_llvm_version VERSION_LESS 20)
    set(ka_llvm_prefix ${candidate})
    break()
  endif()
endforeach()
if(NOT ka_llvm_prefix)
  message(FATAL_ERROR "kernel-audit-extract needs the development files and static archives of Clang and LLVM 16 to 19 "
                      "(Debian: libclang-19-dev llvm-19-dev). Give their prefix with -DKA_LLVM_ROOT=, or configure "
                      "with -DKERNEL_AUDIT_EXTRACT=OFF.")
endif()
message(STATUS "Clang ${ka_llvm_version} in ${ka_llvm_prefix}")

set(ka_clang_archives "")
foreach(library Frontend Driver Serialization Parse Sema Edit Analysis ASTMatchers AST APINotes Support Lex Basic)
  if(EXISTS ${ka_llvm_prefix}/lib/libclang${library}.a)
    list(APPEND ka_clang_archives ${ka_llvm_prefix}/lib/libclang${library}.a)
  endif()
endforeach()
execute_process(
  COMMAND ${ka_llvm_prefix}/bin/llvm-config --includedir
  OUTPUT_VARIABLE ka_llvm_headers OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND ${ka_llvm_prefix}/bin/llvm-config --link-static --libfiles frontendopenmp frontendhlsl option support core windowsdriver
          bitreader profiledata object mcparser irreader
  OUTPUT_VARIABLE ka_llvm_archives OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(ka_llvm_archives UNIX_COMMAND "${ka_llvm_archives}")

# Static zlib and zstd (and terminfo, which LLVM asked for until 18) where the machine has them; else the shared ones,
# which every distribution carries.
function(ka_find_archive variable name)
  find_library(${variable} NAMES lib${name}.a ${name})
endfunction()
ka_find_archive(KA_ZLIB z)
ka_find_archive(KA_ZSTD zstd)
if(ka_llvm_version VERSION_LESS 19)
  ka_find_archive(KA_TERMINFO tinfo)
endif()
set(ka_other_archives "")
foreach(library ${KA_ZLIB} ${KA_ZSTD} ${KA_TERMINFO})
  if(library)
    list(APPEND ka_other_archives ${library})
  endif()
endforeach()

add_library(ka_clang INTERFACE)
target_include_directories(ka_clang SYSTEM INTERFACE ${ka_llvm_headers})
target_compile_definitions(ka_clang INTERFACE _GNU_SOURCE __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS)
target_link_options(ka_clang INTERFACE -Wl,--gc-sections)
if(NOT KERNEL_AUDIT_SANITIZE)
  target_link_options(ka_clang INTERFACE -static-libstdc++ -static-libgcc)
endif()
target_link_libraries(ka_clang INTERFACE -Wl,--start-group ${ka_clang_archives} ${ka_llvm_archives} -Wl,--end-group
                      ${ka_other_archives} rt dl m)
