// KA112: forward is the reference's or a framework module's: inherited, or the same code under another name.
#include <algorithm>

#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Function;
using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;

const RuleInfo kInfo{"KA112",
                     "reference-inherited",
                     "forward is the reference's own, or that of a framework module",
                     Severity::kError,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kCheat,
                     {8, 9}};

// The shape of a function: what it calls, reads and stores in order, without the names of its variables.
std::vector<std::string> shape_of(const Model& model, const Function& function) {
  std::vector<std::string> shape;
  for (const auto& block : function.blocks) {
    shape.push_back("block");
    for (const Statement& statement : block.statements) {
      std::string line = std::to_string(static_cast<int>(statement.kind)) + " " + statement.callee + " " +
                         std::to_string(statement.args.size());
      for (const auto& [name, value] : statement.keywords) line += " " + name;
      for (const Id arg : statement.args) {
        if (const Json* constant = constant_of(model, arg))
          line += " " + constant->dump(-1, ' ', false, Json::error_handler_t::replace);
      }
      // Class and variable names differ in a renamed copy; attributes do not.
      if (statement.location.storage != kNone) {
        const auto& storage = model.facts().storages[static_cast<std::size_t>(statement.location.storage)];
        if (storage.kind == facts::StorageKind::kInstanceAttribute ||
            storage.kind == facts::StorageKind::kOtherAttribute)
          line += " ." + storage.name;
      }
      shape.push_back(line);
    }
  }
  return shape;
}

Id find_class(const Model& model, const std::string& name) {
  const auto& classes = model.facts().classes;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i].qualified_name == name) return static_cast<Id>(i);
  }
  return kNone;
}

// `class ModelNew(nn.Linear)` without a forward that is found before the framework's. A kernel in the source may stand
// in for a part of that module; whether it does is not followed.
std::vector<Finding> framework_forward(const Model& model, const Policy& policy) {
  const auto& facts = model.facts();
  const auto problem = std::find_if(facts.problems.begin(), facts.problems.end(),
                                    [](const facts::Problem& each) { return each.kind == "framework-forward"; });
  if (problem == facts.problems.end() || facts.entry_class == kNone) return {};
  Finding finding = make_finding(kInfo, policy, problem->message);
  finding.span = facts.classes[static_cast<std::size_t>(facts.entry_class)].span;
  const auto kernel = std::find_if(facts.functions.begin(), facts.functions.end(),
                                   [](const Function& function) { return function.is_kernel; });
  const bool python_alone = std::all_of(facts.units.begin(), facts.units.end(), [](const facts::Unit& unit) {
    return unit.language == facts::UnitLanguage::kPython;
  });
  if (kernel != facts.functions.end() || !python_alone) {
    soften_to_review(finding);
    if (kernel != facts.functions.end())
      finding.notes.push_back({kernel->name_span, "whether that forward comes to this kernel was not followed"});
  }
  return {std::move(finding)};
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  if (std::vector<Finding> found = framework_forward(model, policy); !found.empty()) return found;
  std::vector<Finding> findings;
  const auto& facts = model.facts();
  if (!model.has_entry() || facts.entry_class == kNone || any_authored(model)) return findings;
  const auto& entry_class = facts.classes[static_cast<std::size_t>(facts.entry_class)];
  const Function& forward = model.function(facts.entry_function);
  const auto add = [&](std::string message, const SourceSpan& span, const SourceSpan& other, const char* note) {
    if (any_unknown(model)) return;
    Finding finding = make_finding(kInfo, policy, std::move(message));
    finding.span = span;
    if (other.known()) finding.notes.push_back({other, note});
    findings.push_back(std::move(finding));
  };
  if (forward.class_id != kNone && forward.class_id != facts.entry_class) {
    const auto& base = facts.classes[static_cast<std::size_t>(forward.class_id)];
    add(entry_class.name + " takes its forward from " + base.name + " and adds nothing to it.", entry_class.span,
        forward.name_span, "the forward that runs");
    return findings;
  }
  // forward that only hands on to the base's.
  static constexpr std::string_view handed[] = {"super.forward", "super().forward", "super.__call__"};
  for (const Ran& call : ran(model, handed)) {
    if (!call.record->in_forward) continue;
    add(entry_class.name + ".forward hands its arguments on to the forward of its base class.", call.statement->span,
        entry_class.span, "the class and its bases");
    return findings;
  }
  const Id reference = find_class(model, "Model");
  if (reference == kNone) {
    return findings;
  }
  // `ModelNew = Model`
  if (facts.entry_class == reference) {
    for (const auto& storage : facts.storages) {
      if (storage.kind == facts::StorageKind::kGlobal && storage.name == "ModelNew")
        add("ModelNew is another name for Model.", entry_class.span, storage.span, "named here");
    }
    return findings;
  }
  const Id other = model.run().find_method(reference, "forward");
  if (other == kNone || other == facts.entry_function) return findings;
  const auto own = shape_of(model, forward);
  if (own.size() >= 4 && own == shape_of(model, model.function(other)))
    add(entry_class.name + ".forward is statement for statement the forward of Model.", forward.name_span,
        model.function(other).name_span, "the same code");
  return findings;
}

}  // namespace

const Rule& reference_inherited() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
