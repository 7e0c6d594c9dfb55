#include "analysis/rules/launch_ranges.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/facts/device_access.h"
#include "analysis/rules/known_contents.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Id;
using facts::kNone;
using facts::Statement;
using facts::StatementKind;

namespace {

constexpr int kDeepest = 24;

// Whether an own function sets its parameter, which may be a reference to what a call hands to it.
bool sets_parameter(const facts::Model& model, const Statement& call, std::size_t argument) {
  if (call.kind != StatementKind::kCall || call.target == kNone || !model.native(call.target)) return false;
  const facts::Function& callee = model.function(call.target);
  if (argument >= callee.parameters.size()) return false;
  return std::any_of(callee.blocks.begin(), callee.blocks.end(), [&](const facts::Block& block) {
    return std::any_of(block.statements.begin(), block.statements.end(), [&](const Statement& s) {
      return s.kind == StatementKind::kStore && s.location.storage == callee.parameters[argument].storage;
    });
  });
}

std::set<Id> changed_elsewhere(const KernelView& view) {
  std::set<Id> changed;
  const auto loaded_from = [&](Id value) {
    const Statement* made = view.flow.made(value);
    return made != nullptr && made->kind == StatementKind::kLoad ? made->location.storage : kNone;
  };
  for (const facts::Block& block : view.function.blocks) {
    for (const Statement& s : block.statements) {
      if (s.kind == StatementKind::kStore && s.location.base != kNone) changed.insert(loaded_from(s.location.base));
      for (std::size_t i = 0; i < s.args.size(); ++i) {
        if (s.callee == "operator.addressof" || sets_parameter(view.model, s, i))
          changed.insert(loaded_from(s.args[i]));
      }
    }
  }
  for (const facts::Parameter& parameter : view.function.parameters) {
    if (!view.flow.stores_to(parameter.storage).empty()) changed.insert(parameter.storage);
  }
  for (const facts::Function& other : view.model.facts().functions) {  // lambdas share the variables around them
    if (other.enclosing_function == kNone) continue;
    for (const facts::Block& block : other.blocks) {
      for (const Statement& s : block.statements) {
        if (s.kind == StatementKind::kStore && &other != &view.function) changed.insert(s.location.storage);
      }
    }
  }
  return changed;
}

// Numbers of elements and lengths are never negative.
bool is_size(const PlainVariables& host, Id value) {
  const Statement* made = host.view().flow.made(host.settled(value));
  return made != nullptr && made->kind == StatementKind::kCall &&
         one_of(last_part(made->callee), {"numel", "size", "dim", "nbytes", "itemsize", "element_size", "length"});
}

// Whether calls that are handed an address may have a part in a value.
bool changes(const PlainVariables& host, Id value) {
  const auto behind = host.view().flow.behind(value).variables;
  return std::any_of(behind.begin(), behind.end(), [&](Id variable) { return host.changed(variable); });
}

// The number that a parameter was in every launch of this place that ran.
std::optional<double> number_that_ran(const facts::Model& model, const facts::StatementRef& where,
                                      std::optional<facts::ContextId> context, std::size_t parameter) {
  std::optional<double> all;
  for (const auto& [place, arguments] : model.run().launch_arguments) {
    if (place.first != where || (context && place.second != *context)) continue;
    if (parameter >= arguments.size()) return std::nullopt;
    const facts::Abstract& given = arguments[parameter];
    if (given.open || !given.objects.empty() || given.constants.size() != 1) return std::nullopt;
    const Json& constant = model.run().constant_at(given.constants[0]);
    if (!constant.is_number() && !constant.is_boolean()) return std::nullopt;
    const double number = constant.is_boolean() ? (constant.get<bool>() ? 1 : 0) : constant.get<double>();
    if (all && *all != number) return std::nullopt;
    all = number;
  }
  return all;
}

double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

Range of_product(const Range& a, const Range& b) {
  const std::array<double, 4> corners{product(a.low, b.low), product(a.low, b.high), product(a.high, b.low),
                                      product(a.high, b.high)};
  const auto [low, high] = std::minmax_element(corners.begin(), corners.end());
  return {*low, *high};
}

}  // namespace

PlainVariables::PlainVariables(const KernelView& view) : view_(view), changed_(changed_elsewhere(view)) {}

