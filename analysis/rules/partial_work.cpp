#include "analysis/rules/partial_work.h"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/facts/call_chain.h"
#include "analysis/rules/host_numbers.h"
#include "analysis/rules/kernel_copies.h"
#include "analysis/rules/kernel_extent.h"
#include "analysis/rules/known_contents.h"
#include "analysis/rules/launch_reach.h"
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

constexpr double kMostUsed = 0.75;  // what is shifted leaves out a little at one end
constexpr double kFewest = 100;     // a smaller share than one of so many is no sample of an input

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

// Whether forward returns a buffer, or something that takes it along.
bool returned(const Model& model, const Abstract& buffer) {
  return std::any_of(model.returns().begin(), model.returns().end(), [&](const facts::EntryReturn& each) {
    return std::any_of(buffer.objects.begin(), buffer.objects.end(),
                       [&](auto id) { return std::binary_search(each.tensors.begin(), each.tensors.end(), id); });
  });
}

// Whether what a kernel has read or counted says where a store goes: a list, of which its reader takes as much as
// there is.
bool placed_by_contents(const KernelView& kernel, const Statement& store) {
  std::vector<Id> places{store.location.base, store.location.key};
  if (store.kind == StatementKind::kCall) places = {store.args.front()};
  return std::any_of(places.begin(), places.end(), [&](Id place) {
    const std::set<Id> behind = place == kNone ? std::set<Id>{} : kernel.flow.behind(place).values;
    return std::any_of(behind.begin(), behind.end(), [&](Id value) {
      const Statement* made = kernel.flow.made(value);
      return made != nullptr &&
             (made->callee == "triton.language.load" || last_part(made->callee).starts_with("atomic") ||
              (made->kind == StatementKind::kLoad && kernel.flow.deref(*made)));
    });
  });
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
    const KernelView& kernel = view_of(model, id);
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
                : allocated(model, arguments[p]) || numbered(model, arguments[p]))
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
      if (store && placed_by_contents(kernel, *first) && !returned(model, arguments[p])) continue;
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

