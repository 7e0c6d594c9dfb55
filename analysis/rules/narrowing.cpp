#include "analysis/rules/narrowing.h"

#include <algorithm>
#include <set>

#include "analysis/rules/conditions.h"
#include "analysis/rules/native_calls.h"

namespace kernel_audit::analysis::rules {

using facts::Function;
using facts::Id;
using facts::Model;
using facts::Node;
using facts::NodeKind;
using facts::Statement;
using facts::StatementKind;

bool narrow_type(const std::string& name) {
  return starts_with_any(name, {"__half", "__nv_bfloat16", "__nv_fp8", "c10::Half", "c10::BFloat16", "c10::Float8",
                                "cutlass::half_t", "cutlass::bfloat16_t", "cutlass::tfloat32_t"});
}

namespace {

// What x.to(tl.float16) and tl.cast(x, tl.float16) convert in Triton.
Id converted(const Statement& s) {
  if (s.callee == "triton.language.cast" && !s.args.empty()) return s.args[0];
  return s.callee.ends_with(".to") ? s.receiver : facts::kNone;
}

std::string narrow_name(const std::string& type) {
  const std::string prefix = "triton.language.";
  if (!type.starts_with(prefix)) return "";
  const std::string name = type.substr(prefix.size());
  return name == "float16" || name == "bfloat16" || name.starts_with("float8") ? name : "";
}

// The type that a conversion asks for.
Id asked_type(const Statement& s) {
  if (converted(s) == facts::kNone) return facts::kNone;
  Id asked = s.args.empty() ? facts::kNone : s.args.back();
  for (const auto& [name, value] : s.keywords) {
    if (name == "dtype") asked = value;
  }
  return asked;
}

// To which narrow type, by the constant it is given there.
std::string triton_type(const Model& model, const Statement& s) {
  return narrow_name(model.value(asked_type(s)).symbol);
}

// To which narrow type, by a parameter that some launch sets to it.
std::string launched_type(const Model& model, const Function& function, const DeviceFlow& flow,
                          const LaunchValues& launches, const Statement& s) {
  const Statement* load = flow.made(asked_type(s));
  if (load == nullptr || load->kind != StatementKind::kLoad || load->location.element) return "";
  const Id self = model.id_of(function);
  for (std::size_t p = 0; p < function.parameters.size(); ++p) {
    const auto given =
        function.parameters[p].storage == load->location.storage ? launches.given(self, p) : std::nullopt;
    for (const facts::ObjectId id : given ? given->objects : facts::ObjectSet{}) {
      if (std::string name = narrow_name(model.run().object(id).symbol); !name.empty()) return name;
    }
  }
  return "";
}

}  // namespace

// What the call narrows its arguments to; empty when it does not.
std::string narrows_to(const Model& model, const Statement& s) {
  if (s.kind != StatementKind::kCall) return "";
  if (const std::string type = triton_type(model, s); !type.empty()) return type;
  if (s.callee == "operator.cast" && s.result != facts::kNone) {
    const auto& type = model.value(s.result).type.name;
    return narrow_type(type) ? type : "";
  }
  if (starts_with_any(s.callee, {"__float2half", "__floats2half", "__float22half", "__double2half"})) return "half";
  if (starts_with_any(s.callee, {"__float2bfloat16", "__floats2bfloat16", "__float22bfloat16"})) return "bfloat16";
  if (starts_with_any(s.callee, {"__nv_cvt_float_to_fp8", "__nv_cvt_float2_to_fp8"})) return "fp8";
  if (s.callee == "nvcuda::wmma::__float_to_tf32") return "TF32";
  for (const PtxInstruction& instruction : ptx_of(model, s)) {
    if (instruction.opcode != "cvt") continue;
    for (const char* kind : {"tf32", "f16", "f16x2", "bf16", "bf16x2", "e4m3x2", "e5m2x2"}) {
      const bool from_wide = instruction.has("f32") && instruction.modifiers.back() == "f32";
      if (instruction.has(kind) && from_wide) return kind;
    }
  }
  return "";
}

namespace {

enum class Width { kOther, kNarrow, kWide };

Width width_of(const Model& model, Id storage) {
  const std::string& name = model.facts().storages[static_cast<std::size_t>(storage)].type.name;
  const std::string bare = name.compare(0, 6, "const ") == 0 ? name.substr(6) : name;
  if (narrow_type(bare)) return Width::kNarrow;
  if (starts_with_any(bare, {"float", "double"})) return Width::kWide;
  return Width::kOther;
}

bool is_shared(const Model& model, Id storage) {
  return model.facts().storages[static_cast<std::size_t>(storage)].kind == facts::StorageKind::kBlockShared;
}

bool is_parameter(const Function& function, Id storage) {
  return std::any_of(function.parameters.begin(), function.parameters.end(),
                     [&](const facts::Parameter& p) { return p.storage == storage; });
}

// Whether a converted value is what tl.store puts into memory, as it is.
bool just_stored(const Function& function, const DeviceFlow& flow, const Statement& conversion) {
  for (const facts::Block& block : function.blocks) {
    for (const Statement& s : block.statements) {
      if (s.callee != "triton.language.store" || s.args.size() < 2) continue;
      Id stored = s.args[1];
      for (int hops = 0; hops < 4; ++hops) {
        if (stored == conversion.result) return true;
        const Statement* load = flow.made(stored);
        if (load == nullptr || load->kind != StatementKind::kLoad) break;
        const auto& stores = flow.stores_to(load->location.storage);
        if (stores.empty()) break;
        stored = stores.back()->value;
      }
    }
  }
  return false;
}

// Whether all that launches of a kernel hand to the parameter that is loaded from are whole numbers: they are widened.
bool loads_whole_numbers(const Model& model, const Function& function, const LaunchValues& launches,
                         const Statement& load) {
  if (load.args.empty()) return false;
  const Id root = pointer_root(model, function, load.args[0]);
  const Id self = model.id_of(function);
  for (std::size_t p = 0; root != facts::kNone && p < function.parameters.size(); ++p) {
    if (function.parameters[p].storage != root) continue;
    const auto given = launches.given(self, p);
    return given && launches.widths(*given) == kOtherElements;
  }
  return false;
}

// Whether what every launch of the kernel makes is returned as it is.
bool makes_results(const Model& model, Id kernel) {
  std::set<std::pair<facts::StatementRef, facts::ContextId>> returned;
  for (const facts::EntryReturn& each : model.returns()) {
    for (const facts::NodeSet& part : each.parts) {
      for (const facts::NodeId id : part) {
        const Node& node = model.provenance().at(id);
        returned.emplace(node.where, node.context);
      }
    }
  }
  bool any = false;
  for (const auto& [place, arguments] : model.run().launch_arguments) {
    if (model.kernel_of(place.first) != kernel) continue;
    if (!returned.contains(place)) return false;
    any = true;
  }
  return any;
}

// Whether a converted value takes part in the work: it comes of what was loaded or handed to a helper, and is not just
// put into an output, whose type is another matter.
bool computes_with(const Model& model, const Function& function, const DeviceFlow& flow, const Statement& conversion) {
  const Id self = model.id_of(function);
  const auto& launches = model.run().executed_launches;
  const bool launched = std::any_of(launches.begin(), launches.end(),
                                    [&](const facts::StatementRef& each) { return model.kernel_of(each) == self; });
  const auto behind = flow.behind(converted(conversion));
  const bool data = std::any_of(behind.values.begin(), behind.values.end(), [&](Id value) {
    const Statement* made = flow.made(value);
    if (made == nullptr) return false;
    if (made->callee == "triton.language.load" || made->callee == "triton.language.dot") return true;
    return !launched && made->kind == StatementKind::kLoad && is_parameter(function, made->location.storage);
  });
  return data && !just_stored(function, flow, conversion);
}

// tl.dot(a, b, input_precision="tf32"), also by a parameter that says so in every launch.
bool asks_tf32(const Model& model, const Function& function, const DeviceFlow& flow, const Statement& s) {
  if (s.callee != "triton.language.dot") return false;
  for (const auto& [name, value] : s.keywords) {
    if (name != "input_precision" && name != "allow_tf32") continue;
    std::optional<Json> said = model.value(value).constant;
    const Statement* load = flow.made(value);
    for (std::size_t p = 0; !said && load != nullptr && p < function.parameters.size(); ++p) {
      if (load->kind != StatementKind::kLoad || function.parameters[p].storage != load->location.storage) continue;
      const Id self = model.id_of(function);
      const auto constants = LaunchValues(model).constants(self, p);
      if (constants.size() == 1) said = constants[0];
    }
    if (said && (*said == Json("tf32") || *said == Json(true))) return true;
  }
  return false;
}

// Finds where the numbers that a device function reads from wide memory become whole numbers, and are computed with as
// such, or lose the lower bits of their fraction.
class FixedPoint {
 public:
  FixedPoint(const Model& model, const Function& function, DeviceFlow& flow, bool wide_read,
             const LaunchValues* launches)
      : model_(model),
        function_(function),
        flow_(flow),
        wide_read_(wide_read),
        launches_(launches),
        native_(model.native(model.id_of(function))) {}

