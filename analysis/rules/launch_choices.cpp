#include "analysis/rules/launch_choices.h"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/facts/call_chain.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Guard;
using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;
using facts::StatementRef;

struct Placed {
  const Statement* statement;
  StatementRef where;
};

// The statements of one function by what they make and by the variable that they store to.
class Places {
 public:
  Places(const Model& model, Id function) : function_(function) {
    const facts::Function& body = model.function(function);
    for (std::size_t b = 0; b < body.blocks.size(); ++b) {
      for (std::size_t s = 0; s < body.blocks[b].statements.size(); ++s) {
        const Statement& statement = body.blocks[b].statements[s];
        const Placed placed{&statement, {function, static_cast<Id>(b), static_cast<Id>(s)}};
        if (statement.result != kNone) made_.emplace(statement.result, placed);
        if (statement.kind == StatementKind::kStore && !statement.location.element)
          stored_[statement.location.storage].push_back(placed);
        if (statement.kind == StatementKind::kReturn) returns_.push_back(placed);
      }
    }
  }

  // What `value` is one of several of, when it says which of several values is called.
  Id selected(Id value) const {
    const auto made = made_.find(value);
    if (made == made_.end()) return kNone;
    const Statement& s = *made->second.statement;
    return s.callee == "dispatch.selects" && !s.args.empty() ? s.args.front() : kNone;
  }

  // Where one of several is taken for `value`, in functions of the candidate that return it, too.
  std::vector<StatementRef> alternatives(const Model& model, Id value, int calls = 3) const {
    std::vector<StatementRef> places;
    std::set<Id> seen;
    std::vector<Id> todo{value};
    while (!todo.empty() && seen.size() < 400) {
      const Id at = todo.back();
      todo.pop_back();
      const auto found = at == kNone || !seen.insert(at).second ? made_.end() : made_.find(at);
      if (found == made_.end()) continue;
      const Statement& s = *found->second.statement;
      if (s.kind == StatementKind::kLoad && !s.location.element) {
        const auto stores = stored_.find(s.location.storage);
        if (s.location.base != kNone || stores == stored_.end()) continue;
        for (const Placed& store : stores->second) {
          todo.push_back(store.statement->value);
          if (stores->second.size() > 1) places.push_back(store.where);
        }
        continue;
      }
      if (s.kind == StatementKind::kLoad) {  // of a table, what its key is one of decides
        todo.push_back(s.location.base);
        todo.push_back(s.location.key);
      }
      if (s.kind == StatementKind::kCall && s.target != kNone && calls > 0) {
        const Places inside(model, s.target);
        for (const Placed& end : inside.returns_) {
          if (inside.returns_.size() > 1) places.push_back(end.where);
          const std::vector<StatementRef> more = inside.alternatives(model, end.statement->value, calls - 1);
          places.insert(places.end(), more.begin(), more.end());
        }
      }
      if (s.kind == StatementKind::kPhi) {
        for (const Id before : model.run().flow(function_).predecessors(found->second.where.block))
          places.push_back({function_, before, 0});
      }
      todo.insert(todo.end(), s.args.begin(), s.args.end());
    }
    return places;
  }

 private:
  Id function_;
  std::map<Id, Placed> made_;
  std::map<Id, std::vector<Placed>> stored_;
  std::vector<Placed> returns_;
};

// Functions, by the calls that lead to them, that launch several kernels.
std::set<std::pair<Id, facts::ContextId>> with_several_kernels(const Model& model) {
  std::map<std::pair<Id, facts::ContextId>, Id> first;
  std::set<std::pair<Id, facts::ContextId>> found;
  for (std::size_t id = 0; id < model.provenance().size(); ++id) {
    const facts::Node& node = model.provenance().at(static_cast<facts::NodeId>(id));
    if (node.kind != facts::NodeKind::kLaunch || node.kernel == kNone) continue;
    const auto [known, fresh] = first.try_emplace({node.where.function, node.context}, node.kernel);
    if (!fresh && known->second != node.kernel) found.insert(known->first);
  }
  return found;
}

}  // namespace

