// What calls of library operations do to abstract values.
#include <algorithm>

#include "analysis/facts/device_access.h"
#include "analysis/facts/interpreter.h"
#include "analysis/facts/interpreter_frame.h"
#include "analysis/facts/surroundings.h"

namespace kernel_audit::analysis::facts {
namespace {

bool is_operator(const std::string& callee) { return callee.compare(0, 9, "operator.") == 0; }

// A callee as messages name it; what the lowering does not know of it is a question mark there.
std::string in_words(const std::string& callee) {
  if (callee.empty()) return "a value that is not known";
  if (callee.starts_with("?.")) return "the method " + callee.substr(2) + " of a value that is not known";
  if (callee.starts_with("ext:?.")) return callee.substr(6) + " of a library that is not known";
  return callee.starts_with("ext:") ? callee.substr(4) : callee;
}

}  // namespace

// What data_ptr gave, among the operands.
std::ptrdiff_t Interpreter::count_pointers(const std::vector<Abstract>& operands) const {
  return std::count_if(operands.begin(), operands.end(), [&](const Abstract& operand) {
    return std::any_of(operand.nodes.begin(), operand.nodes.end(), [&](NodeId id) {
      const Node& node = graph_.at(id);
      return node.kind == NodeKind::kIdentity && classify(node.name).kind == OperationKind::kPointer;
    });
  });
}

// Nothing in a template has a type before it is instantiated: a pointer that is moved on is one all the same.
bool Interpreter::moves_pointer(const std::string& callee, const std::vector<Abstract>& operands) const {
  return (callee == "operator.add" || callee == "operator.sub" || callee == "operator.iadd" ||
          callee == "operator.isub") &&
         count_pointers(operands) == 1;
}

bool Interpreter::compares_pointers(const std::string& callee, const std::vector<Abstract>& operands) const {
  return (callee == "operator.eq" || callee == "operator.ne") && count_pointers(operands) > 0;
}

Abstract Interpreter::apply(const Operation& operation, const std::string& callee, const Abstract* receiver,
                            std::vector<Abstract>& args, const Keywords& keywords, const CallSite& site) {
  note_operation(callee, site);
  if (callee == "generator.deliver" || callee == "generator.result") return delegate(callee, args, site);
  const bool shown = site.statement->callee_value == kNone && operation.kind == OperationKind::kContainer;  // [g], {g}
  for (Abstract& arg : args) {
    const bool stepped = shown || callee == "builtins.next" || callee == "builtins.iter" ||
                         callee == "builtins.getattr" || callee == "functools.partial" || callee == "operator.call";
    if (!stepped && has_kind(arg, ObjectKind::kGenerator)) arg = drained(arg, site);
  }
  std::vector<Abstract> operands;
  if (receiver != nullptr && !receiver->nothing()) operands.push_back(*receiver);
  operands.insert(operands.end(), args.begin(), args.end());
  note_call(callee, operands, site);
  note_reads(operation, callee, operands, keywords, site);
  // heapq.heappush(list, x): a function of a package may put something into what it is handed.
  const bool looks = callee.starts_with("builtins.") || callee.starts_with("operator.");
  for (const Abstract& operand : operands) {
    for (const ObjectId id : looks ? ObjectSet{} : objects_of_kind(operand, ObjectKind::kContainer)) grown_.insert(id);
  }
  if (operation.kind == OperationKind::kAutocast) return autocast_scope(callee, args, keywords, site);
  if (auto done = apply_program(callee, operands, site)) return *done;
  if (auto done = apply_driver(callee, operands, site)) return *done;
  if (auto done = apply_stream(operation, callee, receiver, args, site)) return *done;
  if (auto done = apply_thread(callee, args, keywords, site)) return *done;
  if (auto done = apply_reflection(callee, operands, keywords, site)) return *done;
  if (auto done = apply_native(callee, operands, site)) return *done;
  if (auto made = made_subclass(callee, operands, site)) return *made;
  Abstract first = operands.empty() ? Abstract{} : operands[0];
  const auto all_nodes = [&](bool contents) {
    NodeSet nodes;
    for (const Abstract& operand : operands) merge_into(nodes, contents ? nodes_of(operand) : operand.nodes);
    for (const auto& [name, given] : keywords) merge_into(nodes, contents ? nodes_of(given) : given.nodes);
    return nodes;
  };
  const auto derived = [&](NodeKind kind, const std::string& name) {
    const NodeId node = graph_.node(kind, site.where, site.context, 0);
    graph_.at(node).name = name;
    graph_.at(node).phase = phase_;
    graph_.add_operands(node, 0, all_nodes(true));
    return open_value({node});
  };
  const auto fresh = [&](NodeKind kind, const NodeSet& inputs) {
    const NodeId node = graph_.node(kind, site.where, site.context, 0);
    graph_.at(node).name = callee;
    graph_.at(node).phase = phase_;
    graph_.add_operands(node, 0, inputs);
    return node;
  };
  const auto tensor_of = [&](NodeId node) {
    Abstract made = fresh_tensor(site, {node});
    note_element_type(made, callee, operands, keywords);
    return made;
  };
  for (const ObjectId graph : state_.capturing) {
    for (const Abstract& operand : operands)
      merge_into(captures_[graph].read, objects_of_kind(operand, ObjectKind::kTensor));
  }
  if (operation.kind == OperationKind::kScalar || operation.kind == OperationKind::kUnknown) {
    // numpy.maximum(array, 0): arrays are tensors. On numbers it stays arithmetic; what it allocates is a tensor.
    const Operation array = classify_array_function(callee);
    bool tensors = array.kind == OperationKind::kAllocation || array.kind == OperationKind::kConstant ||
                   array.kind == OperationKind::kRandom;
    for (const Abstract& operand : operands) {
      tensors = tensors || has_kind(operand, ObjectKind::kTensor);
      for (const ObjectId id : objects_of_kind(operand, ObjectKind::kContainer))
        tensors = tensors || has_kind(all_fields(id), ObjectKind::kTensor);
    }
    if (callee == "numpy.array" && !held_buffers(first, false).empty()) return first;  // of addresses
    if (tensors && array.kind != OperationKind::kUnknown)
      return apply(array, callee, nullptr, operands, keywords, site);
  }
  // A method of what the stack, the environment or a file gave: still the same.
  if (callee.compare(0, 2, "?.") == 0 && operation.kind == OperationKind::kUnknown && !first.nodes.empty() &&
      std::all_of(first.nodes.begin(), first.nodes.end(),
                  [&](NodeId id) { return graph_.at(id).kind == NodeKind::kSurroundings; })) {
    return open_value(first.nodes);
  }
  // An element of a vector of numbers.
  if (callee.starts_with("std::vector::") && operation.kind == OperationKind::kUnknown && first.open &&
      first.objects.empty())
    return open_value(first.nodes);
  switch (operation.kind == OperationKind::kCompute ? Surroundings::kNothing : surroundings_of(callee)) {
    case Surroundings::kNothing:
      break;
    case Surroundings::kFile:
      return surroundings_value(callee, site, all_nodes(true), true);
    default:
      return surroundings_value(callee, site, {}, false);
  }
  if (operation.kind == OperationKind::kUnclassified && has_kind(first, ObjectKind::kFunction) &&
      std::none_of(operands.begin(), operands.end(),
                   [&](const Abstract& operand) { return has_kind(operand, ObjectKind::kTensor); })) {
    return apply_wrapper(callee, args, site);  // handed a function and nothing to compute with
  }
  switch (operation.kind) {
    case OperationKind::kCompute:
    case OperationKind::kMovement:
    case OperationKind::kUnclassified:
      return apply_compute(operation, callee, operands, keywords, site);
    case OperationKind::kView: {
      Abstract result = first;
      if (!has_kind(first, ObjectKind::kTensor)) {
        // torch.Tensor._make_subclass(cls, data), torch.utils.dlpack.from_dlpack(capsule)
        std::vector<Abstract> given = operands;
        for (const auto& [name, value] : keywords) given.push_back(value);
        for (const Abstract& operand : given) {
          if (!has_kind(operand, ObjectKind::kTensor)) continue;
          result = operand;
          break;
        }
      }
      if (callee.ends_with("from_blob") && !has_kind(result, ObjectKind::kTensor) && !held_buffers(first, true).empty())
        result = tensor_of(fresh(NodeKind::kConstant, {}));
      if (callee.ends_with("from_blob")) put_addresses(result.objects, first, site);
      if (result.nothing()) result.open = true;
      return result;
    }
    case OperationKind::kPartialView: {
      Abstract result = first;
      if (has_kind(first, ObjectKind::kContainer)) {
        result = operands.size() > 1 && is_operator(callee) ? load_element(first, operands[1], *site.statement, site)
                                                            : first;
      } else if (has_kind(first, ObjectKind::kTensor)) {
        result.partial = true;
      }
      if (result.nothing()) result.open = true;
      return result;
    }
    case OperationKind::kCopy: {
      if (!has_kind(first, ObjectKind::kTensor)) {
        // A module moved to a device, a list made into a tensor, a number converted.
        if (has_kind(first, ObjectKind::kModule) || has_kind(first, ObjectKind::kInstance)) return first;
        const NodeSet nodes = all_nodes(true);
        return nodes.empty() && !has_kind(first, ObjectKind::kContainer)
                   ? open_value({})
                   : fresh_tensor(site, {fresh(NodeKind::kCopy, nodes)});
      }
      const NodeSet contents = nodes_of(first);
      const bool contiguous = std::string_view(callee).ends_with("contiguous");
      // Memory that was just made is contiguous already.
      if (contiguous && !contents.empty() && std::all_of(contents.begin(), contents.end(), [&](NodeId id) {
            return graph_.at(id).kind == NodeKind::kAllocation || graph_.at(id).kind == NodeKind::kConstant;
          }))
        return first;
      const NodeId node = fresh(NodeKind::kCopy, contents);
      Abstract copy = tensor_of(node);
      if (contiguous) contiguous_[copy.objects[0]] = first;
      note_write(copy.objects);
      put_addresses(copy.objects, first, site);
      note_work(node, state_.stream);
      return copy;
    }
    case OperationKind::kCopyInto: {
      const NodeId node = fresh(NodeKind::kCopy, operands.size() > 1 ? nodes_of(operands[1]) : NodeSet{});
      write_tensor(first, {node}, site, 1);
      if (operands.size() > 1) put_addresses(first.objects, operands[1], site);
      note_work(node, state_.stream);
      return first;
    }
    case OperationKind::kSwap: {
      if (operands.size() < 2) return open_value({});
      const NodeSet here = nodes_of(first);
      write_tensor(first, nodes_of(operands[1]), site, 1);
      write_tensor(operands[1], here, site, 2);
      return open_value({});
    }
    case OperationKind::kFillInto: {
      NodeSet scalars;
      for (std::size_t i = 1; i < operands.size(); ++i) merge_into(scalars, nodes_of(operands[i]));
      write_tensor(first, {fresh(NodeKind::kConstant, scalars)}, site, 1);
      return first;
    }
    case OperationKind::kAllocation:
    case OperationKind::kConstant:
    case OperationKind::kRandom: {
      if (operation.in_place) {
        write_tensor(first, {fresh(NodeKind::kRandom, {})}, site, 1);
        return first;
      }
      // Numbers that become contents; tensors here only lend their shape.
      NodeSet scalars;
      if (operation.kind == OperationKind::kConstant) {
        for (const Abstract& operand : operands) {
          if (!has_kind(operand, ObjectKind::kTensor) || callee.ends_with("tensor"))
            merge_into(scalars, nodes_of(operand));
        }
      }
      const NodeKind kind = operation.kind == OperationKind::kAllocation ? NodeKind::kAllocation
                            : operation.kind == OperationKind::kConstant ? NodeKind::kConstant
                                                                         : NodeKind::kRandom;
      Abstract made = tensor_of(fresh(kind, scalars));
      note_write(made.objects);
      // A table of addresses: who is handed it has what they point to.
      for (const Abstract& operand : operands) {
        if (kind != NodeKind::kConstant || !callee.ends_with("tensor")) break;
        NodeSet nodes = operand.nodes;
        Abstract within = operand;  // rows of rows
        for (int depth = 0; depth < 3 && has_kind(within, ObjectKind::kContainer); ++depth) {
          Abstract inner;
          for (const ObjectId list : objects_of_kind(within, ObjectKind::kContainer)) join(inner, all_fields(list));
          merge_into(nodes, inner.nodes);
          within = inner;
        }
        const bool addresses = std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) {
          return graph_.at(id).kind == NodeKind::kIdentity && graph_.at(id).name.ends_with("data_ptr");
        });
        if (addresses && in_native(site.where.function))
          put_addresses(made.objects, operand, site);
        else if (addresses)
          merge_into(made.objects, objects_of_kind(operand, ObjectKind::kContainer));
      }
      return made;
    }
    case OperationKind::kAllocateInto: {
      const Abstract made = fresh_tensor(site, {fresh(NodeKind::kAllocation, {})}, 1);
      note_write(made.objects);
      store_through(0, made, site);
      return open_value({});
    }
    case OperationKind::kMetadata:
      return derived(NodeKind::kMetadata, callee);
    case OperationKind::kNoneCheck:
      if (only_null(first)) return constant(Json(false));
      if (never_null(first) && has_kind(first, ObjectKind::kTensor)) return constant(Json(true));
      return derived(NodeKind::kIdentity, "none-check");
    case OperationKind::kIdentity: {
      if (!is_operator(callee) || operands.size() < 2) return derived(NodeKind::kIdentity, callee);
      const bool negated = callee == "operator.is_not";
      for (const int side : {0, 1}) {
        const Abstract& one = operands[static_cast<std::size_t>(side)];
        const Abstract& other = operands[static_cast<std::size_t>(1 - side)];
        const bool truth =
            one.objects.empty() && one.constants.size() == 1 && !one.open && constant_at(one.constants[0]).is_boolean();
        if (truth) return open_value(all_nodes(true));  // `test is True`: what it holds, not which object it is
        if (!only_null(one)) continue;
        if (only_null(other)) return constant(Json(!negated));
        if (never_null(other)) return constant(Json(negated));
        return derived(NodeKind::kIdentity, "none-check");
      }
      return derived(NodeKind::kIdentity, callee);
    }
    case OperationKind::kPointer:
      merge_into(first.nodes, derived(NodeKind::kIdentity, callee).nodes);
      return first;
    case OperationKind::kScalarRead: {
      if (operands.size() == 1 && first.objects.empty() && !first.constants.empty() && !first.open) return first;
      return open_value(all_nodes(true));
    }
    case OperationKind::kVendor:
      return apply_vendor(operation, callee, operands, site);
    case OperationKind::kMemcpy: {
      if (operands.size() < 2) return open_value({});
      const std::size_t from = std::min(copied_from(callee), operands.size() - 1);
      const Abstract& target = from == 0 ? operands.back() : operands[0];
      const NodeId node = fresh(NodeKind::kCopy, nodes_of(elements_of(operands[from])));
      write_tensor(target, {node}, site, 1);
      Abstract copied = operands[from];  // what lies there, not where it lies
      copied.nodes.clear();
      put_addresses(target.objects, copied, site);
      if (callee.starts_with("cudaMemcpyToSymbol")) merge_into(in_symbols_, held_buffers(operands[from], true));
      for (const ObjectId id : objects_of_kind(target, ObjectKind::kContainer))
        write_field(id, kAnyKey, open_value({node}), false);
      if (from != 0 && has_kind(target, ObjectKind::kProgram))
        store_through(0, unknown("a compiled program is overwritten", site), site);
      ObjectSet streams = state_.stream;
      for (const Abstract& operand : operands) {
        if (has_kind(operand, ObjectKind::kStream)) streams = objects_of_kind(operand, ObjectKind::kStream);
      }
      note_work(node, streams);
      return open_value({});
    }
    case OperationKind::kMemset:
      write_tensor(first, {fresh(NodeKind::kConstant, {})}, site, 1);
      return open_value({});
    case OperationKind::kWrapper:
      return apply_wrapper(callee, args, site);
    case OperationKind::kContainer:
      return apply_container(callee, args, keywords, site);
    case OperationKind::kParameter: {
      const NodeKind kind = phase_ == Phase::kForward ? NodeKind::kCopy : NodeKind::kWeights;
      return tensor_of(fresh(kind, nodes_of(first)));
    }
    case OperationKind::kModule: {
      const ObjectId id =
          make_object(ObjectKind::kModule, site.where, site.context, static_cast<std::int64_t>(key_of(callee)));
      objects_[static_cast<std::size_t>(id)].symbol = callee;
      for (std::size_t i = 0; i < args.size(); ++i) {
        if (args[i].objects.empty()) continue;
        if (site.statement->star_args && has_kind(args[i], ObjectKind::kContainer)) {  // Sequential(*layers)
          for (const ObjectId list : objects_of_kind(args[i], ObjectKind::kContainer))
            write_field(id, kAnyKey, all_fields(list), false);
          continue;
        }
        write_field(id, key_of(name_of_child(static_cast<std::int64_t>(i))), args[i], true);
      }
      return of_object(id);
    }
    case OperationKind::kExtensionLoad: {
      const Id result = site.statement->result;
      std::string name = result == kNone ? "" : facts_.values[static_cast<std::size_t>(result)].symbol;
      if (name.empty()) name = "ext:?";
      const ObjectId id =
          make_object(ObjectKind::kExtension, StatementRef{}, 0, static_cast<std::int64_t>(key_of(name)));
      objects_[static_cast<std::size_t>(id)].symbol = name;
      return of_object(id);
    }
    case OperationKind::kScalar:
      if (callee == "operator.not_") {
        if (const auto known = truth(first)) return constant(Json(!*known));
        if (!first.objects.empty() && first.constants.empty() && !first.open &&
            !has_kind(first, ObjectKind::kContainer) && !has_kind(first, ObjectKind::kTensor) &&
            !object(first.objects[0]).symbol.starts_with(kFound) &&
            object(first.objects[0]).symbol.find(".?") == std::string::npos) {
          return constant(Json(false));
        }
      }
      if (callee == "builtins.iter") return iterator_of(first, site);
      if (callee == "builtins.next") {
        note_step(first, site.where);
        Abstract result;
        Abstract held = first;
        std::erase_if(held.objects, [&](ObjectId id) { return object(id).kind == ObjectKind::kGenerator; });
        for (const ObjectId id : objects_of_kind(first, ObjectKind::kGenerator)) join(result, next_of(id, site));
        std::vector<Abstract> none;
        for (const ObjectId id : objects_of_kind(held, ObjectKind::kInstance)) {
          const auto step = call_method(of_object(id), "__next__", none, {}, site);
          if (step) join(result, *step);
          if (step) std::erase(held.objects, id);
        }
        if (result.nothing() || !held.objects.empty()) join(result, elements_of(held));
        result.open = result.open || first.open;
        if (operands.size() > 1) join(result, operands[1]);  // after the last one
        return result;
      }
      call_callbacks(operands, site);
      {
        NodeSet nodes = all_nodes(false);
        if (callee.starts_with("builtins.") || callee == "math.prod") {  // sum([…])
          for (const ObjectId list : objects_of_kind(first, ObjectKind::kContainer))
            merge_into(nodes, nodes_of(all_fields(list)));
        }
        merge_into(nodes, surroundings_in(operands));
        return open_value(std::move(nodes));
      }
    case OperationKind::kSpawn:
      return apply_spawn(callee, operands, site);
    case OperationKind::kHarmless:
      if (callee.find("is_available") != std::string::npos || callee.find("device_count") != std::string::npos) {
        return derived(NodeKind::kMetadata, callee);
      }
      call_callbacks(operands, site);
      if (callee == "torch.nn.utils.parametrize" || callee.ends_with("init_") ||
          callee.compare(0, 14, "torch.nn.init.") == 0)
        return first;
      if (receiver != nullptr && has_kind(*receiver, ObjectKind::kTensor)) return *receiver;
      return callee == "builtins.format" ? text_in_part(operands, site) : open_value({});
    default:
      return apply_unknown(callee.empty() ? "a value that is not known" : callee, operands, keywords, site);
  }
}

