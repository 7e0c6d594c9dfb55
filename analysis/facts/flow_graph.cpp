#include "analysis/facts/flow_graph.h"

#include <algorithm>

namespace kernel_audit::analysis::facts {
namespace {

using Bits = std::vector<bool>;

// Iterative data-flow solution: set[n] = {n} ∪ ⋂ set[p] over the sources p of n; `roots` have none.
std::vector<Bits> dominance(std::size_t count, const std::vector<Id>& order,
                            const std::vector<std::vector<Id>>& sources, const Bits& roots) {
  std::vector<Bits> sets(count, Bits(count, true));
  bool changed = true;
  while (changed) {
    changed = false;
    for (const Id block : order) {
      const auto n = static_cast<std::size_t>(block);
      Bits next(count, !roots[n] && !sources[n].empty());
      for (const Id source : sources[n]) {
        if (roots[n]) break;
        const Bits& other = sets[static_cast<std::size_t>(source)];
        for (std::size_t i = 0; i < count; ++i) next[i] = next[i] && other[i];
      }
      next[n] = true;
      if (next != sets[n]) {
        sets[n] = std::move(next);
        changed = true;
      }
    }
  }
  return sets;
}

bool ends_in_raise(const Block& block) {
  return !block.statements.empty() && block.statements.back().kind == StatementKind::kRaise;
}

}  // namespace

FlowGraph::FlowGraph(const Function& function) {
  const std::size_t count = function.blocks.size();
  reachable_.assign(count, false);
  predecessors_.resize(count);
  deciders_.resize(count);
  if (count == 0) return;

  // Depth-first postorder without recursion: hostile input may nest deeply.
  std::vector<std::pair<Id, std::size_t>> stack{{0, 0}};
  reachable_[0] = true;
  while (!stack.empty()) {
    auto& [block, next] = stack.back();
    const auto& successors = function.blocks[index(block)].successors;
    if (next == successors.size()) {
      order_.push_back(block);
      stack.pop_back();
      continue;
    }
    const Id to = successors[next++].to;
    if (!reachable_[index(to)]) {
      reachable_[index(to)] = true;
      stack.emplace_back(to, 0);
    }
  }
  std::reverse(order_.begin(), order_.end());
  for (std::size_t block = 0; block < count; ++block) {
    if (!reachable_[block]) continue;
    for (const Edge& edge : function.blocks[block].successors)
      predecessors_[index(edge.to)].push_back(static_cast<Id>(block));
  }
  if (count > kMaxBlocks) {  // the sets are quadratic
    dominators_.assign(count, Bits(count, false));
    post_dominators_ = dominators_;
    for (std::size_t i = 0; i < count; ++i) dominators_[i][i] = post_dominators_[i][i] = true;
    return;
  }
  Bits roots(count, false);
  roots[0] = true;
  dominators_ = dominance(count, order_, predecessors_, roots);

  std::vector<std::vector<Id>> forward(count);
  Bits exits(count, false);
  for (const Id block : order_) {
    const Block& b = function.blocks[index(block)];
    for (const Edge& edge : b.successors) {
      if (edge.kind != EdgeKind::kException && !ends_in_raise(b)) forward[index(block)].push_back(edge.to);
    }
    exits[index(block)] = forward[index(block)].empty();
  }
  std::vector<Id> backward(order_.rbegin(), order_.rend());
  post_dominators_ = dominance(count, backward, forward, exits);

  // Block b depends on decider d when b post-dominates a successor of d but not d itself.
  for (const Id decider : order_) {
    const Block& d = function.blocks[index(decider)];
    if (d.condition == kNone || d.successors.size() < 2) continue;
    for (const Edge& edge : d.successors) {
      if (edge.kind == EdgeKind::kException) continue;
      for (const Id block : order_) {
        const bool depends = post_dominators_[index(edge.to)][index(block)] &&
                             (block == decider || !post_dominators_[index(decider)][index(block)]);
        auto& deciders = deciders_[index(block)];
        if (depends && (deciders.empty() || deciders.back() != decider)) deciders.push_back(decider);
      }
    }
  }
  // Transitive closure.
  bool changed = true;
  while (changed) {
    changed = false;
    for (const Id block : order_) {
      auto& mine = deciders_[index(block)];
      for (std::size_t i = 0; i < mine.size(); ++i) {
        for (const Id further : deciders_[index(mine[i])]) {
          if (std::find(mine.begin(), mine.end(), further) == mine.end()) {
            mine.push_back(further);
            changed = true;
          }
        }
      }
    }
  }
}

}  // namespace kernel_audit::analysis::facts
