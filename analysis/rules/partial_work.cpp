#include "analysis/rules/partial_work.h"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/facts/call_chain.h"
#include "analysis/rules/host_numbers.h"
#include "analysis/rules/kernel_copies.h"
#include "analysis/rules/kernel_extent.h"
#include "analysis/rules/known_contents.h"
#include "analysis/rules/launch_values.h"
#include "analysis/rules/launched.h"
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

// It may run several times, each time on another part.
bool repeated(const Model& model, const StatementRef& place, facts::ContextId innermost) {
  const auto chain = facts::call_chain(model.provenance(), place, innermost);
  return std::any_of(chain.begin(), chain.end(), [&](const facts::CallSite& each) {
    return each.where.function != kNone &&
           blocks_in_loops(model.function(each.where.function)).contains(each.where.block);
  });
}

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

  // The same of stores of what is computed. Where a block or thread puts down a number for being where it is, that is
  // left out: nothing where none does.
  std::optional<double> computed(const facts::Parameter& parameter, double element_size) {
    double sum = 0;
    bool numbers = false;
    for (const facts::Block& block : kernel_.function.blocks) {
      for (const Statement& s : block.statements) {
        const Here here = touched_by(s, parameter, element_size, true);
        if (!here.touches) continue;
        const bool call = s.kind == StatementKind::kCall;
        const Id value = !call ? s.value : s.args.size() > 1 && accesses(s, true) ? s.args[1] : kNone;
        if (value == kNone || !here.count) return std::nullopt;
        if (all_one_number(value)) {
          numbers = true;
          continue;
        }
        const auto threads = extent_.reach_of_threads(s), plain = extent_.reach_by_place(s, {});
        const auto reached = extent_.reach_by_place(s, chosen_by(value));
        if (!threads || !plain || !reached || *threads <= 0) return std::nullopt;
        numbers = numbers || *reached < *plain;
        sum += *reached * (*here.count / *threads);
      }
    }
    return numbers ? std::optional(sum) : std::nullopt;
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
  // A number, or a block of it.
  bool all_one_number(Id value) const {
    const Statement* made = kernel_.flow.made(value);
    if (made == nullptr || !made->callee.starts_with("triton.language.")) return kernel_.number(value).has_value();
    const std::string last = last_part(made->callee);
    return last == "zeros" || last == "zeros_like" || (last == "full" && kernel_.number(argument(*made, 1, "value")));
  }
  // What holds where a value is anything but the number that is chosen instead of it.
  KernelExtent::Tests chosen_by(Id value) const {
    const Statement* choice = kernel_.flow.made(value);
    if (choice != nullptr && choice->kind == StatementKind::kLoad && choice->location.base == kNone) {
      const auto& stores = kernel_.flow.stores_to(choice->location.storage);
      choice = stores.size() == 1 ? kernel_.flow.made(stores.front()->value) : nullptr;
    }
    if (choice == nullptr) return {};
    const bool where = choice->callee == "triton.language.where" && choice->args.size() == 3;
    const bool phi = choice->kind == StatementKind::kPhi && choice->callee.empty() && choice->args.size() == 2;
    if (!where && !phi) return {};
    const std::vector<Id> conditions = where ? std::vector<Id>{choice->args[0]} : kernel_.choosing(*choice);
    const bool first = all_one_number(choice->args[where ? 1 : 0]);
    const bool second = all_one_number(choice->args[where ? 2 : 1]);
    const bool one = std::all_of(conditions.begin(), conditions.end(), [&](Id each) { return each == conditions[0]; });
    const Statement* test = conditions.empty() ? nullptr : kernel_.flow.made(conditions.front());
    if (first == second || !one || test == nullptr) return {};
    return {{test, second}};
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
    const auto each = store ? stored_by(s, parameter, element_size) : std::nullopt;
    const auto calls = each ? extent_.threads_at(s) : std::nullopt;
    return {true, calls ? std::optional(*calls * *each) : std::nullopt};
  }

  // Elements that one call of a function of the candidate stores through a parameter, where none is in a loop.
  std::optional<double> stored_by(const Statement& call, const facts::Parameter& parameter, double element_size) const {
    if (call.target == kNone || element_size == 0) return std::nullopt;
    const facts::Function& called = model_.function(call.target);
    const auto& access = model_.access(call.target);
    if (called.blocks.empty() || !access.known || !access.precise || !blocks_in_loops(called).empty())
      return std::nullopt;
    const KernelView inside(model_, called);
    double stored = 0;
    for (std::size_t i = 0; i < call.args.size(); ++i) {
      if (!handed(call.args[i], parameter) || i >= access.written.size() || !access.written[i]) continue;
      for (const facts::Block& block : called.blocks) {
        for (const Statement& s : block.statements) {
          if (s.kind == StatementKind::kCall && s.target != kNone) return std::nullopt;
          if (s.kind != StatementKind::kStore || !inside.flow.deref(s)) continue;
          const double size = s.value == kNone ? 0 : size_of(model_.value(s.value).type.name);
          if (size == 0) return std::nullopt;
          stored += std::max(size / element_size, 1.0);
        }
      }
    }
    return stored > 0 ? std::optional(stored) : std::nullopt;
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
        if (values.contains(block.condition) && keeps_what_is_found(block)) return true;
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
  // Whether something outlasts what a block decides: a count, the largest so far, what a loop has found. A choice of
  // what is put in the same place does not.
  bool keeps_what_is_found(const facts::Block& decider) const {
    const Id deciding = static_cast<Id>(&decider - kernel_.function.blocks.data());
    const auto& variables = kernel_.flow.behind(decider.condition).variables;
    for (std::size_t b = 0; b < kernel_.function.blocks.size(); ++b) {
      const auto deciders = kernel_.graph.deciders(static_cast<Id>(b));
      if (std::find(deciders.begin(), deciders.end(), deciding) == deciders.end()) continue;
      for (const Statement& s : kernel_.function.blocks[b].statements) {
        if (s.callee.starts_with("atomic")) return true;
        if (s.kind != StatementKind::kStore) continue;
        if (s.augmented || kernel_.shared_target(s) != kNone) return true;
        if (kernel_.flow.deref(s) || s.location.storage == kNone) continue;
        if (variables.contains(s.location.storage) || outlasts_loop(s, deciding)) return true;
      }
    }
    return false;
  }
  // Whether the variable of a store has another from before a loop around the block.
  bool outlasts_loop(const Statement& store, Id block) const {
    const auto loops = natural_loops(kernel_.function, kernel_.graph);
    const auto& others = kernel_.flow.stores_to(store.location.storage);
    return std::any_of(loops.begin(), loops.end(), [&](const NaturalLoop& loop) {
      if (!loop.blocks.contains(block)) return false;
      return std::any_of(others.begin(), others.end(), [&](const Statement* other) {
        return std::none_of(loop.blocks.begin(), loop.blocks.end(), [&](Id inside) {
          const auto& statements = kernel_.function.blocks[static_cast<std::size_t>(inside)].statements;
          return !statements.empty() && other >= &statements.front() && other <= &statements.back();
        });
      });
    });
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

// The same, with nothing in it.
bool fresh(const Model& model, const Abstract& buffer) {
  return allocated(model, buffer) && std::none_of(buffer.objects.begin(), buffer.objects.end(), [&](auto id) {
           return set_to_number(model, model.run().object(id).made);
         });
}

// A buffer that starts out as one number.
bool numbered(const Model& model, const Abstract& buffer) {
  return !buffer.objects.empty() && std::all_of(buffer.objects.begin(), buffer.objects.end(), [&](auto id) {
    const facts::StatementRef& where = model.run().object(id).made;
    const Statement* made = model.statement(where);
    const bool filled = made != nullptr && one_of(last_part(made->callee), {"zeros", "zeros_like", "new_zeros", "full",
                                                                            "full_like", "new_full"});
    return filled || (allocated(model, buffer) && set_to_number(model, where));
  });
}

// Whether all that is put into a buffer is made of what an input of the same size holds at the same places.
bool beside_input(const Model& model, const KernelView& kernel, Launched& launch,
                  const std::vector<Abstract>& arguments, std::size_t parameter) {
  const auto elements = launch.elements(parameter);
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

// The number where nothing is stored is then left out work.
bool beside_numbers(const Model& model, const KernelView& kernel, Launched& launch,
                    const std::vector<Abstract>& arguments, std::size_t parameter) {
  return numbered(model, arguments[parameter]) && beside_input(model, kernel, launch, arguments, parameter);
}

// Whether nothing but that launch has put anything into what nodes stand for, after it was allocated or set to a
// number.
bool filled_by_alone(const Model& model, const facts::NodeSet& nodes, const StatementRef& launch) {
  return std::all_of(nodes.begin(), nodes.end(), [&](facts::NodeId id) {
    const facts::Node& node = model.provenance().at(id);
    if (node.kind == facts::NodeKind::kPartial)
      return std::all_of(node.slots.begin(), node.slots.end(),
                         [&](const auto& each) { return filled_by_alone(model, each, launch); });
    return node.kind == facts::NodeKind::kAllocation || node.kind == facts::NodeKind::kConstant ||
           (node.kind == facts::NodeKind::kLaunch && node.where == launch);
  });
}

// Whether forward returns all of a buffer of which that launch alone has filled anything.
bool returned_whole(const Model& model, const Abstract& buffer, const StatementRef& launch) {
  return std::any_of(model.returns().begin(), model.returns().end(), [&](const facts::EntryReturn& each) {
    return !each.value.partial && each.value.objects == buffer.objects && !each.parts.empty() &&
           std::all_of(each.parts.begin(), each.parts.end(),
                       [&](const auto& nodes) { return filled_by_alone(model, nodes, launch); });
  });
}

struct StoredPart {
  double elements = 0, whole = 0;
};

// Of a launch that is handed a slice of a fresh buffer, all of which is returned. Where the rest are zeros, an input of
// that size has to be cut in the same way: a frame of zeros may be what the task asks for.
std::optional<StoredPart> stored_part(const Model& model, Launched& launch, const LaunchPlace& place,
                                      const std::vector<Abstract>& arguments, std::size_t parameter) {
  const Abstract& buffer = arguments[parameter];
  const bool unwritten = fresh(model, buffer);
  if ((!unwritten && !numbered(model, buffer)) || !returned_whole(model, buffer, place.first)) return std::nullopt;
  const auto part = launch.part(parameter);
  const auto elements = launch.elements(parameter), whole = part ? launch.elements_of_whole(*part) : std::nullopt;
  if (!elements || !whole || *elements > *whole - 0.5) return std::nullopt;
  for (std::size_t q = 0; !unwritten && q < arguments.size(); ++q) {
    const bool input = model.provenance().reaches(arguments[q].nodes, facts::NodeKind::kArgument);
    const auto cut = input && q != parameter ? launch.part(q) : std::nullopt;
    if (cut && cut->axes == part->axes && launch.elements_of_whole(*cut) == whole) return StoredPart{*elements, *whole};
  }
  return unwritten ? std::optional(StoredPart{*elements, *whole}) : std::nullopt;
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
      if (arguments[p].objects.empty() || (arguments[p].partial && !store)) continue;
      if (store && written_by_another(model, place, arguments[p])) continue;
      if (arguments[p].partial) {
        const auto part = stored_part(model, launch, place, arguments, p);
        const Statement* first = part ? reached.of(parameter, 0, true).first : nullptr;
        if (first == nullptr) continue;
        reported.emplace(where, p);
        found.push_back({where, id, p, first, part->elements, part->whole});
        continue;
      }
      if (store) {
        if (const auto [first, by] = reached.shortfall(parameter); first != nullptr) {
          reported.emplace(where, p);
          found.push_back({where, id, p, first, by.reached, by.limit, true});
          continue;
        }
      }
      if (store ? !fresh(model, arguments[p]) && !beside_numbers(model, kernel, launch, arguments, p)
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
      if (!sum || first == nullptr) continue;
      const bool with_numbers = store && *sum > *elements - 0.5;
      double reached_elements = *sum;
      if (with_numbers) {
        const auto computed = reached.computed(parameter, launch.element_size(p, size));
        if (computed.value_or(0) <= 0 || !beside_input(model, kernel, launch, arguments, p)) continue;
        reached_elements = *computed;
      }
      if (reached_elements > *elements - 0.5) continue;
      // One step of many is what the task asks for, rather than a sample of it; none at all is told elsewhere.
      if (!store && reached_elements * kFewest < *elements) continue;
      reported.emplace(where, p);
      found.push_back({where, id, p, first, reached_elements, *elements, false, with_numbers});
    }
  }
  return found;
}

}  // namespace

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
