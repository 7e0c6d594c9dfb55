#include "analysis/rules/no_work.h"

#include <algorithm>
#include <set>

#include "analysis/rules/conditions.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;

namespace {

// What keeps threads from stores: a parameter, or a member of one.
struct Bound {
  std::size_t parameter = 0;
  std::string member;
  std::string type;  // of the structure, where it is one
  auto operator<=>(const Bound&) const = default;
};

std::string bare(std::string type) {
  if (type.starts_with("const ")) type.erase(0, 6);
  while (type.ends_with('&') || type.ends_with('*') || type.ends_with(' ')) type.pop_back();
  return type;
}

bool orders(const Statement& s) {
  return s.args.size() == 2 && one_of(s.callee, {"operator.lt", "operator.le", "operator.gt", "operator.ge"});
}

std::string attribute_of(const Model& model, const Statement& s) {
  if (s.location.base == kNone || s.location.storage == kNone || s.location.element) return "";
  return model.facts().storages[static_cast<std::size_t>(s.location.storage)].name;
}

std::optional<Bound> bound_of(const KernelView& kernel, Id value) {
  const Statement* load = kernel.flow.made(value);
  while (load != nullptr && load->callee == "operator.cast" && load->args.size() == 1)
    load = kernel.flow.made(load->args[0]);
  if (load == nullptr || load->kind != StatementKind::kLoad) return std::nullopt;
  const std::string member = attribute_of(kernel.model, *load);
  Id variable = load->location.storage, given = kNone;
  if (!member.empty()) {
    const Statement* whole = kernel.flow.made(load->location.base);
    given = load->location.base;
    variable = whole != nullptr && whole->kind == StatementKind::kLoad ? whole->location.storage : kNone;
  } else if (load->location.base != kNone) {
    return std::nullopt;
  }
  if (member.empty() && !kernel.flow.stores_to(variable).empty()) return std::nullopt;
  const auto& parameters = kernel.function.parameters;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const bool is =
        (variable != kNone && parameters[p].storage == variable) || (given != kNone && parameters[p].value == given);
    if (is) return Bound{p, member, member.empty() ? "" : bare(parameters[p].type.name)};
  }
  return std::nullopt;
}

// Bounds that an index has to stay below for any store of the kernel.
std::set<Bound> bounds_of_stores(const KernelView& kernel) {
  std::optional<std::set<Bound>> common;
  for (std::size_t b = 0; b < kernel.function.blocks.size(); ++b) {
    const auto& statements = kernel.function.blocks[b].statements;
    const bool writes = std::any_of(statements.begin(), statements.end(), [&](const Statement& s) {
      return writes_global(kernel.model, kernel.function, s) || (s.target != kNone && s.kind == StatementKind::kCall);
    });
    if (!writes) continue;
    std::set<Bound> here;
    for (const Id decider : kernel.graph.deciders(static_cast<Id>(b))) {
      const Statement* test = kernel.flow.made(kernel.function.blocks[static_cast<std::size_t>(decider)].condition);
      const auto side = kernel.side(decider, static_cast<Id>(b));
      if (test == nullptr || !orders(*test) || !side || !*side) continue;
      const bool below = test->callee == "operator.lt" || test->callee == "operator.le";
      if (const auto bound = bound_of(kernel, test->args[below ? 1 : 0])) here.insert(*bound);
    }
    if (!common) {
      common = here;
    } else {
      std::erase_if(*common, [&](const Bound& each) { return !here.contains(each); });
    }
  }
  return common.value_or(std::set<Bound>{});
}

class Host {
 public:
  explicit Host(const Model& model) : model_(model) {}

  // The comparison that makes a value zero on one side of it.
  const Statement* zero_by(Id function, Id value, int depth = 0) const {
    constexpr int kDeepest = 6;
    const Statement* made = depth > kDeepest ? nullptr : maker(model_, function, value);
    if (made == nullptr) return nullptr;
    if (made->callee == "operator.cast" && made->args.size() == 1) return zero_by(function, made->args[0], depth + 1);
    if (made->kind == StatementKind::kPhi) {
      const bool some = std::any_of(made->args.begin(), made->args.end(), [&](Id arg) { return !zero(function, arg); });
      const bool none = std::any_of(made->args.begin(), made->args.end(), [&](Id arg) { return zero(function, arg); });
      if (!some || !none) return nullptr;
      for (const Id before : model_.run().flow(function).predecessors(block_of(function, *made))) {
        if (const Statement* test = decided(function, before)) return test;
      }
      return nullptr;
    }
    if (made->kind == StatementKind::kCall && made->target != kNone) return returned_zero(made->target, depth + 1);
    if (made->kind != StatementKind::kLoad || made->location.element) return nullptr;
    const std::string member = attribute_of(model_, *made);
    if (!member.empty())
      return stored_zero(member, bare(model_.value(made->location.base).type.name), kNone, depth + 1);
    return made->location.base == kNone ? stored_zero("", "", made->location.storage, depth + 1) : nullptr;
  }

