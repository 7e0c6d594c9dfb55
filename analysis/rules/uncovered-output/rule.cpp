// KA831: a launch makes fewer threads than its kernel's own bound asks for, and no thread takes a second element.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "analysis/rules/conditions.h"
#include "analysis/rules/device_code.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/partial_work.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Function;
using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;

const RuleInfo kInfo{"KA831",
                     "uncovered-output",
                     "a launch has too few threads for the elements that its kernel stores",
                     Severity::kWarning,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kReview,
                     {57, 68}};

constexpr double kRounding = 0.999;  // above it the difference may be rounding

constexpr double kWholeWaves = 0.99;  // less than all, by how much is not known

// coefficient × product of sizes that are not known, constants beside it left out: what a number grows with.
struct Growth {
  double coefficient = 0;
  std::vector<std::string> sizes;  // sorted
  std::vector<std::string> parts;  // sizes that it was divided by, the rest of which is lost
  bool rounded_down = false;       // to a multiple of something that is not known
};

class Evaluator {
 public:
  Evaluator(const Model& model, const Function& function, std::map<Id, Growth> given = {})
      : model_(model), function_(function), flow_(model, function), given_(std::move(given)) {}

  std::optional<Growth> of(Id id, int depth = 0) const {
    if (id == kNone || depth > 24) return std::nullopt;
    const facts::Value& value = model_.value(id);
    if (value.constant) {
      if (!value.constant->is_number()) return std::nullopt;
      return Growth{value.constant->get<double>(), {}, {}, false};
    }
    const Statement* s = flow_.made(id);
    if (s == nullptr) return std::nullopt;
    if (s->kind == StatementKind::kLoad) {
      if (s->location.element) return extent(*s);
      if (flow_.deref(*s) || s->location.storage == kNone) return std::nullopt;
      const auto& stores = flow_.stores_to(s->location.storage);
      if (stores.size() == 1 && !stores.front()->augmented) return of(stores.front()->value, depth + 1);
      if (const auto given = given_.find(s->location.storage); given != given_.end() && stores.empty())
        return given->second;
      if (stores.empty()) return leaf("variable " + std::to_string(s->location.storage));
      return std::nullopt;
    }
    if (s->kind != StatementKind::kCall) return std::nullopt;
    if (s->target != kNone) return of_call(*s, depth);
    const std::string& name = s->callee;
    if (one_of(name, {"operator.cast", "builtins.int", "builtins.round", "math.ceil", "math.floor"}) &&
        s->args.size() == 1)
      return of(s->args[0], depth + 1);
    if (name == "dim3::dim3" || name == "builtins.tuple") {
      Growth product{1, {}, {}, false};
      for (const Id arg : s->args) {
        const auto factor = of(arg, depth + 1);
        if (!factor) return std::nullopt;
        multiply(product, *factor);
      }
      return product;
    }
    if (one_of(name, {"at::Tensor::numel", "at::Tensor::size", "torch.Tensor.numel", "torch.Tensor.size"})) {
      const Statement* tensor = flow_.made(s->receiver);
      if (tensor == nullptr || tensor->kind != StatementKind::kLoad || tensor->location.storage == kNone)
        return std::nullopt;
      std::string key = name + " " + std::to_string(tensor->location.storage);
      if (!s->args.empty()) {
        const auto& index = model_.value(s->args[0]).constant;
        if (!index) return std::nullopt;
        key += " " + index->dump();
      }
      return leaf(key);
    }
    if (s->args.size() != 2) return std::nullopt;
    if (auto rounded = rounded_down(*s, depth)) return rounded;
    auto left = of(s->args[0], depth + 1), right = of(s->args[1], depth + 1);
    if (!left || !right) return std::nullopt;
    if (name == "operator.mul") {
      Growth product = *left;
      multiply(product, *right);
      return product;
    }
    if (name == "builtins.max" || name == "builtins.min") {
      const bool larger = name == "builtins.max";
      if (left->sizes == right->sizes) return (left->coefficient > right->coefficient) == larger ? left : right;
      if (!larger || (!left->sizes.empty() && !right->sizes.empty())) return std::nullopt;
      return left->sizes.empty() ? right : left;  // what grows is larger in the end
    }
    if (name == "operator.add" || name == "operator.sub") {
      const double sign = name == "operator.add" ? 1 : -1;
      if (!left->parts.empty() || !right->parts.empty()) return std::nullopt;
      if (left->sizes == right->sizes)
        return Growth{left->coefficient + sign * right->coefficient, left->sizes, {}, false};
      if (right->sizes.empty()) return left;
      if (left->sizes.empty() && sign > 0) return right;
      return std::nullopt;
    }
    if (name == "operator.floordiv" && !right->sizes.empty() && right->coefficient != 0 && right->parts.empty() &&
        left->parts.empty()) {
      left->coefficient /= right->coefficient;
      left->parts = right->sizes;
      return left;
    }
    if (one_of(name, {"operator.floordiv", "operator.truediv", "triton.cdiv"}) && right->sizes.empty() &&
        right->coefficient != 0) {
      const double quotient = left->coefficient / right->coefficient;
      left->coefficient = left->sizes.empty() ? std::trunc(quotient) : quotient;
      return left;
    }
    if ((name == "operator.rshift" || name == "operator.lshift") && right->sizes.empty()) {
      left->coefficient = std::ldexp(
          left->coefficient, static_cast<int>(name == "operator.rshift" ? -right->coefficient : right->coefficient));
      return left;
    }
    return std::nullopt;
  }

