// KA816: not-a-number is written into the result, which a lenient comparison takes for anything.
#include <algorithm>

#include "analysis/rules/collector.h"
#include "analysis/rules/conditions.h"
#include "analysis/rules/kernel_code.h"
#include "analysis/rules/kernel_values.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/partial_work.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Node;
using facts::NodeId;
using facts::NodeKind;
using facts::Statement;
using facts::StatementKind;

const RuleInfo kInfo{"KA816",
                     "nan-result",
                     "a NaN from the source is part of the result",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {69}};

bool names_nan(const std::string& name) {
  return one_of(last_part(name), {"nan", "NAN", "NaN", "nanf", "__builtin_nanf", "__builtin_nan", "quiet_NaN",
                                  "signaling_NaN", "CUDART_NAN_F", "CUDART_NAN"}) &&
         !name.starts_with('?');
}

bool nan_bits(double number) {
  return (number >= 0x7f800001LL && number <= 0x7fffffffLL) || (number >= 0xff800001LL && number <= 0xffffffffLL);
}

// float("nan"), 0.0 / 0.0, __int_as_float(0x7fc00000).
bool makes_nan(const Model& model, const Statement& s) {
  if (s.kind != StatementKind::kCall) return false;
  if (names_nan(s.callee)) return true;
  if (s.callee == "builtins.float" && !s.args.empty()) {
    std::string text = text_of(model, s.args[0]);
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text == "nan" || text == "-nan" || text == "+nan";
  }
  const auto is_zero = [&](Id value) {
    const Json* constant = constant_of(model, value);
    return constant != nullptr && constant->is_number() && constant->get<double>() == 0;
  };
  if (s.callee == "operator.truediv" && s.args.size() == 2) return is_zero(s.args[0]) && is_zero(s.args[1]);
  if (one_of(s.callee, {"__int_as_float", "__uint_as_float"}) && !s.args.empty()) {
    const Json* bits = constant_of(model, s.args[0]);
    return bits != nullptr && bits->is_number() && nan_bits(bits->get<double>());
  }
  return false;
}

const Statement* nan_behind(const Model& model, const KernelView& view, Id value, bool& named) {
  for (const Id id : view.flow.behind(value).values) {
    named = named || names_nan(model.value(id).symbol);
    const Statement* made = view.flow.made(id);
    if (made != nullptr && makes_nan(model, *made)) return made;
  }
  return nullptr;
}

// Whether the candidate has a NaN in it at all; most have none.
bool mentions_nan(const Model& model) {
  for (const facts::Value& value : model.facts().values) {
    if (names_nan(value.symbol)) return true;
  }
  for (const facts::Function& function : model.facts().functions) {
    for (const facts::Block& block : function.blocks) {
      if (std::any_of(block.statements.begin(), block.statements.end(),
                      [&](const Statement& s) { return makes_nan(model, s); }))
        return true;
    }
  }
  return false;
}

class Checker : public Collector {
 public:
  Checker(const Model& model, const Policy& policy) : Collector(kInfo, model, policy) {}

  // An arm of a condition that stores NaN may be what the function asks for: 0/0, the logarithm of a negative number.
  void add(const SourceSpan& span, const std::string& message, bool chosen, const SourceSpan& launch) {
    Finding* finding = once_at(span, message);
    if (finding == nullptr) return;
    if (chosen) {
      soften(*finding, Effect::kNote);
      finding->severity = Severity::kNote;
    }
    if (launch.known()) finding->notes.push_back({launch, "launched here"});
  }

  void kernels() {
    for (const DeviceFunction& code : launched_code_of_both(model_)) {
      const facts::Function& function = model_.function(code.function);
      const KernelView kernel(model_, function);
      for (const facts::Block& block : function.blocks) {
        for (const Statement& s : block.statements) {
          const bool triton =
              s.kind == StatementKind::kCall && s.callee == "triton.language.store" && s.args.size() > 1;
          if (!triton && !writes_global(model_, function, s)) continue;
          const Id value = triton ? s.args[1] : s.kind == StatementKind::kStore ? s.value : kNone;
          bool named = false;
          const Statement* nan = value == kNone ? nullptr : nan_behind(model_, kernel, value, named);
          if (nan == nullptr && !named) continue;
          add(s.span, function.qualified_name + " stores a NaN from the source.", is_choice(kernel, value),
              model_.span(code.launch));
        }
      }
    }
  }