  // Of a variable, or of a member of a structure of that type.
  const Statement* stored_zero(const std::string& member, const std::string& type, Id storage, int depth = 0) const {
    const auto& functions = model_.facts().functions;
    for (std::size_t f = 0; f < functions.size(); ++f) {
      const Id id = static_cast<Id>(f);
      if (!model_.native(id) || functions[f].is_kernel) continue;
      for (std::size_t b = 0; b < functions[f].blocks.size(); ++b) {
        for (const Statement& s : functions[f].blocks[b].statements) {
          if (s.kind != StatementKind::kStore || s.value == kNone || s.augmented) continue;
          const bool here = member.empty() ? s.location.storage == storage
                                           : attribute_of(model_, s) == member &&
                                                 bare(model_.value(s.location.base).type.name) == type;
          if (!here) continue;
          const Statement* test = zero(id, s.value) ? decided(id, static_cast<Id>(b)) : zero_by(id, s.value, depth + 1);
          if (test != nullptr) return test;
        }
      }
    }
    return nullptr;
  }

 private:
  bool zero(Id function, Id value) const {
    const Json* constant = constant_of(model_, value);
    const Statement* made = constant == nullptr ? maker(model_, function, value) : nullptr;
    if (made != nullptr && made->callee == "operator.cast" && made->args.size() == 1)
      constant = constant_of(model_, made->args[0]);
    return constant != nullptr && constant->is_number() && constant->get<double>() == 0;
  }
  Id block_of(Id function, const Statement& statement) const {
    const auto& blocks = model_.function(function).blocks;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const auto& all = blocks[b].statements;
      if (!all.empty() && &statement >= all.data() && &statement < all.data() + all.size()) return static_cast<Id>(b);
    }
    return 0;
  }
  const Statement* returned_zero(Id function, int depth) const {
    if (!model_.native(function)) return nullptr;
    const auto& blocks = model_.function(function).blocks;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      for (const Statement& s : blocks[b].statements) {
        if (s.kind != StatementKind::kReturn || s.value == kNone) continue;
        const Statement* test =
            zero(function, s.value) ? decided(function, static_cast<Id>(b)) : zero_by(function, s.value, depth + 1);
        if (test != nullptr) return test;
      }
    }
    return nullptr;
  }

  // A whole number that is not in the source has a part in it, by way of members that are set here too.
  bool of_a_count(Id function, Id value, int depth = 0) const {
    const Slice& slice = slice_of(model_, function, value);
    const bool counts = std::any_of(slice.values.begin(), slice.values.end(), [&](Id each) {
      const facts::Value& part = model_.value(each);
      return part.type.kind == facts::TypeKind::kInt && !part.constant;
    });
    if (counts || depth > 2) return counts;
    std::set<std::string> members;
    for (const Statement* s : slice.statements) members.insert(attribute_of(model_, *s));
    for (const facts::Block& block : model_.function(function).blocks) {
      for (const Statement& s : block.statements) {
        const std::string member = s.kind == StatementKind::kStore ? attribute_of(model_, s) : "";
        if (!member.empty() && members.contains(member) && of_a_count(function, s.value, depth + 1)) return true;
      }
    }
    return false;
  }
  // An order of floats decides whether the block runs, one of which is computed of a size: a setting alone
  // (`p >= 1.0`) may well say that there is nothing to do.
  const Statement* decided(Id function, Id block) const {
    for (const Id decider : model_.run().flow(function).deciders(block)) {
      const Id condition = model_.function(function).blocks[static_cast<std::size_t>(decider)].condition;
      const Statement* test = maker(model_, function, condition);
      if (test == nullptr || !orders(*test) || !of_a_count(function, condition)) continue;
      for (const Id operand : test->args) {
        const Statement* made = maker(model_, function, behind(model_, function, operand));
        if (made != nullptr && model_.value(operand).type.kind == facts::TypeKind::kFloat &&
            one_of(made->callee, {"operator.mul", "operator.truediv", "operator.div", "operator.add", "operator.sub"}))
          return test;
      }
    }
    return nullptr;
  }

  const Model& model_;
};

}  // namespace

std::vector<NoWork> may_do_no_work(const Model& model) {
  std::vector<NoWork> found;
  const Host host(model);
  std::set<Id> seen;
  for (const facts::StatementRef& where : model.run().executed_launches) {
    const Statement* launch = model.statement(where);
    const Id id = model.kernel_of(where);
    if (launch == nullptr || !launch->launch || launch->star_args || id == kNone || !model.native(id) ||
        !model.native(where.function) || !seen.insert(id).second)
      continue;
    const KernelView& kernel = view_of(model, id);
    for (const Bound& bound : bounds_of_stores(kernel)) {
      if (bound.parameter >= launch->args.size()) continue;
      const Statement* test = bound.member.empty() ? host.zero_by(where.function, launch->args[bound.parameter])
                                                   : host.stored_zero(bound.member, bound.type, kNone);
      if (test == nullptr) continue;
      found.push_back({where, id, test});
      break;
    }
  }
  return found;
}

}  // namespace kernel_audit::analysis::rules
