#include "auditor/core/utf8.h"

#include <algorithm>

#include "auditor/core/json.h"

namespace kernel_audit {

bool is_utf8(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; })) return true;
  try {
    static_cast<void>(Json(text).dump());
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

}  // namespace kernel_audit
