#include "analysis/rules/live_reads.h"

#include <algorithm>
#include <set>

#include "analysis/facts/device_access.h"
#include "analysis/facts/operations.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Node;
using facts::NodeId;
using facts::NodeKind;
using facts::Statement;
using facts::StatementKind;
using facts::StatementRef;

namespace {

// In names of functions of Triton that change memory.
constexpr std::string_view kChanging[] = {"store", "atomic", "scatter", "copy"};

// Goes back from what one launch of a kernel stores to the parameters that it comes of.
class Backwards {
 public:
  Backwards(const KernelView& kernel, const LaunchRanges& ranges)
      : kernel_(kernel), ranges_(ranges), native_(kernel.model.native(id())) {
    const std::vector<bool> reached = ranges.reached();
    for (std::size_t b = 0; b < reached.size(); ++b) {
      if (reached[b]) blocks_.push_back(&kernel.function.blocks[b]);
    }
    for (const facts::Block* block : blocks_) {
      for (const Statement& s : block->statements) {
        if (native_ && s.kind == StatementKind::kCall && s.target != kNone) note_references(s);
        if (s.kind != StatementKind::kStore) continue;
        stores_[stored_in(s)].push_back(&s);
        if (is_member(s)) stores_[object_of(s)].push_back(&s);
      }
    }
  }

  LiveReads::Live live() {
    for (const facts::Function& other : kernel_.model.facts().functions) {
      if (other.enclosing_function == id()) return {};  // shares the variables
    }
    bool any = false;
    for (const facts::Block* block : blocks_) {
      if (block->successors.size() > 1) add(block->condition);
      for (const Statement& s : block->statements) {
        if (s.callee == "asm" || s.callee == "std::swap") return {};
        if (s.callee == "builtins.next") add(s.result);
        if (!is_sink(s)) continue;
        any = true;
        add_operands(s);
      }
    }
    if (!any) return {};  // what is there is what was there before
    while (!todo_.empty()) {
      const Id value = todo_.back();
      todo_.pop_back();
      follow(value);
    }
    LiveReads::Live found;
    found.followed = !lost_;
    const auto& parameters = kernel_.function.parameters;
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      const Id storage = parameters[p].storage;
      const bool whole = variables_.contains(storage);
      found.parameters.push_back(whole || structure(storage));
      if (whole) found.members.emplace(p, "");
      for (const std::string& name : members_[storage]) found.members.emplace(p, name);
    }
    return found;
  }

 private:
  Id id() const { return kernel_.model.id_of(kernel_.function); }

  // The variable or array that a store changes, kNone when it is memory that the launch is handed or not known.
  Id stored_in(const Statement& store) const {
    return kernel_.flow.deref(store) ? kernel_.root(store.location.base) : store.location.storage;
  }

  bool is_member(const Statement& s) const {
    return s.location.base != kNone && !s.location.element && !kernel_.flow.deref(s);
  }
  // The variable of which a store changes a member.
  Id object_of(const Statement& store) const {
    const Statement* at = kernel_.flow.made(store.location.base);
    while (at != nullptr && at->kind == StatementKind::kLoad && !kernel_.flow.deref(*at)) {
      if (at->location.base == kNone) return at->location.storage;
      at = kernel_.flow.made(at->location.base);
    }
    return kNone;
  }