bool PlainVariables::plain(Id storage) const {
  if (storage == kNone || changed_.contains(storage)) return false;
  const auto& stores = view_.flow.stores_to(storage);
  return view_.model.facts().storages[static_cast<std::size_t>(storage)].kind == facts::StorageKind::kLocal &&
         stores.size() == 1 && !stores.front()->augmented && !stores.front()->location.element;
}

Id PlainVariables::settled(Id value) const {
  for (int hops = 0; hops < kDeepest; ++hops) {
    const Statement* made = view_.flow.made(value);
    if (made == nullptr) return value;
    if (made->kind == StatementKind::kCall && made->callee == "operator.cast" && made->args.size() == 1) {
      value = made->args[0];
      continue;
    }
    if (made->kind != StatementKind::kLoad || made->location.element || made->location.base != kNone ||
        !plain(made->location.storage))
      return value;
    value = view_.flow.stores_to(made->location.storage).front()->value;
  }
  return value;
}

std::optional<double> PlainVariables::number(Id value) const {
  for (const Id variable : view_.flow.behind(value).variables) {
    if (!plain(variable)) return std::nullopt;
  }
  return view_.number(value);
}

std::vector<facts::StatementRef> launches_of(const facts::Model& model, Id kernel) {
  std::vector<facts::StatementRef> launches;
  const auto& functions = model.facts().functions;
  for (std::size_t f = 0; f < functions.size(); ++f) {
    for (std::size_t b = 0; b < functions[f].blocks.size(); ++b) {
      const auto& statements = functions[f].blocks[b].statements;
      for (std::size_t s = 0; s < statements.size(); ++s) {
        const facts::StatementRef where{static_cast<Id>(f), static_cast<Id>(b), static_cast<Id>(s)};
        if (statements[s].launch && model.kernel_of(where) == kernel) launches.push_back(where);
      }
    }
  }
  return launches;
}

std::optional<double> number_in_every_launch(const KernelView& kernel, Id parameter) {
  const auto& parameters = kernel.function.parameters;
  const auto place = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const facts::Parameter& each) { return each.storage == parameter; });
  if (parameter == kNone || place == parameters.end()) return std::nullopt;
  const auto at = static_cast<std::size_t>(place - parameters.begin());
  const Id self = kernel.model.id_of(kernel.function);
  std::optional<double> number;
  for (const facts::StatementRef& where : launches_of(kernel.model, self)) {
    const Statement* launch = kernel.model.statement(where);
    if (launch->star_args || at >= launch->args.size()) return std::nullopt;
    const KernelView& view = view_of(kernel.model, where.function);
    const auto here = PlainVariables(view).number(launch->args[at]);
    if (!here || (number && number != here)) return std::nullopt;
    number = here;
  }
  return number;
}

LaunchRanges::LaunchRanges(const KernelView& kernel, const facts::StatementRef& where, HostNumbers* inputs,
                           std::optional<facts::ContextId> context)
    : kernel_(kernel), variables_(kernel) {
  const Statement* launch = kernel.model.statement(where);
  for (const char* axis : {".x", ".y", ".z"}) {
    for (const char* index : {"threadIdx", "blockIdx"}) built_in_[std::string(index) + axis].low = 0;
    for (const char* size : {"blockDim", "gridDim"}) built_in_[std::string(size) + axis].low = 1;
  }
  if (launch == nullptr || !launch->launch) return;
  const int frame = inputs == nullptr ? -1
                    : context         ? inputs->frame(where, *context)
                                      : inputs->frame_by_caller(where.function);
  const Place place{where, *launch, context, inputs, frame};
  if (launch->callee != "cuLaunchKernel") take_grid(place);  // that takes each dimension for itself
  // Not those of a function that the kernel calls.
  if (!launch->star_args && &kernel.function == &kernel.model.function(kernel.model.kernel_of(where)))
    take_parameters(place);
}

LaunchRanges::LaunchRanges(const KernelView& called, const LaunchRanges& caller, const Statement& call)
    : kernel_(called), variables_(called), built_in_(caller.built_in_), calls_(caller.calls_ + 1) {
  const auto& parameters = called.function.parameters;
  for (std::size_t p = 0; p < parameters.size() && p < call.args.size() && !call.star_args; ++p) {
    const facts::TypeKind kind = parameters[p].type.kind;
    const bool number = kind == facts::TypeKind::kInt || kind == facts::TypeKind::kBool;
    if (number && !variables_.changed(parameters[p].storage))
      parameters_[parameters[p].storage] = caller.of(call.args[p]);
  }
}

