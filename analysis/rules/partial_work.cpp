#include "analysis/rules/partial_work.h"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/rules/host_numbers.h"
#include "analysis/rules/kernel_extent.h"
#include "analysis/rules/launch_values.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;
using facts::StatementRef;

namespace {

constexpr double kRounding = 0.9999;

// One launch with its numbers.
class Launched {
 public:
  Launched(const Model& model, HostNumbers& host, const StatementRef& where, facts::ContextId context)
      : model_(model), host_(host), statement_(*model.statement(where)), kernel_(model.kernel_of(where)) {
    frame_ = host.frame(where, context);
    grid_ = host.grid(statement_, statement_.launch->grid, frame_);
    const auto& parameters = model.function(kernel_).parameters;
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      const Id given = argument_of(p);
      std::optional<double> number = given == kNone ? std::nullopt : host.number(given, frame_);
      if (given == kNone && parameters[p].value != kNone) {
        const Json* constant = constant_of(model, parameters[p].value);
        if (constant != nullptr && constant->is_number()) number = constant->get<double>();
      }
      if (number && parameters[p].storage != kNone) numbers_[parameters[p].storage] = *number;
    }
  }
  Id argument_of(std::size_t parameter) const {
    for (const auto& [name, value] : statement_.keywords) {
      if (name == model_.function(kernel_).parameters[parameter].name) return value;
    }
    return parameter < statement_.args.size() && !statement_.star_args ? statement_.args[parameter] : kNone;
  }
  std::optional<double> elements(std::size_t parameter) {
    const Id given = argument_of(parameter);
    return given == kNone ? std::nullopt : host_.elements(given, frame_);
  }
  bool known() const { return !grid_.empty(); }
  const std::vector<double>& grid() const { return grid_; }
  const std::map<Id, double>& numbers() const { return numbers_; }

 private:
  const Model& model_;
  HostNumbers& host_;
  const Statement& statement_;
  Id kernel_;
  int frame_ = -1;
  std::vector<double> grid_;
  std::map<Id, double> numbers_;
};

// It may run several times, each time on another part.
bool repeated(const Model& model, StatementRef where, facts::ContextId context) {
  for (int hops = 0; hops < 32 && where.function != kNone && where.block != kNone; ++hops) {
    if (blocks_in_loops(model.function(where.function)).contains(where.block)) return true;
    if (context <= 0) break;
    where = model.provenance().context_at(context).call;
    context = model.provenance().context_at(context).parent;
  }
  return false;
}

bool accesses(const Statement& s, bool store) {
  return s.callee == (store ? "triton.language.store" : "triton.language.load");
}

// Where what a load reads goes into a sum, a maximum, a product of matrices, or what a loop gathers: each time the
// conditions of tl.where under which it takes part.
std::vector<std::vector<Id>> gathered(const KernelView& kernel, const Statement& load) {
  std::vector<std::vector<Id>> found;
  const auto from_load = [&](Id value) { return kernel.flow.behind(value).values.contains(load.result); };
  for (const facts::Block& block : kernel.function.blocks) {
    for (const Statement& s : block.statements) {
      const bool reduces =
          one_of(s.callee, {"triton.language.sum", "triton.language.max", "triton.language.min", "triton.language.dot",
                            "triton.language.reduce", "triton.language.argmax", "triton.language.argmin"});
      const bool adds = s.kind == StatementKind::kStore && s.augmented;
      if (!reduces && !adds) continue;
      for (const Id part : reduces ? s.args : std::vector<Id>{s.value}) {
        const auto behind = kernel.flow.behind(part);
        if (!behind.values.contains(load.result)) continue;
        std::vector<Id>& selected = found.emplace_back();
        for (const Id value : behind.values) {
          const Statement* choice = kernel.flow.made(value);
          if (choice == nullptr || choice->callee != "triton.language.where" || choice->args.size() != 3) continue;
          if (kernel.number(choice->args[2]) && from_load(choice->args[1]) && !from_load(choice->args[0]))
            selected.push_back(choice->args[0]);
        }
      }
    }
  }
  return found;
}