  Narrowing find() {
    for (const facts::Block& block : function_.blocks) {
      for (const Statement& s : block.statements) {
        if (cuts_bits(s)) return {&s, "fewer bits of its fraction"};
        if (native_ ? kept_short(s) : made_short(s)) return {&s, "a whole number of 8 or 16 bits"};
        if (combines_whole(s)) return {&s, "a fixed number of decimals"};
      }
    }
    return {};
  }

 private:
  // As a whole number, of what is a float in wide memory.
  bool made_whole(Id value) {
    if (value == facts::kNone || model_.value(value).type.kind == facts::TypeKind::kBool) return false;
    if (native_) return from_wide(value);
    const std::set<Id> behind = flow_.behind(value).values;
    return wide_read_ && std::any_of(behind.begin(), behind.end(), [&](Id each) {
             const Statement* made = flow_.made(each);
             return made != nullptr && !whole_type(*made).empty() && from_load(converted(*made));
           });
  }
  bool from_wide(Id value) {
    bool wide = false;
    for (const Id root : flow_.memory_behind(value)) {
      if (!is_parameter(function_, root)) continue;
      if (width_of(model_, root) != Width::kWide) return false;
      wide = true;
    }
    return wide || handed_float(value);
  }
  // What a helper is handed, where kernels read nothing but wide floats.
  bool handed_float(Id value) const {
    const std::set<Id> behind = flow_.behind(value).variables;
    return !function_.is_kernel && kernels_read_wide() &&
           std::any_of(function_.parameters.begin(), function_.parameters.end(), [&](const facts::Parameter& each) {
             return each.type.kind == facts::TypeKind::kFloat && behind.contains(each.storage);
           });
  }
  bool kernels_read_wide() const {
    bool wide = false;
    for (const Function& kernel : model_.facts().functions) {
      if (!kernel.is_kernel) continue;
      for (const facts::Parameter& each : kernel.parameters) {
        const Width width = each.storage == facts::kNone ? Width::kOther : width_of(model_, each.storage);
        if (width == Width::kNarrow) return false;
        wide = wide || (each.is_const_pointer && width == Width::kWide);
      }
    }
    return wide;
  }
  bool from_load(Id value) const {
    bool any = false;
    for (const Id each : flow_.behind(value).values) {
      const Statement* made = flow_.made(each);
      if (made == nullptr || made->callee != "triton.language.load") continue;
      if (launches_ != nullptr && loads_whole_numbers(model_, function_, *launches_, *made)) return false;
      any = true;
    }
    return any;
  }

