#include "analysis/rules/launched.h"

#include "analysis/rules/kernel_code.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;
using facts::StatementRef;

double size_of(std::string type) {
  for (const char* word : {"const ", "volatile ", "unsigned ", "signed "}) {
    if (type.starts_with(word)) type.erase(0, std::string_view(word).size());
  }
  type = type.substr(0, type.find_first_of("*[&"));
  while (type.ends_with(' ')) type.pop_back();
  static const std::map<std::string, double> sizes{
      {"float", 4},          {"int", 4},     {"double", 8},    {"long", 8},          {"long long", 8},
      {"short", 2},          {"char", 1},    {"float2", 8},    {"float4", 16},       {"int2", 8},
      {"int4", 16},          {"uint2", 8},   {"uint4", 16},    {"double2", 16},      {"__half", 2},
      {"half", 2},           {"__half2", 4}, {"c10::Half", 2}, {"__nv_bfloat16", 2}, {"c10::BFloat16", 2},
      {"__nv_bfloat162", 4}, {"float3", 12}, {"bool", 1}};
  const auto known = sizes.find(type);
  return known == sizes.end() ? 0 : known->second;
}

Launched::Launched(const Model& model, HostNumbers& host, const StatementRef& where, facts::ContextId context)
    : model_(model), host_(host), statement_(*model.statement(where)), where_(where), kernel_(model.kernel_of(where)) {
  frame_ = host.frame(where, context);
  grid_ = host.grid(statement_, statement_.launch->grid, frame_);
  block_ = host.grid(statement_, statement_.launch->block, frame_);
  const auto& parameters = model.function(kernel_).parameters;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const Id given = argument_of(p);
    std::optional<double> number = given == kNone ? std::nullopt : host.number(given, frame_);
    if (given == kNone && parameters[p].value != kNone) {
      const Json* constant = constant_of(model, parameters[p].value);
      if (constant != nullptr && constant->is_number()) number = constant->get<double>();
    }
    if (number && parameters[p].storage != kNone) numbers_[parameters[p].storage] = *number;
    if (number || given == kNone || parameters[p].type.kind != facts::TypeKind::kOther) continue;
    for (const auto& [name, value] : host.fields(given, frame_, parameters[p].type.name))
      fields_[{parameters[p].storage, name}] = value;
  }
}

Id Launched::argument_of(std::size_t parameter) const {
  for (const auto& [name, value] : statement_.keywords) {
    if (name == model_.function(kernel_).parameters[parameter].name) return value;
  }
  return parameter < statement_.args.size() && !statement_.star_args ? statement_.args[parameter] : kNone;
}

std::optional<double> Launched::elements(std::size_t parameter) {
  const Id given = argument_of(parameter);
  return given == kNone ? std::nullopt : host_.elements(given, frame_);
}

std::optional<HostNumbers::Part> Launched::part(std::size_t parameter) {
  const Id given = argument_of(parameter);
  return given == kNone ? std::nullopt : host_.part(given, frame_);
}
std::optional<double> Launched::elements_of_whole(const HostNumbers::Part& part) {
  return host_.elements(part.whole, part.frame);
}

double Launched::element_size(std::size_t parameter, double pointed) const {
  const double given = size_behind(where_.function, argument_of(parameter));
  if (given != 0) return given;
  // Of memory whose elements nothing tells, a pointer to vectors, or to what is wider, may move several at once.
  constexpr double kWidest = 4;
  const std::string& type = model_.function(kernel_).parameters[parameter].type.name;
  std::string_view name = std::string_view(type).substr(0, type.find_first_of("*[&"));
  while (name.ends_with(' ')) name.remove_suffix(1);
  const bool vectors = !name.empty() && name.back() >= '0' && name.back() <= '9';
  return vectors || pointed > kWidest ? 0 : pointed;
}

bool Launched::known() const {
  return !grid_.empty() && (!block_.empty() || decorated_by(model_.function(kernel_), "triton"));
}

// Through casts, variables and functions that return what they are handed.
double Launched::size_behind(Id function, Id at, int depth) const {
  constexpr int kDeepest = 6;
  if (at == kNone || depth > kDeepest) return 0;
  const KernelView& view = view_of(model_, function);
  const Statement* made = view.flow.made(at);
  if (made != nullptr && made->target != kNone && model_.function(made->target).blocks.size() == 1) {
    const auto& statements = model_.function(made->target).blocks.front().statements;
    if (!statements.empty() && statements.back().kind == StatementKind::kReturn)
      return size_behind(made->target, statements.back().value, depth + 1);
  }
  if (made != nullptr && made->callee == "operator.cast" && made->args.size() == 1)
    return size_behind(function, made->args[0], depth + 1);
  if (made != nullptr && made->kind == StatementKind::kLoad) {
    const auto& stores = view.flow.stores_to(made->location.storage);
    if (stores.size() == 1) return size_behind(function, stores.front()->value, depth + 1);
  }
  return size_of(model_.value(at).type.name);
}

}  // namespace kernel_audit::analysis::rules
