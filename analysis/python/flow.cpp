// Values of variables and of lists and dicts along the flow of control.
#include <algorithm>

#include "analysis/python/lowerer.h"

namespace kernel_audit::analysis::python {

Abstract Lowerer::read_cell(Cell& cell) {
  if (frame_ != nullptr) {  // no frame: between rounds
    const auto found = frame_->state.variables.find(&cell);
    if (found != frame_->state.variables.end()) return found->second;
  }
  if (cell.settled && round_ > 0 && !cell.stored_elsewhere) return *cell.settled;
  if (cell.prev.bottom()) return cell.next;
  return cell.prev;
}

// `owner`: the scope of the cell; values follow the flow only in the function that owns the variable.
void Lowerer::write_cell(Cell& cell, const Scope* owner, const Abstract& value) {
  if (!frame_->state.reachable) return;
  join_into(cell.next, value);
  if (owner != nullptr && owner->kind == ScopeKind::kModule) {
    if (!cell.first_store_epoch)
      cell.first_store_epoch = epoch_;
    else if (*cell.first_store_epoch != epoch_)
      cell.calls_between_stores = true;
  }
  const bool own = owner != nullptr && owner->function == frame_->function;
  if (own && !cell.stored_elsewhere)
    frame_->state.variables[&cell] = value;
  else
    frame_->state.variables.erase(&cell);
}

void Lowerer::forget(const std::vector<Cell*>& cells) {
  for (Cell* cell : cells) frame_->state.variables.erase(cell);
}

FlowState Lowerer::merge(const FlowState& left, const FlowState& right) {
  if (!left.reachable) return right;
  if (!right.reachable) return left;
  FlowState both;
  for (const auto& [cell, value] : left.variables) {
    const auto other = right.variables.find(cell);
    if (other != right.variables.end()) both.variables.emplace(cell, joined(value, other->second));
  }
  both.heap = left.heap;
  for (const auto& [site, object] : right.heap) {
    const auto [slot, fresh] = both.heap.emplace(site, object);
    if (fresh || slot->second == object) continue;
    auto mixed = std::make_shared<HeapObject>(*slot->second);
    mixed->exact = false;
    mixed->items.insert(mixed->items.end(), object->items.begin(), object->items.end());
    mixed->entries.insert(mixed->entries.end(), object->entries.begin(), object->entries.end());
    if (object->names != nullptr) mixed->names = object->names;
    slot->second = std::move(mixed);
  }
  return both;
}

// Bounds what an inexact object remembers: each distinct item once.
static void compact(HeapObject& object) {
  if (object.exact) return;
  Abstract all;
  for (const Abstract& item : object.items) join_into(all, item);
  if (!object.items.empty()) object.items = {all};
  std::vector<std::pair<Abstract, Abstract>> entries;
  for (const auto& [key, value] : object.entries) {
    const auto same =
        std::find_if(entries.begin(), entries.end(), [&](const auto& each) { return equal(each.first, key); });
    if (same == entries.end())
      entries.emplace_back(key, value);
    else
      join_into(same->second, value);
  }
  if (entries.size() > 64) {
    Abstract keys, values;
    for (const auto& [key, value] : entries) {
      join_into(keys, key);
      join_into(values, value);
    }
    entries = {{keys, values}};
  }
  object.entries = std::move(entries);
}

// Each writing out of a loop's body makes objects of its own.
const Node* Lowerer::site_in_copy(const Node* site) {
  if (copies_.empty()) return site;
  const auto [slot, fresh] = site_copies_.try_emplace({site, copies_}, *site);
  return &slot->second;
}

Operand Lowerer::new_heap(TypeKind kind, HeapObject object, const Node* node, Id value) {
  const Node* const site = site_in_copy(node);
  object.kind = kind;
  HeapCell& cell = heap_[site];
  cell.many = cell.many || frame_->loop_depth > 0;
  if (cell.shared || object.items.size() > 256 || object.entries.size() > 256) object.exact = false;
  compact(object);
  auto shared = std::make_shared<HeapObject>(object);
  frame_->state.heap[site] = shared;
  if (!cell.met) {
    cell.next = object;
    cell.met = true;
  } else {
    cell.next.exact = false;
    cell.next.items.insert(cell.next.items.end(), object.items.begin(), object.items.end());
    cell.next.entries.insert(cell.next.entries.end(), object.entries.begin(), object.entries.end());
    compact(cell.next);
  }
  Atom atom;
  atom.kind = AtomKind::kHeap;
  atom.type.kind = kind;
  atom.site = site;
  return Operand{value, make(std::move(atom))};
}

HeapObject Lowerer::read_heap(const Node* site) {
  const auto local = frame_->state.heap.find(site);
  const HeapCell& cell = heap_[site];
  const bool filled_elsewhere = cell.shared && local != frame_->state.heap.end() && local->second->entries.empty() &&
                                local->second->items.empty();
  if (local != frame_->state.heap.end() && !filled_elsewhere) return *local->second;
  HeapObject object = cell.prev.items.empty() && cell.prev.entries.empty() && cell.met ? cell.next : cell.prev;
  if (cell.shared) object.exact = false;
  return object;
}

void Lowerer::change_heap(const Atom& atom, const std::function<void(HeapObject&)>& change) {
  if (atom.site == nullptr || !frame_->state.reachable) return;
  HeapCell& cell = heap_[atom.site];
  const auto local = frame_->state.heap.find(atom.site);
  const bool weak = local == frame_->state.heap.end() || frame_->loop_depth > 0 || cell.many;
  cell.shared_now = cell.shared_now || weak;
  if (weak && !cell.shared) {
    cell.shared = true;
    grew_ = true;
  }
  if (local != frame_->state.heap.end()) {
    auto changed = std::make_shared<HeapObject>(*local->second);
    if (cell.shared) changed->exact = false;
    change(*changed);
    compact(*changed);
    local->second = changed;
  }
  if (cell.shared) cell.next.exact = false;
  change(cell.next);
  compact(cell.next);
}

Abstract Lowerer::elements_of(const Abstract& container) {
  Abstract all;
  for (const AtomPtr& atom : container.atoms) {
    switch (atom->kind) {
      case AtomKind::kTuple:
        for (const Abstract& item : atom->items) join_into(all, item);
        break;
      case AtomKind::kHeap: {
        const HeapObject object = read_heap(atom->site);
        for (const Abstract& item : object.items) join_into(all, item);
        for (const auto& [key, value] : object.entries) join_into(all, object.kind == TypeKind::kDict ? key : value);
        if (object.items.empty() && object.entries.empty())
          join_into(all, unknown("the container is empty as far as seen"));
        break;
      }
      case AtomKind::kText:
        join_into(all, typed(TypeKind::kString));
        break;
      case AtomKind::kTyped:
        if (!atom->items.empty()) {
          for (const Abstract& item : atom->items) join_into(all, item);
        } else if (atom->type.kind == TypeKind::kTensor || atom->type.kind == TypeKind::kParameter) {
          join_into(all, typed(TypeKind::kTensor, "torch.Tensor"));
        } else if (atom->type.name == "builtins.range" || atom->type.name == "torch.Size") {
          join_into(all, typed(TypeKind::kInt));
        } else if (atom->type.kind == TypeKind::kTuple && atom->type.name == "torch.Tensor[]") {
          join_into(all, typed(TypeKind::kTensor, "torch.Tensor"));
        } else {
          join_into(all, unknown("an element of a value whose content is not known"));
        }
        break;
      default:
        join_into(all, unknown("an element of a value whose content is not known"));
    }
  }
  if (container.unknown) join_into(all, unknown("an element of an unknown value"));
  return all;
}

std::optional<std::vector<Abstract>> Lowerer::sequence_of(const Abstract& container) {
  const Atom* atom = container.single();
  if (atom == nullptr) return std::nullopt;
  if (atom->kind == AtomKind::kTuple) return atom->items;
  if (atom->kind == AtomKind::kHeap) {
    HeapObject object = read_heap(atom->site);
    if (object.exact && object.kind != TypeKind::kDict) return object.items;
    if (object.exact) {  // iterating over a dict gives its keys
      std::vector<Abstract> keys;
      for (const auto& [key, value] : object.entries) keys.push_back(key);
      return keys;
    }
  }
  return std::nullopt;
}

// A value that something else than a call that we see may hold on to or call.
void Lowerer::escape(const Abstract& value) {
  for (const AtomPtr& atom : value.atoms) {
    if (atom->kind == AtomKind::kFunction) functions_[static_cast<std::size_t>(atom->function)]->escapes = true;
    if (atom->kind == AtomKind::kWrapped || atom->kind == AtomKind::kPartial || atom->kind == AtomKind::kTuple) {
      for (const Abstract& item : atom->items) escape(item);
    }
  }
}

// A function that `from` returns: where all callers of `from` are known, so are those of what they get.
void Lowerer::hand_out(const FunctionInfo& from, const Abstract& value) {
  const Atom* function = value.single();
  if (from.escapes || !from.called || function == nullptr || function->kind != AtomKind::kFunction)
    escape(value);
  else
    functions_[static_cast<std::size_t>(function->function)]->handed_out = true;
}

}  // namespace kernel_audit::analysis::python
