// KA816: not-a-number is written into the result, which a lenient comparison takes for anything.
#include <algorithm>
#include <functional>

#include "analysis/rules/collector.h"
#include "analysis/rules/conditions.h"
#include "analysis/rules/few_numbers.h"
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

// The NaN in what a kernel stores, in the helpers that it calls as well, and whether something chooses between it and
// another value: what memory holds, the bounds of the data, a setting. Which row or thread it is does not excuse it.
class NanSearch {
 public:
  struct Found {
    bool nan = false, chosen = false;
  };

  NanSearch(const Model& model, const facts::Function& kernel)
      : model_(model), values_(model, kernel), numbers_(model, values_) {}

  Found stored(Id value, Id block) {
    const bool chosen = std::any_of(deciders(0, block).begin(), deciders(0, block).end(), [&](Id decider) {
      const Asked asked = asks({values_.function(0).blocks[static_cast<std::size_t>(decider)].condition, 0});
      return asked == Asked::kData || asked == Asked::kSetting;
    });
    seen_.clear();
    return in({value, 0}, chosen);
  }

 private:
  enum class Asked { kData, kSetting, kBound, kPlace };

  const std::vector<Id>& deciders(int frame, Id block) {
    const facts::Function& function = values_.function(frame);
    return model_.run().flow(model_.id_of(function)).deciders(block);
  }

  Found in(KernelValue at, bool chosen) {
    if (at.value == kNone || !seen_.emplace(at, chosen).second) return {};
    if (names_nan(model_.value(at.value).symbol)) return {true, chosen};
    const Statement* s = values_.made(at);
    if (s == nullptr || s->kind == StatementKind::kLoad) return in_load(s, at, chosen);
    if (makes_nan(model_, *s)) return {true, chosen};
    if (s->kind == StatementKind::kPhi) {
      const KernelView& view = view_of(model_, model_.id_of(values_.function(at.frame)));
      for (const Id condition : view.choosing(*s)) chosen = chosen || asks({condition, at.frame}) != Asked::kPlace;
    }
    if (s->kind == StatementKind::kCall && s->target != kNone) return in_call(at, chosen);
    static constexpr std::string_view no_nan[] = {"lt",    "le",   "gt",   "ge",  "eq",      "ne",      "fmaxf",
                                                  "fminf", "fmax", "fmin", "max", "maximum", "minimum", "min"};
    if (matches(last_part(s->callee), no_nan)) return {};
    std::vector<KernelValue> parts;
    for (const Id arg : s->args) parts.push_back({arg, at.frame});
    const bool selects = s->callee.empty() && parts.size() == 3;  // a ? b : c of types that are not known
    if ((s->callee == "triton.language.where" || selects) && !parts.empty()) {
      chosen = chosen || asks(parts.front()) != Asked::kPlace;
      parts.erase(parts.begin());
    }
    if (s->receiver != kNone) parts.push_back({s->receiver, at.frame});
    const Found found = any(parts, chosen);
    return found.nan || s->kind == StatementKind::kPhi || !made_of_bits(*s, at) ? found : Found{true, chosen};
  }

  bool made_of_bits(const Statement& s, KernelValue at) {
    const bool cast = last_part(s.callee) == "to" && s.receiver != kNone && argument(s, 2, "bitcast") != kNone;
    if (!cast) return numbers_.may_be_nan(at);
    const auto bits = numbers_.of({s.receiver, at.frame});
    return bits && std::any_of(bits->begin(), bits->end(), nan_bits);
  }

  Found in_load(const Statement* load, KernelValue at, bool chosen) {
    if (load != nullptr && values_.reads_memory(*load, at.frame)) return {numbers_.may_be_nan(at), chosen};
    const std::vector<KernelValue> from = values_.passed_on(at);
    Found found;
    for (const KernelValue& each : from) {
      const bool put = chosen || (from.size() > 1 && load != nullptr && put_by_choice(load->location.storage, each));
      const Found one = in(each, put);
      if (one.nan && (!found.nan || !one.chosen)) found = one;
    }
    return found;
  }

  // Whether something chooses that a variable gets a value.
  bool put_by_choice(Id variable, KernelValue put) {
    const auto [known, fresh] = put_by_choice_.try_emplace({variable, put}, false);
    if (fresh) {
      known->second = come_to_by_choice(put.frame, [&](const Statement& s) {
        return s.kind == StatementKind::kStore && s.location.storage == variable && s.value == put.value;
      });
    }
    return known->second;
  }

