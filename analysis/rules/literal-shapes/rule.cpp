// KA812: a size, or a seed, that is written into the source decides what the result is: not which kernel computes it,
// but whether it is computed.
#include <algorithm>
#include <set>

#include "analysis/rules/absorbed_sizes.h"
#include "analysis/rules/conditions.h"
#include "analysis/rules/launch_choices.h"
#include "analysis/rules/limited_sizes.h"
#include "analysis/rules/makers.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Alternative;
using facts::Guard;
using facts::Id;
using facts::Model;
using facts::NodeKind;
using facts::Statement;

const RuleInfo kInfo{"KA812",
                     "literal-shapes",
                     "a size or seed written into the source decides what the result is",
                     Severity::kWarning,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {75}};

constexpr std::string_view kSizes[] = {"shape", "size", "sizes",  "numel", "nelement", "len",
                                       "dim",   "ndim", "stride", "view",  "reshape",  "flatten"};
constexpr std::string_view kAllocations[] = {"torch.empty", "torch.zeros", "torch.ones"};

bool asks_seed(const Slice& slice) { return slice.names_any({"initial_seed", "get_rng_state"}); }

// What no work made: a constant, memory as it was, an argument as it is, what an earlier call left.
const char* idle(const Model& model, const Alternative& way) {
  switch (model.provenance().at(way.node).kind) {
    case NodeKind::kConstant:
      return "a constant";
    case NodeKind::kAllocation:
      return "memory that nothing has written";
    case NodeKind::kArgument:
      return "an argument as it is";
    case NodeKind::kState:
      return "what an earlier call left";
    default:
      return way.depends_on_contents ? nullptr : "what depends on no argument";
  }
}

// `size // 2 if … else size`: one of the choices is a part of another.
bool chooses_part(const Model& model, Id function, Id value) {
  static constexpr std::string_view lessen[] = {"operator.floordiv", "operator.truediv", "operator.div",
                                                "operator.rshift", "operator.sub"};
  const std::set<const Statement*> choices = makers(model, function, value);
  return std::any_of(choices.begin(), choices.end(), [&](const Statement* s) {
    if (s->args.size() != 2 || !matches(s->callee, lessen) || constant_of(model, s->args[1]) == nullptr) return false;
    const std::set<const Statement*> whole = makers(model, function, s->args[0]);
    return whole.size() == 1 && choices.contains(*whole.begin());
  });
}

// A kernel is handed a part of a size where the size is a certain one, and covers no less of its grid for it.
void add_shortened(const Model& model, const Policy& policy, Once& once, std::vector<Finding>& findings) {
  // What decides the grid as well is listed as a choice of the grid: more blocks may share the rest.
  for (const LaunchChoice& choice : launch_choices(model)) {
    if (choice.what != "an argument" || !decides_by_size(model, choice.guard)) continue;
    const Slice& slice = slice_of(model, choice.guard);
    if (!large_number(slice) || !slice.names_any({"eq", "ne", "contains", "not_contains"})) continue;
    const Statement& launch = *model.statement(choice.launch);
    const bool part = std::any_of(launch.args.begin(), launch.args.end(),
                                  [&](Id arg) { return chooses_part(model, choice.launch.function, arg); });
    if (!part || once.seen(choice.guard.span)) continue;
    Finding finding = make_finding(kInfo, policy,
                                   "A size that is compared with a number decides that kernel " +
                                       launch.launch->kernel_name + " is handed a part of the size.");
    finding.span = choice.guard.span;
    finding.notes.push_back({launch.span, "launched here"});
    findings.push_back(std::move(finding));
  }
}

// Whether anything but kernels and what makes the inputs asks how large a tensor is, or makes one after another's
// likeness.
bool asks_any_size(const Model& model) {
  const auto& functions = model.facts().functions;
  for (const facts::Function& function : functions) {
    if (function.is_kernel || function.name == "get_inputs" || function.name == "get_init_inputs") continue;
    for (const facts::Block& block : function.blocks) {
      for (const Statement& s : block.statements) {
        const std::string last = last_part(s.callee);
        if (matches(last, kSizes) || last.ends_with("_like") || last.starts_with("new_")) return true;
        if (s.kind != facts::StatementKind::kLoad || s.location.storage == facts::kNone) continue;
        const auto& name = model.facts().storages[static_cast<std::size_t>(s.location.storage)].name;
        if (s.location.base != facts::kNone && matches(name, kSizes)) return true;
      }
    }
  }
  return false;
}

