#include "analysis/rules/surely_written.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "analysis/facts/call_chain.h"
#include "analysis/rules/conditions.h"
#include "analysis/rules/limited_sizes.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Block;
using facts::EdgeKind;
using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;

// When a call has come by a launch.
enum class Certainty { kNever, kIfItTells, kAlways };

class Writing {
 public:
  // `made` is the statement that makes the memory.
  Writing(const Model& model, Id function, const facts::StatementRef& made)
      : model_(model), id_(function), function_(model.function(function)), flow_(model.run().flow(function)) {
    if (made.function == function) fresh_ = model.statement(made);
  }

  void add_block(Id block) { blocks_.insert(block); }
  // A call that has come by a launch where what it gives is something.
  void add_telling(Id block, const Statement* call) { telling_.emplace_back(block, call); }

  bool before(Id block, const Statement& returned) const {
    if (!reaches_without(block)) return true;
    return std::any_of(telling_.begin(), telling_.end(), [&](const auto& each) {
      return gives(each, block, returned.value) || behind_test(each, block);
    });
  }

  Certainty certainty() const {
    bool always = true;
    for (std::size_t b = 0; b < function_.blocks.size(); ++b) {
      const Block& block = function_.blocks[b];
      const Statement* last = block.statements.empty() ? nullptr : &block.statements.back();
      const bool raises = last != nullptr && last->kind == StatementKind::kRaise;
      if (!block.successors.empty() || raises || !flow_.reachable(static_cast<Id>(b))) continue;
      if (!reaches_without(static_cast<Id>(b))) continue;
      always = false;
      if (last == nullptr || last->kind != StatementKind::kReturn || says_nothing(last->value)) continue;
      if (!may_give(last->value)) continue;
      if (!before(static_cast<Id>(b), *last)) return Certainty::kNever;
    }
    return always ? Certainty::kAlways : Certainty::kIfItTells;
  }

  // The head of the loop over a list with elements around a block that runs in its first turn, else the block.
  Id in_first_turn(Id launch) const {
    for (std::size_t b = 0; b < function_.blocks.size(); ++b) {
      const Id head = static_cast<Id>(b);
      const Block& block = function_.blocks[b];
      const auto next = std::find_if(block.statements.begin(), block.statements.end(),
                                     [](const Statement& s) { return s.callee == "builtins.next"; });
      const Id body = successor(block, EdgeKind::kTrue);
      if (next == block.statements.end() || body == kNone || !flow_.dominates(body, launch)) continue;
      std::set<Id> passed = bounded_tests(body, launch);
      passed.insert(launch);
      const bool skipped = reaches(body, passed, [&](Id at) { return at == head || !flow_.dominates(body, at); });
      if (!skipped && certainly_has_element(next->args.front(), head)) return head;
    }
    return launch;
  }

 private:
  static Id successor(const Block& block, EdgeKind kind) {
    const auto found = std::find_if(block.successors.begin(), block.successors.end(),
                                    [&](const facts::Edge& edge) { return edge.kind == kind; });
    return found == block.successors.end() ? kNone : found->to;
  }

  // Whether some way from a block, by none of those to avoid, comes to one that is wanted. What raises in one of those
  // to avoid may have done nothing.
  template <typename Wanted>
  bool reaches(Id from, const std::set<Id>& avoided, const Wanted& wanted) const {
    std::set<Id> seen;
    std::vector<Id> todo{from};
    while (!todo.empty()) {
      const Id at = todo.back();
      todo.pop_back();
      if (!seen.insert(at).second) continue;
      const bool stopped = avoided.contains(at);
      if (!stopped && wanted(at)) return true;
      for (const facts::Edge& edge : function_.blocks[static_cast<std::size_t>(at)].successors) {
        if (!stopped || edge.kind == EdgeKind::kException) todo.push_back(edge.to);
      }
    }
    return false;
  }
  // Tests of a size around a launch in a loop over bounds, of which one is above all sizes: one turn comes to it.
  std::set<Id> bounded_tests(Id body, Id launch) const {
    std::set<Id> tests;
    for (std::size_t b = 0; b < function_.blocks.size(); ++b) {
      const Block& block = function_.blocks[b];
      const Id test = static_cast<Id>(b), side = successor(block, EdgeKind::kTrue);
      if (block.condition == kNone || side == kNone || !flow_.dominates(body, test)) continue;
      const Slice& slice = slice_of(model_, id_, block.condition);
      if (flow_.dominates(side, launch) && asks_size(slice) && beyond_all_sizes(model_, slice)) tests.insert(test);
    }
    return tests;
  }
  bool reaches_without(Id block) const {
    return reaches(0, blocks_, [&](Id at) { return at == block; });
  }