  bool is_sink(const Statement& s) const {
    if (s.callee == "triton.language.store") return lets_through(s, 2);
    if (writes_global(kernel_.model, kernel_.function, s)) return true;
    if (s.kind == StatementKind::kStore)
      return s.location.element ? !into_own_array(s) : is_member(s) && object_of(s) == kNone;
    if (s.kind != StatementKind::kCall) return s.kind == StatementKind::kLaunch;
    return s.target != kNone ? changes_something(s) : !pure(s);
  }
  // An own class may keep what its operator takes anywhere.
  bool into_own_array(const Statement& store) const {
    const Id root = stored_in(store);
    if (root == kNone || !native_) return false;
    const facts::Storage& storage = kernel_.model.facts().storages[static_cast<std::size_t>(root)];
    return storage.kind == facts::StorageKind::kBlockShared || storage.type.name.ends_with(']');
  }
  // Does nothing but make its result of its operands.
  bool pure(const Statement& s) const {
    if (!native_) {
      const std::string last = last_part(s.callee);
      const bool changes = std::any_of(std::begin(kChanging), std::end(kChanging),
                                       [&](std::string_view word) { return last.find(word) != std::string::npos; });
      return !changes && starts_with_any(s.callee, {"operator.", "builtins.", "math.", "triton.", "?."});
    }
    if (s.callee.starts_with("operator.") || starts_with_any(s.callee, {"__ld", "__builtin_nontemporal_load"}))
      return true;
    const bool hands_out = std::any_of(s.args.begin(), s.args.end(), [&](Id arg) {
      return kernel_.model.value(arg).type.kind == facts::TypeKind::kPointer;
    });
    return !hands_out && facts::classify(s.callee).kind == facts::OperationKind::kScalar;
  }
  // An own function that stores somewhere, or to what may be a variable of its caller.
  bool changes_something(const Statement& call) const {
    const auto& access = kernel_.model.access(call.target);
    const facts::Function& called = kernel_.model.function(call.target);
    if (std::find(access.written.begin(), access.written.end(), true) != access.written.end()) return true;
    if (!native_) return false;
    if (!access.known || !access.precise || access.effects || called.blocks.empty() || called.class_id != kNone ||
        called.enclosing_function != kNone)
      return true;
    for (const facts::Block& block : called.blocks) {
      for (const Statement& s : block.statements) {
        if (s.callee == "operator.addressof" || s.callee == "asm") return true;
      }
    }
    return false;
  }
  // Variables that an own function may be handed by reference: those in whose place it stores to its parameter.
  void note_references(const Statement& call) {
    const facts::Function& called = kernel_.model.function(call.target);
    const DeviceFlow flow(kernel_.model, called);
    for (std::size_t p = 0; p < call.args.size() && p < called.parameters.size(); ++p) {
      const Statement* load = kernel_.flow.made(call.args[p]);
      if (load == nullptr || load->kind != StatementKind::kLoad || load->location.storage == kNone) continue;
      for (const facts::Block& block : called.blocks) {
        for (const Statement& s : block.statements) {
          if (s.kind == StatementKind::kStore && stores_to(flow, s, called.parameters[p].storage))
            references_[load->location.storage].insert(&call);
        }
      }
    }
  }
  // By name, or to a member or an element of it.
  static bool stores_to(const DeviceFlow& flow, const Statement& store, Id variable) {
    if (store.location.storage == variable) return true;
    const Statement* at = flow.made(store.location.base);
    for (int hops = 0; hops < 8 && at != nullptr && at->kind == StatementKind::kLoad; ++hops) {
      if (at->location.storage == variable) return true;
      at = flow.made(at->location.base);
    }
    return false;
  }
  // The mask of tl.load and tl.store lets some element through.
  bool lets_through(const Statement& s, std::size_t place) const {
    Id mask = place < s.args.size() ? s.args[place] : kNone;
    for (const auto& [name, value] : s.keywords) {
      if (name == "mask") mask = value;
    }
    return ranges_.may_be(mask, true);
  }

  // A structure that is handed over as it is.
  bool structure(Id storage) const {
    const auto& parameters = kernel_.function.parameters;
    return storage != kNone && std::any_of(parameters.begin(), parameters.end(), [&](const facts::Parameter& each) {
             return each.storage == storage && each.type.kind == facts::TypeKind::kOther;
           });
  }
  // p.rows of such a structure, which nothing stores to.
  bool add_structure_member(const Statement& load) {
    const Statement* whole = load.location.base == kNone ? nullptr : kernel_.flow.made(load.location.base);
    if (!native_ || whole == nullptr || whole->kind != StatementKind::kLoad || whole->location.base != kNone ||
        load.location.element || load.location.storage == kNone || !structure(whole->location.storage) ||
        stores_.contains(whole->location.storage))
      return false;
    const auto& storages = kernel_.model.facts().storages;
    members_[whole->location.storage].insert(storages[static_cast<std::size_t>(load.location.storage)].name);
    return true;
  }

  void add(Id value) {
    if (value != kNone && values_.insert(value).second) todo_.push_back(value);
  }
  void add_operands(const Statement& s) {
    for (const Id arg : s.args) add(arg);
    for (const auto& [name, value] : s.keywords) add(value);
    for (const Id each : {s.callee_value, s.receiver, s.value, s.location.base, s.location.key}) add(each);
  }
  // The store before a load of a variable in the same block, where nothing else comes between.
  const Statement* just_stored(const Statement& load) const {
    const Id variable = load.location.storage;
    if (load.location.element || load.location.base != kNone || variable == kNone || references_.contains(variable))
      return nullptr;
    for (const facts::Block* block : blocks_) {
      const auto& all = block->statements;
      if (all.empty() || &load < all.data() || &load >= all.data() + all.size()) continue;
      for (const Statement* at = &load; at-- != all.data();) {
        if (at->kind == StatementKind::kCall && at->callee == "operator.addressof") return nullptr;
        if (at->kind != StatementKind::kStore) continue;
        if (is_member(*at) && object_of(*at) == variable) return nullptr;
        if (at->location.storage == variable) return at->location.element ? nullptr : at;
      }
    }
    return nullptr;
  }
  // What is put into a variable or an array, by statements that run.
  void add_variable(Id storage) {
    if (storage == kNone || !variables_.insert(storage).second) return;
    if (const auto calls = references_.find(storage); calls != references_.end()) {
      for (const Statement* call : calls->second) add_operands(*call);
    }
    const auto stores = stores_.find(storage);
    if (stores == stores_.end()) return;
    for (const Statement* store : stores->second) {
      add(store->value);
      add(store->location.key);
    }
  }
  // What lies in the memory that a pointer leads to: an array of the kernel's own, or what the launch is handed.
  void add_memory(Id pointer) {
    const Id root = kernel_.root(pointer);
    lost_ = lost_ || root == kNone;
    add_variable(root);
  }