// Of a function that does nothing but to return a number that it computes.
Range LaunchRanges::returned_by(const Statement& call) const {
  constexpr int kMostCalls = 4;
  if (call.target == kNone || calls_ >= kMostCalls || call.receiver != kNone) return {};
  const auto [known, fresh] = returned_.try_emplace(&call);
  if (!fresh) return known->second;
  const facts::Function& function = kernel_.model.function(call.target);
  if (function.blocks.size() != 1 || function.blocks[0].statements.empty()) return {};
  const Statement& last = function.blocks[0].statements.back();
  if (last.kind != StatementKind::kReturn) return {};
  const KernelView& called = view_of(kernel_.model, call.target);
  return returned_[&call] = LaunchRanges(called, *this, call).of(last.value);
}

void LaunchRanges::take_grid(const Place& place) {
  const facts::Launch& launch = *place.launch.launch;
  if (place.inputs != nullptr) {
    take_dimensions(place.inputs->grid(place.launch, launch.grid, place.frame), "gridDim", "blockIdx");
    take_dimensions(place.inputs->grid(place.launch, launch.block, place.frame), "blockDim", "threadIdx");
  }
  if (!kernel_.model.native(place.where.function)) return;
  const KernelView& launching = view_of(kernel_.model, place.where.function);
  const PlainVariables host(launching);
  take_dimensions(host, launch.grid, "gridDim", "blockIdx");
  take_dimensions(host, launch.block, "blockDim", "threadIdx");
}

void LaunchRanges::take_parameters(const Place& place) {
  const facts::Model& model = kernel_.model;
  const Statement& launch = place.launch;
  const KernelView& launching = view_of(model, place.where.function);
  const PlainVariables host(launching);
  const bool native = model.native(place.where.function);
  const auto& written = model.access(model.kernel_of(place.where)).written;
  const auto& parameters = kernel_.function.parameters;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    Id given = p < launch.args.size() ? launch.args[p] : kNone;
    for (const auto& [name, value] : launch.keywords) {
      if (name == parameters[p].name) given = value;
    }
    const Id storage = parameters[p].storage;
    if (storage == kNone || given == kNone || variables_.changed(storage)) continue;
    const facts::TypeKind kind = parameters[p].type.kind;
    const auto contents = p < launch.args.size() && !(p < written.size() && written[p])
                              ? contents_in_launch(model, place.where, p)
                              : std::optional<double>();
    if (contents) memory_[storage] = {*contents, *contents};
    if (kind == facts::TypeKind::kPointer) continue;
    if (kind == facts::TypeKind::kOther && place.inputs != nullptr) {
      for (const auto& [name, number] : place.inputs->fields(given, place.frame, parameters[p].type.name))
        fields_[{storage, name}] = {number, number};
    }
    const auto& constant = model.value(given).constant;
    if (constant && constant->is_boolean()) {
      parameters_[storage].low = parameters_[storage].high = constant->get<bool>() ? 1 : 0;
    } else if (const auto number = native ? host.number(given) : std::optional<double>()) {
      parameters_[storage] = {*number, *number};
    } else if (const auto run = native && changes(host, given)
                                    ? std::optional<double>()
                                    : number_that_ran(model, place.where, place.context, p)) {
      parameters_[storage] = {*run, *run};
    } else if (const auto then =
                   place.inputs != nullptr ? place.inputs->number(given, place.frame) : std::optional<double>()) {
      parameters_[storage] = {*then, *then};
    } else if (is_size(host, given)) {
      parameters_[storage].low = 0;
    }
  }
}

void LaunchRanges::take_dimensions(const std::vector<double>& sizes, const std::string& size,
                                   const std::string& index) {
  static constexpr std::array<const char*, 3> axes{".x", ".y", ".z"};
  for (std::size_t i = 0; i < axes.size() && !sizes.empty(); ++i) {
    const double number = i < sizes.size() ? sizes[i] : 1;
    if (number < 1) continue;
    built_in_[size + axes[i]] = {number, number};
    built_in_[index + axes[i]] = {0, number - 1};
  }
}