  void host() {
    for (const facts::Alternative& way : model_.alternatives()) {
      model_.provenance().walk({way.node}, [&](const Node& node, NodeId) {
        if (node.kind == NodeKind::kMetadata || node.kind == NodeKind::kIdentity) return false;
        if (node.kind != NodeKind::kConstant && node.kind != NodeKind::kFramework) return true;
        const Statement* statement = model_.statement(node.where);
        if (statement == nullptr || statement->kind != StatementKind::kCall) return true;
        std::vector<Id> given = statement->args;
        for (const auto& keyword : statement->keywords) given.push_back(keyword.second);
        const bool nan =
            std::any_of(given.begin(), given.end(), [&](Id id) { return is_nan(node.where.function, id); });
        const bool chosen = one_of(last_part(node.name), {"where", "masked_fill", "masked_fill_"});
        if (nan) {
          add(statement->span, entry_name(model_) + " returns what " + node.name + " makes of a NaN in the source.",
              chosen, {});
        }
        return true;
      });
    }
  }

  // Buffers that are filled with not-a-number and returned, where the kernels that write them do not look at what they
  // hold: what they leave out stays.
  void filled() {
    for (const facts::EntryReturn& returned : model_.returns()) {
      for (const facts::ObjectId id : returned.value.objects) {
        if (model_.run().object(id).kind != facts::ObjectKind::kTensor || reads_back(id) || !left_out(id)) continue;
        const auto whole = model_.run().element_types.find(id);
        for (const auto& [where, arguments] : model_.run().call_arguments) {
          const Statement* s = model_.statement(where);
          const bool here =
              s != nullptr && !arguments.empty() && fills_with_ones(*s) && arguments[0].objects == facts::ObjectSet{id};
          if (!here || (whole != model_.run().element_types.end() && asks_whole_numbers(whole->second.asked))) continue;
          add(s->span, "What forward returns is filled with the bytes of a NaN, before kernels store to it.", false,
              {});
        }
        const facts::StatementRef& made = model_.run().object(id).made;
        const Statement* s = model_.statement(made);
        if (s == nullptr || !one_of(last_part(s->callee), {"full", "full_like", "new_full"})) continue;
        if (std::any_of(s->args.begin(), s->args.end(), [&](Id arg) { return is_nan(made.function, arg); }))
          add(s->span, "What forward returns is filled with a NaN from the source, before kernels store to it.", false,
              {});
      }
    }
  }

