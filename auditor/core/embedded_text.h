// A file of the source tree that was compiled in (auditor/cmake: ka_embed_text): rule documentation,
// stub headers, scripts, presets. The user declares the generated function:
//   namespace kernel_audit { const std::vector<EmbeddedText>& analysis_rule_docs(); }
#pragma once

#include <string_view>
#include <vector>

namespace kernel_audit {

struct EmbeddedText {
  std::string_view name;  // path relative to the BASE given to ka_embed_text: "result-cache/README.md"
  std::string_view text;
};

}  // namespace kernel_audit