Abstract Interpreter::apply_compute(const Operation& operation, const std::string& callee,
                                    std::vector<Abstract>& operands, const Keywords& keywords, const CallSite& site) {
  const auto is_tensor = [&](const Abstract& operand) {
    if (has_kind(operand, ObjectKind::kTensor)) return true;
    for (const ObjectId id : operand.objects) {
      if (object(id).kind == ObjectKind::kContainer && has_kind(all_fields(id), ObjectKind::kTensor)) return true;
    }
    return false;
  };
  if (const std::string name = callee.substr(callee.find_last_of(".:") + 1);
      operands.size() == 2 && (name == "mul" || name == "multiply") &&
      is_tensor(operands[0]) != is_tensor(operands[1])) {
    const Abstract& number = operands[is_tensor(operands[0]) ? 1 : 0];
    const Json* factor = number.constants.size() == 1 && !number.open && number.objects.empty()
                             ? &constants_[static_cast<std::size_t>(number.constants[0])]
                             : nullptr;
    if (factor != nullptr && factor->is_number() && factor->get<double>() == 0) {  // nothing of the tensor is left
      const NodeId zeros = graph_.node(NodeKind::kConstant, site.where, site.context, 9);
      graph_.at(zeros).name = callee;
      graph_.at(zeros).phase = phase_;
      return fresh_tensor(site, {zeros}, 9);
    }
  }
  const Id result_id = site.statement == nullptr ? kNone : site.statement->result;
  const TypeKind type =
      result_id == kNone ? TypeKind::kUnknown : facts_.values[static_cast<std::size_t>(result_id)].type.kind;
  if (is_operator(callee)) {
    // Operators on own objects, on numbers, on pointers.
    for (std::size_t i = 0; i < operands.size() && i < 2; ++i) {
      if (!has_kind(operands[i], ObjectKind::kInstance)) continue;
      std::vector<Abstract> other;
      if (operands.size() > 1) other.push_back(operands[1 - i]);
      const std::string name = std::string("__") + (i == 1 ? "r" : "") + operator_word(callee) + "__";
      Abstract self;
      self.objects = objects_of_kind(operands[i], ObjectKind::kInstance);
      if (auto done = call_method(self, name, other, {}, site)) return *done;
    }
    const bool number =
        type == TypeKind::kInt || type == TypeKind::kFloat || type == TypeKind::kBool || type == TypeKind::kString;
    const bool any_tensor = std::any_of(operands.begin(), operands.end(), is_tensor);
    if (type == TypeKind::kPointer || (any_tensor && type == TypeKind::kOther) ||
        (type == TypeKind::kUnknown && moves_pointer(callee, operands))) {
      return operands.empty()
                 ? open_value({})
                 : (has_kind(operands[0], ObjectKind::kTensor) || operands.size() < 2 ? operands[0] : operands[1]);
    }
    if (!in_native(site.where.function) && compares_pointers(callee, operands)) {
      NodeSet nodes;
      for (const Abstract& operand : operands) merge_into(nodes, operand.nodes);
      return open_value(std::move(nodes));
    }
    const bool containers = std::any_of(operands.begin(), operands.end(),
                                        [&](const Abstract& o) { return has_kind(o, ObjectKind::kContainer); });
    if (containers && !std::any_of(operands.begin(), operands.end(),
                                   [&](const Abstract& o) { return has_kind(o, ObjectKind::kTensor); })) {
      const bool grows =
          type != TypeKind::kTuple && operands.size() == 2 && has_kind(operands[0], ObjectKind::kContainer);
      if (grows && (callee == "operator.iadd" || callee == "operator.ior")) {  // the list itself grows
        std::vector<Abstract> more{operands[1]};
        for (const ObjectId id : objects_of_kind(operands[0], ObjectKind::kContainer))
          container_method(of_object(id), callee == "operator.ior" ? "update" : "extend", more, site);
        return operands[0];
      }
      const bool lists = callee == "operator.add" && !in_native(site.where.function) &&
                         std::all_of(operands.begin(), operands.end(), [&](const Abstract& operand) {
                           return !operand.open && !operand.objects.empty() &&
                                  objects_of_kind(operand, ObjectKind::kContainer) == operand.objects;
                         });
      if (lists) return apply_container(callee, operands, {}, site);
      for (std::size_t i = 1; i < operands.size(); ++i) join(operands[0], operands[i]);
      return operands[0];
    }
    if (number || !any_tensor) {
      NodeSet nodes;
      for (const Abstract& operand : operands) merge_into(nodes, nodes_of(operand));
      if (nodes.size() <= 1) return open_value(std::move(nodes));
      const NodeId node = graph_.node(NodeKind::kScalar, site.where, site.context, 0);
      graph_.at(node).name = callee;
      graph_.at(node).phase = phase_;
      graph_.add_operands(node, 0, nodes);
      return open_value({node});
    }
  }
  const NodeId node = graph_.node(NodeKind::kFramework, site.where, site.context, 0);
  {
    Node& made = graph_.at(node);
    made.name = callee;
    made.family = std::string(operation.family);
    made.phase = phase_;
    made.movement_only = operation.kind == OperationKind::kMovement;
    made.unclassified = operation.kind == OperationKind::kUnclassified;
  }
  std::vector<Abstract> targets;
  if (operation.in_place && !operands.empty()) targets.push_back(operands[0]);
  for (const Abstract& operand : calls_private_object(callee) ? operands : std::vector<Abstract>{}) {
    const NodeSet contents = nodes_of(operand);
    const bool fresh = std::all_of(contents.begin(), contents.end(),
                                   [&](NodeId id) { return graph_.at(id).kind == NodeKind::kAllocation; });
    if (fresh && has_kind(operand, ObjectKind::kTensor)) targets.push_back(operand);
  }
  std::size_t slot = 0;
  const auto add = [&](const Abstract& operand, bool target) {
    for (const NodeSet& part : taken_together(operand)) {
      NodeSet inputs;
      for (const NodeId id : part) {
        if (id == node) continue;
        if (target && graph_.at(id).kind == NodeKind::kAllocation) continue;
        insert_into(inputs, id);
      }
      graph_.add_slot(node, slot++, inputs);
    }
  };
  for (std::size_t i = 0; i < operands.size(); ++i) add(operands[i], operation.in_place && i == 0);
  for (const auto& [name, given] : keywords) {
    if (name == "out") {
      targets.push_back(given);
    } else {
      add(given, false);
    }
  }
  note_work(node, state_.stream);
  for (const ObjectId scope : state_.autocasts) under_autocast[node].insert(object(scope).made);
  for (const ObjectId graph : state_.capturing) insert_into(captures_[graph].nodes, node);
  if (!targets.empty()) {
    certain_writes_ = operation.kind != OperationKind::kUnclassified;
    for (const Abstract& target : targets) {
      write_tensor(target, {node}, site, 1);
      for (const ObjectId list : objects_of_kind(target, ObjectKind::kContainer))  // _foreach_mul_([a, b], 2)
        write_tensor(all_fields(list), {node}, site, 2);
    }
    certain_writes_ = true;
    return targets[0];
  }
  call_callbacks(operands, site);
  Abstract made = fresh_tensor(site, {node});
  note_write(made.objects);
  return made;
}