 private:
  // t.shape[0] of a variable t.
  std::optional<Growth> extent(const Statement& element) const {
    const Statement* shape = flow_.made(element.location.base);
    const auto attribute = [&](const Statement* s) {
      return s != nullptr && s->kind == StatementKind::kLoad && !s->location.element && s->location.storage != kNone
                 ? &model_.facts().storages[static_cast<std::size_t>(s->location.storage)]
                 : nullptr;
    };
    if (const facts::Storage* variable = attribute(shape); variable != nullptr && variable->name != "shape") {
      const auto& stores = flow_.stores_to(shape->location.storage);
      shape = stores.size() == 1 ? flow_.made(stores.front()->value) : nullptr;
    }
    const facts::Storage* of_tensor = attribute(shape);
    if (of_tensor == nullptr || of_tensor->kind != facts::StorageKind::kOtherAttribute || of_tensor->name != "shape")
      return std::nullopt;
    const Statement* tensor = flow_.made(shape->location.base);
    if (attribute(tensor) == nullptr || element.location.key == kNone) return std::nullopt;
    const auto& index = model_.value(element.location.key).constant;
    if (!index || !index->is_number_integer()) return std::nullopt;
    return leaf("torch.Tensor.size " + std::to_string(tensor->location.storage) + " " + index->dump());
  }

  // Whether the device takes part in a number: how many processors it has, how many blocks each takes.
  bool told_by_device(Id value) const {
    const auto variables = flow_.behind(value).variables;
    for (const facts::Block& block : function_.blocks) {
      for (const Statement& s : block.statements) {
        if (!one_of(s.callee, {"cudaDeviceGetAttribute", "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
                               "cudaOccupancyMaxPotentialBlockSize", "cudaGetDeviceProperties"}))
          continue;
        for (const Id arg : s.args) {
          const Statement* address = flow_.made(arg);
          const Statement* filled =
              address == nullptr || address->args.empty() ? nullptr : flow_.made(address->args[0]);
          if (filled != nullptr && filled->kind == StatementKind::kLoad && variables.contains(filled->location.storage))
            return true;
        }
      }
    }
    return std::any_of(variables.begin(), variables.end(), [&](Id each) {
      const std::string& name = model_.facts().storages[static_cast<std::size_t>(each)].name;
      return name == "multiProcessorCount" || name == "multi_processor_count";
    });
  }
  // `blocks / wave * wave`, where only the device tells the wave: whatever is left of the last one is left out.
  std::optional<Growth> rounded_down(const Statement& product, int depth) const {
    if (product.callee != "operator.mul") return std::nullopt;
    for (const std::size_t side : {0, 1}) {
      const Statement* quotient = flow_.made(product.args[side]);
      const Id by = product.args[1 - side];
      if (quotient == nullptr || quotient->callee != "operator.floordiv" || quotient->args.size() != 2 ||
          !flow_.same(quotient->args[1], by) || !told_by_device(by))
        continue;
      auto whole = of(quotient->args[0], depth + 1);
      if (whole) whole->coefficient *= kWholeWaves;
      return whole;
    }
    return std::nullopt;
  }

