// KA102: forward returns an object of an own tensor class, so that the work is left for whoever looks at it.
#include <algorithm>

#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Id;
using facts::Model;

const RuleInfo kInfo{"KA102",
                     "lazy-tensor-subclass",
                     "forward returns an own tensor class that computes when it is looked at",
                     Severity::kError,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kCheat,
                     {34}};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  std::vector<Id> reported;
  for (const facts::EntryReturn& returned : model.returns()) {
    for (const facts::ObjectId id : returned.instances) {
      const auto& object = model.run().object(id);
      const bool tensor = model.run().derives_from(object.class_id, "torch.Tensor") ||
                          model.run().derives_from(object.class_id, "torch.nn.Parameter");
      const Id torch_function = model.run().find_method(object.class_id, "__torch_function__");
      const Id torch_dispatch = model.run().find_method(object.class_id, "__torch_dispatch__");
      if (!tensor && torch_function == facts::kNone && torch_dispatch == facts::kNone) continue;
      if (std::find(reported.begin(), reported.end(), object.class_id) != reported.end()) continue;
      reported.push_back(object.class_id);
      const auto& klass = model.facts().classes[static_cast<std::size_t>(object.class_id)];
      Finding finding =
          make_finding(kInfo, policy,
                       entry_name(model) + " returns a " + klass.name +
                           ", a tensor class of the candidate, instead of a tensor that holds the result.");
      if (tensor && !model.run().overrides_tensor(object.class_id) && torch_function == facts::kNone &&
          torch_dispatch == facts::kNone)
        soften(finding, Effect::kReview);  // a mark on a plain tensor
      finding.span = model.span(returned.where);
      finding.notes.push_back({klass.span, klass.name + " is defined here"});
      if (torch_function != facts::kNone) {
        finding.notes.push_back({model.function(torch_function).name_span, "operations on it run this instead"});
      }
      if (torch_dispatch != facts::kNone) {
        finding.notes.push_back({model.function(torch_dispatch).name_span, "operations on it run this instead"});
      }
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}

}  // namespace

const Rule& lazy_tensor_subclass() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
