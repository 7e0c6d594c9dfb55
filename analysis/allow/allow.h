// Comments by which an author sets a finding aside: `# kernel-audit: allow KA301 why it is right here`. The reason is
// not optional, and a comment that allows nothing is reported, so that none outlives what it was written for. Only
// `lint` applies them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/engine.h"

namespace kernel_audit::analysis {

struct Allow {
  std::vector<std::string> codes;
  std::string reason;
};
// The parts of a directive, or what is wrong with it as half a sentence ("names no rule").
Result<Allow> parse_allow(const std::string& directive);

struct SetAside {
  // Codes ("KA301"), prefixes ("KA3") or slugs; nothing selected means all.
  std::vector<std::string> select, ignore;
  std::function<bool(const Finding&)> in_baseline;  // may count; called once per finding that is left
};

// Takes out of `result` what comments, the selection and the baseline set aside, in this order, and adds findings about
// the comments themselves. What is set aside no longer stands in the way of a clean verdict, an unread source still
// does.
std::vector<SuppressedFinding> set_aside(AnalysisResult& result, const SetAside& options);

bool selected(const std::string& code, const std::string& slug, const std::vector<std::string>& patterns);

// KA991 malformed-allow, KA992 unused-allow: no rules of the candidate's work, hence not in the registry of rules.
const std::vector<RuleInfo>& allow_rules();

}  // namespace kernel_audit::analysis