  // What an own function returns for what it is given, where it has one return and is called by position.
  std::optional<Growth> of_call(const Statement& call, int depth) const {
    const Function& called = model_.function(call.target);
    const std::size_t self = call.receiver != kNone && called.parameters.size() == call.args.size() + 1 ? 1 : 0;
    if (&called == &function_ || called.parameters.size() != call.args.size() + self || !call.keywords.empty())
      return std::nullopt;
    std::map<Id, Growth> given;
    for (std::size_t i = 0; i < call.args.size(); ++i) {
      if (const auto size = of(call.args[i], depth + 1)) given.emplace(called.parameters[i + self].storage, *size);
    }
    const Statement* end = nullptr;
    for (const facts::Block& block : called.blocks) {
      for (const Statement& s : block.statements) {
        if (s.kind != StatementKind::kReturn) continue;
        if (end != nullptr) return std::nullopt;
        end = &s;
      }
    }
    if (end == nullptr) return std::nullopt;
    return Evaluator(model_, called, std::move(given)).of(end->value, depth + 4);  // few calls deep
  }

  static Growth leaf(const std::string& name) { return Growth{1, {name}, {}, false}; }
  static void multiply(Growth& into, const Growth& factor) {
    into.coefficient *= factor.coefficient;
    into.rounded_down = into.rounded_down || factor.rounded_down;
    if (!into.parts.empty() && into.parts == factor.sizes) {  // blocks / wave * wave
      into.parts.clear();
      into.rounded_down = true;
      return;
    }
    into.parts.insert(into.parts.end(), factor.parts.begin(), factor.parts.end());
    into.sizes.insert(into.sizes.end(), factor.sizes.begin(), factor.sizes.end());
    std::sort(into.sizes.begin(), into.sizes.end());
  }

  const Model& model_;
  const Function& function_;
  DeviceFlow flow_;
  std::map<Id, Growth> given_;  // what parameters stand for
};

// The parameter that bounds the stores: each is guarded by `index < n`, and its index is what is compared.
std::optional<std::size_t> bounding_parameter(const Model& model, const Function& kernel, std::size_t& stores) {
  DeviceFlow flow(model, kernel);
  const facts::FlowGraph graph(kernel);
  std::optional<std::size_t> bound;
  stores = 0;
  for (std::size_t b = 0; b < kernel.blocks.size(); ++b) {
    for (const Statement& s : kernel.blocks[b].statements) {
      if (!writes_global(model, kernel, s)) continue;
      if (s.kind != StatementKind::kStore || !s.location.element) return std::nullopt;
      const Statement* key = flow.made(s.location.key);
      if (key == nullptr || key->kind != StatementKind::kLoad) return std::nullopt;
      ++stores;
      // An index that starts at a parameter is one launch's part of several.
      const auto behind = flow.behind(s.location.key).variables;
      for (const facts::Parameter& parameter : kernel.parameters) {
        if (behind.contains(parameter.storage)) return std::nullopt;
      }
      std::optional<std::size_t> own;
      for (const Id decider : graph.deciders(static_cast<Id>(b))) {
        const Statement* test = flow.made(kernel.blocks[static_cast<std::size_t>(decider)].condition);
        if (test == nullptr || test->args.size() != 2) continue;
        if (!one_of(test->callee, {"operator.lt", "operator.ge"})) continue;
        const Statement* left = flow.made(test->args[0]);
        const Statement* right = flow.made(test->args[1]);
        if (left == nullptr || right == nullptr || left->kind != StatementKind::kLoad ||
            right->kind != StatementKind::kLoad || left->location.storage != key->location.storage)
          continue;
        for (std::size_t p = 0; p < kernel.parameters.size(); ++p) {
          if (kernel.parameters[p].storage == right->location.storage) own = p;
        }
      }
      if (!own || (bound && bound != own)) return std::nullopt;
      bound = own;
    }
  }
  return bound;
}

