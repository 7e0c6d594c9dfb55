// KA533: a kernel reads a shared array that nothing on any way to the read has written.
#include <algorithm>

#include "analysis/rules/kernel_code.h"
#include "analysis/rules/rules.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;

const RuleInfo kInfo{"KA533",
                     "uninitialised-shared",
                     "a kernel reads shared memory that nothing has written",
                     Severity::kWarning,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {59}};

class Check {
 public:
  explicit Check(const KernelView& kernel) : kernel_(kernel), written_(kernel.function.blocks.size()) {
    for (const facts::Block& block : kernel.function.blocks) {
      for (const Statement& s : block.statements) {
        if (s.callee == "operator.addressof") addressed_.insert(s.args.begin(), s.args.end());
        if (s.kind != StatementKind::kStore || s.augmented || kernel_.flow.deref(s)) continue;
        for (Id object = s.location.base; object != kNone;) {  // of which a member is set
          addressed_.insert(object);
          const Statement* load = kernel_.flow.made(object);
          object = load == nullptr || load->kind != StatementKind::kLoad ? kNone : load->location.base;
        }
      }
    }
  }

  // The first read of each array that no write can come before.
  std::vector<std::pair<Id, const Statement*>> run() {
    settle();
    std::vector<std::pair<Id, const Statement*>> reads;
    for (const Id block : kernel_.graph.order()) {
      std::set<Id> before = written_[static_cast<std::size_t>(block)];
      for (const Statement& s : kernel_.function.blocks[static_cast<std::size_t>(block)].statements) {
        const bool reads_it = s.kind == StatementKind::kLoad && !addressed_.contains(s.result);
        const Id read = reads_it ? kernel_.shared_target(s) : kNone;
        const bool known = std::any_of(reads.begin(), reads.end(), [&](const auto& r) { return r.first == read; });
        if (read != kNone && !known && !before.contains(read) && !before.contains(kNone)) reads.emplace_back(read, &s);
        writes(s, before);
      }
    }
    return reads;
  }

 private:
  // kNone stands for a write whose target was not followed. Arrays without a size overlap: one write counts for all.
  void writes(const Statement& s, std::set<Id>& written) const {
    const auto add = [&](Id array) {
      written.insert(array);
      if (kernel_.model.facts().storages[static_cast<std::size_t>(array)].bytes <= 0) written.insert(kNone);
    };
    if (s.kind == StatementKind::kStore) {
      const Id target = kernel_.shared_target(s);
      if (target != kNone) add(target);
      if (target == kNone && kernel_.flow.deref(s) && !parameter(kernel_.root(s.location.base))) written.insert(kNone);
    }
    for (const Id array : kernel_.shared_operands(s)) {
      if (s.callee.compare(0, 9, "operator.") != 0) add(array);
    }
    if (s.kind == StatementKind::kCall && (s.callee == "asm" || s.callee.empty())) written.insert(kNone);
  }

  bool parameter(Id storage) const {
    const auto& parameters = kernel_.function.parameters;
    return std::any_of(parameters.begin(), parameters.end(),
                       [&](const facts::Parameter& each) { return each.storage == storage && storage != kNone; });
  }

  // What some way to the start of a block writes.
  void settle() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Id block : kernel_.graph.order()) {
        std::set<Id> after = written_[static_cast<std::size_t>(block)];
        for (const Statement& s : kernel_.function.blocks[static_cast<std::size_t>(block)].statements) writes(s, after);
        for (const facts::Edge& edge : kernel_.function.blocks[static_cast<std::size_t>(block)].successors) {
          auto& next = written_[static_cast<std::size_t>(edge.to)];
          const std::size_t size = next.size();
          next.insert(after.begin(), after.end());
          changed = changed || next.size() != size;
        }
      }
    }
  }

  const KernelView& kernel_;
  std::vector<std::set<Id>> written_;
  std::set<Id> addressed_;  // elements of which only the place is taken
};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  for (const DeviceFunction& code : launched_code(model)) {
    const facts::Function& function = model.function(code.function);
    if (!function.is_kernel || function.blocks.empty()) continue;
    const KernelView kernel(model, function);
    for (const auto& [array, read] : Check(kernel).run()) {
      const facts::Storage& storage = model.facts().storages[static_cast<std::size_t>(array)];
      findings.push_back(
          finding_in_launched(kInfo, model, policy, code, *read,
                              "reads the shared array " + storage.name + " where nothing can have written it."));
    }
  }
  return findings;
}

}  // namespace

const Rule& uninitialised_shared() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
