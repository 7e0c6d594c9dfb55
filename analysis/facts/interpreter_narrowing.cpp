// What a condition says of the variables that it asks: on the side where one is not None it is not.
#include <algorithm>

#include "analysis/facts/interpreter.h"
#include "analysis/facts/interpreter_frame.h"

namespace kernel_audit::analysis::facts {

// Takes over into the state what holds where a condition went one way.
void Interpreter::narrow(Frame& frame, Id condition, bool way) {
  const Statement* s = maker_of(condition);
  if (s == nullptr) return;
  if (s->kind == StatementKind::kPhi) {
    if ((s->callee == "or" && !way) || (s->callee == "and" && way)) {
      for (const Id arg : s->args) narrow(frame, arg, way);
    }
    return;
  }
  if (s->kind != StatementKind::kCall) return;
  const auto null = [&](Id arg) {
    const auto& known = facts_.values[static_cast<std::size_t>(arg)].constant;
    return known && known->is_null();
  };
  Id asked = kNone;
  bool is_null = false;
  if (s->callee == "operator.not_" && s->args.size() == 1) {
    narrow(frame, s->args[0], !way);
  } else if ((s->callee == "operator.is_" || s->callee == "operator.is_not") && s->args.size() == 2) {
    asked = null(s->args[1]) ? s->args[0] : null(s->args[0]) ? s->args[1] : kNone;
    is_null = (s->callee == "operator.is_") == way;
  } else if (classify(s->callee).kind == OperationKind::kNoneCheck && s->receiver != kNone) {
    asked = s->receiver;
    is_null = !way;
  }
  const Statement* load = maker_of(asked);
  if (load == nullptr || load->kind != StatementKind::kLoad || load->location.element ||
      load->location.storage == kNone)
    return;
  const Storage& place = facts_.storages[static_cast<std::size_t>(load->location.storage)];
  const bool one = place.kind == StorageKind::kLocal || place.kind == StorageKind::kGlobal ||
                   place.kind == StorageKind::kStaticLocal ||
                   (place.kind == StorageKind::kInstanceAttribute && !in_native(frame.id) &&
                    place.owner_class != kNone && instances_[place.owner_class] <= 1);
  const std::uint64_t key = map_key(canonical_storage(load->location.storage));
  const Abstract* held = one ? state_.storage.find(key) : nullptr;
  if (held == nullptr || *held != value(frame, asked)) return;  // stored to since
  const auto constant_null = [&](int id) { return constant_at(id).is_null(); };
  if (std::none_of(held->constants.begin(), held->constants.end(), constant_null)) return;
  Abstract narrowed = *held;
  if (is_null) {
    narrowed.objects.clear();
    narrowed.open = false;
    narrowed.shape = -1;
    std::erase_if(narrowed.constants, [&](int id) { return !constant_null(id); });
  } else {
    std::erase_if(narrowed.constants, constant_null);
  }
  if (!narrowed.nothing()) state_.storage.set(key, std::move(narrowed));
}

}  // namespace kernel_audit::analysis::facts