bool is_parameter(const Function& function, Id storage) {
  return storage != kNone && std::any_of(function.parameters.begin(), function.parameters.end(),
                                         [&](const facts::Parameter& p) { return p.storage == storage; });
}

// A Triton kernel whose stores are all masked by `index < n`, where the index is a program's block of a range: the
// parameter n, and how many elements a program takes.
std::optional<std::size_t> masking_parameter(const Model& model, const Function& kernel, double& block,
                                             std::size_t& stores) {
  DeviceFlow flow(model, kernel);
  std::optional<std::size_t> bound;
  stores = 0;
  for (const facts::Block& each : kernel.blocks) {
    for (const Statement& s : each.statements) {
      if (!writes_global(model, kernel, s)) continue;
      if (s.callee != "triton.language.store") return std::nullopt;
      ++stores;
      Id mask = s.args.size() > 2 ? s.args[2] : kNone;
      for (const auto& [name, value] : s.keywords) {
        if (name == "mask") mask = value;
      }
      const Statement* test = flow.made(mask);
      if (test != nullptr && test->kind == StatementKind::kLoad && flow.stores_to(test->location.storage).size() == 1)
        test = flow.made(flow.stores_to(test->location.storage).front()->value);
      if (test == nullptr || test->callee != "operator.lt" || test->args.size() != 2) return std::nullopt;
      const Statement* limit = flow.made(test->args[1]);
      if (limit == nullptr || limit->kind != StatementKind::kLoad) return std::nullopt;
      std::size_t programs = 0;
      double range = 0;
      std::vector<Id> sizes;
      const auto behind = flow.behind(test->args[0]);
      for (const Id value : behind.values) {
        const Statement* made = flow.made(value);
        if (made == nullptr) continue;
        if (made->kind == StatementKind::kLoad && is_parameter(kernel, made->location.storage)) sizes.push_back(value);
        if (made->kind != StatementKind::kCall) continue;
        if (made->callee == "triton.language.program_id") ++programs;
        if (made->callee != "triton.language.arange") continue;
        if (range != 0 || made->args.size() != 2) return std::nullopt;
        const auto& end = model.value(made->args[1]).constant;
        if (!end || !end->is_number()) return std::nullopt;
        range = end->get<double>();
      }
      if (programs != 1 || range <= 0 || (block != 0 && block != range)) return std::nullopt;
      block = range;
      // An index that starts at a parameter is one launch's part of several; the range's own size is one too.
      for (const Id size : sizes) {
        const auto& constant = model.value(size).constant;
        if (!constant || !constant->is_number() || constant->get<double>() != range) return std::nullopt;
      }
      std::optional<std::size_t> own;
      for (std::size_t p = 0; p < kernel.parameters.size(); ++p) {
        if (kernel.parameters[p].storage == limit->location.storage) own = p;
      }
      if (!own || (bound && bound != own)) return std::nullopt;
      bound = own;
    }
  }
  return bound;
}