  // Whether a thread may come to it: of a choice, the other is taken.
  bool runs(const Statement& s) const {
    return std::any_of(blocks_.begin(), blocks_.end(), [&](const facts::Block* block) {
      const auto& all = block->statements;
      return !all.empty() && &s >= all.data() && &s < all.data() + all.size();
    });
  }

  void follow(Id value) {
    if (ranges_.of(value).point()) return;  // the same number whatever memory holds
    const Statement* s = kernel_.flow.made(value);
    if (s == nullptr || !runs(*s)) return;
    if (s->kind == StatementKind::kLoad) {
      if (add_structure_member(*s)) return;
      if (const Statement* store = just_stored(*s); store != nullptr) return add(store->value);
      if (kernel_.flow.deref(*s)) add_memory(s->location.base);
      add_variable(s->location.storage);
    } else if (const auto access = facts::device_access(kernel_.model.facts(), *s); access && access->read != kNone) {
      add_memory(access->read);
    }
    if (s->callee == "triton.language.load" && !lets_through(*s, 1)) return add(argument(*s, 2, "other"));
    if (s->callee == "triton.language.where" && s->args.size() == 3) {
      for (const bool side : {true, false}) {
        if (ranges_.may_be(s->args[0], side)) add(s->args[side ? 1 : 2]);
      }
      return add(s->args[0]);
    }
    add_operands(*s);
  }

  const KernelView& kernel_;
  const LaunchRanges& ranges_;
  bool native_, lost_ = false;
  std::vector<const facts::Block*> blocks_;
  std::map<Id, std::vector<const Statement*>> stores_;
  std::map<Id, std::set<const Statement*>> references_;  // calls that may change a variable
  std::set<Id> values_, variables_;
  std::map<Id, std::set<std::string>> members_;  // of structures, by parameter
  std::vector<Id> todo_;
};

}  // namespace

const LiveReads::Live& LiveReads::live_in(const StatementRef& where, facts::ContextId context) {
  const auto [known, fresh] = known_.try_emplace({where, context});
  const Id id = model_.kernel_of(where);
  const Statement* statement = model_.statement(where);
  if (!fresh || id == kNone || statement == nullptr || statement->star_args) return known->second;
  const auto& access = model_.access(id);
  if (model_.function(id).blocks.empty() || !access.known || !access.precise) return known->second;
  const KernelView& kernel = view_of(model_, id);
  const LaunchRanges ranges(kernel, where, inputs_, context);
  known->second = Backwards(kernel, ranges).live();
  return known->second;
}

bool LiveReads::takes_part(const StatementRef& where, facts::ContextId context, std::size_t parameter) {
  const Live& live = live_in(where, context);
  return !live.followed || parameter >= live.parameters.size() || live.parameters[parameter];
}

// A slot of a launch's node is an argument, those by name last, or a buffer within a structure.
bool LiveReads::slot_takes_part(NodeId id, std::size_t slot) {
  const Node& launch = model_.provenance().at(id);
  const Statement* statement = model_.statement(launch.where);
  if (statement == nullptr || launch.kernel == kNone) return true;
  if (slot < statement->args.size()) return takes_part(launch.where, launch.context, slot);
  if (const auto member = model_.run().launch_members.find({id, slot}); member != model_.run().launch_members.end()) {
    const auto& [argument, name] = member->second;
    const Live& live = live_in(launch.where, launch.context);
    return !live.followed || name.empty() || argument >= statement->args.size() ||
           live.members.contains({argument, name}) || live.members.contains({argument, ""});
  }
  const std::size_t keyword = slot - statement->args.size();
  if (keyword >= statement->keywords.size()) return true;
  const auto& parameters = model_.function(launch.kernel).parameters;
  const auto named = std::find_if(parameters.begin(), parameters.end(), [&](const facts::Parameter& each) {
    return each.name == statement->keywords[keyword].first;
  });
  return takes_part(launch.where, launch.context, static_cast<std::size_t>(named - parameters.begin()));
}

void LiveReads::walk(const facts::NodeSet& from, const std::function<bool(const Node&, NodeId)>& descend) {
  std::set<NodeId> seen;
  std::vector<NodeId> todo(from.begin(), from.end());
  while (!todo.empty()) {
    const NodeId id = todo.back();
    todo.pop_back();
    if (!seen.insert(id).second) continue;
    const Node& node = model_.provenance().at(id);
    if (!descend(node, id)) continue;
    for (std::size_t slot = 0; slot < node.slots.size(); ++slot) {
      if (node.kind == NodeKind::kLaunch && !slot_takes_part(id, slot)) continue;
      todo.insert(todo.end(), node.slots[slot].begin(), node.slots[slot].end());
    }
  }
}

}  // namespace kernel_audit::analysis::rules
