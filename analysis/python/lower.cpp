#include "analysis/python/lower.h"

#include <algorithm>

#include "analysis/facts/compiled_in.h"
#include "analysis/python/lowerer.h"
#include "auditor/core/digest.h"

namespace kernel_audit::analysis::python {
namespace {

constexpr int kMostGiven = 32;  // arguments that *positional holds one by one

}  // namespace

LowerResult lower_python(const std::vector<PythonFile>& files, const std::vector<split::VirtualFile>& others,
                         Interpreter& interpreter, const split::Locator& locator, const LowerLimits& limits) {
  return Lowerer(files, others, interpreter, locator, limits).run();
}

Lowerer::Lowerer(const std::vector<PythonFile>& files, const std::vector<split::VirtualFile>& others,
                 Interpreter& interpreter, const split::Locator& locator, const LowerLimits& limits)
    : files_(files), others_(others), interpreter_(interpreter), locator_(locator), limits_(limits) {}

// Parses unit.text; false (with a problem noted) when it does not parse.
bool Lowerer::load_unit(PythonUnit& unit, const char* mode) {
  Result<Json> answer = interpreter_.parse(unit.text.bytes, mode);
  facts::Problem note;
  note.unit = unit.facts_unit;
  note.span = locator_.locate(unit.text.map.resolve(0, 0));
  if (!answer) {
    note.kind = "limit";
    note.message = "The source could not be read: " + answer.error().message;
    unit_problems_.push_back(note);
    return false;
  }
  if (answer->contains("encoding") && answer->contains("decoded") && (*answer)["decoded"].is_string()) {
    note.kind = "encoding";
    note.message = "The source declares the encoding '" + (*answer)["encoding"].get<std::string>() +
                   "', under which it reads differently than as UTF-8; positions are those of the whole file.";
    unit_problems_.push_back(note);
    const SourceSpan all = unit.text.map.resolve(0, unit.text.map.size());
    unit.text = split::Text::coarse((*answer)["decoded"].get<std::string>(), all);
  }
  if (answer->contains("error")) {
    const Json& error = (*answer)["error"];
    const auto line = static_cast<std::size_t>(std::max<std::int64_t>(1, error.value("line", std::int64_t{1})));
    const std::vector<std::int64_t> starts = python_line_starts(unit.text.bytes);
    const std::int64_t column = std::max<std::int64_t>(1, error.value("column", std::int64_t{1}));
    const std::int64_t at = starts[std::min(line, starts.size()) - 1] + column - 1;
    note.kind = error.value("kind", "syntax-error");
    note.message = (note.kind == "limit" ? "The source is beyond a limit of the Python parser: "
                                         : "The source is not valid Python: ") +
                   error.value("message", "") + ".";
    note.span = locator_.locate(unit.text.map.resolve(at, at));
    unit_problems_.push_back(note);
    return false;
  }
  note_directives(unit, *answer);
  Result<std::unique_ptr<Ast>> ast = Ast::from_answer(std::move(*answer), unit.text.bytes);
  if (!ast) {
    note.kind = "limit";
    note.message = ast.error().message;
    unit_problems_.push_back(note);
    return false;
  }
  unit.ast = std::move(*ast);
  return true;
}

// Comments that speak to the program, as Python's own tokeniser found them.
void Lowerer::note_directives(const PythonUnit& unit, const Json& answer) {
  const auto comments = answer.find("comments");
  if (comments == answer.end() || !comments->is_array() || answer.contains("decoded")) return;
  const std::vector<std::int64_t> starts = python_line_starts(unit.text.bytes);
  std::vector<split::ByteRange> ranges;
  for (const Json& comment : *comments) {
    if (!comment.is_array() || comment.size() != 3) continue;
    std::int64_t numbers[3];
    for (std::size_t i = 0; i < 3; ++i)
      numbers[i] = comment[i].is_number_integer() ? comment[i].get<std::int64_t>() : -1;
    if (numbers[0] < 1 || numbers[0] > static_cast<std::int64_t>(starts.size()) || numbers[1] < 0) continue;
    const std::int64_t line = starts[static_cast<std::size_t>(numbers[0] - 1)];
    const auto begin = static_cast<std::size_t>(line + numbers[1]);
    // Line counts of tokeniser and compiler differ in odd sources: what is no comment there is left out.
    if (begin < unit.text.bytes.size() && unit.text.bytes[begin] == '#' && numbers[2] > numbers[1])
      ranges.push_back({begin, static_cast<std::size_t>(line + numbers[2])});
  }
  for (facts::Directive& each : split::directives_of(unit.text, ranges, "#", locator_))
    directives_.push_back(std::move(each));
}

LowerResult Lowerer::run() {
  for (const PythonFile& file : files_) {
    auto unit = std::make_unique<PythonUnit>();
    unit->name = file.path;
    unit->path = file.path;
    unit->text =
        split::Text{file.text, split::OffsetMap::identity(file.file, static_cast<std::int64_t>(file.text.size()))};
    unit->facts_unit = static_cast<Id>(units_.size());
    PythonUnit* raw = unit.get();
    units_.push_back(std::move(unit));
    if (!load_unit(*raw, "exec")) continue;
    auto body = std::make_unique<FunctionInfo>();
    body->node = raw->ast->root();
    body->unit = raw;
    body->name = "<module>";
    body->qualified_name = raw->name;
    raw->body = static_cast<Id>(functions_.size());
    functions_.push_back(std::move(body));
    raw->scope = make_scope(ScopeKind::kModule, nullptr, raw, raw->ast->root(), raw->body, kNone);
    functions_.back()->scope = raw->scope;
  }
  bool stable = false;
  for (round_ = 0; round_ < limits_.rounds && !stable && !limit_hit_; ++round_) {
    run_round();
    stable = !finish_round(round_ >= limits_.rounds / 2);
  }
  final_round_ = true;
  limit_hit_ = false;
  run_round();
  finish_round(true);
  fill_classes();
  choose_entry();
  for (const auto& unit : units_) {
    facts::Unit& entry = facts_.units.emplace_back();
    entry.name = unit->name;
    entry.parent = unit->parent_unit;
    entry.module_body = unit->body;
    entry.sha256 = sha256_hex(unit->text.bytes);
    entry.parsed = unit->ast != nullptr;
  }
  facts_.storages = storages_;
  facts_.directives = directives_;
  facts_.problems.insert(facts_.problems.begin(), unit_problems_.begin(), unit_problems_.end());
  if (limit_hit_) {
    problem("limit",
            "The candidate is too large: lowering stopped after " + std::to_string(limits_.statements) + " statements.",
            nullptr);
  }
  const Result<std::string> version = interpreter_.version();
  facts_.python_version = version ? *version : std::string();
  return LowerResult{std::move(facts_), std::move(sources_)};
}

void Lowerer::run_round() {
  facts_ = facts::Facts{};
  sources_.clear();
  labels_.clear();
  pending_.clear();
  statement_count_ = 0;
  epoch_ = 0;
  for (auto& function : functions_) {
    function->reached = false;
    function->default_values.clear();
  }
  for (auto& each : classes_) each->overrides.clear();
  for (auto& unit : units_) unit->importing = false;
  if (!units_.empty() && units_.front()->body != kNone) lower_module(*units_.front());
  for (std::size_t i = 0; i < pending_.size(); ++i) lower_body(pending_[i]);
  // Files of the candidate that nothing imported are no part of what runs; their facts stay empty.
  facts_.functions.resize(functions_.size());
  for (std::size_t id = 0; id < functions_.size(); ++id) {
    facts::Function& out = facts_.functions[id];
    const FunctionInfo& info = *functions_[id];
    if (!out.name.empty()) continue;
    out.name = info.name;
    out.qualified_name = info.qualified_name;
    out.unit = info.unit->facts_unit;
    out.class_id = info.class_id;
    out.enclosing_function = info.enclosing;
    out.is_module_body = info.node->type() == NodeType::kModule;
  }
}

// Takes over what the round learned. True when something differs from the round before.
bool Lowerer::finish_round(bool widen) {
  bool changed = false;
  const auto settle = [&](Abstract& prev, Abstract& next) {
    if (!equal(prev, next)) {
      changed = true;
      prev = widen ? widened(joined(prev, next)) : next;
    }
    next = Abstract{};
  };
  const auto settle_cell = [&](Cell& cell) {
    settle(cell.prev, cell.next);
    cell.first_store_epoch.reset();
    cell.calls_between_stores = false;
  };
  for (auto& scope : scopes_) {
    for (auto& [name, cell] : scope->cells) settle_cell(*cell);
  }
  for (auto& [name, cell] : foreign_) settle_cell(cell);
  for (auto& [name, cell] : other_) settle_cell(cell);
  for (auto& [name, cell] : written_files_) settle_cell(cell);
  for (auto& function : functions_) {
    settle(function->returns_prev, function->returns_next);
    for (auto& [name, value] : function->given_next) settle(function->given_prev[name], value);
    for (auto& [name, cell] : function->attributes) settle_cell(*cell);
    const bool same = function->rest_prev == function->rest_next;
    changed = changed || !same;
    function->rest_prev = widen && !same ? FunctionInfo::kVaries : function->rest_next;
    function->rest_next.reset();
    function->entered_prev = std::exchange(function->entered_next, false);
  }
  for (auto& each : classes_) {
    for (auto& [name, cell] : each->attributes) settle_cell(*cell);
  }
  for (auto& [site, cell] : heap_) {
    const auto summary = [](const HeapObject& object) {
      Abstract all;
      for (const Abstract& item : object.items) join_into(all, item);
      for (const auto& [key, value] : object.entries) join_into(join_into(all, key) ? all : all, value);
      return all;
    };
    Abstract before = summary(cell.prev);
    const Abstract after = summary(cell.next);
    if (!equal(before, after) || cell.prev.items.size() != cell.next.items.size() ||
        cell.prev.entries.size() != cell.next.entries.size() || cell.prev.exact != cell.next.exact) {
      changed = true;
    }
    if (widen && !equal(before, after)) {
      cell.prev = HeapObject{cell.next.kind, false, {widened(joined(before, after))}, {}, cell.next.names};
    } else {
      cell.prev = std::move(cell.next);
    }
    if (!widen && cell.shared != cell.shared_now) {
      cell.shared = cell.shared_now;
      changed = true;
    }
    cell.shared_now = false;
    cell.next = HeapObject{};
    cell.met = false;
  }
  if (grew_) changed = true;
  grew_ = false;
  if (!final_round_) choose_entry();
  return changed;
}

void Lowerer::lower_module(PythonUnit& unit) {
  if (unit.importing || unit.body == kNone) return;
  unit.importing = true;
  lower_body(unit.body);
}

void Lowerer::lower_body(Id function) {
  FunctionInfo& info = *functions_[static_cast<std::size_t>(function)];
  if (info.in_place && !info.entered_prev && !info.escapes) return;  // nothing calls it otherwise
  Frame frame;
  frame.function = function;
  frame.unit = info.unit;
  frame.scope = info.scope;
  Frame* const outer = std::exchange(frame_, &frame);
  start_block(new_block());
  const bool is_module = info.node->type() == NodeType::kModule;
  if (!is_module) bind_parameters(function);
  if (info.node->type() == NodeType::kLambda) {
    const Operand value = expression(info.node->child("body"));
    return_value(&value, info.node);
  } else {
    statements(info.node->list("body"));
    if (frame.state.reachable && !is_module && !info.is_generator) join_into(info.returns_next, constant(nullptr));
  }
  if (is_module) {
    for (auto& [name, cell] : info.scope->cells) {
      const auto found = frame.state.variables.find(cell.get());
      cell->settled.reset();
      if (found != frame.state.variables.end() && !cell->calls_between_stores && !cell->stored_elsewhere) {
        cell->settled = found->second;
      }
    }
  }
  finish_function(frame);
  frame_ = outer;
}

void Lowerer::finish_function(Frame& frame) {
  const FunctionInfo& info = *functions_[static_cast<std::size_t>(frame.function)];
  for (std::size_t i = 0; i < frame.blocks.size(); ++i) {
    if (frame.exception_targets[i] != kNone && !frame.blocks[i].statements.empty()) {
      frame.blocks[i].successors.push_back({frame.exception_targets[i], facts::EdgeKind::kException});
    }
  }
  if (facts_.functions.size() < functions_.size()) facts_.functions.resize(functions_.size());
  facts::Function& out = facts_.functions[static_cast<std::size_t>(frame.function)];
  out.name = info.name;
  out.qualified_name = info.qualified_name;
  out.unit = info.unit->facts_unit;
  out.class_id = info.class_id;
  out.enclosing_function = info.enclosing;
  out.blocks = std::move(frame.blocks);
  out.decorators = info.decorators;
  out.is_module_body = info.node->type() == NodeType::kModule;
  out.is_kernel = info.is_kernel;
  out.is_device = info.is_kernel;
  out.is_generator = info.is_generator;
  out.is_static_method = info.is_static;
  out.is_class_method = info.is_class_method;
  out.is_property = info.is_property;
  if (final_round_) {
    out.span = span(info.node);
    out.name_span = out.span;
    const std::size_t at = info.name.empty() || info.name.front() == '<'
                               ? std::string::npos
                               : info.unit->text.bytes.find(info.name, static_cast<std::size_t>(info.node->begin));
    if (at != std::string::npos && static_cast<std::int64_t>(at) < info.node->end) {
      out.name_span = span(*info.unit, static_cast<std::int64_t>(at), static_cast<std::int64_t>(at + info.name.size()));
    }
  }
}

Abstract Lowerer::parameter_value(FunctionInfo& info, const std::string& name) {
  const auto given = info.given_prev.find(name);
  Abstract value = given == info.given_prev.end() ? Abstract{} : given->second;
  const auto has_default = info.default_values.find(name) != info.default_values.end();
  // The task hands over numbers and lists; a class or a function is what it stands for.
  const bool settled = std::all_of(value.atoms.begin(), value.atoms.end(), [](const AtomPtr& atom) {
    return atom->kind == AtomKind::kClass || atom->kind == AtomKind::kFunction || atom->kind == AtomKind::kSymbol;
  });
  if (info.escapes || (has_default && !info.called && (!settled || value.atoms.empty())))
    join_into(value, unknown("an argument whose callers are not all known"));
  const bool is_self =
      info.class_id != kNone && !info.is_static && !info.parameters.empty() && info.parameters.front() == name;
  if (is_self && !value.atoms.empty()) value.unknown = false;  // whoever calls it, it is an instance of the class
  if (is_self && value.atoms.empty()) {
    Atom atom;
    atom.kind = info.is_class_method ? AtomKind::kClass : AtomKind::kInstance;
    atom.class_id = info.class_id;
    atom.type.name = classes_[static_cast<std::size_t>(info.class_id)]->qualified_name;
    atom.type.kind = info.is_class_method                   ? TypeKind::kClass
                     : is_subclass_of_module(info.class_id) ? TypeKind::kModule
                                                            : TypeKind::kOther;
    return make(std::move(atom));
  }
  if (value.atoms.empty()) {
    if (Abstract number = number_of_task(info, name); !number.bottom()) return number;
  }
  return value;
}

// What *rest and **keywords hold.
Abstract Lowerer::variadic_value(const FunctionInfo& info, const std::string& name, Abstract given, const Node* node) {
  Atom rest;
  if (name == info.var_keyword) {
    rest.type.kind = TypeKind::kDict;
    if (info.keywords.empty() || info.keywords_vary || info.escapes || node == nullptr) return make(std::move(rest));
    HeapObject object;
    for (const std::string& keyword : info.keywords) {
      const auto held = info.given_prev.find("**" + keyword);
      Abstract value = held == info.given_prev.end() ? Abstract{} : held->second;
      if (value.bottom()) value = unknown("an argument whose callers are not known");
      object.entries.emplace_back(text(split::Text::coarse(keyword, span(node))), std::move(value));
    }
    return new_heap(TypeKind::kDict, std::move(object), node, kNone).abs;
  }
  rest.type.kind = TypeKind::kTuple;
  const int count = info.rest_prev.value_or(FunctionInfo::kVaries);
  if (info.called && !info.escapes && count >= 0 && count <= kMostGiven) {
    rest.kind = AtomKind::kTuple;
    rest.item_values.assign(static_cast<std::size_t>(count), kNone);
    for (int i = 0; i < count; ++i) {
      const auto held = info.given_prev.find("*" + std::to_string(i));
      rest.items.push_back(held == info.given_prev.end() ? Abstract{} : held->second);
      if (rest.items.back().bottom()) rest.items.back() = unknown("an argument whose callers are not known");
    }
    return make(std::move(rest));
  }
  if (info.assume_tensors && given.atoms.empty()) given = typed(TypeKind::kTensor, "torch.Tensor");
  if (!given.bottom()) rest.items = {std::move(given)};
  return make(std::move(rest));
}

void Lowerer::bind_parameters(Id function) {
  FunctionInfo& info = *functions_[static_cast<std::size_t>(function)];
  if (facts_.functions.size() < functions_.size()) facts_.functions.resize(functions_.size());
  const Node* arguments = info.node->child("args");
  std::map<std::string, const Node*> nodes;
  if (arguments != nullptr) {
    for (const Node* each : arguments->children()) nodes[each->text("arg")] = each;
  }
  std::vector<facts::Parameter> parameters;
  for (const std::string& name : info.parameters) {
    const Node* node = nodes[name];
    Abstract value = parameter_value(info, name);
    const Node* annotation = node == nullptr ? nullptr : node->child("annotation");
    Abstract annotated;
    bool compiled_in = false;
    if (annotation != nullptr && (value.bottom() || value.unknown || info.is_kernel)) {
      // The annotation is evaluated for its name only; it leaves no statement.
      const std::size_t before = frame_->blocks[static_cast<std::size_t>(frame_->current)].statements.size();
      const Operand type = expression(annotation);
      frame_->blocks[static_cast<std::size_t>(frame_->current)].statements.resize(before);
      if (const Atom* atom = type.abs.single()) {
        compiled_in = info.is_kernel && atom->symbol.ends_with(facts::kCompiledIn);
        if (atom->kind == AtomKind::kSymbol)
          annotated = foreign_result(atom->symbol == "builtins.str" ? "builtins.str" : atom->symbol);
      }
    }
    const bool variadic = name == info.var_positional || name == info.var_keyword;
    if (variadic) {
      value = variadic_value(info, name, std::move(value), node);
    } else if (!annotated.bottom() && !annotated.unknown && (value.bottom() || value.atoms.empty())) {
      value = annotated;
    } else if (info.assume_tensors && value.unknown) {
      value = joined(typed(TypeKind::kTensor, "torch.Tensor"), value);
      value.unknown = false;
      value.reason.clear();
    } else if (value.bottom()) {
      value = info.assume_tensors ? typed(TypeKind::kTensor, "torch.Tensor")
                                  : unknown("an argument whose callers are not known");
    }
    if (info.assume_tensors && !variadic)
      value.usual = given_by_task("get_inputs", parameters.size() - (info.class_id != kNone ? 1 : 0)).usual;
    Cell& cell = info.scope->cell(name);
    const Operand operand = make_value(value, node == nullptr ? info.node : node, facts::OriginKind::kArgument);
    facts::Parameter& out = parameters.emplace_back();
    out.name = name;
    out.type = type_of(value);
    if (compiled_in) out.type.name = facts::kCompiledIn;
    out.value = operand.value;
    out.storage = storage_of(cell, *info.scope, name, node);
    out.variadic = variadic;
    if (const auto standing = info.default_values.find(name); standing != info.default_values.end())
      out.default_value = standing->second;
    write_cell(cell, info.scope, value);
  }
  facts_.functions[static_cast<std::size_t>(function)].parameters = std::move(parameters);
}

void Lowerer::problem(const std::string& kind, const std::string& message, const Node* node, bool blocks_clean) {
  if (!final_round_) return;
  facts::Problem entry;
  entry.kind = kind;
  entry.message = message;
  entry.blocks_clean = blocks_clean;
  if (frame_ != nullptr) entry.unit = frame_->unit->facts_unit;
  if (node != nullptr && frame_ != nullptr) entry.span = span(node);
  facts_.problems.push_back(std::move(entry));
}

bool Lowerer::over_budget() {
  if (statement_count_ > limits_.statements) limit_hit_ = true;
  return limit_hit_;
}

}  // namespace kernel_audit::analysis::python