// A Triton kernel of which each program stores at one place along the grid's first axis, whatever else it spreads over:
// `out + row * columns + range`, where the row is the program's number.
bool one_place_each(const Model& model, const Function& kernel, std::size_t& stores) {
  const DeviceFlow flow(model, kernel);
  const auto numbered = [&](Id value) {
    const auto behind = flow.behind(value);
    return std::any_of(behind.values.begin(), behind.values.end(), [&](Id id) {
      const Statement* made = flow.made(id);
      return made != nullptr && made->callee == "triton.language.program_id";
    });
  };
  std::set<Id> ranges;  // what says how long a range is
  for (const facts::Block& block : kernel.blocks) {
    for (const Statement& s : block.statements) {
      if (s.callee != "triton.language.arange") continue;
      for (const Id arg : s.args) ranges.merge(flow.behind(arg).variables);
    }
  }
  const auto scales = [&](Id value) {  // by a size that only the launch knows, and that is no range's
    const Statement* made = flow.made(value);
    return made != nullptr && made->kind == StatementKind::kLoad && is_parameter(kernel, made->location.storage) &&
           !ranges.contains(made->location.storage) && !model.value(value).constant;
  };
  stores = 0;
  for (const facts::Block& block : kernel.blocks) {
    for (const Statement& s : block.statements) {
      if (!writes_global(model, kernel, s)) continue;
      if (s.callee != "triton.language.store" || s.args.empty()) return false;
      ++stores;
      const Id root = pointer_root(model, kernel, s.args[0]);
      const auto offset = [&](Id value) {  // one launch's part of several
        const Statement* made = flow.made(value);
        return made != nullptr && made->kind == StatementKind::kLoad && is_parameter(kernel, made->location.storage) &&
               made->location.storage != root;
      };
      std::vector<Id> masks(s.args.begin() + std::min<std::ptrdiff_t>(2, std::ssize(s.args)), s.args.end());
      for (const auto& [name, value] : s.keywords) masks.push_back(value);
      if (std::any_of(masks.begin(), masks.end(), numbered) || !numbered(s.args[0])) return false;
      std::size_t programs = 0;
      for (const Id id : flow.behind(s.args[0]).values) {
        const Statement* made = flow.made(id);
        if (made == nullptr || made->kind != StatementKind::kCall) continue;
        if (made->callee == "triton.language.program_id") {
          const auto& axis = model.value(made->args.empty() ? id : made->args[0]);
          if (!axis.constant || *axis.constant != Json(0)) return false;
          ++programs;
        } else if (made->callee == "operator.mul" && made->args.size() == 2) {
          const bool left = numbered(made->args[0]), right = numbered(made->args[1]);
          if ((left && (right || !scales(made->args[1]))) || (right && !left && !scales(made->args[0]))) return false;
        } else if (made->callee == "operator.add") {
          if (std::any_of(made->args.begin(), made->args.end(), offset)) return false;
        } else if (last_part(made->callee) != "to") {
          if (std::any_of(made->args.begin(), made->args.end(), numbered)) return false;
        }
      }
      if (programs != 1) return false;
    }
  }
  return stores > 0;
}

// The argument of a launch in the place of a parameter, by position or by name.
Id given(const Statement& launch, const Function& kernel, std::size_t parameter) {
  for (const auto& [name, value] : launch.keywords) {
    if (name == kernel.parameters[parameter].name) return value;
  }
  return parameter < launch.args.size() ? launch.args[parameter] : kNone;
}

// The variable of the launching function that holds the tensor which a launch is given in a place.
Id tensor_behind(const DeviceFlow& flow, Id value) {
  for (int hops = 0; hops < 8; ++hops) {
    const Statement* made = flow.made(value);
    if (made == nullptr) return kNone;
    if (made->kind == StatementKind::kLoad) return made->location.element ? kNone : made->location.storage;
    if (made->kind != StatementKind::kCall) return kNone;
    if (last_part(made->callee) == "data_ptr" || last_part(made->callee) == "mutable_data_ptr")
      value = made->receiver;
    else if (made->callee == "operator.cast" && made->args.size() == 1)
      value = made->args[0];
    else
      return kNone;
  }
  return kNone;
}

