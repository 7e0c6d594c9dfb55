#include "analysis/rules/launch_values.h"

#include <algorithm>
#include <functional>

#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Abstract;
using facts::Function;
using facts::Id;
using facts::kNone;
using facts::Model;
using facts::ObjectId;
using facts::ObjectKind;
using facts::Statement;
using facts::StatementKind;

Widths width_of_dtype(const std::string& symbol) {
  const std::string last = last_part(symbol);
  if (one_of(last, {"float16", "half", "bfloat16"}) || last.starts_with("float8")) return kNarrowFloat;
  if (one_of(last, {"float32", "float", "float64", "double"})) return kWideFloat;
  if (last.starts_with("int") || last.starts_with("uint") || one_of(last, {"bool", "long", "short", "char"}))
    return kOtherElements;
  return kNoWidth;
}

namespace {

// What get_inputs makes: each tensor's elements, and those of all of them together.
class Inputs {
 public:
  Inputs(const Model& model, const Function& function) : model_(model), id_(model.id_of(function)) {
    for (const facts::Block& block : function.blocks) {
      for (const Statement& s : block.statements) {
        if (s.kind == StatementKind::kReturn && s.value != kNone) list(s.value, 0);
      }
    }
  }
  std::vector<Widths> each;
  Widths all = 0;
  bool counted = true;  // each one's place is known

 private:
  void list(Id value, int depth) {
    const Id settled = behind(model_, id_, value);
    const Statement* made = maker(model_, id_, settled);
    if (made == nullptr || depth > 4) {
      all |= kNoWidth;
      counted = false;
      return;
    }
    if (made->callee == "operator.add" && made->args.size() == 2) {
      list(made->args[0], depth + 1);
      list(made->args[1], depth + 1);
      return;
    }
    if (one_of(made->callee, {"builtins.list", "builtins.tuple"})) {
      if (made->args.empty()) appended(settled);
      for (const Id item : made->args) add(tensor(item, 0));
      return;
    }
    add(kNoWidth);
    counted = false;
  }
  void add(Widths width) {
    each.push_back(width);
    all |= width;
  }
  void appended(Id made) {  // a comprehension, or a list that is filled
    counted = false;
    bool any = false;
    for (const facts::Block& block : model_.function(id_).blocks) {
      for (const Statement& s : block.statements) {
        if (s.callee != "builtins.list.append" || s.args.size() != 1 || behind(model_, id_, s.receiver) != made)
          continue;
        add(tensor(s.args[0], 0));
        any = true;
      }
    }
    if (!any) all |= kNoWidth;
  }
  Widths dtype(Id value) const { return width_of_dtype(symbol_of(model_, behind(model_, id_, value))); }

  Widths tensor(Id value, int depth) const {
    const Statement* made = maker(model_, id_, behind(model_, id_, value));
    if (made == nullptr || depth > 12 || made->kind != StatementKind::kCall) return kNoWidth;
    const std::string last = last_part(made->callee);
    for (const auto& [name, given] : made->keywords) {
      if (name == "dtype") return dtype(given);
    }
    if (one_of(last, {"half", "bfloat16", "float", "double", "int", "long", "bool"}) && made->receiver != kNone)
      return width_of_dtype(last);
    if (one_of(last, {"to", "type"})) {
      for (const Id arg : made->args) {
        if (const Widths given = dtype(arg); given != kNoWidth) return given;
      }
    }
    if (made->callee.starts_with("torch.") && made->receiver == kNone) {
      if (one_of(last, {"rand", "randn", "empty", "normal", "linspace"})) return kWideFloat;
      if (one_of(last, {"zeros", "ones", "eye"})) return kWideFloat;
      if (one_of(last, {"randint", "randperm", "arange", "bincount"})) return kOtherElements;
      if (last == "tensor" || last == "full") return kNoWidth;
    }
    if (made->receiver != kNone) return tensor(made->receiver, depth + 1);
    for (const Id arg : made->args) {
      if (const Widths given = tensor(arg, depth + 1); given != kNoWidth) return given;
    }
    return kNoWidth;
  }

  const Model& model_;
  Id id_;
};

}  // namespace

LaunchValues::LaunchValues(const Model& model) : model_(model) {
  for (const Function& function : model.facts().functions) {
    if (function.name != "get_inputs" || function.blocks.empty() || function.class_id != kNone) continue;
    const Inputs inputs(model, function);
    inputs_ = inputs.counted ? inputs.each : std::vector<Widths>{};
    all_inputs_ = inputs.all;
  }
  if (all_inputs_ == 0) all_inputs_ = kNoWidth;
}