  // Whether something chooses that a statement of a function is come to.
  bool come_to_by_choice(int frame, const std::function<bool(const Statement&)>& wanted) {
    const auto& blocks = values_.function(frame).blocks;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      if (std::none_of(blocks[b].statements.begin(), blocks[b].statements.end(), wanted)) continue;
      for (const Id decider : deciders(frame, static_cast<Id>(b))) {
        const Asked asked = asks({blocks[static_cast<std::size_t>(decider)].condition, frame});
        if (asked == Asked::kData || asked == Asked::kSetting) return true;
      }
    }
    return false;
  }

  Found in_call(KernelValue at, bool chosen) {
    const std::vector<KernelValue> returned = values_.passed_on(at);
    Found found;
    for (const KernelValue& each : returned) {
      const bool one_of_several = returned.size() > 1 && come_to_by_choice(each.frame, [&](const Statement& s) {
                                    return s.kind == StatementKind::kReturn && s.value == each.value;
                                  });
      const Found one = in(each, chosen || one_of_several);
      if (one.nan && (!found.nan || !one.chosen)) found = one;
    }
    return found;
  }

  Found any(const std::vector<KernelValue>& from, bool chosen) {
    Found found;
    for (const KernelValue& each : from) {
      const Found one = in(each, chosen);
      if (one.nan && (!found.nan || !one.chosen)) found = one;
    }
    return found;
  }

  // What a variable holds that is set once.
  KernelValue settled(KernelValue at) {
    constexpr int kMostHops = 32;
    const Statement* s = values_.made(at);
    for (int i = 0; i < kMostHops && s != nullptr && s->kind == StatementKind::kLoad; ++i, s = values_.made(at)) {
      const std::vector<KernelValue> from = values_.passed_on(at);
      if (from.size() != 1 || values_.reads_memory(*s, at.frame)) break;
      at = from.front();
    }
    return at;
  }

  Asked asks(KernelValue condition, int depth = 0) {
    const auto known = asked_.find({condition, depth});
    if (known != asked_.end()) return known->second;
    return asked_[{condition, depth}] = find_asked(condition, depth);
  }

  Asked find_asked(KernelValue condition, int depth) {
    constexpr int kMostChoices = 4;  // one within the other
    bool memory = false, place = false, counted = false;
    const auto is_place = [&](Id value) {
      std::string_view symbol = model_.value(value).symbol;
      if (symbol.starts_with("numba.cuda.")) symbol.remove_prefix(std::string_view("numba.cuda.").size());
      return symbol.starts_with("threadIdx") || symbol.starts_with("blockIdx");
    };
    std::vector<KernelValue> choosing;
    values_.walk(condition, [&](const Statement& s, KernelValue at) {
      memory = memory || values_.reads_memory(s, at.frame);
      place = place || one_of(last_part(s.callee), {"program_id", "arange", "grid"}) ||
              std::any_of(s.args.begin(), s.args.end(), is_place);
      if (s.kind == StatementKind::kPhi && depth < kMostChoices) {
        const KernelView& view = view_of(model_, model_.id_of(values_.function(at.frame)));
        for (const Id each : view.choosing(s)) choosing.push_back({each, at.frame});
      }
      if (s.kind == StatementKind::kLoad && !memory) {
        const std::vector<KernelValue> from = values_.passed_on(at);
        place = place ||
                std::any_of(from.begin(), from.end(), [&](const KernelValue& each) { return is_place(each.value); });
        counted = counted || from.size() > 1;
      }
      return !memory;
    });
    for (const KernelValue& each : choosing) {
      const Asked asked = asks(each, depth + 1);
      memory = memory || asked == Asked::kData;
      place = place || asked == Asked::kPlace;
    }
    if (memory) return Asked::kData;
    const Statement* test = values_.made(settled(condition));
    const bool bound = test != nullptr && one_of(last_part(test->callee), {"lt", "le", "gt", "ge"}) &&
                       std::any_of(test->args.begin(), test->args.end(), [&](Id arg) {
                         const Statement* load = values_.made({arg, condition.frame});
                         return load != nullptr && load->kind == StatementKind::kLoad &&
                                values_.kernel_parameter(*load, {arg, condition.frame}) != kNone;
                       });
    if (place) return bound ? Asked::kBound : Asked::kPlace;
    return counted ? Asked::kBound : Asked::kSetting;
  }

  const Model& model_;
  KernelValues values_;
  FewNumbers numbers_;
  std::set<std::pair<KernelValue, bool>> seen_;
  std::map<std::pair<KernelValue, int>, Asked> asked_;
  std::map<std::pair<Id, KernelValue>, bool> put_by_choice_;
};

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
      NanSearch search(model_, function);
      for (std::size_t b = 0; b < function.blocks.size(); ++b) {
        for (const Statement& s : function.blocks[b].statements) {
          const bool triton =
              s.kind == StatementKind::kCall && s.callee == "triton.language.store" && s.args.size() > 1;
          if (!triton && !writes_global(model_, function, s)) continue;
          const Id value = triton ? s.args[1] : s.kind == StatementKind::kStore ? s.value : kNone;
          const NanSearch::Found found = search.stored(value, static_cast<Id>(b));
          if (found.nan)
            add(s.span, function.qualified_name + " stores a NaN from the source.", found.chosen,
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
    const KernelView& kernel = view_of(model_, model_.id_of(function));
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

  bool is_nan(Id function, Id value) const {
    const Slice& slice = slice_of(model_, function, value);
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
  checker.kernels();
  if (mentions_nan(model)) checker.host();
  return checker.take();
}

}  // namespace

const Rule& nan_result() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