// torch.empty(4096, 512), whose numbers stand in the source.
bool literal_size(const Model& model, const facts::StatementRef& where) {
  const Statement* made = model.statement(where);
  if (made == nullptr || !matches(made->callee, kAllocations) || made->args.empty()) return false;
  const auto& parameters = model.function(where.function).parameters;
  bool large = false;
  for (const Id arg : made->args) {
    const Slice& slice = slice_of(model, where.function, arg);
    const bool literal = std::all_of(slice.storages.begin(), slice.storages.end(), [&](Id id) {
      const auto kind = model.facts().storages[static_cast<std::size_t>(id)].kind;
      const bool handed = std::any_of(parameters.begin(), parameters.end(),
                                      [&](const facts::Parameter& each) { return each.storage == id; });
      return kind == facts::StorageKind::kGlobal || (kind == facts::StorageKind::kLocal && !handed);
    });
    const bool plain = std::all_of(slice.names.begin(), slice.names.end(), [](const std::string& name) {
      return name.starts_with("operator.") || name == "builtins.tuple" || name == "builtins.list";
    });
    if (!literal || !plain || slice.numbers.empty()) return false;
    large = large || large_number(slice);
  }
  return large;
}

// What a kernel fills and forward returns has a size that stands in the source, and nobody asks for one of an argument:
// arguments of any other size are taken for such.
void add_only_size(const Model& model, const Policy& policy, Once& once, std::vector<Finding>& findings) {
  if (asks_any_size(model)) return;
  for (const Alternative& way : model.alternatives()) {
    const facts::Node& top = model.provenance().at(way.node);
    const auto given = model.run().launch_arguments.find({top.where, top.context});
    if (top.kind != NodeKind::kLaunch || top.kernel == facts::kNone || !way.depends_on_contents ||
        !way.unknown.empty() || given == model.run().launch_arguments.end())
      continue;
    const auto& written = model.access(top.kernel).written;
    for (std::size_t p = 0; p < written.size() && p < given->second.size(); ++p) {
      const auto& objects = given->second[p].objects;
      const bool literal = written[p] && !objects.empty() && std::all_of(objects.begin(), objects.end(), [&](auto id) {
                             return literal_size(model, model.run().object(id).made);
                           });
      if (!literal) continue;
      const facts::StatementRef made = model.run().object(objects.front()).made;
      if (once.seen(model.span(made))) continue;
      Finding finding = make_finding(kInfo, policy,
                                     entry_name(model) +
                                         " returns a tensor of a size that stands in the source, and "
                                         "asks for the size of none of its arguments.");
      finding.span = model.span(made);
      finding.notes.push_back({model.span(top.where), "filled here"});
      findings.push_back(std::move(finding));
    }
  }
}

// Kernels run up to some size alone, and what is returned of larger ones is what nothing made.
void add_limited(const Model& model, const Policy& policy, Once& once, std::vector<Finding>& findings) {
  for (const LimitedSize& each : limited_sizes(model)) {
    const char* what = idle(model, each.way);
    if (what == nullptr || once.seen(each.guard.span)) continue;
    Finding finding = make_finding(
        kInfo, policy,
        "A size that is compared with a number decides that " + entry_name(model) + " returns " + what + ".");
    finding.span = each.guard.span;
    finding.notes.push_back({model.span(each.launch), "the kernel that runs otherwise"});
    findings.push_back(std::move(finding));
  }
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  Once once;
  for (const Alternative& way : model.alternatives()) {
    const char* what = idle(model, way);
    if (what == nullptr || !way.unknown.empty() || holds_nothing(model, way)) continue;
    const facts::Node& top = model.provenance().at(way.node);
    for (const Guard& guard : way.guards) {
      const bool size = decides_by_size(model, guard);
      if (!size && guard.kind != facts::GuardKind::kSetting) continue;
      const Slice& slice = slice_of(model, guard);
      const bool seed = !size && asks_seed(slice);
      if (!seed && (!size || !large_number(slice) || asks_whether_none(model, guard))) continue;
      const bool other =
          leaves_another_way(model, guard, way.returned, 0) || leaves_another_way(model, guard, top.where, top.context);
      if (!other || once.seen(guard.span)) continue;
      Finding finding = make_finding(kInfo, policy,
                                     std::string(seed ? "The seed" : "A size that is compared with a number") +
                                         " decides that " + entry_name(model) + " returns " + what + ".");
      auto side = side_of(model, guard, way.returned, 0);
      if (!side) side = side_of(model, guard, top.where, top.context);
      const bool left_by_earlier = top.kind == NodeKind::kState;  // buffers that grow with what is asked of them
      const bool above = side && !left_by_earlier && up_to_some_size(model, guard, !*side);
      if (size && !above && !slice.names_any({"eq", "ne", "contains", "not_contains"})) {
        soften(finding, Effect::kNote);  // up to some size: mostly a path for small inputs
        finding.severity = Severity::kNote;
      }
      finding.span = guard.span;
      finding.notes.push_back({model.span(way.returned), "returned here"});
      findings.push_back(std::move(finding));
    }
  }
  add_limited(model, policy, once, findings);
  add_shortened(model, policy, once, findings);
  add_only_size(model, policy, once, findings);
  for (const AbsorbedSize& each : absorbed_sizes(model)) {
    const SourceSpan span = model.span(each.where);
    if (once.seen(span)) continue;
    Finding finding = make_finding(kInfo, policy,
                                   model.function(each.where.function).qualified_name +
                                       " computes with a size what is the same number whatever the size is.");
    finding.span = span;
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

const Rule& literal_shapes() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