bool repeated(const Model& model, const StatementRef& place, facts::ContextId innermost) {
  const auto chain = facts::call_chain(model.provenance(), place, innermost);
  return std::any_of(chain.begin(), chain.end(), [&](const facts::CallSite& each) {
    return each.where.function != kNone && blocks_in_loops(model, each.where.function).contains(each.where.block);
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

namespace {

// Whether a buffer is an argument of forward, and no other launch is handed it.
bool argument_of_one(const Model& model, const LaunchPlace& launch, const Abstract& buffer) {
  const auto& objects = buffer.objects;
  if (objects.empty() || buffer.partial ||
      std::any_of(objects.begin(), objects.end(), [&](auto id) { return model.run().argument_behind(id) < 0; }))
    return false;
  return std::none_of(model.run().launch_arguments.begin(), model.run().launch_arguments.end(), [&](const auto& other) {
    return other.first != launch && std::any_of(other.second.begin(), other.second.end(), [&](const Abstract& given) {
             return std::any_of(given.objects.begin(), given.objects.end(),
                                [&](auto id) { return std::binary_search(objects.begin(), objects.end(), id); });
           });
  });
}

}  // namespace

std::vector<PartialWork> partly_used(const Model& model) {
  std::vector<PartialWork> found;
  HostNumbers host(model);
  if (!host.knows_inputs() || may_step_over(model)) return found;
  for (const auto& [place, arguments] : model.run().launch_arguments) {
    const auto& [where, context] = place;
    const Id id = model.kernel_of(where);
    const Statement* statement = model.statement(where);
    if (id == kNone || statement == nullptr || !statement->launch || model.function(id).blocks.empty()) continue;
    if (repeated(model, where, context) || may_be_skipped(model, host, where, context)) continue;
    Launched launch(model, host, where, context);
    const auto& access = model.access(id);
    const std::size_t count = std::min({arguments.size(), access.written.size(), model.function(id).parameters.size()});
    const KernelView& kernel = view_of(model, id);
    Reached reached(model, kernel, launch);
    const auto size_in = [&](std::size_t p) {
      return launch.element_size(p, model.native(id) ? size_of(kernel.function.parameters[p].type.name) : 1);
    };
    std::set<double> written;  // sizes of outputs that are stored to all over
    for (std::size_t q = 0; q < count; ++q) {
      const auto elements = access.written[q] && launch.known() ? launch.elements(q) : std::nullopt;
      if (!elements) continue;
      const auto stored = reached.of(kernel.function.parameters[q], size_in(q), true).elements;
      if (stored && *stored > *elements - 0.5) written.insert(*elements);
    }
    for (std::size_t p = 0; p < count && !written.empty(); ++p) {
      const auto elements = launch.elements(p);
      if (access.written[p] || !access.read[p] || !elements || !written.contains(*elements)) continue;
      if (!argument_of_one(model, place, arguments[p])) continue;
      const auto used = reached.addressed(kernel.function.parameters[p], size_in(p));
      if (used && *used > 0 && *used <= *elements * kMostUsed)
        found.push_back({where, id, p, nullptr, *used, *elements});
    }
  }
  return found;
}

namespace {

// Whether an argument reaches a value by another way than through these launches.
bool takes_argument_itself(const Model& model, facts::NodeId top, const std::vector<facts::NodeId>& launches) {
  std::set<facts::NodeId> seen(launches.begin(), launches.end());
  facts::NodeSet todo{top};
  while (!todo.empty()) {
    const facts::NodeId id = todo.back();
    todo.pop_back();
    if (!seen.insert(id).second) continue;
    const facts::Node& node = model.provenance().at(id);
    if (node.kind == facts::NodeKind::kArgument) return true;
    for (const auto& slot : node.slots) todo.insert(todo.end(), slot.begin(), slot.end());
  }
  return false;
}

// Elements of parts of arguments that a launch is handed, of arguments with `whole` elements; nothing where it is
// handed more than parts of such.
std::optional<double> handed_parts(const Model& model, Launched& launch, const LaunchPlace& place, double whole) {
  const auto given = model.run().launch_arguments.find(place);
  if (given == model.run().launch_arguments.end() || !launch.known()) return std::nullopt;
  const auto& access = model.access(model.kernel_of(place.first));
  double sum = 0;
  for (std::size_t p = 0; p < given->second.size(); ++p) {
    const bool reads = p >= access.read.size() || access.read[p];
    const bool from_argument = model.provenance().reaches(given->second[p].nodes, facts::NodeKind::kArgument);
    const bool tensor = !given->second[p].objects.empty();
    if (!reads || !tensor || (p < access.written.size() && access.written[p])) continue;
    const auto part = launch.part(p);
    const auto elements = launch.elements(p);
    if (!part && !from_argument && model.run().argument_behind(given->second[p].objects.front()) < 0) continue;
    if (!part || !elements || launch.elements_of_whole(*part) != whole) return std::nullopt;
    sum += *elements;
  }
  return sum;
}

}  // namespace

std::vector<PartialWork> partly_handed(const Model& model) {
  std::vector<PartialWork> found;
  HostNumbers host(model);
  if (!host.knows_inputs()) return found;
  for (const facts::Alternative& way : model.alternatives()) {
    const Statement* end = model.statement(way.returned);
    // What is stored to a part of a buffer is told of by that buffer.
    if (model.provenance().at(way.node).kind == facts::NodeKind::kPartial) continue;
    if (end == nullptr || way.launches.empty() || !way.unknown.empty() || !way.depends_on_contents ||
        takes_argument_itself(model, way.node, way.launches))
      continue;
    const auto whole = host.elements(end->value, host.frame(way.returned, 0));
    double sum = 0;
    bool known = whole.has_value();
    for (const facts::NodeId id : known ? way.launches : std::vector<facts::NodeId>{}) {
      const facts::Node& node = model.provenance().at(id);
      const Statement* statement = model.statement(node.where);
      if (model.kernel_of(node.where) == kNone || statement == nullptr || !statement->launch ||
          repeated(model, node.where, node.context)) {
        known = false;
        break;
      }
      Launched launch(model, host, node.where, node.context);
      const auto parts = handed_parts(model, launch, {node.where, node.context}, *whole);
      known = known && parts.has_value();
      sum += parts.value_or(0);
    }
    if (!known || sum <= 0 || sum > *whole * kMostUsed) continue;
    const facts::Node& first = model.provenance().at(way.launches.front());
    found.push_back({first.where, model.kernel_of(first.where), 0, nullptr, sum, *whole});
  }
  return found;
}

std::vector<PartialWork> partly_stored(const Model& model) { return partly(model, true); }
std::vector<PartialWork> partly_read(const Model& model) { return partly(model, false); }

}  // namespace kernel_audit::analysis::rules
