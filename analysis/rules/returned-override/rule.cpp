// KA214: functions or another class are put on a tensor, so that whoever looks at the result runs the candidate's code.
#include <algorithm>

#include "analysis/rules/collector.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;

const RuleInfo kInfo{"KA214",
                     "returned-override",
                     "a method or the class of the returned tensor is replaced",
                     Severity::kError,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kCheat,
                     {35}};

bool callable(const Model& model, const facts::Abstract& value) {
  return std::any_of(value.objects.begin(), value.objects.end(), [&](facts::ObjectId id) {
    const auto kind = model.run().object(id).kind;
    return kind == facts::ObjectKind::kFunction || kind == facts::ObjectKind::kClass ||
           kind == facts::ObjectKind::kSymbol;
  });
}

// types.MethodType(f, y), f.__get__(y)
bool binds(const Model& model, Id function, Id value) {
  const Statement* made = maker(model, function, behind(model, function, value));
  const std::string last = made == nullptr ? "" : last_part(made->callee);
  return last == "MethodType" || last == "__get__" || last == "partial" || last == "partialmethod";
}

Id loaded_from(const Model& model, Id function, Id value) {
  const Statement* made = maker(model, function, value);
  return made != nullptr && made->kind == StatementKind::kLoad && !made->location.element ? made->location.storage
                                                                                          : kNone;
}

// Whether the variable is what some return of the same function hands on.
bool returned(const Model& model, Id function, Id variable) {
  for (const facts::Block& block : model.function(function).blocks) {
    for (const Statement& s : block.statements) {
      if (s.kind == StatementKind::kReturn && variable != kNone && loaded_from(model, function, s.value) == variable)
        return true;
    }
  }
  return false;
}

class Checker : public Collector {
 public:
  Checker(const Model& model, const Policy& policy) : Collector(kInfo, model, policy) {}

  void add(const std::string& attribute, const facts::StatementRef& where, Id variable, bool function) {
    const bool whole_class = attribute == "__class__" || attribute == "__dict__";
    if (!function && !whole_class) return;
    const bool sure = returned(model_, where.function, variable);
    Finding* finding = once_at(
        model_.span(where),
        attribute == "__class__"
            ? std::string("The class of ") + (sure ? "the returned" : "a") + " tensor is replaced."
            : "The candidate stores its own " + attribute + " on " + (sure ? "the returned" : "a") + " tensor.");
    if (finding == nullptr || sure) return;
    soften(*finding, Effect::kReview);
    finding->severity = Severity::kWarning;
    finding->confidence = Confidence::kMedium;
  }

  void stores() {
    for (const facts::ForeignStore& store : model_.run().tensor_stores) {
      const Statement* statement = model_.statement(store.where);
      if (statement == nullptr || store.phase != facts::Phase::kForward) continue;
      const bool function = callable(model_, store.value) || binds(model_, store.where.function, statement->value) ||
                            (statement->value != kNone && model_.value(statement->value).function != kNone);
      add(store.name, store.where, loaded_from(model_, store.where.function, statement->location.base), function);
    }
  }

  // object.__setattr__(y, "cpu", f), y.__setattr__("cpu", f), y.__dict__.update(cpu=f).
  void calls() {
    const auto setter = [](const std::string& name) {
      return name == "builtins.setattr" || last_part(name) == "__setattr__" || name.ends_with("__dict__.update");
    };
    for (const Ran& call : ran(model_, setter)) {
      if (!call.record->in_forward) continue;
      const bool method = call.statement->receiver != kNone && call.name.find("object.") == std::string::npos;
      const Id target = method ? call.statement->receiver : argument(*call.statement, 0);
      if (target == kNone) continue;
      const auto type = model_.value(target).type.kind;
      if (type != facts::TypeKind::kTensor) continue;
      const Id name = argument(*call.statement, method ? 0 : 1);
      const Id value = argument(*call.statement, method ? 1 : 2);
      const auto& given = model_.facts().values;
      const bool function =
          value != kNone &&
          (binds(model_, call.where.function, value) || given[static_cast<std::size_t>(value)].function != kNone ||
           given[static_cast<std::size_t>(value)].class_id != kNone ||
           given[static_cast<std::size_t>(value)].type.kind == facts::TypeKind::kFunction);
      const std::string attribute = text_of(model_, name);
      add(attribute.empty() ? "attribute" : attribute, call.where, loaded_from(model_, call.where.function, target),
          function);
    }
  }
};

std::vector<Finding> check(const Model& model, const Policy& policy) {
  Checker checker(model, policy);
  checker.stores();
  checker.calls();
  return checker.take();
}

}  // namespace

const Rule& returned_override() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