void LaunchRanges::take_dimensions(const PlainVariables& host, Id value, const std::string& size,
                                   const std::string& index) {
  if (value == kNone) return;
  const auto take = [&](const char* axis, const std::optional<double>& number) {
    if (!number || *number < 1) return;
    built_in_[size + axis] = {*number, *number};
    built_in_[index + axis] = {0, *number - 1};
  };
  const Id made_of = host.settled(value);
  const Statement* made = host.view().flow.made(made_of);
  if (made != nullptr && made->callee == "dim3::dim3") {
    static constexpr std::array<const char*, 3> axes{".x", ".y", ".z"};
    for (std::size_t i = 0; i < axes.size(); ++i)
      take(axes[i], i < made->args.size() ? host.number(made->args[i]) : std::optional<double>(1));
    return;
  }
  const facts::Type& type = host.view().model.value(made_of).type;
  if (type.kind != facts::TypeKind::kInt) return;
  take(".x", host.number(made_of));
  take(".y", 1);
  take(".z", 1);
}

Range LaunchRanges::of(Id id, int depth) const {
  if (id == kNone || depth > kDeepest) return {};
  const facts::Value& value = kernel_.model.value(id);
  if (value.constant) {
    if (value.constant->is_boolean())
      return {value.constant->get<bool>() ? 1.0 : 0.0, value.constant->get<bool>() ? 1.0 : 0.0};
    if (!value.constant->is_number()) return {};
    return {value.constant->get<double>(), value.constant->get<double>()};
  }
  static constexpr std::string_view package = "numba.cuda.";
  const std::size_t in_package = value.symbol.starts_with(package) ? package.size() : 0;
  if (const auto known = built_in_.find(value.symbol.substr(in_package)); known != built_in_.end())
    return known->second;
  const Statement* s = kernel_.flow.made(id);
  if (s == nullptr) return {};
  if (s->kind == StatementKind::kLoad) {
    if (kernel_.flow.deref(*s)) return at(s->location.base);
    const Statement* whole = s->location.element ? kernel_.flow.made(s->location.base) : nullptr;
    if (whole != nullptr && whole->kind == StatementKind::kLoad && decorated_by(kernel_.function, "triton"))
      return of(s->location.base, depth + 1);  // rows[:, None]
    if (s->location.base != kNone) return of_member(*s);
    if (s->location.element) return {};
    if (const auto counted = of_counter(s->location.storage, depth)) return *counted;
    if (const auto kept =
            s->location.storage == kNone ? std::nullopt : unchanged_variable(kernel_.model, s->location.storage))
      return {*kept, *kept};
    if (variables_.plain(s->location.storage))
      return of(kernel_.flow.stores_to(s->location.storage).front()->value, depth + 1);
    const auto known = parameters_.find(s->location.storage);
    return known == parameters_.end() ? Range{} : known->second;
  }
  if (s->kind == StatementKind::kPhi && s->callee.empty() && !s->args.empty()) {
    Range all = of(s->args[0], depth + 1);
    for (const Id arg : s->args) {
      const Range one = of(arg, depth + 1);
      all = {std::min(all.low, one.low), std::max(all.high, one.high)};
    }
    return all;
  }
  if (s->kind != StatementKind::kCall) return {};
  if (const auto access = facts::device_access(kernel_.model.facts(), *s); access && access->read != kNone)
    return at(access->read);
  const Range range = of_call(*s, depth);
  // Whole numbers without a sign wrap around below zero.
  const bool wraps = value.type.name.starts_with("unsigned") && !(range.low >= 0);
  return wraps ? Range{} : range;
}

// layer.turns of a structure that the launch hands over.
Range LaunchRanges::of_member(const Statement& load) const {
  const Statement* object = kernel_.flow.made(load.location.base);
  if (load.location.element || load.location.storage == kNone || object == nullptr ||
      object->kind != StatementKind::kLoad || object->location.base != kNone ||
      !kernel_.flow.stores_to(load.location.storage).empty())
    return {};
  const auto& storages = kernel_.model.facts().storages;
  const auto known =
      fields_.find({object->location.storage, storages[static_cast<std::size_t>(load.location.storage)].name});
  return known == fields_.end() ? Range{} : known->second;
}