  // x.to(tl.int8): the name of the type.
  std::string whole_type(const Statement& s) const {
    if (converted(s) == facts::kNone || reinterprets(s)) return "";
    const Id asked = s.args.empty() ? facts::kNone : s.args.back();
    const std::string type = model_.value(asked).symbol;
    const std::string name = type.substr(type.rfind('.') + 1);
    return type.starts_with("triton.language.") && (name.starts_with("int") || name.starts_with("uint")) ? name : "";
  }
  bool short_type(const Statement& s) const {
    const std::string name = wide_read_ ? whole_type(s) : "";
    return (name.ends_with("8") || name.ends_with("16")) && from_load(converted(s));
  }
  // What is computed with, or put into a buffer that is not the result.
  bool made_short(const Statement& s) const {
    if (!short_type(s)) return false;
    const Statement* compared = flow_.made(converted(s));
    for (int hops = 0; hops < 4 && compared != nullptr && compared->kind == StatementKind::kLoad; ++hops) {
      const auto& stores = flow_.stores_to(compared->location.storage);
      compared = stores.size() == 1 ? flow_.made(stores.front()->value) : nullptr;
    }
    if (compared != nullptr && one_of(compared->callee, {"operator.lt", "operator.le", "operator.gt", "operator.ge",
                                                         "operator.eq", "operator.ne"}))
      return false;
    if (computes_with(model_, function_, flow_, s)) return true;
    return launches_ != nullptr && just_stored(function_, flow_, s) && !makes_results(model_, model_.id_of(function_));
  }
  static bool reinterprets(const Statement& s) {
    return std::any_of(s.keywords.begin(), s.keywords.end(),
                       [](const auto& keyword) { return keyword.first == "bitcast"; });
  }