std::vector<PartialWork> partly(const Model& model, bool store) {
  std::vector<PartialWork> found;
  HostNumbers host(model);
  std::set<std::pair<StatementRef, std::size_t>> reported;
  for (const auto& [place, arguments] : model.run().launch_arguments) {
    const auto& [where, context] = place;
    const Id id = model.kernel_of(where);
    const Statement* statement = model.statement(where);
    if (id == kNone || statement == nullptr || model.native(id) || model.native(where.function)) continue;
    if (repeated(model, where, context)) continue;
    Launched launch(model, host, where, context);
    if (!launch.known()) continue;
    const KernelView kernel(model, model.function(id));
    const auto& access = model.access(id);
    KernelExtent extent(kernel, launch.grid(), launch.numbers());
    for (std::size_t p = 0; p < kernel.function.parameters.size() && p < arguments.size(); ++p) {
      if (reported.contains({where, p}) || p >= access.written.size() || access.written[p] != store) continue;
      if (!store && (p >= access.read.size() || !access.read[p])) continue;
      const bool allocated = !arguments[p].objects.empty() &&
                             std::all_of(arguments[p].objects.begin(), arguments[p].objects.end(), [&](auto object) {
                               const Statement* made = model.statement(model.run().object(object).made);
                               return made != nullptr && (last_part(made->callee).starts_with("empty") ||
                                                          last_part(made->callee).starts_with("new_empty"));
                             });
      if (allocated != store || arguments[p].partial) continue;
      const auto shared = [&](const auto& other) {  // another launch may do the rest
        if (other.first.first == where) return false;
        const auto& there = model.access(model.kernel_of(other.first.first));
        for (std::size_t q = 0; q < other.second.size(); ++q) {
          const bool does = q >= there.written.size() || (store ? there.written[q] : there.read[q]);
          if (does && std::any_of(other.second[q].objects.begin(), other.second[q].objects.end(), [&](auto object) {
                return std::binary_search(arguments[p].objects.begin(), arguments[p].objects.end(), object);
              }))
            return true;
        }
        return false;
      };
      const auto& launches = model.run().launch_arguments;
      if (store && std::any_of(launches.begin(), launches.end(), shared)) continue;
      std::optional<double> reached = 0;
      const Statement* first = nullptr;
      for (const facts::Block& block : kernel.function.blocks) {
        for (const Statement& s : block.statements) {
          if (!reached) break;
          const bool touches = s.kind == StatementKind::kCall && !s.args.empty() &&
                               std::any_of(s.args.begin(), s.args.end(), [&](Id arg) {
                                 return kernel.root(arg) == kernel.function.parameters[p].storage;
                               });
          if (!touches || s.callee.starts_with("operator.")) continue;
          if (!accesses(s, store)) {
            if (s.target != kNone || s.callee.find("atomic") != std::string::npos ||
                s.callee.find("block_ptr") != std::string::npos || s.callee.find("descriptor") != std::string::npos)
              reached.reset();
            continue;
          }
          if (kernel.root(s.args[0]) != kernel.function.parameters[p].storage) continue;
          const auto uses = store ? std::vector<std::vector<Id>>{{}} : gathered(kernel, s);
          if (uses.empty()) continue;
          std::optional<double> here = 0;
          for (const std::vector<Id>& selected : uses) {
            const auto one = extent.reach(s, selected);
            here = here && one ? std::optional(std::max(*here, *one)) : std::nullopt;
          }
          reached = here ? std::optional(*reached + *here) : std::nullopt;
          if (first == nullptr) first = &s;
        }
      }
      if (!reached || first == nullptr) continue;
      const auto elements = launch.elements(p);
      if (!elements || *reached >= *elements * kRounding) continue;
      reported.emplace(where, p);
      found.push_back({where, id, p, first, *reached, *elements});
    }
  }
  return found;
}

}  // namespace

std::vector<PartialWork> partly_stored(const Model& model) { return partly(model, true); }
std::vector<PartialWork> partly_read(const Model& model) { return partly(model, false); }

}  // namespace kernel_audit::analysis::rules
