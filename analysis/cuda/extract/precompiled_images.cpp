#include "analysis/cuda/extract/precompiled_images.h"

#include <cstddef>

// The assembler finds the files on its include path. The byte behind each is the end that LLVM's buffers ask for.
asm(R"(
  .pushsection .rodata, "a"
  .balign 16
ka_plain_stubs:
  .incbin "plain.pch"
ka_plain_stubs_end:
  .byte 0
  .balign 16
ka_torch_stubs:
  .incbin "torch.pch"
ka_torch_stubs_end:
  .byte 0
  .popsection
)");

extern "C" {
extern const char ka_plain_stubs[], ka_plain_stubs_end[], ka_torch_stubs[], ka_torch_stubs_end[];
}

namespace kernel_audit::analysis::cuda {

std::string_view precompiled_image(bool torch) {
  const char* begin = torch ? ka_torch_stubs : ka_plain_stubs;
  const char* end = torch ? ka_torch_stubs_end : ka_plain_stubs_end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace kernel_audit::analysis::cuda