// Of memory that a pointer leads to.
Range LaunchRanges::at(Id pointer) const {
  const auto known = memory_.find(kernel_.root(pointer));
  return known == memory_.end() ? Range{} : known->second;
}

// A variable that starts somewhere and only goes up, or only down.
std::optional<Range> LaunchRanges::of_counter(Id storage, int depth) const {
  if (storage == kNone || variables_.changed(storage) || depth > kDeepest / 4) return std::nullopt;
  if (kernel_.model.facts().storages[static_cast<std::size_t>(storage)].kind != facts::StorageKind::kLocal ||
      parameters_.contains(storage))
    return std::nullopt;
  const auto& stores = kernel_.flow.stores_to(storage);
  if (stores.size() < 2) return std::nullopt;
  Range all{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Statement* store : stores) {
    if (store->location.element) return std::nullopt;
    const Statement* step = kernel_.flow.made(store->value);
    const bool up = step != nullptr && (step->callee == "operator.iadd" || step->callee == "operator.add");
    const bool down = step != nullptr && (step->callee == "operator.isub" || step->callee == "operator.sub");
    const Statement* before = (up || down) && step->args.size() == 2 ? kernel_.flow.made(step->args[0]) : nullptr;
    if (before != nullptr && before->kind == StatementKind::kLoad && before->location.storage == storage) {
      const Range by = of(step->args[1], depth + 1);
      if (!(up ? by.low >= 0 : by.high <= 0)) all.low = -std::numeric_limits<double>::infinity();
      if (!(up ? by.high <= 0 : by.low >= 0)) all.high = std::numeric_limits<double>::infinity();
      continue;
    }
    const Range first = of(store->value, depth + 1);
    all = {std::min(all.low, first.low), std::max(all.high, first.high)};
  }
  return all.low > all.high ? Range{} : all;
}

Range LaunchRanges::of_call(const Statement& call, int depth) const {
  const std::string& name = call.callee;
  if (call.target != kNone) return returned_by(call);
  if (name == "operator.cast" && call.args.size() == 1) return of(call.args[0], depth + 1);
  if (name == "operator.neg" && call.args.size() == 1) {
    const Range only = of(call.args[0], depth + 1);
    return {-only.high, -only.low};
  }
  if (name.starts_with("numba.cuda.grid")) return of_grid(call);
  if (name.starts_with("triton.language.") || call.receiver != kNone || name == "builtins.next")
    return of_triton(call, depth);
  if (one_of(name, {"__uint_as_float", "__int_as_float"}) && call.args.size() == 1) {
    const Range bits = of(call.args[0], depth + 1);
    return bits.point() && bits.low == 0 ? bits : Range{};
  }
  if (call.args.size() != 2) return {};
  const Range left = of(call.args[0], depth + 1), right = of(call.args[1], depth + 1);
  if (name == "operator.add") return {left.low + right.low, left.high + right.high};
  if (name == "operator.sub" && (kernel_.flow.same(call.args[0], call.args[1]) || same_element(call))) return {0, 0};
  if (name == "operator.and_" && ((right.point() && right.low == 0) || (left.point() && left.low == 0))) return {0, 0};
  if (name == "operator.sub") return {left.low - right.high, left.high - right.low};
  if (one_of(last_part(name), {"min", "fmin", "fminf"}))
    return {std::min(left.low, right.low), std::min(left.high, right.high)};
  if (one_of(last_part(name), {"max", "fmax", "fmaxf"}))
    return {std::max(left.low, right.low), std::max(left.high, right.high)};
  if (name == "operator.mul") return of_product(left, right);
  if (!right.point() || !(left.low >= 0) || !std::isfinite(right.low)) return {};
  const double by = right.low;
  if (name == "operator.floordiv" && by > 0) return {std::floor(left.low / by), std::floor(left.high / by)};
  if (name == "operator.mod" && by > 0) return {0, std::min(left.high, by - 1)};
  if (name == "operator.rshift" && by >= 0)
    return {std::floor(left.low / std::exp2(by)), std::floor(left.high / std::exp2(by))};
  if (name == "operator.and_" && by >= 0) return {0, std::min(left.high, by)};
  return {};
}

