// KA533: a kernel reads a shared array that nothing on any way to the read has written.
#include <algorithm>
#include <map>
#include <set>

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
  explicit Check(const KernelView& kernel)
      : kernel_(kernel), python_(decorated_by(kernel.function, "numba")), written_(kernel.function.blocks.size()) {
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
        const Id read = reads_it ? array_of(s) : kNone;
        const bool known = std::any_of(reads.begin(), reads.end(), [&](const auto& r) { return r.first == read; });
        if (read != kNone && !known && !before.contains(read) && !before.contains(kNone)) reads.emplace_back(read, &s);
        writes(s, before);
      }
    }
    return reads;
  }

  // The first read of each array that nothing but sums with what it holds is put into.
  std::vector<std::pair<Id, const Statement*>> only_moved_on() const {
    std::map<Id, const Statement*> read;
    std::set<Id> filled;
    for (const facts::Block& block : kernel_.function.blocks) {
      for (const Statement& s : block.statements) {
        if (s.kind == StatementKind::kCall && (s.callee == "asm" || s.callee.empty())) return {};
        for (const Id array : handed(s)) filled.insert(array);
        const Id array = array_of(s);
        if (array == kNone) continue;
        if (s.kind == StatementKind::kLoad) {
          if (addressed_.contains(s.result)) filled.insert(array);
          read.try_emplace(array, &s);
        } else if (!moves_on(s, array)) {
          filled.insert(array);
        }
      }
    }
    std::erase_if(read, [&](const auto& each) { return filled.contains(each.first) || !has_size(each.first); });
    return {read.begin(), read.end()};
  }

 private:
  // The shared array of a load or store; in Python one that a call makes.
  Id array_of(const Statement& s) const {
    if (const Id target = kernel_.shared_target(s); target != kNone) return target;
    const bool element = (s.kind == StatementKind::kLoad || s.kind == StatementKind::kStore) && s.location.element;
    if (!element || !python_ || !kernel_.flow.deref(s)) return kNone;
    const Id root = kernel_.root(s.location.base);
    return parameter(root) ? kNone : root;
  }
  // Arrays that a call is handed, which may fill them.
  std::vector<Id> handed(const Statement& s) const {
    std::vector<Id> arrays;
    if (s.kind != StatementKind::kCall || s.callee.starts_with("operator.") || s.callee.starts_with("builtins."))
      return arrays;
    if (!python_) return kernel_.shared_operands(s);
    for (const Id arg : s.args) {
      const Id root = s.callee.starts_with("numba.cuda.atomic.") ? kNone : kernel_.root(arg);
      if (root != kNone && !parameter(root)) arrays.push_back(root);
    }
    return arrays;
  }
  // s[i] += x
  bool moves_on(const Statement& store, Id array) const {
    const Statement* made = kernel_.flow.made(store.value);
    const Statement* held = made == nullptr || made->args.empty() || !made->callee.starts_with("operator.i")
                                ? nullptr
                                : kernel_.flow.made(made->args[0]);
    return store.augmented || (held != nullptr && held->kind == StatementKind::kLoad && array_of(*held) == array);
  }
  bool has_size(Id array) const {
    return python_ || kernel_.model.facts().storages[static_cast<std::size_t>(array)].bytes > 0;
  }

  // kNone stands for a write whose target was not followed. Arrays without a size overlap: one write counts for all.
  void writes(const Statement& s, std::set<Id>& written) const {
    const auto add = [&](Id array) {
      written.insert(array);
      if (kernel_.model.facts().storages[static_cast<std::size_t>(array)].bytes <= 0) written.insert(kNone);
    };
    if (s.kind == StatementKind::kStore) {
      const Id target = array_of(s);
      if (target != kNone) add(target);
      if (target == kNone && kernel_.flow.deref(s) && !parameter(kernel_.root(s.location.base))) written.insert(kNone);
    }
    for (const Id array : handed(s)) add(array);
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
  bool python_;
  std::vector<std::set<Id>> written_;
  std::set<Id> addressed_;  // elements of which only the place is taken
};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  for (const DeviceFunction& code : launched_code_of_both(model)) {
    const facts::Function& function = model.function(code.function);
    if (!function.is_kernel || function.blocks.empty()) continue;
    const KernelView& kernel = view_of(model, code.function);
    Check check(kernel);
    auto reads = check.run();
    for (const auto& [array, read] : check.only_moved_on()) {
      const bool told = std::any_of(reads.begin(), reads.end(), [&](const auto& each) { return each.first == array; });
      if (!told) reads.emplace_back(array, read);
    }
    for (const auto& [array, read] : reads) {
      const facts::Storage& storage = model.facts().storages[static_cast<std::size_t>(array)];
      findings.push_back(finding_in_launched(kInfo, model, policy, code, *read,
                                             std::string("reads the ") +
                                                 (model.native(code.function) ? "shared " : "") + "array " +
                                                 storage.name + " where nothing can have written it."));
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