  // Whether it may be the memory that is made here.
  bool may_give(Id value) const {
    if (fresh_ == nullptr) return true;
    const Slice& slice = slice_of(model_, id_, value);
    return slice.values.contains(fresh_->result) ||
           std::any_of(slice.storages.begin(), slice.storages.end(), [&](Id storage) {
             return model_.facts().storages[static_cast<std::size_t>(storage)].kind != facts::StorageKind::kLocal;
           });
  }

  bool says_nothing(Id value) const {
    const Json* constant = constant_of(model_, value);
    return value == kNone || (constant != nullptr && (constant->is_null() || *constant == false));
  }

  // Whether a value is what the call gave: itself, or by way of a variable that nothing is stored to after it.
  bool is_result(const std::pair<Id, const Statement*>& call, Id value) const {
    if (value == call.second->result) return true;
    const Statement* load = maker(model_, id_, value);
    if (load == nullptr || load->kind != StatementKind::kLoad || load->location.element ||
        load->location.base != kNone || load->location.storage == kNone)
      return false;
    bool stored = false, lost = false;
    for (std::size_t b = 0; b < function_.blocks.size(); ++b) {
      for (const Statement& s : function_.blocks[b].statements) {
        if (s.kind != StatementKind::kStore || s.location.storage != load->location.storage) continue;
        if (s.value == call.second->result)
          stored = true;
        else
          lost = lost || reaches(call.first, {}, [&](Id at) { return at == static_cast<Id>(b); });
      }
    }
    return stored && !lost;
  }

  bool gives(const std::pair<Id, const Statement*>& call, Id block, Id value) const {
    return flow_.dominates(call.first, block) && is_result(call, value);
  }

  // `if result is not None:`, `if done:` around a block.
  bool behind_test(const std::pair<Id, const Statement*>& call, Id block) const {
    for (std::size_t b = 0; b < function_.blocks.size(); ++b) {
      const Block& test = function_.blocks[b];
      if (test.condition == kNone || !flow_.dominates(call.first, static_cast<Id>(b))) continue;
      Id asked = test.condition;
      EdgeKind side = EdgeKind::kTrue;
      if (const Statement* made = maker(model_, id_, asked); made != nullptr && made->kind == StatementKind::kCall) {
        const bool is = made->callee == "operator.is_" && made->args.size() == 2 && says_nothing(made->args[1]);
        const bool is_not = made->callee == "operator.is_not" && made->args.size() == 2 && says_nothing(made->args[1]);
        const bool negated = made->callee == "operator.not_" && made->args.size() == 1;
        if (is || is_not || negated) asked = made->args[0];
        if (is || negated) side = EdgeKind::kFalse;
      }
      const Id there = successor(test, side);
      if (is_result(call, asked) && there != kNone && flow_.predecessors(there).size() == 1 &&
          flow_.dominates(there, block))
        return true;
    }
    return false;
  }

  // Whether a list has an element when the head of a loop over it is come to: every way there puts one in.
  bool certainly_has_element(Id iterator, Id head) const {
    const Statement* steps = maker(model_, id_, iterator);
    if (steps == nullptr || steps->callee != "builtins.iter" || steps->args.size() != 1) return false;
    const Statement* load = maker(model_, id_, steps->args[0]);
    if (load == nullptr || load->kind != StatementKind::kLoad || load->location.element ||
        load->location.base != kNone || load->location.storage == kNone)
      return shows_elements(load);
    const facts::Storage& list = model_.facts().storages[static_cast<std::size_t>(load->location.storage)];
    if (list.kind == facts::StorageKind::kGlobal) return made_once_with_elements(load->location.storage);
    if (list.kind != facts::StorageKind::kLocal || list.owner_function != id_) return false;
    std::set<Id> filled;
    for (std::size_t b = 0; b < function_.blocks.size(); ++b) {
      for (const Statement& s : function_.blocks[b].statements) {
        if (s.kind == StatementKind::kStore && s.location.storage == load->location.storage && !s.location.element) {
          filled.erase(static_cast<Id>(b));
          if (shows_elements(maker(model_, id_, s.value))) filled.insert(static_cast<Id>(b));
        }
        const Statement* on = s.receiver == kNone ? nullptr : maker(model_, id_, s.receiver);
        if (on == nullptr || on->kind != StatementKind::kLoad || on->location.storage != load->location.storage)
          continue;
        const std::string method = last_part(s.callee);
        if (one_takes_away(method)) return false;
        const bool adds = method == "append" || method == "insert" ||
                          (method == "extend" && shows_elements(maker(model_, id_, s.args.front())));
        if (adds) filled.insert(static_cast<Id>(b));
      }
    }
    return !reaches(0, filled, [&](Id at) { return at == head; });
  }
  bool made_once_with_elements(Id table) const {
    const Statement* made = nullptr;
    int stores = 0;
    const auto& functions = model_.facts().functions;
    for (std::size_t f = 0; f < functions.size(); ++f) {
      for (const Block& block : functions[f].blocks) {
        for (const Statement& s : block.statements) {
          if (s.kind != StatementKind::kStore || s.location.storage != table || s.location.element) continue;
          made = maker(model_, static_cast<Id>(f), s.value);
          ++stores;
        }
      }
    }
    return stores == 1 && made != nullptr && made->callee == "builtins.tuple" && shows_elements(made);
  }
  static bool one_takes_away(const std::string& method) {
    return method == "pop" || method == "clear" || method == "remove" || method == "popleft";
  }
  static bool shows_elements(const Statement* made) {
    return made != nullptr && made->kind == StatementKind::kCall && !made->args.empty() &&
           (made->callee == "builtins.list" || made->callee == "builtins.tuple") && made->callee_value == kNone;
  }

