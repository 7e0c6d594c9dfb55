// KA817: all that the result takes of a weight matrix is a sum over one of its axes, made beforehand: the product with
// it is collapsed into one with a vector.
#include <algorithm>
#include <set>

#include "analysis/rules/collector.h"
#include "analysis/rules/host_numbers.h"
#include "analysis/rules/kernel_code.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Node;
using facts::NodeId;
using facts::NodeKind;
using facts::NodeSet;
using facts::Statement;

const RuleInfo kInfo{"KA817",
                     "collapsed-weight",
                     "of a weight matrix only a sum over one of its axes takes part in the result",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {65}};

class Checker : public Collector {
 public:
  Checker(const Model& model, const Policy& policy) : Collector(kInfo, model, policy), host_(model) {}

  void run() {
    NodeSet returned;
    for (const facts::EntryReturn& each : model_.returns()) {
      for (const NodeSet& part : each.parts) facts::merge_into(returned, part);
    }
    if (!model_.provenance().reaches(returned, NodeKind::kArgument)) return;
    std::set<NodeId> sums;
    for (std::size_t id = 0; id < model_.provenance().size(); ++id) {
      const NodeId node = static_cast<NodeId>(id);
      if (sums_weight(node)) sums.insert(node);
    }
    if (sums.empty()) return;
    // What else the result takes of a weight.
    std::set<NodeId> whole;
    std::set<NodeId> reached;
    model_.provenance().walk(returned, [&](const Node& node, NodeId id) {
      if (sums.contains(id)) {
        reached.insert(id);
        return false;
      }
      if (node.kind == NodeKind::kWeights) whole.insert(id);
      return node.kind != NodeKind::kMetadata && node.kind != NodeKind::kIdentity;
    });
    for (const NodeId sum : reached) {
      for (const NodeId weight : weights_of(sum)) {
        if (!whole.contains(weight))
          once_at(model_.span_of(sum), "Of " + model_.provenance().at(weight).name + " nothing but the sums that " +
                                           model_.name_of_node(sum) + " makes of it takes part in the result.");
      }
    }
  }

 private:
  // Weights that are handed over as they are.
  std::set<NodeId> weights_of(NodeId id) const { return weights_of(model_.provenance().at(id)); }
  std::set<NodeId> weights_of(const Node& from) const {
    std::set<NodeId> weights;
    std::vector<NodeId> todo;
    const auto add = [&](const Node& node) {
      for (const NodeSet& slot : node.slots) todo.insert(todo.end(), slot.begin(), slot.end());
    };
    add(from);
    for (std::size_t hops = 0; !todo.empty() && hops < 32; ++hops) {
      const NodeId at = todo.back();
      todo.pop_back();
      const Node& node = model_.provenance().at(at);
      if (node.kind == NodeKind::kWeights && one_of(last_part(node.name), {"weight", "Parameter"})) weights.insert(at);
      if (node.kind == NodeKind::kCopy) add(node);
    }
    return weights;
  }

  bool sums_weight(NodeId id) {
    const Node& node = model_.provenance().at(id);
    if (node.kind != NodeKind::kFramework && node.kind != NodeKind::kLaunch) return false;
    if (weights_of(id).empty() || model_.provenance().reaches({id}, NodeKind::kArgument)) return false;
    if (node.kind == NodeKind::kFramework) return one_of(last_part(node.name), {"sum", "mean"}) && along_an_axis(node);
    return node.kernel != kNone && smaller(node);
  }

  // x.sum(0): of all elements it is a number, as a regulariser takes it.
  bool along_an_axis(const Node& node) const {
    const Statement* call = model_.statement(node.where);
    if (call == nullptr) return false;
    const std::size_t first = call->receiver != kNone ? 0 : 1;
    return argument(*call, first, "dim") != kNone || argument(*call, first, "axis") != kNone;
  }

  // A kernel that adds up what it loads, and fills less than it reads.
  bool smaller(const Node& node) {
    const auto found = model_.run().launch_arguments.find({node.where, node.context});
    const Statement* launch = model_.statement(node.where);
    if (found == model_.run().launch_arguments.end() || launch == nullptr || launch->star_args) return false;
    const KernelView& kernel = view_of(model_, node.kernel);
    bool adds = false;
    for (const facts::Block& block : kernel.function.blocks) {
      for (const Statement& s : block.statements) {
        if (s.callee == "triton.language.sum" || (s.augmented && reads(kernel, s.value))) adds = true;
      }
    }
    if (!adds) return false;
    const auto& access = model_.access(node.kernel);
    const int frame = host_.frame(node.where, node.context);
    double read = 0, written = 0;
    for (std::size_t p = 0; p < launch->args.size() && p < access.written.size(); ++p) {
      const bool tensor = std::any_of(found->second[p].objects.begin(), found->second[p].objects.end(), [&](auto each) {
        return model_.run().object(each).kind == facts::ObjectKind::kTensor;
      });
      if (!tensor) continue;
      const auto elements = host_.elements(launch->args[p], frame);
      if (!elements) return fewer_axes(node, found->second, access.written);
      double& sum = access.written[p] ? written : read;
      sum += *elements;
    }
    return written > 0 && written * 2 <= read;
  }
  // Where sizes are not known: from a matrix it fills what has one axis, as long as one of those of the matrix.
  bool fewer_axes(const Node& node, const std::vector<facts::Abstract>& given, const std::vector<bool>& written) const {
    for (const NodeId weight : weights_of(node)) {
      const Statement* layer = model_.statement(model_.provenance().at(weight).where);
      if (layer == nullptr ||
          !starts_with_any(layer->callee, {"torch.nn.Linear", "torch.nn.Conv", "torch.nn.Embedding"}))
        return false;
    }
    bool any = false;
    for (std::size_t p = 0; p < given.size() && p < written.size(); ++p) {
      for (const auto object : given[p].objects) {
        if (!written[p] || model_.run().object(object).kind != facts::ObjectKind::kTensor) continue;
        if (!one_axis(model_.run().object(object).made)) return false;
        any = true;
      }
    }
    return any;
  }
  // torch.empty(n), torch.zeros((n,)), where n is no product.
  bool one_axis(const facts::StatementRef& where) const {
    const Statement* made = model_.statement(where);
    if (made == nullptr || !one_of(made->callee, {"torch.empty", "torch.zeros"}) || made->args.size() != 1)
      return false;
    const auto origin = [&](Id value) { return maker(model_, where.function, behind(model_, where.function, value)); };
    const Statement* size = origin(made->args[0]);
    if (size != nullptr && one_of(size->callee, {"builtins.tuple", "builtins.list"}))
      size = size->args.size() == 1 ? origin(size->args[0]) : nullptr;
    return size != nullptr && size->kind == facts::StatementKind::kLoad;
  }
  static bool reads(const KernelView& kernel, Id value) {
    for (const Id id : kernel.flow.behind(value).values) {
      const Statement* made = kernel.flow.made(id);
      if (made != nullptr && (made->callee == "triton.language.load" ||
                              (made->kind == facts::StatementKind::kLoad && kernel.flow.deref(*made))))
        return true;
    }
    return false;
  }

  HostNumbers host_;
};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  if (!model.has_entry() || !model.ran_forward() || model.returns().empty() || any_unknown(model)) return {};
  Checker checker(model, policy);
  checker.run();
  return checker.take();
}

}  // namespace

const Rule& collapsed_weight() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