// How much of its output the only kernel that is handed it may store: the bound, or the rows that have a program,
// against the size of the tensor after whose likeness the output was made. Nothing when they cannot be compared, or one
// access takes several elements.
std::optional<double> share_of_output(const Model& model, const facts::StatementRef& where, const Function& kernel,
                                      const Growth& elements, bool rows = false) {
  if (elements.sizes.size() != 1) return std::nullopt;
  const Statement& launch = *model.statement(where);
  const DeviceFlow host(model, model.function(where.function));
  std::set<Id> outputs;
  for (const facts::Block& block : kernel.blocks) {
    for (const Statement& s : block.statements) {
      if (!writes_global(model, kernel, s)) continue;
      const Id pointer = s.kind == StatementKind::kStore ? s.location.base : s.args.empty() ? kNone : s.args[0];
      const Id root = pointer_root(model, kernel, pointer);
      for (std::size_t p = 0; p < kernel.parameters.size(); ++p) {
        if (root == kNone || kernel.parameters[p].storage != root) continue;
        const std::string& type = kernel.parameters[p].type.name;
        if (model.native(where.function) && type.find_first_of("0123456789") != std::string::npos) return std::nullopt;
        outputs.insert(tensor_behind(host, given(launch, kernel, p)));
      }
    }
  }
  if (outputs.size() != 1 || outputs.contains(kNone)) return std::nullopt;
  const Id output = *outputs.begin();
  const auto& stores = host.stores_to(output);
  const Statement* made = stores.size() == 1 ? host.made(stores.front()->value) : nullptr;
  if (made == nullptr || !one_of(last_part(made->callee), {"empty_like", "zeros_like"}) || made->args.empty())
    return std::nullopt;
  const Id model_tensor = tensor_behind(host, made->args[0]);
  const std::string size = elements.sizes.front();
  const auto counts = [&](Id tensor) {
    if (rows) return size == "torch.Tensor.size " + std::to_string(tensor) + " 0";
    return size == "torch.Tensor.numel " + std::to_string(tensor) ||
           size == "at::Tensor::numel " + std::to_string(tensor);
  };
  if (!counts(output) && !counts(model_tensor)) return std::nullopt;
  for (const facts::Block& block : model.function(where.function).blocks) {
    for (const Statement& s : block.statements) {
      if (&s == &launch || (s.kind != StatementKind::kLaunch && s.kind != StatementKind::kCall)) continue;
      const bool handed = std::any_of(s.args.begin(), s.args.end(), [&](Id arg) {
        return arg != kNone &&
               (tensor_behind(host, arg) == output ||
                (s.kind == StatementKind::kLaunch && slice_of(model, where.function, arg).storages.contains(output)));
      });
      if (handed) return std::nullopt;  // something else may fill the rest
    }
  }
  return elements.coefficient;
}

// With the sizes of get_inputs, all programs together cannot come to all elements.
void by_numbers(const Model& model, const Policy& policy, std::vector<Finding>& findings) {
  for (const PartialWork& work : partly_stored(model)) {
    const SourceSpan span = model.span(work.launch);
    if (std::any_of(findings.begin(), findings.end(), [&](const Finding& each) { return each.span == span; })) continue;
    const std::string reached = std::to_string(std::llround(work.reached));
    const std::string all = std::to_string(std::llround(work.elements));
    Finding finding = make_finding(
        kInfo, policy,
        "The launch of " + model.function(work.kernel).qualified_name +
            (work.of_bound         ? " comes to indices below " + reached + ", where its own bound is " + all
             : work.beside_numbers ? " computes at most " + reached + " of the " + all + " elements of its output"
                                   : " stores at most " + reached + " of the " + all + " elements of its output") +
            (work.beside_numbers ? ", and sets the rest to a number for the block or thread that it is of."
                                 : ", and nothing else stores the rest."));
    finding.span = span;
    finding.notes.push_back({work.access->span, "stored here"});
    findings.push_back(std::move(finding));
  }
}

