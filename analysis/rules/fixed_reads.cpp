#include "analysis/rules/fixed_reads.h"

#include <algorithm>
#include <set>

#include "analysis/rules/host_numbers.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;

namespace {

constexpr double kFewest = 100;  // elements; a header of a few numbers is read at fixed places
constexpr int kDeepest = 4;

// What one function of a kernel does with a pointer that it is handed.
class Reads {
 public:
  Reads(const Model& model, Id function, Id pointer, std::set<Id> varying, int depth)
      : kernel_(model, model.function(function)), pointer_(pointer), varying_(std::move(varying)), depth_(depth) {}

  // The first read that other addresses or bounds are computed from, when all are at places that are the same for every
  // thread.
  const Statement* run() {
    for (const facts::Block& block : kernel_.function.blocks) {
      for (const Statement& s : block.statements) {
        if (!take(s)) return nullptr;
      }
    }
    return leads_ ? first_ : nullptr;
  }

 private:
  bool points(Id value) const {
    if (value == kNone || kernel_.root(value) != pointer_) return false;
    const auto kind = kernel_.model.value(value).type.kind;  // what is read there is a number
    return kind != facts::TypeKind::kInt && kind != facts::TypeKind::kFloat && kind != facts::TypeKind::kBool;
  }

  bool take(const Statement& s) {
    const bool store = s.kind == StatementKind::kStore;
    if (kernel_.flow.deref(s) && points(s.location.base)) return !store && read(s, {s.location.base, s.location.key});
    if (store && points(s.value)) return kernel_.flow.stores_to(s.location.storage).size() == 1;
    if (s.kind != StatementKind::kCall) return true;
    const auto handed = std::find_if(s.args.begin(), s.args.end(), [&](Id arg) { return points(arg); });
    if (handed == s.args.end()) return !points(s.receiver);
    if (s.callee == "triton.language.load") return read(s, {*handed});
    if (s.callee.starts_with("operator.") || last_part(s.callee) == "__ldg")
      return last_part(s.callee) != "__ldg" || read(s, {*handed});
    return s.target != kNone && depth_ < kDeepest && within(s, static_cast<std::size_t>(handed - s.args.begin()));
  }

  bool read(const Statement& s, std::initializer_list<Id> address) {
    if (std::any_of(address.begin(), address.end(), [&](Id part) { return varies(part); })) return false;
    if (first_ == nullptr) first_ = &s;
    leads_ = leads_ || leads(s.result);
    return true;
  }

  // In a function that is called with the pointer.
  bool within(const Statement& call, std::size_t place) {
    const auto& parameters = kernel_.model.function(call.target).parameters;
    if (place >= parameters.size() || !call.keywords.empty() || call.star_args) return false;
    std::set<Id> varying;
    for (std::size_t p = 0; p < parameters.size() && p < call.args.size(); ++p) {
      if (p != place && (points(call.args[p]) || varies(call.args[p]))) varying.insert(parameters[p].storage);
    }
    Reads inside(kernel_.model, call.target, parameters[place].storage, varying, depth_ + 1);
    const Statement* found = inside.run();
    if (inside.first_ == nullptr) return false;
    if (first_ == nullptr) first_ = inside.first_;
    leads_ = leads_ || found != nullptr || leads(call.result);
    for (const facts::Block& block : kernel_.function.blocks) {  // one of several results
      for (const Statement& s : block.statements) {
        const bool part = s.kind == StatementKind::kLoad && s.location.element && s.location.base == call.result;
        leads_ = leads_ || (part && leads(s.result));
      }
    }
    return true;
  }

  // Whether it may be another number for another thread or turn of a loop.
  bool varies(Id value) const {
    if (value == kNone) return false;
    const DeviceFlow::Behind behind = kernel_.flow.behind(value);
    const auto& parameters = kernel_.function.parameters;
    const auto other = [&](Id variable) {
      if (variable == pointer_) return false;
      const bool given = std::any_of(parameters.begin(), parameters.end(),
                                     [&](const facts::Parameter& each) { return each.storage == variable; });
      return varying_.contains(variable) || kernel_.flow.stores_to(variable).size() > (given ? 0U : 1U);
    };
    const auto changes = [&](Id each) {
      const std::string& symbol = kernel_.model.value(each).symbol;
      if (starts_with_any(symbol, {"threadIdx", "blockIdx"})) return true;
      const Statement* made = kernel_.flow.made(each);
      if (made == nullptr) return false;
      if (made->kind == StatementKind::kLoad) return kernel_.flow.deref(*made);
      if (made->kind != StatementKind::kCall) return true;
      return !made->callee.starts_with("operator.") &&
             !one_of(last_part(made->callee), {"minimum", "maximum", "min", "max", "cdiv", "to", "int"});
    };
    return std::any_of(behind.variables.begin(), behind.variables.end(), other) ||
           std::any_of(behind.values.begin(), behind.values.end(), changes);
  }

