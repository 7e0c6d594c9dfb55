// What reading an attribute gives: fields, methods and properties of own objects, weights of modules, members of C++.
#include <algorithm>

#include "analysis/facts/interpreter.h"
#include "analysis/facts/interpreter_frame.h"

namespace kernel_audit::analysis::facts {
namespace {

// Also one of a template's own parameters, which has no other type than its name.
bool is_container(const Type& type) {
  if (type.kind == TypeKind::kDict || type.kind == TypeKind::kList) return true;
  return type.kind == TypeKind::kUnknown &&
         (type.name.starts_with("map<") || type.name.starts_with("unordered_map<") || type.name.starts_with("vector<"));
}

}  // namespace

// The class of the candidate with this name, template arguments aside.
Id class_named(const Facts& facts, const std::string& type) {
  const std::string name = type.substr(0, type.find('<'));
  for (std::size_t c = 0; c < facts.classes.size(); ++c) {
    if (facts.classes[c].qualified_name == name) return static_cast<Id>(c);
  }
  return kNone;
}

// That of an instance, by the name of its type.
Id own_class(const Facts& facts, Id value) {
  return value == kNone ? kNone : class_named(facts, facts.values[static_cast<std::size_t>(value)].type.name);
}

// A structure or an array within a structure of a package, which is a container of its members.
Abstract Interpreter::inner_structure(ObjectId whole, const std::string& name, const Statement& load,
                                      const CallSite& site) {
  if (!in_native(site.where.function) || load.result == kNone) return {};
  const Type& type = facts_.values[static_cast<std::size_t>(load.result)].type;
  const bool array = type.kind == TypeKind::kPointer && type.name.ends_with(']');
  if (type.kind != TypeKind::kOther && !array) return {};
  const Object owner = object(whole);
  const std::int64_t place = (static_cast<std::int64_t>(whole) << 24U) + key_of(name);
  const Abstract inner = of_object(make_object(ObjectKind::kContainer, owner.made, owner.context, place));
  write_field(whole, key_of(name), inner, true);
  return inner;
}

// Whether an object keeps its attributes itself as well as by class: all do in a rehearsal, else those that this call
// has made and that end with it.
bool Interpreter::keeps_own_attributes(ObjectId id) const {
  const Object& owner = object(id);
  return owner.kind == ObjectKind::kInstance &&
         (rehearsal_ != nullptr ||
          (owner.phase == Phase::kForward && !owner.from_earlier_call && !outliving_.contains(id)));
}

void Interpreter::store_own_attribute(const Abstract& base, const std::string& name, const Abstract& stored) {
  const KeyId key = key_of(name);
  for (const ObjectId id : base.objects) {
    const bool only = base.objects.size() == 1;
    if (keeps_own_attributes(id) && (only || state_.fields.contains(field_key(id, key))))
      write_field(id, key, stored, only);
  }
}

// What objects hold themselves, where there are several of a class.
std::optional<Abstract> Interpreter::own_attribute(const Abstract& base, const Storage& attribute) {
  if (attribute.owner_class == kNone || instances_[attribute.owner_class] < 2 || base.open || base.objects.empty())
    return std::nullopt;
  Abstract held;
  for (const ObjectId id : base.objects) {
    const Abstract own = keeps_own_attributes(id) ? read_field(id, key_of(attribute.name)) : Abstract{};
    if (own.nothing()) return std::nullopt;
    join(held, own);
  }
  return held;
}

Abstract Interpreter::load_attribute(const Abstract& base, const std::string& name, const Statement& statement,
                                     const CallSite& site) {
  Abstract result;
  const auto framework_weights = [&](const Object& owner) {
    const NodeId node = graph_.node(NodeKind::kWeights, owner.made, owner.context, key_of(name));
    graph_.at(node).name = owner.symbol + "." + name;
    graph_.at(node).phase = Phase::kInit;
    const ObjectId made = make_object(ObjectKind::kTensor, owner.made, owner.context, 3'000'000 + key_of(name));
    Object& weights = objects_[static_cast<std::size_t>(made)];
    weights.phase = Phase::kInit;
    if (weights.initial.empty()) weights.initial = {node};
    merge_into(result.objects, {made});
  };
  // Of constants, members of an enumeration alone have it.
  if (name == "value" && !in_native(site.where.function)) result.constants = base.constants;
  for (const ObjectId id : base.objects) {
    const Object owner = object(id);
    Abstract field = read_field(id, key_of(name));
    if (owner.kind == ObjectKind::kInstance && (field.nothing() || outliving_.contains(id)))
      join(field, instance_attribute(owner.class_id, name));
    const bool holds = owner.kind == ObjectKind::kInstance || owner.kind == ObjectKind::kTensor;
    if (holds && name == "__dict__") field = of_object(id);  // whose entries are the attributes
    if (!field.nothing()) {
      join(result, field);
      continue;
    }
    switch (owner.kind) {
      case ObjectKind::kTensor: {
        const Operation operation = classify_tensor_attribute(name);
        if (operation.kind == OperationKind::kCompute && !in_native(site.where.function)) {  // a method, not called yet
          join(result, bound_method(id, name, site));
          break;
        }
        std::vector<Abstract> none;
        Abstract self = of_object(id);
        self.partial = base.partial;
        join(result, apply(operation, "torch.Tensor." + name, &self, none, {}, site));
        break;
      }
      case ObjectKind::kInstance: {
        const Id method = find_method(owner.class_id, name);
        if (method != kNone) {
          if (facts_.functions[static_cast<std::size_t>(method)].is_property) {
            join(result, invoke(method, {of_object(id)}, {}, site));
          } else if (facts_.functions[static_cast<std::size_t>(method)].is_static_method) {
            join(result, function_value(method, {}, site));
          } else {
            join(result, function_value(method, {of_object(id)}, site));
          }
          break;
        }
        if (Abstract shared = class_attribute(owner.class_id, name);
            !shared.nothing() && !in_native(site.where.function)) {
          join(result, shared);
          break;
        }
        if (name == "data" && derives_from(owner.class_id, "collections.UserDict")) {
          join(result, of_object(elements_held(id)));
          break;
        }
        if (name == "training") {
          result.open = true;
          break;
        }
        if (const Id own = find_method(owner.class_id, "__getattr__");
            own != kNone && !in_native(site.where.function)) {
          join(result, invoke(own, {of_object(id), constant(Json(name))}, {}, site));
          break;
        }
        if (in_native(site.where.function)) {
          // A field that nothing has set: an undefined tensor, a null pointer or some number.
          const auto& fields = facts_.classes[static_cast<std::size_t>(owner.class_id)].attributes;
          const auto field_type =
              std::find_if(fields.begin(), fields.end(), [&](const auto& f) { return f.first == name; });
          if (field_type != fields.end() &&
              (is_container(field_type->second) || field_type->second.name.ends_with(']'))) {
            const ObjectId empty =
                make_object(ObjectKind::kContainer, owner.made, owner.context, 4'000'000 + key_of(name));
            write_field(id, key_of(name), of_object(empty), true);
            // An array has its elements before anything is stored to them.
            const std::string& type = field_type->second.name;
            if (type.ends_with(']') || type.starts_with("std::array<")) exposed_.insert(empty);
            join(result, of_object(empty));
            break;
          }
          // Where the element of a map is, the map answers.
          if (field_type == fields.end() && name == "second" && has_kind(base, ObjectKind::kContainer)) break;
          if (field_type != fields.end()) {
            join(result, field_type->second.kind == TypeKind::kTensor ? constant(Json()) : open_value({}));
            break;
          }
        }
        // A member of the framework's class that an own one derives from, as the Facts type it.
        const auto& bases = facts_.classes[static_cast<std::size_t>(owner.class_id)].bases;
        const bool framework = std::any_of(bases.begin(), bases.end(),
                                           [](const std::string& above) { return above.starts_with("torch.nn."); });
        const TypeKind type = !framework || statement.result == kNone || in_native(site.where.function)
                                  ? TypeKind::kUnknown
                                  : facts_.values[static_cast<std::size_t>(statement.result)].type.kind;
        if (type == TypeKind::kInt || type == TypeKind::kFloat || type == TypeKind::kBool ||
            type == TypeKind::kString || type == TypeKind::kTuple) {
          result.open = true;
          break;
        }
        if (type == TypeKind::kParameter) {
          framework_weights(owner);
          break;
        }
        join(result, unknown("the attribute " + name + " is read, and no store to it was seen", site));
        break;
      }
      case ObjectKind::kModule: {
        // A framework module's tensors are weights; anything else of it is a setting.
        framework_weights(owner);
        break;
      }
      case ObjectKind::kExtension: {
        const auto bound = bindings_.find({owner.symbol, name});
        if (bound != bindings_.end()) {
          join(result, function_value(bound->second, {}, site));
        } else {
          join(result, symbol(owner.symbol + "." + name));
        }
        break;
      }
      case ObjectKind::kStream:
      case ObjectKind::kEvent:
      case ObjectKind::kGraph:
        merge_into(result.objects, {id});
        break;  // .stream, .cuda_stream
      case ObjectKind::kSymbol:
        join(result, symbol(owner.symbol + "." + name));
        break;
      case ObjectKind::kClass: {
        const Id method = find_method(owner.class_id, name);
        if (method != kNone) {
          join(result, function_value(method, {}, site));
        } else {
          result.open = true;
        }
        break;
      }
      case ObjectKind::kFunction:
        if (const Abstract held = function_attribute(owner.function, name); !held.nothing()) {
          join(result, held);
          break;
        }
        [[fallthrough]];
      case ObjectKind::kProgram:
      case ObjectKind::kScope:
        merge_into(result.objects, {id});
        break;
      case ObjectKind::kGenerator:
        join(result, bound_method(id, name, site));
        break;
      case ObjectKind::kContainer:
        if (in_native(site.where.function) && (name == "first" || name == "second")) {
          // Of a pair, or of the element that an iterator of a map stands at.
          Abstract part = name == "first" ? read_field(id, key_of("#0")) : all_fields(id);
          if (const Id made = own_class(facts_, statement.result); part.nothing() && made != kNone) {
            std::vector<Abstract> none;  // try_emplace makes one
            part = construct(made, none, {}, site);
            write_field(id, kAnyKey, part, false);
          }
          join(result, part);
          result.open = result.open || part.nothing();
          break;
        }
        if (Abstract inner = inner_structure(id, name, statement, site); !inner.nothing()) {
          join(result, inner);
          break;
        }
        // Of an array: where it is.
        if (name == "ctypes" || name == "data" || name == "__dict__")
          join(result, of_object(id));
        else
          join(result, in_native(site.where.function) ? symbol("?." + name) : bound_method(id, name, site));
        break;
    }
  }
  // Which of several objects it is says nothing of what a tensor of it holds.
  const bool chosen = !base.objects.empty() && base.constants.empty() && has_kind(result, ObjectKind::kTensor) &&
                      objects_of_kind(base, ObjectKind::kInstance) == base.objects;
  if (!chosen) merge_into(result.nodes, base.nodes);
  result.open = result.open || base.open || (base.objects.empty() && !base.nodes.empty());
  if (result.nothing() && statement.result != kNone) result = value_from_facts(statement.result, site);
  if (result.nothing()) result = unknown("the attribute " + name + " of a value that is not known is read", site);
  return result;
}

}  // namespace kernel_audit::analysis::facts