Abstract Interpreter::apply_unknown(const std::string& callee, std::vector<Abstract>& operands,
                                    const Keywords& keywords, const CallSite& site) {
  NodeSet inputs;
  std::vector<Abstract> all = operands;
  for (const auto& [name, given] : keywords) all.push_back(given);
  for (const Abstract& operand : all) merge_into(inputs, nodes_of(operand));
  call_callbacks(all, site);
  // Arguments packed in tuples and lists are handed over as well.
  for (std::size_t i = 0, count = all.size(); i < count; ++i) {
    for (const ObjectId id : objects_of_kind(all[i], ObjectKind::kContainer)) all.push_back(all_fields(id));
  }
  // A native function found at run time, on addresses that were not followed: it may write any buffer.
  const bool native = (callee.compare(0, 4, "ext:") == 0 && !callee.ends_with(".get_function")) ||
                      callee.find("LaunchKernel") != std::string::npos;
  if (native && phase_ == Phase::kForward &&
      std::none_of(all.begin(), all.end(), [&](const Abstract& given) { return has_kind(given, ObjectKind::kTensor); }))
    blind_launches.insert(site.where);
  Abstract result = unknown("the call of " + in_words(callee) + " is not resolved", site, inputs);
  merge_into(result.objects, hand_over(all, result));  // it may give back a handle of what it was handed
  return result;
}

}  // namespace kernel_audit::analysis::facts