// x[i] - x[i] of memory that the kernel does not write.
bool LaunchRanges::same_element(const Statement& call) const {
  const Statement *left = kernel_.flow.made(call.args[0]), *right = kernel_.flow.made(call.args[1]);
  if (left == nullptr || right == nullptr || left->kind != StatementKind::kLoad ||
      right->kind != StatementKind::kLoad || !kernel_.flow.deref(*left) || !kernel_.flow.deref(*right) ||
      !kernel_.flow.same(left->location.base, right->location.base) ||
      !kernel_.flow.same(left->location.key, right->location.key))
    return false;
  const Id root = kernel_.root(left->location.base);
  const auto& parameters = kernel_.function.parameters;
  return std::any_of(parameters.begin(), parameters.end(), [&](const facts::Parameter& each) {
    return each.storage == root && root != kNone && each.is_const_pointer;
  });
}

// Numba's grid(1) and gridsize(1).
Range LaunchRanges::of_grid(const Statement& call) const {
  const Json* axes = call.args.empty() ? nullptr : constant_of(kernel_.model, call.args[0]);
  if (axes == nullptr || *axes != Json(1)) return {};
  const auto size = [&](const char* name) {
    const auto known = built_in_.find(name);
    return known == built_in_.end() ? Range{1} : known->second;
  };
  const Range threads = of_product(size("gridDim.x"), size("blockDim.x"));
  return call.callee == "numba.cuda.grid" ? Range{0, threads.high - 1} : threads;
}

Range LaunchRanges::of_triton(const Statement& call, int depth) const {
  const std::string last = last_part(call.callee);
  if (last == "to" && call.receiver != kNone) return of(call.receiver, depth + 1);
  if (call.callee == "builtins.next") return counted(call, depth).first;
  if (call.args.empty()) return {};
  if (last == "program_id" || last == "num_programs") {
    const Range axis = of(call.args[0], depth + 1);
    const std::string name = last == "program_id" ? "blockIdx." : "gridDim.";
    const auto known =
        axis.point() ? built_in_.find(name + static_cast<char>('x' + static_cast<int>(axis.low))) : built_in_.end();
    return known == built_in_.end() ? Range{} : known->second;
  }
  if (last == "load") return at(call.args[0]);
  const Range first = of(call.args[0], depth + 1);
  if (last == "zeros") return {0, 0};
  if (last == "cast" || last == "max_contiguous" || last == "multiple_of" || last == "broadcast_to") return first;
  if (call.args.size() != 2) return {};
  const Range second = of(call.args[1], depth + 1);
  if (last == "full") return second;
  if (last == "arange") return {first.low, second.high - 1};
  if (last == "cdiv" && second.point() && second.low > 0)
    return {std::ceil(first.low / second.low), std::ceil(first.high / second.low)};
  if (last == "minimum") return {std::min(first.low, second.low), std::min(first.high, second.high)};
  if (last == "maximum") return {std::max(first.low, second.low), std::max(first.high, second.high)};
  return {};
}

std::pair<Range, bool> LaunchRanges::counted(const Statement& next, int depth) const {
  const Statement* iter = next.args.empty() ? nullptr : kernel_.flow.made(next.args[0]);
  const Statement* range = iter == nullptr || iter->args.empty() ? nullptr : kernel_.flow.made(iter->args[0]);
  if (range == nullptr || range->args.empty() || range->star_args ||
      !one_of(last_part(range->callee), {"range", "static_range"}))
    return {Range{}, true};
  const bool from_zero = range->args.size() == 1;
  const Range start = from_zero ? Range{0, 0} : of(range->args[0], depth + 1);
  const Range end = of(range->args[from_zero ? 0 : 1], depth + 1);
  const Range step = range->args.size() < 3 ? Range{1, 1} : of(range->args[2], depth + 1);
  if (!(step.low > 0)) return {Range{}, true};
  return {Range{start.low, end.high - 1}, !(start.low >= end.high)};
}

// Whether a thread may leave a block to this side of its condition.
bool LaunchRanges::may_go_on(Id id, bool side) const {
  const facts::Block& block = kernel_.function.blocks[static_cast<std::size_t>(id)];
  for (const Statement& s : block.statements) {
    if (s.callee == "builtins.next") return !side || counted(s, 0).second;
  }
  return may_be(block.condition, side);
}