  // A float that is put into a variable, an array or a buffer of short whole numbers, which is not the result.
  bool kept_short(const Statement& s) {
    if (s.kind != StatementKind::kStore || s.location.storage == facts::kNone || s.value == facts::kNone) return false;
    const bool buffer = flow_.deref(s);
    const Id place = buffer ? pointer_root(model_, function_, s.location.base) : s.location.storage;
    if (place == facts::kNone || (buffer && !is_parameter(function_, place))) return false;
    const facts::Storage& storage = model_.facts().storages[static_cast<std::size_t>(place)];
    const bool own = storage.kind == facts::StorageKind::kLocal || storage.kind == facts::StorageKind::kBlockShared;
    const bool is_short = starts_with_any(storage.type.name, {"signed char", "char", "unsigned char", "short"});
    const bool pointer = storage.type.name.find('*') != std::string::npos;
    if (!own || !is_short || pointer != buffer || !rounded(s.value) || !from_wide(s.value)) return false;
    return !buffer || !makes_results(model_, model_.id_of(function_));
  }
  bool rounded(Id value) const {
    const Statement* made = flow_.made(value);
    return model_.value(value).type.kind == facts::TypeKind::kFloat ||
           (made != nullptr && starts_with_any(made->callee, {"__float2", "lrint", "lround", "llrint", "llround"}));
  }

  // A product of two of them, or a sum that takes them in.
  bool combines_whole(const Statement& s) {
    if (s.kind != StatementKind::kCall || s.args.size() < 2) return false;
    const bool whole =
        native_ ? s.result != facts::kNone && model_.value(s.result).type.kind == facts::TypeKind::kInt : true;
    const bool product =
        one_of(s.callee, {"operator.mul", "__dp4a", "__dp2a_lo", "__dp2a_hi", "__mul24", "triton.language.dot"});
    return whole && product && made_whole(s.args[0]) && made_whole(s.args[1]);
  }

