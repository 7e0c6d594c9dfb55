#include "analysis/facts/mro.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace kernel_audit::analysis::facts {
namespace {

using BasesOf = std::function<const std::vector<Id>&(Id)>;

constexpr std::size_t kMaxClasses = 64;

bool holds(const std::vector<Id>& classes, Id id) {
  return std::find(classes.begin(), classes.end(), id) != classes.end();
}

// Depth-first, each class at its first place.
std::vector<Id> walk(Id start, const BasesOf& bases_of) {
  std::vector<Id> order;
  std::vector<Id> todo{start};
  while (!todo.empty() && order.size() < kMaxClasses) {
    const Id id = todo.back();
    todo.pop_back();
    if (id == kNone || holds(order, id)) continue;
    order.push_back(id);
    const std::vector<Id>& bases = bases_of(id);
    todo.insert(todo.end(), bases.rbegin(), bases.rend());
  }
  return order;
}

// Takes, again and again, the first head that stands in no other list's tail; nothing when there is none.
std::optional<std::vector<Id>> merge(std::vector<std::vector<Id>> lists) {
  std::vector<Id> order;
  for (;;) {
    std::erase_if(lists, [](const std::vector<Id>& list) { return list.empty(); });
    if (lists.empty()) return order;
    const auto next = std::find_if(lists.begin(), lists.end(), [&](const std::vector<Id>& list) {
      return std::none_of(lists.begin(), lists.end(), [&](const std::vector<Id>& other) {
        return std::find(other.begin() + 1, other.end(), list.front()) != other.end();
      });
    });
    if (next == lists.end()) return std::nullopt;
    const Id taken = next->front();
    order.push_back(taken);
    for (std::vector<Id>& list : lists) {
      if (list.front() == taken) list.erase(list.begin());
    }
  }
}

// `below` are the classes whose bases are being ordered: meeting one of them again is a cycle.
std::optional<std::vector<Id>> linearize(Id start, const BasesOf& bases_of, std::vector<Id>& below) {
  if (holds(below, start) || below.size() >= kMaxClasses) return std::nullopt;
  below.push_back(start);
  std::vector<std::vector<Id>> lists;
  std::vector<Id> bases = bases_of(start);
  std::erase(bases, kNone);
  for (const Id base : bases) {
    std::optional<std::vector<Id>> above = linearize(base, bases_of, below);
    if (!above) return std::nullopt;
    lists.push_back(std::move(*above));
  }
  below.pop_back();
  lists.push_back(std::move(bases));
  std::optional<std::vector<Id>> order = merge(std::move(lists));
  if (!order) return std::nullopt;
  order->insert(order->begin(), start);
  return order;
}

}  // namespace

std::vector<Id> method_resolution_order(Id start, const BasesOf& bases_of) {
  std::vector<Id> walked = walk(start, bases_of);
  const bool one_line = std::all_of(walked.begin(), walked.end(), [&](Id id) { return bases_of(id).size() <= 1; });
  if (one_line || walked.size() >= kMaxClasses) return walked;
  std::vector<Id> below;
  return linearize(start, bases_of, below).value_or(std::move(walked));
}

}  // namespace kernel_audit::analysis::facts
