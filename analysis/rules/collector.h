// Base of the checks that gather the findings of one rule by looking at a candidate from several sides: calls, stores,
// ways of returning. The same place is reported once, whichever side comes to it first.
#pragma once

#include <string>
#include <vector>

#include "analysis/rules/ran.h"
#include "analysis/rules/rule.h"

namespace kernel_audit::analysis::rules {

class Collector {
 public:
  Collector(const RuleInfo& info, const facts::Model& model, const Policy& policy)
      : model_(model), policy_(policy), info_(info) {}
  std::vector<Finding> take() { return std::move(findings_); }

 protected:
  // A new finding at the place, to be filled in before the next one is made; null when the place has one already.
  Finding* once_at(const SourceSpan& span, const std::string& message) {
    return once_.seen(span) ? nullptr : &add_at(span, message);
  }
  // The same, whatever else is reported there.
  Finding& add_at(const SourceSpan& span, const std::string& message) {
    Finding& finding = findings_.emplace_back(make_finding(info_, policy_, message));
    finding.span = span;
    return finding;
  }

  const facts::Model& model_;
  const Policy& policy_;

 private:
  const RuleInfo& info_;
  Once once_;
  std::vector<Finding> findings_;
};

}  // namespace kernel_audit::analysis::rules