  // `bits & 0xffffe000`, or `bits >> 16 << 16`.
  bool cuts(const Statement& s) const {
    constexpr std::uint32_t kHead = 0xFF800000, kMostKept = 13;  // sign and exponent; of 23 bits
    if (s.args.size() != 2) return false;
    const auto& mask = model_.value(s.args[1]).constant;
    if (!mask || !mask->is_number_integer()) return false;
    const auto bits = static_cast<std::uint32_t>(mask->get<std::int64_t>());
    if (s.callee == "operator.lshift") {
      const Statement* right = flow_.made(s.args[0]);
      return right != nullptr && right->callee == "operator.rshift" && right->args.size() == 2 &&
             model_.value(right->args[1]).constant == mask && bits >= 23 - kMostKept && bits < 23;
    }
    const std::uint32_t rest = bits & ~kHead;
    return s.callee == "operator.and_" && (bits & kHead) == kHead && rest != 0 &&
           (rest & ((1U << (23 - kMostKept)) - 1)) == 0;
  }
  // Of a float, where what is cut off is not made up for.
  bool cuts_bits(const Statement& s) {
    if (!cuts(s)) return false;
    const std::set<Id> behind = flow_.behind(s.args[0]).values;
    const bool of_float = std::any_of(behind.begin(), behind.end(), [&](Id each) {
      const Statement* made = flow_.made(each);
      return made != nullptr && (made->callee.starts_with("__float_as_") || reinterprets(*made));
    });
    return of_float && (native_ ? from_wide(s.args[0]) : wide_read_) && !made_up_for(s);
  }
  // x - high, also by who calls a helper for it.
  bool made_up_for(const Statement& cut) const {
    if (taken_away(function_, flow_, [&](Id value) { return value == cut.result; })) return true;
    if (function_.is_kernel) return false;
    const Id self = model_.id_of(function_);
    return std::any_of(model_.facts().functions.begin(), model_.facts().functions.end(), [&](const Function& caller) {
      if (!caller.is_kernel && !caller.is_device) return false;
      const DeviceFlow flow(model_, caller);
      return taken_away(caller, flow, [&](Id value) {
        const Statement* made = flow.made(value);
        return made != nullptr && made->target == self;
      });
    });
  }
  template <typename Wanted>
  static bool taken_away(const Function& in, const DeviceFlow& flow, const Wanted& wanted) {
    for (const facts::Block& block : in.blocks) {
      for (const Statement& s : block.statements) {
        if (!one_of(s.callee, {"operator.sub", "__fsub_rn", "operator.isub"}) || s.args.size() != 2) continue;
        const std::set<Id> behind = flow.behind(s.args[1]).values;
        if (std::any_of(behind.begin(), behind.end(), wanted)) return true;
      }
    }
    return false;
  }