Widths LaunchValues::of_argument(int position) const {
  const auto at = static_cast<std::size_t>(position);
  return at < inputs_.size() ? inputs_[at] : all_inputs_;
}

// The harness casts the model to what it makes the inputs.
Widths LaunchValues::of_weights() const {
  const bool wide = (all_inputs_ & (kNarrowFloat | kNoWidth)) == 0 && (all_inputs_ & kWideFloat) != 0;
  return wide ? kWideFloat : kNoWidth;
}

Widths LaunchValues::widths(ObjectId id) const { return widths(id, 0); }

Widths LaunchValues::widths(ObjectId id, int depth) const {
  const facts::Interpreter& run = model_.run();
  if (const int position = run.argument_position(id); position >= 0) return of_argument(position);
  if (depth > 8) return kNoWidth;
  const facts::Object& object = run.object(id);
  const auto weights = [&] {
    return std::any_of(object.initial.begin(), object.initial.end(), [&](facts::NodeId node) {
      return model_.provenance().at(node).kind == facts::NodeKind::kWeights;
    });
  };
  const auto known = run.element_types.find(id);
  if (known == run.element_types.end()) return weights() ? of_weights() : kNoWidth;
  const auto& [asked, like] = known->second;
  Widths found = 0;
  for (const ObjectId each : asked.objects) {
    if (run.object(each).kind == ObjectKind::kSymbol) found |= width_of_dtype(run.object(each).symbol);
  }
  for (const facts::NodeId node : asked.nodes) {  // x.dtype
    const facts::Node& metadata = model_.provenance().at(node);
    if (metadata.kind != facts::NodeKind::kMetadata) continue;
    bool any = false;
    for (const facts::NodeSet& slot : metadata.slots) {
      for (const facts::NodeId of : slot) {
        const facts::Node& contents = model_.provenance().at(of);
        found |= contents.kind == facts::NodeKind::kArgument  ? of_argument(contents.argument)
                 : contents.kind == facts::NodeKind::kWeights ? of_weights()
                                                              : kNoWidth;
        any = true;
      }
    }
    if (!any) found |= kNoWidth;
  }
  if (found != 0) return found;
  if (asked.open) return kNoWidth;
  for (const ObjectId each : like) found |= widths(each, depth + 1);
  if (found != 0) return found;
  // Made without a word on it: 32 bits, unless the default was changed; the task's model is cast as a whole.
  if (object.phase != facts::Phase::kForward) return of_weights();
  return like.empty() ? kWideFloat : kNoWidth;
}

Widths LaunchValues::widths(const Abstract& value) const {
  Widths found = 0;
  for (const ObjectId id : value.objects) {
    if (model_.run().object(id).kind == ObjectKind::kTensor) found |= widths(id);
  }
  return found;
}

std::optional<Abstract> LaunchValues::given(Id kernel, std::size_t parameter) const {
  Abstract all;
  for (const auto& [place, arguments] : model_.run().launch_arguments) {
    if (model_.kernel_of(place.first) != kernel) continue;
    if (parameter >= arguments.size() || arguments[parameter].nothing()) return std::nullopt;
    facts::join(all, arguments[parameter]);
  }
  return all.nothing() ? std::nullopt : std::optional(all);
}

std::vector<Json> LaunchValues::constants(Id kernel, std::size_t parameter) const {
  const auto value = given(kernel, parameter);
  std::vector<Json> found;
  if (!value || value->open || !value->objects.empty()) return found;
  for (const int constant : value->constants) found.push_back(model_.run().constant_at(constant));
  return found;
}

std::optional<double> LaunchValues::number(Id kernel, std::size_t parameter) const {
  const std::vector<Json> known = constants(kernel, parameter);
  if (known.size() != 1 || (!known[0].is_number() && !known[0].is_boolean())) return std::nullopt;
  return known[0].is_boolean() ? (known[0].get<bool>() ? 1.0 : 0.0) : known[0].get<double>();
}

Widths LaunchValues::read_by(Id kernel, const std::vector<Abstract>& arguments) const {
  const auto& access = model_.access(kernel);
  Widths widths_read = 0;
  for (std::size_t p = 0; p < arguments.size(); ++p) {
    const bool read = !access.known || p >= access.read.size() || access.read[p];
    if (read) widths_read |= widths(arguments[p]);
  }
  return widths_read;
}

Widths LaunchValues::read_by(Id kernel) const {
  Widths widths_read = 0;
  for (const auto& [place, arguments] : model_.run().launch_arguments) {
    if (model_.kernel_of(place.first) == kernel) widths_read |= read_by(kernel, arguments);
  }
  return widths_read == 0 ? kNoWidth : widths_read;
}

}  // namespace kernel_audit::analysis::rules
