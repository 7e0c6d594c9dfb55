#include "analysis/rules/partial_work.h"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/facts/call_chain.h"
#include "analysis/rules/host_numbers.h"
#include "analysis/rules/kernel_copies.h"
#include "analysis/rules/kernel_extent.h"
#include "analysis/rules/launch_values.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/skipped_launches.h"

namespace kernel_audit::analysis::rules {

using facts::Abstract;
using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;
using facts::StatementRef;

namespace {

constexpr double kFewest = 100;  // a smaller share than one of so many is no sample of an input

// Bytes of an element, 0 where the type is not known.
double size_of(std::string type) {
  for (const char* word : {"const ", "volatile ", "unsigned ", "signed "}) {
    if (type.starts_with(word)) type.erase(0, std::string_view(word).size());
  }
  type = type.substr(0, type.find_first_of("*[&"));
  while (type.ends_with(' ')) type.pop_back();
  static const std::map<std::string, double> sizes{
      {"float", 4},          {"int", 4},     {"double", 8},    {"long", 8},          {"long long", 8},
      {"short", 2},          {"char", 1},    {"float2", 8},    {"float4", 16},       {"int2", 8},
      {"int4", 16},          {"uint2", 8},   {"uint4", 16},    {"double2", 16},      {"__half", 2},
      {"half", 2},           {"__half2", 4}, {"c10::Half", 2}, {"__nv_bfloat16", 2}, {"c10::BFloat16", 2},
      {"__nv_bfloat162", 4}, {"float3", 12}, {"bool", 1}};
  const auto known = sizes.find(type);
  return known == sizes.end() ? 0 : known->second;
}

// One launch with its numbers.
class Launched {
 public:
  Launched(const Model& model, HostNumbers& host, const StatementRef& where, facts::ContextId context)
      : model_(model),
        host_(host),
        statement_(*model.statement(where)),
        where_(where),
        kernel_(model.kernel_of(where)) {
    frame_ = host.frame(where, context);
    grid_ = host.grid(statement_, statement_.launch->grid, frame_);
    block_ = host.grid(statement_, statement_.launch->block, frame_);
    const auto& parameters = model.function(kernel_).parameters;
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      const Id given = argument_of(p);
      std::optional<double> number = given == kNone ? std::nullopt : host.number(given, frame_);
      if (given == kNone && parameters[p].value != kNone) {
        const Json* constant = constant_of(model, parameters[p].value);
        if (constant != nullptr && constant->is_number()) number = constant->get<double>();
      }
      if (number && parameters[p].storage != kNone) numbers_[parameters[p].storage] = *number;
      if (number || given == kNone || parameters[p].type.kind != facts::TypeKind::kOther) continue;
      for (const auto& [name, value] : host.fields(given, frame_, parameters[p].type.name))
        fields_[{parameters[p].storage, name}] = value;
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
  // Bytes of an element of the tensor, where the kernel's pointer may count in vectors.
  double element_size(std::size_t parameter, double pointed) const {
    const double given = size_behind(where_.function, argument_of(parameter));
    return given != 0 ? given : pointed;
  }
  bool known() const { return !grid_.empty() && (!block_.empty() || decorated_by(model_.function(kernel_), "triton")); }
  const std::vector<double>& block() const { return block_; }
  const std::vector<double>& grid() const { return grid_; }
  const std::map<Id, double>& numbers() const { return numbers_; }
  const KernelExtent::Fields& fields() const { return fields_; }

 private:
  const Model& model_;
  HostNumbers& host_;
  // Through casts, variables and functions that return what they are handed.
  double size_behind(Id function, Id at, int depth = 0) const {
    constexpr int kDeepest = 6;
    if (at == kNone || depth > kDeepest) return 0;
    const KernelView view(model_, model_.function(function));
    const Statement* made = view.flow.made(at);
    if (made != nullptr && made->target != kNone && model_.function(made->target).blocks.size() == 1) {
      const auto& statements = model_.function(made->target).blocks.front().statements;
      if (!statements.empty() && statements.back().kind == StatementKind::kReturn)
        return size_behind(made->target, statements.back().value, depth + 1);
    }
    if (made != nullptr && made->callee == "operator.cast" && made->args.size() == 1)
      return size_behind(function, made->args[0], depth + 1);
    if (made != nullptr && made->kind == StatementKind::kLoad) {
      const auto& stores = view.flow.stores_to(made->location.storage);
      if (stores.size() == 1) return size_behind(function, stores.front()->value, depth + 1);
    }
    return size_of(model_.value(at).type.name);
  }

  const Statement& statement_;
  StatementRef where_;
  Id kernel_;
  int frame_ = -1;
  std::vector<double> grid_, block_;
  std::map<Id, double> numbers_;
  KernelExtent::Fields fields_;
};

bool accesses(const Statement& s, bool store) {
  return s.callee == (store ? "triton.language.store" : "triton.language.load");
}

bool reduces(const Statement& s) {
  return one_of(s.callee, {"triton.language.sum", "triton.language.max", "triton.language.min", "triton.language.dot",
                           "triton.language.reduce", "triton.language.argmax", "triton.language.argmin",
                           "triton.language.associative_scan", "triton.language.cumsum"});
}

// Where what a load reads goes into a sum, a maximum, a product of matrices, or what a loop gathers: each time the
// conditions of tl.where under which it takes part.
std::vector<std::vector<Id>> gathered(const KernelView& kernel, const Statement& load) {
  std::vector<std::vector<Id>> found;
  const auto from_load = [&](Id value) { return kernel.flow.behind(value).values.contains(load.result); };
  for (const facts::Block& block : kernel.function.blocks) {
    for (const Statement& s : block.statements) {
      const bool takes_all = reduces(s);
      const bool adds = s.kind == StatementKind::kStore && s.location.storage != kNone && s.value != kNone &&
                        (s.augmented || kernel.flow.behind(s.value).variables.contains(s.location.storage));
      if (!takes_all && !adds) continue;
      for (const Id part : takes_all ? s.args : facts::Operands{s.value}) {
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

// What one kernel reaches of what a parameter points to, in elements of the tensor behind it.
class Reached {
 public:
  Reached(const Model& model, const KernelView& kernel, Launched& launch)
      : model_(model),
        kernel_(kernel),
        extent_(kernel, launch.grid(), launch.block(), launch.numbers(), launch.fields()),
        native_(model.native(static_cast<Id>(&kernel.function - model.facts().functions.data()))),
        numba_(decorated_by(kernel.function, "numba")) {}

  struct Sum {
    std::optional<double> elements;
    const Statement* first = nullptr;
  };
  Sum of(const facts::Parameter& parameter, double element_size, bool store) {
    Sum sum{0, nullptr};
    for (const facts::Block& block : kernel_.function.blocks) {
      std::vector<const Statement*> counted;  // x[i] * x[i] reads one element
      for (const Statement& s : block.statements) {
        if (!sum.elements) return sum;
        const bool again =
            std::any_of(counted.begin(), counted.end(), [&](const Statement* other) { return same_place(s, *other); });
        if (again) continue;
        const Here here = touched_by(s, parameter, element_size, store);
        if (!here.touches) continue;
        counted.push_back(&s);
        sum.elements = here.count ? std::optional(*sum.elements + *here.count) : std::nullopt;
        if (sum.first == nullptr) sum.first = &s;
      }
    }
    return sum;
  }

  // Where each store through a parameter stays below a bound that the launch gives, the first of them and by how much.
  std::pair<const Statement*, KernelExtent::Shortfall> shortfall(const facts::Parameter& parameter) {
    std::pair<const Statement*, KernelExtent::Shortfall> first{nullptr, {}};
    for (const facts::Block& block : kernel_.function.blocks) {
      for (const Statement& s : block.statements) {
        if (!touched_by(s, parameter, 0, true).touches) continue;
        const bool stores = s.kind == StatementKind::kStore || accesses(s, true);
        const auto here = stores ? extent_.falls_short(s) : std::nullopt;
        if (!here) return {nullptr, {}};
        if (first.first == nullptr) first = {&s, *here};
      }
    }
    return first;
  }

 private:
  struct Here {
    bool touches = false;
    std::optional<double> count;
  };
  bool same_place(const Statement& a, const Statement& b) const {
    if (a.kind != b.kind || a.callee != b.callee) return false;
    if (a.kind == StatementKind::kCall) {
      const std::size_t place = a.callee == "triton.language.store" ? 2 : 1;
      const Id mask = argument(a, place, "mask"), other = argument(b, place, "mask");
      return !a.args.empty() && !b.args.empty() && kernel_.flow.same(a.args[0], b.args[0]) &&
             (mask == other || kernel_.flow.same(mask, other));
    }
    return kernel_.flow.same(a.location.base, b.location.base) && kernel_.flow.same(a.location.key, b.location.key);
  }
  bool points(Id value, const facts::Parameter& parameter) const {
    return value != kNone && kernel_.root(value) == parameter.storage;
  }

  // A pointer to blocks, which a loop may move on.
  bool in_blocks(Id pointer, const facts::Parameter& parameter) const {
    const auto behind = kernel_.flow.behind(pointer);
    return std::any_of(behind.values.begin(), behind.values.end(), [&](Id value) {
      const Statement* made = kernel_.flow.made(value);
      return made != nullptr && made->callee == "triton.language.make_block_ptr" && !made->args.empty() &&
             points(made->args[0], parameter);
    });
  }

  Here touched_by(const Statement& s, const facts::Parameter& parameter, double element_size, bool store) {
    if (numba_) return in_numba(s, parameter, store);
    return native_ ? in_cuda(s, parameter, element_size, store) : in_triton(s, parameter, store);
  }

  // y[i] = x[i]
  Here in_numba(const Statement& s, const facts::Parameter& parameter, bool store) {
    const auto given = [&](Id arg) { return arg != kNone && points(arg, parameter); };
    if (s.kind == StatementKind::kCall)
      return {!s.callee.starts_with("operator.") && std::any_of(s.args.begin(), s.args.end(), given), std::nullopt};
    if (s.kind != (store ? StatementKind::kStore : StatementKind::kLoad) || !s.location.element ||
        !given(s.location.base) || (!store && !taken_in(s)))
      return {};
    return {true, extent_.reach_of_threads(s)};
  }

  Here in_triton(const Statement& s, const facts::Parameter& parameter, bool store) {
    if (s.kind != StatementKind::kCall || s.args.empty() || s.callee.starts_with("operator.")) return {};
    const bool block = in_blocks(s.args[0], parameter);
    if (!block && std::none_of(s.args.begin(), s.args.end(), [&](Id arg) { return points(arg, parameter); })) return {};
    if (!accesses(s, store)) {
      const bool other = s.target != kNone || s.callee.find("atomic") != std::string::npos ||
                         s.callee.find("descriptor") != std::string::npos;
      return {other, std::nullopt};
    }
    if (!block && !points(s.args[0], parameter)) return {};
    const auto uses = store ? std::vector<std::vector<Id>>{{}} : gathered(kernel_, s);
    if (uses.empty()) return {taken_in(s), std::nullopt};
    Here here{true, 0};
    for (const std::vector<Id>& selected : uses) {
      const auto one = extent_.reach(s, selected);
      here.count = here.count && one ? std::optional(std::max(*here.count, *one)) : std::nullopt;
    }
    return here;
  }

  Here in_cuda(const Statement& s, const facts::Parameter& parameter, double element_size, bool store) {
    const bool access = (s.kind == StatementKind::kLoad || s.kind == StatementKind::kStore) && kernel_.flow.deref(s);
    if (access) {
      if ((s.kind == StatementKind::kStore) != store || !points(s.location.base, parameter)) return {};
      if (!store && !taken_in(s)) return {};
      const Id value = store ? s.value : s.result;
      const double size = value == kNone ? 0 : size_of(model_.value(value).type.name);
      const auto count = extent_.reach_of_threads(s);
      if (!count || size == 0 || element_size == 0) return {true, std::nullopt};
      // What is stored is converted to what the pointer holds.
      const double vector = std::max(size / element_size, 1.0);
      return {true, *count * vector};
    }
    if (s.kind != StatementKind::kCall || (s.callee.starts_with("operator.") && s.callee != "operator.addressof"))
      return {};
    if (std::none_of(s.args.begin(), s.args.end(), [&](Id arg) { return handed(arg, parameter); })) return {};
    if (s.callee == "operator.addressof") return {};
    if (!store && s.callee.starts_with("__ld") && s.result != kNone) {
      if (!taken_in(s)) return {};
      const double size = size_of(model_.value(s.result).type.name);
      const auto count = extent_.reach_of_threads(s);
      if (!count || size == 0 || element_size == 0) return {true, std::nullopt};
      return {true, *count * std::max(size / element_size, 1.0)};
    }
    return {true, std::nullopt};
  }
  bool handed(Id arg, const facts::Parameter& parameter) const {
    if (arg == kNone) return false;
    const auto kind = model_.value(arg).type.kind;
    const Statement* made = kernel_.flow.made(arg);
    const bool element = made != nullptr && made->kind == StatementKind::kLoad && kernel_.flow.deref(*made);
    const bool pointer = kind == facts::TypeKind::kPointer || kind == facts::TypeKind::kString ||
                         (kind == facts::TypeKind::kUnknown && !element);
    return pointer && points(arg, parameter);
  }

  // A sum, a maximum, a test or shared memory takes in what is loaded, by whatever way it goes there.
  bool taken_in(const Statement& load) const {
    std::set<Id> values{load.result}, variables;
    bool grew = true;
    while (grew) {
      grew = false;
      for (const facts::Block& block : kernel_.function.blocks) {
        if (values.contains(block.condition)) return true;
        for (const Statement& s : block.statements) {
          if (s.kind == StatementKind::kStore) {
            if (!values.contains(s.value)) continue;
            if (kernel_.shared_target(s) != kNone || gathers(s)) return true;
            const Id into = kernel_.flow.deref(s) ? kernel_.root(s.location.base) : s.location.storage;
            const bool own = !kernel_.flow.deref(s) || local(s.location.base);
            if (own && into != kNone) grew = variables.insert(into).second || grew;
            continue;
          }
          if (s.result == kNone || values.contains(s.result)) continue;
          const auto comes = [&](Id value) { return value != kNone && values.contains(value); };
          bool derived = comes(s.receiver) || std::any_of(s.args.begin(), s.args.end(), comes);
          if (s.kind == StatementKind::kLoad) {
            const Id from = kernel_.flow.deref(s) ? kernel_.root(s.location.base) : s.location.storage;
            derived = comes(s.location.base) || variables.contains(from);
          }
          if (!derived) continue;
          if (reduces(s)) return true;
          grew = values.insert(s.result).second || grew;
        }
      }
    }
    return false;
  }
  bool gathers(const Statement& store) const {
    if (store.augmented) return true;
    const Id storage = store.location.storage;
    return storage != kNone && !kernel_.flow.deref(store) &&
           kernel_.flow.behind(store.value).variables.contains(storage);
  }
  bool local(Id pointer) const {
    const Id root = kernel_.root(pointer);
    return root != kNone && std::none_of(kernel_.function.parameters.begin(), kernel_.function.parameters.end(),
                                         [&](const facts::Parameter& each) { return each.storage == root; });
  }

  const Model& model_;
  const KernelView& kernel_;
  KernelExtent extent_;
  bool native_, numba_;
};

// A buffer that somebody allocates, and not the caller's.
bool allocated(const Model& model, const Abstract& value) {
  return !value.objects.empty() && std::all_of(value.objects.begin(), value.objects.end(), [&](auto object) {
    const Statement* made = model.statement(model.run().object(object).made);
    return made != nullptr &&
           (last_part(made->callee).starts_with("empty") || last_part(made->callee).starts_with("new_empty"));
  });
}

// Whether a buffer is filled with zeros, and all that is put into it is made of what an input of the same size holds at
// the same places: where nothing is stored, the zeros are left out work.
bool beside_zeros(const Model& model, const KernelView& kernel, Launched& launch,
                  const std::vector<Abstract>& arguments, std::size_t parameter) {
  const Abstract& buffer = arguments[parameter];
  const bool zeros = !buffer.objects.empty() && std::all_of(buffer.objects.begin(), buffer.objects.end(), [&](auto id) {
    const Statement* made = model.statement(model.run().object(id).made);
    return made != nullptr && one_of(last_part(made->callee), {"zeros", "zeros_like", "new_zeros"});
  });
  const auto elements = zeros ? launch.elements(parameter) : std::nullopt;
  if (!elements) return false;
  const auto& parameters = kernel.function.parameters;
  for (std::size_t q = 0; q < parameters.size() && q < arguments.size(); ++q) {
    const bool input = model.provenance().reaches(arguments[q].nodes, facts::NodeKind::kArgument);
    if (q != parameter && input && launch.elements(q) == elements &&
        stores_beside(kernel, parameters[parameter].storage, parameters[q].storage))
      return true;
  }
  return false;
}

// Windows that lie apart leave out a part of their input by the task's own choice.
bool may_step_over(const Model& model) {
  for (const facts::Function& function : model.facts().functions) {
    if (function.name == "__init__" &&
        std::any_of(function.parameters.begin(), function.parameters.end(),
                    [](const auto& each) { return each.name == "stride" || each.name == "dilation"; }))
      return true;
    for (const facts::Block& block : function.blocks) {
      for (const Statement& s : block.statements) {
        if (s.callee.starts_with("torch.nn.") &&
            (s.callee.find("Conv") != std::string::npos || s.callee.find("Pool") != std::string::npos))
          return true;
      }
    }
  }
  return false;
}

std::vector<PartialWork> partly(const Model& model, bool store) {
  std::vector<PartialWork> found;
  HostNumbers host(model);
  if (!host.knows_inputs() || (!store && may_step_over(model))) return found;
  std::set<std::pair<StatementRef, std::size_t>> reported;
  for (const auto& [place, arguments] : model.run().launch_arguments) {
    const auto& [where, context] = place;
    const Id id = model.kernel_of(where);
    const Statement* statement = model.statement(where);
    if (id == kNone || statement == nullptr || !statement->launch || model.function(id).blocks.empty()) continue;
    if (repeated(model, where, context) || may_be_skipped(model, host, where, context)) continue;
    Launched launch(model, host, where, context);
    if (!launch.known()) continue;
    const KernelView kernel(model, model.function(id));
    const auto& access = model.access(id);
    Reached reached(model, kernel, launch);
    for (std::size_t p = 0; p < kernel.function.parameters.size() && p < arguments.size(); ++p) {
      const facts::Parameter& parameter = kernel.function.parameters[p];
      if (reported.contains({where, p}) || p >= access.written.size() || access.written[p] != store) continue;
      if (!store && (p >= access.read.size() || !access.read[p])) continue;
      if (arguments[p].objects.empty() || arguments[p].partial) continue;
      if (store && written_by_another(model, place, arguments[p])) continue;
      if (store) {
        if (const auto [first, by] = reached.shortfall(parameter); first != nullptr) {
          reported.emplace(where, p);
          found.push_back({where, id, p, first, by.reached, by.limit, true});
          continue;
        }
      }
      if (store ? !allocated(model, arguments[p]) && !beside_zeros(model, kernel, launch, arguments, p)
                : allocated(model, arguments[p]))
        continue;
      // Tables may be longer than what one call needs of them.
      const bool table = std::any_of(arguments[p].nodes.begin(), arguments[p].nodes.end(), [&](facts::NodeId node) {
        const facts::Node& made = model.provenance().at(node);
        return made.kind == facts::NodeKind::kWeights && last_part(made.name) != "weight";
      });
      const auto holds = [&](facts::NodeKind kind) { return model.provenance().reaches(arguments[p].nodes, kind); };
      if (!store && (table || (!holds(facts::NodeKind::kArgument) && !holds(facts::NodeKind::kWeights)))) continue;
      const auto elements = launch.elements(p);
      if (!elements) continue;
      const double size = model.native(id) ? size_of(parameter.type.name) : 1;
      const auto [sum, first] = reached.of(parameter, launch.element_size(p, size), store);
      if (!sum || first == nullptr || *sum > *elements - 0.5) continue;
      // One step of many is what the task asks for, rather than a sample of it; none at all is told elsewhere.
      if (!store && *sum * kFewest < *elements) continue;
      reported.emplace(where, p);
      found.push_back({where, id, p, first, *sum, *elements});
    }
  }
  return found;
}

}  // namespace

bool repeated(const Model& model, const StatementRef& place, facts::ContextId innermost) {
  const auto chain = facts::call_chain(model.provenance(), place, innermost);
  return std::any_of(chain.begin(), chain.end(), [&](const facts::CallSite& each) {
    return each.where.function != kNone &&
           blocks_in_loops(model.function(each.where.function)).contains(each.where.block);
  });
}

bool written_by_another(const Model& model, const LaunchPlace& launch, const Abstract& buffer) {
  for (const auto& [place, arguments] : model.run().launch_arguments) {
    if (place == launch) continue;
    const auto& there = model.access(model.kernel_of(place.first));
    for (std::size_t q = 0; q < arguments.size(); ++q) {
      const bool writes = q >= there.written.size() || there.written[q];
      if (writes && std::any_of(arguments[q].objects.begin(), arguments[q].objects.end(), [&](auto object) {
            return std::binary_search(buffer.objects.begin(), buffer.objects.end(), object);
          }))
        return true;
    }
  }
  return false;
}

std::vector<PartialWork> partly_stored(const Model& model) { return partly(model, true); }
std::vector<PartialWork> partly_read(const Model& model) { return partly(model, false); }

}  // namespace kernel_audit::analysis::rules
