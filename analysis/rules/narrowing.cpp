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

// To which narrow type, by the constant it is given there.
std::string triton_type(const Model& model, const Statement& s) {
  if (converted(s) == facts::kNone) return "";
  Id asked = s.args.empty() ? facts::kNone : s.args.back();
  for (const auto& [name, value] : s.keywords) {
    if (name == "dtype") asked = value;
  }
  if (asked == facts::kNone) return "";
  const std::string& type = model.value(asked).symbol;
  const std::string prefix = "triton.language.";
  if (!type.starts_with(prefix)) return "";
  const std::string name = type.substr(prefix.size());
  return name == "float16" || name == "bfloat16" || name.starts_with("float8") ? name : "";
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
  const Id self = static_cast<Id>(&function - model.facts().functions.data());
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
  const Id self = static_cast<Id>(&function - model.facts().functions.data());
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
      const Id self = static_cast<Id>(&function - model.facts().functions.data());
      const auto constants = LaunchValues(model).constants(self, p);
      if (constants.size() == 1) said = constants[0];
    }
    if (said && (*said == Json("tf32") || *said == Json(true))) return true;
  }
  return false;
}

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
    const Id self = static_cast<Id>(&function - model.facts().functions.data());
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
      if (const std::string type = triton_type(model, s);
          !type.empty() && !narrow_read && ((just_loaded(converted(s)) && !becomes_result(s)) || narrows_wide(s))) {
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
      for (const Id arg : kept ? std::vector<Id>{s.value} : s.args) {
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
  return first;
}

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
    if (given.type.kind == facts::TypeKind::kDtype)  // a variable that holds a dtype
      types.merge(slice_of(model, node.where.function, arg).names);
    return std::any_of(types.begin(), types.end(), [](const std::string& type) {
      return one_of(type, {"at::kHalf", "at::kFloat16", "at::kBFloat16", "c10::ScalarType::Half",
                           "c10::ScalarType::BFloat16", "at::kFloat8_e4m3fn", "at::kFloat8_e5m2",
                           "c10::ScalarType::Float8_e4m3fn", "c10::ScalarType::Float8_e5m2", "torch.half",
                           "torch.float16", "torch.bfloat16", "torch.float8_e4m3fn", "torch.float8_e5m2"});
    });
  };
  return std::any_of(statement->args.begin(), statement->args.end(), narrow) ||
         std::any_of(statement->keywords.begin(), statement->keywords.end(),
                     [&](const auto& keyword) { return narrow(keyword.second); });
}

}  // namespace kernel_audit::analysis::rules