bool others_store(const Model& model, const facts::StatementRef& where, Id kernel) {
  const auto& written = model.access(kernel).written;
  for (const auto& [place, arguments] : model.run().launch_arguments) {
    for (std::size_t p = 0; place.first == where && p < arguments.size() && p < written.size(); ++p) {
      if (written[p] && written_by_another(model, place, arguments[p])) return true;
    }
  }
  return false;
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  for (const facts::StatementRef& where : model.run().executed_launches) {
    const Statement* launch = model.statement(where);
    if (launch == nullptr || !launch->launch) continue;
    const bool native = model.native(where.function);
    const Id id = launch->launch->kernel_function;
    if (id == kNone || launch->launch->grid == kNone || (native && launch->launch->block == kNone)) continue;
    const Function& kernel = model.function(id);
    if (kernel.blocks.empty() || !blocks_in_loops(model, id).empty()) continue;
    std::size_t stores = 0;
    double range = 0;
    const auto bound =
        native ? bounding_parameter(model, kernel, stores) : masking_parameter(model, kernel, range, stores);
    if (!bound && !native && one_place_each(model, kernel, stores)) {
      auto rows = Evaluator(model, model.function(where.function)).of(launch->launch->grid);
      if (rows) rows->coefficient *= static_cast<double>(stores);
      const auto part =
          rows && rows->coefficient > 0 ? share_of_output(model, where, kernel, *rows, true) : std::optional<double>();
      if (part && *part < kRounding) {
        Finding finding = make_finding(kInfo, policy,
                                       "The launch of " + kernel.qualified_name + " has programs for about " +
                                           std::to_string(static_cast<int>(std::lround(*part * 100))) +
                                           " % of the rows of its output, and nothing else stores the rest.");
        finding.span = launch->span;
        finding.notes.push_back({kernel.name_span, "each program stores one row"});
        findings.push_back(std::move(finding));
      }
    }
    if (!bound) continue;
    const Id limit = given(*launch, kernel, *bound);
    const Evaluator evaluate(model, model.function(where.function));
    auto threads = evaluate.of(launch->launch->grid);
    const auto block = native ? evaluate.of(launch->launch->block) : Growth{range, {}, {}, false};
    const auto elements = evaluate.of(limit);
    if (elements && elements->coefficient > 0) {
      std::optional<double> part = share_of_output(model, where, kernel, *elements);
      if (part) *part *= static_cast<double>(stores);  // each stores so many
      if (part && *part < kRounding) {
        Finding finding = make_finding(kInfo, policy,
                                       "The launch of " + kernel.qualified_name + " stores at most " +
                                           std::to_string(static_cast<int>(std::lround(*part * 100))) +
                                           " % of its output, and nothing else stores the rest.");
        finding.span = launch->span;
        finding.notes.push_back({kernel.name_span, "its bound is " + kernel.parameters[*bound].name});
        findings.push_back(std::move(finding));
        continue;
      }
    }
    if (!threads || !block || !elements || !block->sizes.empty()) continue;
    if (!threads->parts.empty() || !elements->parts.empty()) continue;
    threads->coefficient *= block->coefficient * static_cast<double>(stores);
    if (threads->sizes != elements->sizes || elements->coefficient <= 0 || threads->coefficient <= 0) continue;
    const double share = threads->coefficient / elements->coefficient;
    const bool rounded =
        threads->rounded_down && !elements->rounded_down && share < 1 / kRounding && !others_store(model, where, id);
    if (share >= kRounding && !rounded) continue;
    const std::string things = native ? "threads" : "programs", name = kernel.parameters[*bound].name;
    const std::string says =
        share < kRounding ? " has " + things + " for about " + std::to_string(std::lround(share * 100)) +
                                " % of the elements below its bound " + name + "."
                          : " rounds its " + things + " down, to a multiple that its bound " + name + " need not be.";
    Finding finding = make_finding(kInfo, policy, "The launch of " + kernel.qualified_name + says);
    finding.span = launch->span;
    finding.notes.push_back(
        {kernel.name_span, std::string(native ? "each thread" : "each program") + " stores " + std::to_string(stores) +
                               (native ? " element" : " block") + (stores == 1 ? "" : "s") +
                               (native ? " at most" : " of " + std::to_string(static_cast<long>(range)))});
    findings.push_back(std::move(finding));
  }
  by_numbers(model, policy, findings);
  return findings;
}

}  // namespace

const Rule& uncovered_output() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