std::vector<bool> LaunchRanges::reached() const {
  std::vector<bool> reached(kernel_.function.blocks.size(), false);
  std::vector<Id> todo;
  const auto add = [&](Id block) {
    if (!reached[static_cast<std::size_t>(block)]) todo.push_back(block);
    reached[static_cast<std::size_t>(block)] = true;
  };
  if (!reached.empty()) add(0);
  while (!todo.empty()) {
    const Id at = todo.back();
    todo.pop_back();
    for (const facts::Edge& edge : kernel_.function.blocks[static_cast<std::size_t>(at)].successors) {
      const bool yes = edge.kind == facts::EdgeKind::kTrue, no = edge.kind == facts::EdgeKind::kFalse;
      if ((!yes && !no) || may_go_on(at, yes)) add(edge.to);
    }
  }
  return reached;
}

bool LaunchRanges::may_be(Id id, bool side, int depth) const {
  if (id == kNone || depth > kDeepest) return true;
  const facts::Value& value = kernel_.model.value(id);
  if (value.constant && (value.constant->is_boolean() || value.constant->is_number_integer()))
    return (value.constant->is_boolean() ? value.constant->get<bool>() : *value.constant != 0) == side;
  const Id made_of = variables_.settled(id);
  if (made_of != id) return may_be(made_of, side, depth + 1);
  const Statement* s = kernel_.flow.made(id);
  if (s == nullptr) return true;
  const auto some = [&](bool wanted) {
    return std::any_of(s->args.begin(), s->args.end(), [&](Id arg) { return may_be(arg, wanted, depth + 1); });
  };
  const auto each = [&](bool wanted) {
    return std::all_of(s->args.begin(), s->args.end(), [&](Id arg) { return may_be(arg, wanted, depth + 1); });
  };
  if (s->kind == StatementKind::kPhi) {
    if (s->callee == "and") return side ? each(true) : some(false);
    if (s->callee == "or") return side ? some(true) : each(false);
    return true;
  }
  if (s->kind == StatementKind::kLoad) {
    if (s->location.element && decorated_by(kernel_.function, "triton"))
      return may_be(s->location.base, side, depth + 1);
    const Range range = of(id, depth + 1);
    return side ? range.low != 0 || range.high != 0 : range.low <= 0 && range.high >= 0;
  }
  if (s->kind != StatementKind::kCall) return true;
  if (s->callee == "operator.not_" && s->args.size() == 1) return may_be(s->args[0], !side, depth + 1);
  if (s->args.size() != 2) return true;
  if (s->callee == "operator.and_") return !side || each(true);
  if (s->callee == "operator.or_") return side ? some(true) : each(false);
  const Range left = of(s->args[0]);
  Range right = of(s->args[1]);
  // An index lies below its own dimension, whatever that is.
  const std::string index = kernel_.model.value(variables_.settled(s->args[0])).symbol;
  const std::string size = kernel_.model.value(variables_.settled(s->args[1])).symbol;
  if ((index.starts_with("threadIdx.") && size == "blockDim" + index.substr(9)) ||
      (index.starts_with("blockIdx.") && size == "gridDim" + index.substr(8)))
    right.low = right.high = std::max(right.low, left.high + 1);
  const bool less = left.low<right.high, greater = left.high> right.low;  // is possible
  const bool not_less = left.high >= right.low, not_greater = left.low <= right.high;
  const bool equal = not_less && not_greater, unequal = !(left.point() && right.point() && left.low == right.low);
  const std::string& name = s->callee;
  if (name == "operator.lt") return side ? less : not_less;
  if (name == "operator.ge") return side ? not_less : less;
  if (name == "operator.gt") return side ? greater : not_greater;
  if (name == "operator.le") return side ? not_greater : greater;
  if (name == "operator.eq") return side ? equal : unequal;
  if (name == "operator.ne") return side ? unequal : equal;
  return true;
}

Id LaunchRanges::barred_by(Id block) const {
  for (std::size_t d = 0; d < kernel_.function.blocks.size(); ++d) {
    const Id decider = static_cast<Id>(d);
    if (kernel_.function.blocks[d].condition == kNone) continue;
    const auto side = kernel_.side(decider, block);
    if (side && !may_go_on(decider, *side)) return decider;
  }
  return kNone;
}

}  // namespace kernel_audit::analysis::rules
