// Control flow of one function: predecessors, dominators, post-dominators and control dependence.
// Exceptional edges take part in dominance; post-dominance ignores them, because "joined before the
// return" asks about the ways that return.
#pragma once

#include <vector>

#include "analysis/facts/facts.h"

namespace kernel_audit::analysis::facts {

class FlowGraph {
 public:
  explicit FlowGraph(const Function& function);

  // A larger function is not analysed for dominance: nothing dominates or decides anything there.
  static constexpr std::size_t kMaxBlocks = 3000;

  bool reachable(Id block) const { return reachable_[index(block)]; }
  bool dominates(Id a, Id b) const { return dominators_[index(b)][index(a)]; }
  bool post_dominates(Id a, Id b) const { return post_dominators_[index(b)][index(a)]; }
  const std::vector<Id>& predecessors(Id block) const { return predecessors_[index(block)]; }
  // Blocks with a condition whose outcome decides whether `block` runs, transitively.
  const std::vector<Id>& deciders(Id block) const { return deciders_[index(block)]; }
  // Reverse postorder from the entry over all edges.
  const std::vector<Id>& order() const { return order_; }

 private:
  static std::size_t index(Id block) { return static_cast<std::size_t>(block); }

  std::vector<bool> reachable_;
  std::vector<std::vector<Id>> predecessors_;
  std::vector<Id> order_;
  std::vector<std::vector<bool>> dominators_;
  std::vector<std::vector<bool>> post_dominators_;
  std::vector<std::vector<Id>> deciders_;
};

}  // namespace kernel_audit::analysis::facts
