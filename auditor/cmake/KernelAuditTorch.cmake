# PyTorch and CPython as the chosen interpreter has them (Python3_EXECUTABLE), as the interface target ka_torch, and CUDA
# for our own kernels when a toolkit is there. The wheel's libraries are named one by one: `find_package(Torch)` of a
# CUDA wheel refuses a machine without a toolkit, where the CPU worker must still build.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter Development.Embed)
execute_process(
  COMMAND ${Python3_EXECUTABLE} -c "import os, torch; print(os.path.dirname(torch.__file__)); print(torch.__version__); print(torch.version.cuda or ''); print(int(torch._C._GLIBCXX_USE_CXX11_ABI))"
  OUTPUT_VARIABLE ka_torch_facts ERROR_VARIABLE ka_torch_error RESULT_VARIABLE ka_torch_result OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT ka_torch_result EQUAL 0)
  message(FATAL_ERROR "${Python3_EXECUTABLE} cannot import torch; set -DPython3_EXECUTABLE to one that can (torch >= 2.7), or -DKERNEL_AUDIT_WORKER=OFF\n${ka_torch_error}")
endif()
string(REPLACE "\n" ";" ka_torch_facts "${ka_torch_facts};")
list(GET ka_torch_facts 0 KA_TORCH_DIR)
list(GET ka_torch_facts 1 KA_TORCH_VERSION)
list(GET ka_torch_facts 2 KA_TORCH_CUDA)
list(GET ka_torch_facts 3 KA_TORCH_ABI)
if(KA_TORCH_VERSION VERSION_LESS 2.7)
  message(FATAL_ERROR "torch ${KA_TORCH_VERSION} of ${Python3_EXECUTABLE} is too old: 2.7 or newer is needed")
endif()

set(KA_WITH_CUDA OFF)
if(NOT KERNEL_AUDIT_CUDA STREQUAL "OFF" AND KA_TORCH_CUDA)
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND EXISTS /usr/local/cuda/bin/nvcc)
    set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)
  endif()
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES "80;90")  # the newest also as PTX, for GPUs that come later
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    find_package(CUDAToolkit 12.5)
    if(CUDAToolkit_FOUND)
      set(KA_WITH_CUDA ON)
    endif()
  endif()
endif()
if(KERNEL_AUDIT_CUDA STREQUAL "ON" AND NOT KA_WITH_CUDA)
  message(FATAL_ERROR "KERNEL_AUDIT_CUDA=ON, but no CUDA toolkit >= 12.5 and no torch built with CUDA were found")
endif()
# CMake 3.25 knows no CUDA 20 dialect for nvcc 13.
set(CMAKE_CUDA_STANDARD 17)

add_library(ka_torch INTERFACE)
target_include_directories(ka_torch SYSTEM INTERFACE ${KA_TORCH_DIR}/include ${KA_TORCH_DIR}/include/torch/csrc/api/include)
target_compile_definitions(ka_torch INTERFACE _GLIBCXX_USE_CXX11_ABI=${KA_TORCH_ABI})
set(ka_torch_libraries torch torch_cpu c10 torch_python)
if(EXISTS ${KA_TORCH_DIR}/lib/libtorch_cuda.so)
  list(APPEND ka_torch_libraries torch_cuda c10_cuda)
endif()
list(TRANSFORM ka_torch_libraries PREPEND ${KA_TORCH_DIR}/lib/lib)
list(TRANSFORM ka_torch_libraries APPEND .so)
# The wheel's libraries find their own dependencies when they are loaded; libtorch_cuda is needed for its registrations.
# libstdc++ comes first: libtorch.so exports parts of a std::filesystem of its own, which crash when ours resolve to them.
target_link_libraries(ka_torch INTERFACE -Wl,--no-as-needed -lstdc++ Python3::Python ${ka_torch_libraries} -Wl,--as-needed)
target_link_options(ka_torch INTERFACE -Wl,--allow-shlib-undefined -Wl,-rpath,${KA_TORCH_DIR}/lib -Wl,-z,now -Wl,-z,relro)
message(STATUS "Worker: torch ${KA_TORCH_VERSION} at ${KA_TORCH_DIR}, CUDA ${KA_WITH_CUDA}")