  // Whether addresses or conditions are computed from it.
  bool leads(Id value, int hops = 0) const {
    const auto from_it = [&](Id other) { return other != kNone && kernel_.flow.behind(other).values.contains(value); };
    for (const facts::Block& block : kernel_.function.blocks) {
      if (from_it(block.condition)) return true;
      for (const Statement& s : block.statements) {
        const bool access = one_of(s.callee, {"triton.language.load", "triton.language.store", "builtins.range",
                                              "triton.language.range", "triton.language.static_range"});
        if (access && std::any_of(s.args.begin(), s.args.end(), from_it) && s.result != value) return true;
        if (kernel_.flow.deref(s) && s.result != value && (from_it(s.location.base) || from_it(s.location.key)))
          return true;
        if (hops < kDeepest && passes_through_structure(s, from_it) && leads_by_members(s, hops)) return true;
      }
    }
    return false;
  }

  // A member that is read of a structure which was made of it, or that it is put into.
  template <typename FromIt>
  bool passes_through_structure(const Statement& s, const FromIt& from_it) const {
    if (s.location.base == kNone || s.location.element || kernel_.flow.deref(s)) return false;
    return from_it(s.kind == StatementKind::kStore ? s.value : s.location.base);
  }

  bool leads_by_members(const Statement& s, int hops) const {
    if (s.kind == StatementKind::kLoad) return leads(s.result, hops + 1);
    for (const facts::Block& block : kernel_.function.blocks) {
      for (const Statement& load : block.statements) {
        const bool member = load.kind == StatementKind::kLoad && load.location.storage == s.location.storage;
        if (member && leads(load.result, hops + 1)) return true;
      }
    }
    return false;
  }

  KernelView kernel_;
  Id pointer_;
  std::set<Id> varying_;
  int depth_;
  const Statement* first_ = nullptr;
  bool leads_ = false;
};

}  // namespace

std::vector<FixedRead> read_at_fixed_places(const Model& model) {
  std::vector<FixedRead> found;
  HostNumbers host(model);
  if (!host.knows_inputs()) return found;
  const auto argument = [&](const facts::Abstract& given) {  // itself, or a copy of all of it
    std::set<int> positions;
    model.provenance().walk(given.nodes, [&](const facts::Node& node, facts::NodeId) {
      if (node.kind == facts::NodeKind::kArgument) positions.insert(node.argument);
      return node.kind == facts::NodeKind::kCopy;
    });
    return given.objects.empty() || given.partial || positions.size() != 1 ? -1 : *positions.begin();
  };
  std::map<int, std::size_t> uses;  // of each argument of forward
  for (const auto& [place, given] : model.run().launch_arguments) {
    for (const facts::Abstract& each : given) uses[argument(each)] += 1;
  }
  for (const auto& [place, given] : model.run().launch_arguments) {
    const auto& [where, context] = place;
    const Statement* launch = model.statement(where);
    const Id kernel = model.kernel_of(where);
    if (launch == nullptr || kernel == kNone) continue;
    const auto& parameters = model.function(kernel).parameters;
    for (std::size_t p = 0; p < parameters.size() && p < given.size(); ++p) {
      const int position = argument(given[p]);
      if (position < 0 || uses[position] != 1 || parameters[p].storage == kNone) continue;
      const auto elements = host.input_elements(static_cast<std::size_t>(position));
      if (!elements || *elements < kFewest) continue;
      if (const Statement* read = Reads(model, kernel, parameters[p].storage, {}, 0).run())
        found.push_back({where, kernel, p, read, *elements});
    }
  }
  return found;
}

}  // namespace kernel_audit::analysis::rules