  const Model& model_;
  const Function& function_;
  DeviceFlow& flow_;
  bool wide_read_;
  const LaunchValues* launches_;
  bool native_;
};

}  // namespace

Narrowing narrowing_in(const Model& model, const Function& function, Widths read, const LaunchValues* launches) {
  DeviceFlow flow(model, function);
  Narrowing first;
  const bool wide_read = LaunchValues::wide_alone(read), narrow_read = (read & (kWideFloat | kNoWidth)) == 0;
  const auto narrows_wide = [&](const Statement& s) { return wide_read && computes_with(model, function, flow, s); };
  // Where launches tell no types: what is 16 bits wide is not converted to 16 bits as soon as it is loaded.
  const auto just_loaded = [&](Id value) {
    for (int hops = 0; hops < 8; ++hops) {
      const Statement* made = flow.made(value);
      if (made == nullptr) return false;
      if (made->kind == StatementKind::kCall)
        return made->callee == "triton.language.load" &&
               (launches == nullptr || !loads_whole_numbers(model, function, *launches, *made));
      if (made->kind != StatementKind::kLoad || made->location.element) return false;
      const auto& stores = flow.stores_to(made->location.storage);
      if (stores.size() != 1) return false;
      value = stores.front()->value;
    }
    return false;
  };
  // A sum in 32 bits that a last kernel puts into the type of the result.
  const auto becomes_result = [&](const Statement& conversion) {
    const Id self = model.id_of(function);
    return launches != nullptr && just_stored(function, flow, conversion) && makes_results(model, self);
  };
  // The type of the result, in a kernel that reads some of that type: scales beside it may be wider.
  const bool reads_narrow = std::any_of(function.parameters.begin(), function.parameters.end(), [&](const auto& each) {
    return each.is_const_pointer && each.storage != facts::kNone && width_of(model, each.storage) == Width::kNarrow;
  });
  const auto becomes_output = [&](const Statement& conversion) {
    if (!reads_narrow) return false;
    for (const facts::Block& block : function.blocks) {
      for (const Statement& s : block.statements) {
        if (s.kind != StatementKind::kStore || !flow.deref(s) || s.value != conversion.result) continue;
        const Id root = pointer_root(model, function, s.location.base);
        if (is_parameter(function, root) && width_of(model, root) == Width::kNarrow) return true;
      }
    }
    return false;
  };
  for (const facts::Block& block : function.blocks) {
    for (const Statement& s : block.statements) {
      if (first.statement != nullptr) break;
      std::string type = triton_type(model, s);
      if (type.empty() && launches != nullptr) type = launched_type(model, function, flow, *launches, s);
      if (!type.empty() && !narrow_read && ((just_loaded(converted(s)) && !becomes_result(s)) || narrows_wide(s))) {
        first = {&s, type};
        break;
      }
      if (wide_read && asks_tf32(model, function, flow, s)) {
        first = {&s, "TF32"};
        break;
      }
      // Put into the block's own memory, of a narrow type, by way of a conversion that may be anybody's.
      const bool kept = s.kind == StatementKind::kStore && s.location.storage != facts::kNone &&
                        s.value != facts::kNone && is_shared(model, s.location.storage) &&
                        width_of(model, s.location.storage) == Width::kNarrow;
      const std::string to = kept ? "16 bits or less" : narrows_to(model, s);
      if (to.empty()) continue;
      bool wide = false, narrow = false;
      for (const Id arg : kept ? facts::Operands{s.value} : s.args) {
        for (const Id root : flow.memory_behind(arg)) {
          if (!is_parameter(function, root)) continue;
          wide = wide || width_of(model, root) == Width::kWide;
          narrow = narrow || width_of(model, root) == Width::kNarrow;
        }
      }
      if (!wide || narrow) continue;  // 16 bit inputs are narrow by the task's own choice
      if (becomes_output(s)) continue;
      first = {&s, to};
    }
  }
  return first.statement != nullptr ? first : FixedPoint(model, function, flow, wide_read, launches).find();
}

namespace {

bool names_narrow_type(const std::string& type) {
  return one_of(
      type, {"at::kHalf", "at::kFloat16", "at::kBFloat16", "c10::ScalarType::Half", "c10::ScalarType::BFloat16",
             "at::kFloat8_e4m3fn", "at::kFloat8_e5m2", "c10::ScalarType::Float8_e4m3fn", "c10::ScalarType::Float8_e5m2",
             "torch.half", "torch.float16", "torch.bfloat16", "torch.float8_e4m3fn", "torch.float8_e5m2"});
}

// Whether what a conversion asks for is a narrow type wherever it was put before: in an attribute, in a table.
bool asks_for_narrow(const Model& model, const Node& node) {
  const auto& run = model.run();
  return std::any_of(run.element_types.begin(), run.element_types.end(), [&](const auto& each) {
    const facts::Object& made = run.object(each.first);
    const facts::Abstract& asked = each.second.asked;
    return made.made == node.where && made.context == node.context && !asked.objects.empty() && asked.nodes.empty() &&
           !asked.open && std::all_of(asked.objects.begin(), asked.objects.end(), [&](facts::ObjectId id) {
             return names_narrow_type(run.object(id).symbol);
           });
  });
}

}  // namespace

bool narrowing_copy(const Model& model, const Node& node) {
  if (node.kind != NodeKind::kCopy) return false;
  if (one_of(node.name, {"at::Tensor::half", "at::Tensor::bfloat16", "torch.Tensor.half", "torch.Tensor.bfloat16"}))
    return true;
  if (!one_of(node.name, {"at::Tensor::to", "at::Tensor::toType", "torch.Tensor.to", "torch.Tensor.type"}))
    return false;
  const Statement* statement = model.statement(node.where);
  if (statement == nullptr) return false;
  const auto narrow = [&](Id arg) {
    if (arg == facts::kNone) return false;
    const facts::Value& given = model.value(arg);
    std::set<std::string> types{given.symbol};
    if (given.type.kind == facts::TypeKind::kDtype) {  // a variable that holds a dtype
      const auto& names = slice_of(model, node.where.function, arg).names;
      types.insert(names.begin(), names.end());
    }
    return std::any_of(types.begin(), types.end(), names_narrow_type);
  };
  return std::any_of(statement->args.begin(), statement->args.end(), narrow) ||
         std::any_of(statement->keywords.begin(), statement->keywords.end(),
                     [&](const auto& keyword) { return narrow(keyword.second); }) ||
         asks_for_narrow(model, node);
}

}  // namespace kernel_audit::analysis::rules