 private:
  // Of memset: each byte 0xFF.
  bool fills_with_ones(const Statement& s) const {
    if (!one_of(s.callee, {"cudaMemset", "cudaMemsetAsync", "cuMemsetD8", "cuMemsetD8Async", "cuMemsetD32",
                           "cuMemsetD32Async"}) ||
        s.args.size() < 2)
      return false;
    const Json* byte = constant_of(model_, s.args[1]);
    if (byte == nullptr || !byte->is_number_integer()) return false;
    const auto bits = byte->get<std::int64_t>();
    return bits == 0xFF || bits == -1 || (s.callee.starts_with("cuMemsetD32") && nan_bits(static_cast<double>(bits)));
  }
  bool asks_whole_numbers(const facts::Abstract& asked) const {
    return std::any_of(asked.objects.begin(), asked.objects.end(), [&](facts::ObjectId id) {
      const std::string& name = model_.run().object(id).symbol;
      return one_of(last_part(name), {"kInt",  "kLong", "kInt32", "kInt64", "kShort", "kChar", "kByte",
                                      "kBool", "kInt8", "kUInt8", "kInt16", "int32",  "int64", "int16",
                                      "int8",  "uint8", "bool",   "Int",    "Long",   "Bool",  "Byte"});
    });
  }
  // Whether a kernel's stores to the buffer leave a part of it: by the numbers, or by what memory holds or every other
  // element is.
  bool left_out(facts::ObjectId buffer) const {
    const std::vector<PartialWork> partly = partly_stored(model_);
    for (const auto& [place, arguments] : model_.run().launch_arguments) {
      for (std::size_t p = 0; p < arguments.size(); ++p) {
        const auto& objects = arguments[p].objects;
        if (std::find(objects.begin(), objects.end(), buffer) == objects.end()) continue;
        const bool known = std::any_of(partly.begin(), partly.end(), [&](const PartialWork& each) {
          return each.launch == place.first && each.parameter == p;
        });
        if (known) return true;
        for (const Id kernel : kernels_of(model_, place.first)) {
          if (model_.native(kernel) && stores_some(model_.function(kernel), p)) return true;
        }
      }
    }
    return false;
  }
  bool stores_some(const facts::Function& function, std::size_t parameter) const {
    if (parameter >= function.parameters.size()) return false;
    const KernelView kernel(model_, function);
    KernelValues values(model_, function);
    bool some = false, all = false;
    for (std::size_t b = 0; b < function.blocks.size(); ++b) {
      for (const Statement& s : function.blocks[b].statements) {
        if (s.kind != StatementKind::kStore || !kernel.flow.deref(s) ||
            kernel.root(s.location.base) != function.parameters[parameter].storage)
          continue;
        const auto deciders = kernel.graph.deciders(static_cast<Id>(b));
        const bool here = std::any_of(deciders.begin(), deciders.end(), [&](Id decider) {
          const Id condition = function.blocks[static_cast<std::size_t>(decider)].condition;
          return values.from_memory({condition}) || values.any({condition}, [](const Statement& part) {
            return one_of(part.callee, {"operator.mod", "operator.and_"});
          });
        });
        (here ? some : all) = true;
      }
    }
    return some && !all;
  }
  // Some kernel reads what the buffer holds, or may do so.
  bool reads_back(facts::ObjectId buffer) const {
    bool any = false;
    for (const auto& [place, arguments] : model_.run().launch_arguments) {
      for (std::size_t p = 0; p < arguments.size(); ++p) {
        const auto& objects = arguments[p].objects;
        if (std::find(objects.begin(), objects.end(), buffer) == objects.end()) continue;
        any = true;
        for (const Id kernel : kernels_of(model_, place.first)) {
          const auto& access = model_.access(kernel);
          if (!access.known || p >= access.read.size() || access.read[p]) return true;
        }
      }
    }
    return !any;
  }

  bool is_choice(const KernelView& kernel, Id value) const {
    for (const Id id : kernel.flow.behind(value).values) {
      const Statement* made = kernel.flow.made(id);
      if (made != nullptr && (made->kind == StatementKind::kPhi || made->callee == "triton.language.where"))
        return true;
    }
    return in_arm_by_contents(kernel, value);
  }

  // `if (index < rows) sum += w[index]; else sum = NAN;`: what was read decides that it is one.
  bool in_arm_by_contents(const KernelView& kernel, Id value) const {
    const auto behind = kernel.flow.behind(value).values;
    const auto& blocks = kernel.function.blocks;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const bool makes = std::any_of(blocks[b].statements.begin(), blocks[b].statements.end(), [&](const Statement& s) {
        return s.result != kNone && behind.contains(s.result) && makes_nan(model_, s);
      });
      if (!makes) continue;
      const std::vector<Id>& deciders = kernel.graph.deciders(static_cast<Id>(b));
      KernelValues values(model_, kernel.function);
      if (std::any_of(deciders.begin(), deciders.end(), [&](Id decider) {
            const Id condition = blocks[static_cast<std::size_t>(decider)].condition;
            return condition != kNone && values.from_memory({condition, 0});
          }))
        return true;
    }
    return false;
  }

  bool is_nan(Id function, Id value) const {
    const Slice slice = slice_of(model_, function, value);
    if (slice.values.size() > 24) return false;  // an expression of its own, not a number
    for (const std::string& name : slice.names) {
      if (names_nan(name)) return true;
    }
    return std::any_of(slice.statements.begin(), slice.statements.end(),
                       [&](const Statement* made) { return makes_nan(model_, *made); });
  }
};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  Checker checker(model, policy);
  checker.filled();
  if (mentions_nan(model)) {
    checker.kernels();
    checker.host();
  }
  return checker.take();
}

}  // namespace

const Rule& nan_result() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