bool heads_loop(const facts::Function& function, Id head) {
  return std::any_of(function.blocks.begin(), function.blocks.end(), [&](const facts::Block& block) {
    return std::any_of(block.successors.begin(), block.successors.end(), [&](const facts::Edge& edge) {
      return edge.to == head && edge.kind == facts::EdgeKind::kLoopBack;
    });
  });
}

std::vector<LaunchChoice> launch_choices(const Model& model) {
  std::vector<LaunchChoice> choices;
  std::map<Id, Places> places;
  const std::set<std::pair<Id, facts::ContextId>> several = with_several_kernels(model);
  for (const StatementRef& where : model.run().executed_launches) {
    const Statement* launch = model.statement(where);
    if (launch == nullptr || !launch->launch || !model.reached(where.function, facts::Phase::kForward)) continue;
    const Places& here = places.try_emplace(where.function, model, where.function).first->second;
    const std::vector<Guard>& own = model.guards_of(where, 0);
    std::set<std::pair<Id, Id>> known;  // its own, and those that are noted
    for (const Guard& guard : own) known.emplace(guard.function, guard.block);
    const auto add = [&](const Places& in, Id value, const char* what) {
      std::vector<Guard> deciding;
      std::set<std::pair<Id, Id>> seen;
      const auto decide = [&](const std::vector<StatementRef>& between) {
        for (const StatementRef& place : between) {
          for (const Guard& guard : model.guards_of(place, 0)) {
            if (seen.emplace(guard.function, guard.block).second) deciding.push_back(guard);
          }
        }
      };
      decide(in.alternatives(model, value));
      const std::vector<Guard> direct = deciding;
      for (const Guard& guard : direct) {  // `late() ? part : whole`: what late() looks at decides as well
        const Id condition = model.function(guard.function).blocks[static_cast<std::size_t>(guard.block)].condition;
        decide(places.try_emplace(guard.function, model, guard.function).first->second.alternatives(model, condition));
      }
      for (const Guard& guard : deciding) {
        if (known.emplace(guard.function, guard.block).second) choices.push_back({where, guard, what});
      }
    };
    const auto condition = [&](const Guard& guard) {
      return model.function(guard.function).blocks[static_cast<std::size_t>(guard.block)].condition;
    };
    const auto table = model.run().kernels_in_table.find(where);
    bool one_of_several = table != model.run().kernels_in_table.end() && table->second.size() > 1;
    for (const Guard& guard : own) {
      const Id selected = guard.function == where.function ? here.selected(condition(guard)) : kNone;
      one_of_several = one_of_several || selected != kNone;
      add(here, selected, "the kernel");
    }
    for (const auto& [place, arguments] : model.run().launch_arguments) {  // of functions that launch, one is called
      if (place.first != where || place.second == 0) continue;
      for (const facts::CallSite& site : facts::call_chain(model.provenance(), where, place.second)) {
        // The object that keeps the kernel is one of several.
        const Statement* call = site.where == where ? nullptr : model.statement(site.where);
        if (!one_of_several || !several.contains({where.function, place.second}) || call == nullptr) continue;
        add(places.try_emplace(site.where.function, model, site.where.function).first->second, call->receiver,
            "the kernel");
      }
      for (const Guard& guard : model.guards_of(where, place.second)) {
        if (guard.function == where.function) continue;
        const Places& around = places.try_emplace(guard.function, model, guard.function).first->second;
        add(around, around.selected(condition(guard)), "the kernel");
      }
    }
    add(here, launch->launch->grid, "the grid");
    add(here, launch->launch->stream, kTheStream);
    for (const Id arg : launch->args) add(here, arg, "an argument");
    for (const Guard& guard : own) {
      if (guard.function == where.function && heads_loop(model.function(guard.function), guard.block))
        add(here, condition(guard), "the number of launches");
    }
  }
  return choices;
}

}  // namespace kernel_audit::analysis::rules