  const Model& model_;
  Id id_;
  const facts::Function& function_;
  const facts::FlowGraph& flow_;
  const Statement* fresh_ = nullptr;
  std::set<Id> blocks_;
  std::vector<std::pair<Id, const Statement*>> telling_;
};

// Whether a launch is handed the memory that a way of returning gives back; where what it is handed is not known,
// whether that is all there is.
bool takes(const Model& model, const facts::Node& launch, const facts::Alternative& way) {
  const facts::Node& fresh = model.provenance().at(way.node);
  const auto given = model.run().launch_arguments.find({launch.where, launch.context});
  const bool known = given != model.run().launch_arguments.end() &&
                     std::any_of(given->second.begin(), given->second.end(),
                                 [](const facts::Abstract& argument) { return !argument.objects.empty(); });
  const auto is_made_there = [&](facts::ObjectId id) { return model.run().object(id).made == fresh.where; };
  const auto is_fresh = [&](facts::ObjectId id) { return model.run().object(id).context == fresh.context; };
  if (known) {
    const auto* access = launch.kernel == kNone ? nullptr : &model.access(launch.kernel);
    for (std::size_t p = 0; p < given->second.size(); ++p) {
      const auto& objects = given->second[p].objects;
      const bool read_only = access != nullptr && access->known && (p >= access->written.size() || !access->written[p]);
      // What may be another buffer leaves this one as it is.
      if (!read_only && std::all_of(objects.begin(), objects.end(), is_made_there) &&
          std::any_of(objects.begin(), objects.end(), is_fresh))
        return true;
    }
    return false;
  }
  return std::none_of(model.alternatives().begin(), model.alternatives().end(), [&](const auto& other) {
    return other.same_value(way) && other.node != way.node && model.provenance().at(other.node).kind == fresh.kind;
  });
}

}  // namespace

bool surely_written(const Model& model, const facts::Alternative& way) {
  const Statement* returned = model.statement(way.returned);
  const facts::StatementRef& made = model.provenance().at(way.node).where;
  if (returned == nullptr) return false;
  // By function, from the innermost calls outwards.
  std::vector<std::vector<facts::CallSite>> chains;
  for (const facts::Alternative& other : model.alternatives()) {
    const facts::Node& node = model.provenance().at(other.node);
    if (!other.same_value(way) || node.kind != facts::NodeKind::kLaunch || !takes(model, node, way)) continue;
    chains.push_back(facts::call_chain(model.provenance(), node.where, node.context));
    std::erase_if(chains.back(), [](const facts::CallSite& each) { return each.where.block == kNone; });
    if (chains.back().empty()) return false;
    const auto& outermost = chains.back().back().where;
    if (outermost.function != way.returned.function || chains.back().size() != chains.front().size()) return false;
  }
  if (chains.empty()) return false;
  std::map<facts::StatementRef, Certainty> calls;  // of the function that is done
  for (std::size_t level = 0; level < chains.front().size(); ++level) {
    std::map<Id, Writing> functions;
    for (const auto& chain : chains) {
      const facts::StatementRef& where = chain[level].where;
      // A call by a pointer may be one of another function, that does nothing.
      if (level > 0 && model.statement(where)->target != chain[level - 1].where.function) return false;
      Writing& writing = functions.try_emplace(where.function, model, where.function, made).first->second;
      const Certainty certain = level == 0 ? Certainty::kAlways : calls.at(where);
      if (certain == Certainty::kAlways) writing.add_block(writing.in_first_turn(where.block));
      if (certain == Certainty::kIfItTells) writing.add_telling(where.block, model.statement(where));
    }
    if (level + 1 == chains.front().size())
      return functions.at(way.returned.function).before(way.returned.block, *returned);
    std::map<facts::StatementRef, Certainty> around;
    for (const auto& chain : chains)
      around[chain[level + 1].where] = functions.at(chain[level].where.function).certainty();
    calls = std::move(around);
  }
  return false;
}

}  // namespace kernel_audit::analysis::rules
