// Run by the build: writes the stub headers in Clang's precompiled form.
//   precompile_stubs PLAIN TORCH
#include <fstream>
#include <iostream>

#include "analysis/cuda/extract/precompiled.h"

int main(int argc, char** argv) {
  using namespace kernel_audit::analysis::cuda;
  if (argc != 3) {
    std::cerr << "usage: precompile_stubs PLAIN TORCH\n";
    return 2;
  }
  for (const bool torch : {false, true}) {
    const std::string image = precompile(StubSet(torch));
    if (image.empty()) {
      std::cerr << "precompile_stubs: Clang does not read the stub headers without an error\n";
      return 1;
    }
    std::ofstream file(argv[torch ? 2 : 1], std::ios::binary);
    if (!(file << image).flush()) {
      std::cerr << "precompile_stubs: " << argv[torch ? 2 : 1] << ": cannot be written\n";
      return 1;
    }
  }
  return 0;
}
