#include "auditor/core/repeated_key.h"

#include <set>
#include <vector>

#include "auditor/core/json.h"

namespace kernel_audit {

std::optional<std::string> repeated_key(std::string_view text) {
  std::vector<std::set<std::string>> open;
  std::optional<std::string> repeated;
  const Json::parser_callback_t look = [&](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key && !open.back().insert(parsed.get<std::string>()).second && !repeated)
      repeated = parsed.get<std::string>();
    return true;
  };
  const Json parsed = Json::parse(text, look, false);
  return parsed.is_discarded() ? std::nullopt : repeated;
}

}  // namespace kernel_audit
