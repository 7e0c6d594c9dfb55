#include <sstream>

#include "analysis/facts/facts_enums.h"
#include "analysis/split/extract.h"

namespace kernel_audit::analysis::split {
namespace {

using facts::Id;
using facts::kNone;

class Dumper {
 public:
  explicit Dumper(const facts::Facts& facts) : facts_(facts) {}

  std::string run() {
    for (std::size_t i = 0; i < facts_.units.size(); ++i) {
      const facts::Unit& unit = facts_.units[i];
      out_ << "unit " << i << " " << name_of(unit.language) << " " << unit.name << (unit.parsed ? "" : " unparsed");
      for (const std::string& flag : unit.build_flags) out_ << " " << flag;
      out_ << "\n";
    }
    for (std::size_t i = 0; i < facts_.classes.size(); ++i) {
      const facts::Class& each = facts_.classes[i];
      out_ << "class " << each.qualified_name << "(";
      for (std::size_t b = 0; b < each.bases.size(); ++b) out_ << (b == 0 ? "" : ", ") << each.bases[b];
      out_ << ")" << (facts_.entry_class == static_cast<Id>(i) ? " entry" : "") << "\n";
      for (const auto& [name, type] : each.attributes) out_ << "  ." << name << ": " << type_name(type) << "\n";
    }
    for (const facts::Binding& binding : facts_.bindings) {
      out_ << "binding " << binding.extension << "." << binding.name << " = " << function_name(binding.function)
           << "\n";
    }
    for (std::size_t i = 0; i < facts_.functions.size(); ++i)
      function(facts_.functions[i], static_cast<Id>(i) == facts_.entry_function);
    for (const facts::Problem& problem : facts_.problems) {
      out_ << "problem " << problem.kind << " line " << problem.span.line << ": " << problem.message << "\n";
    }
    return out_.str();
  }

 private:
  static std::string type_name(const facts::Type& type) {
    std::string name(name_of(type.kind));
    return type.name.empty() ? name : name + " " + type.name;
  }

  std::string function_name(Id id) const {
    return id >= 0 && static_cast<std::size_t>(id) < facts_.functions.size()
               ? facts_.functions[static_cast<std::size_t>(id)].qualified_name
               : "?";
  }

  // "%3" with what is known of it.
  std::string value(Id id) const {
    if (id == kNone) return "-";
    const facts::Value& each = facts_.values[static_cast<std::size_t>(id)];
    std::string text = "%" + std::to_string(id);
    if (each.constant) {
      std::string constant = each.constant->dump(-1, ' ', false, Json::error_handler_t::replace);
      if (constant.size() > 40) constant = constant.substr(0, 37) + "...";
      return text + "=" + constant;
    }
    if (!each.symbol.empty()) return text + "=" + each.symbol;
    if (each.function != kNone) return text + "=" + function_name(each.function);
    return text;
  }

  std::string location(const facts::Location& where) const {
    std::string text;
    if (where.base != kNone) text += value(where.base) + " ";
    if (where.storage != kNone) {
      const facts::Storage& each = facts_.storages[static_cast<std::size_t>(where.storage)];
      text += std::string(name_of(each.kind)) + ":" + each.name;
    }
    if (where.element) text += "[" + value(where.key) + "]";
    return text;
  }

  void function(const facts::Function& each, bool entry) {
    out_ << "function " << each.qualified_name << "(";
    for (std::size_t i = 0; i < each.parameters.size(); ++i) {
      const facts::Parameter& parameter = each.parameters[i];
      out_ << (i == 0 ? "" : ", ") << parameter.name << ": " << type_name(parameter.type);
    }
    out_ << ")" << (entry ? " entry" : "") << (each.is_kernel ? " kernel" : "");
    for (const std::string& decorator : each.decorators) out_ << " @" << decorator;
    out_ << "\n";
    for (std::size_t b = 0; b < each.blocks.size(); ++b) {
      const facts::Block& block = each.blocks[b];
      if (block.statements.empty() && block.successors.empty()) continue;
      out_ << " block " << b;
      if (block.in_try != kNone) out_ << " try " << block.in_try;
      if (block.handler_of != kNone) out_ << " handler " << block.handler_of;
      if (block.in_finally) out_ << " finally";
      out_ << "\n";
      for (const facts::Statement& statement : block.statements) line(statement);
      if (!block.successors.empty()) out_ << "   ->";
      if (block.condition != kNone) out_ << " if " << value(block.condition);
      for (const facts::Edge& edge : block.successors) out_ << " " << name_of(edge.kind) << ":" << edge.to;
      if (!block.successors.empty()) out_ << "\n";
    }
  }

  void line(const facts::Statement& each) {
    out_ << "  " << (each.span.line > 0 ? "L" + std::to_string(each.span.line) + " " : "");
    switch (each.kind) {
      case facts::StatementKind::kLoad:
        out_ << value(each.result) << " <- " << location(each.location);
        break;
      case facts::StatementKind::kStore:
        out_ << location(each.location) << " := " << value(each.value);
        break;
      case facts::StatementKind::kReturn:
        out_ << (each.yields ? "yield " : "return ") << value(each.value);
        break;
      case facts::StatementKind::kRaise:
        out_ << "raise " << value(each.value);
        break;
      default:
        out_ << value(each.result) << " = " << name_of(each.kind) << " "
             << (each.callee.empty() ? value(each.callee_value) : each.callee);
        if (each.target != kNone) out_ << " => " << function_name(each.target);
        if (each.launch)
          out_ << " <" << each.launch->kernel_name << " => " << function_name(each.launch->kernel_function) << " grid "
               << value(each.launch->grid) << " stream " << each.launch->stream_origin << ">";
        out_ << " (";
        if (each.receiver != kNone) out_ << "self=" << value(each.receiver) << "; ";
        for (const Id arg : each.args) out_ << value(arg) << " ";
        for (const auto& [name, arg] : each.keywords) out_ << name << "=" << value(arg) << " ";
        out_ << (each.star_args ? "*)" : ")");
        if (each.result != kNone) {
          const facts::Type& type = facts_.values[static_cast<std::size_t>(each.result)].type;
          if (type.kind != facts::TypeKind::kUnknown) out_ << " : " << type_name(type);
        }
    }
    out_ << "\n";
  }

  const facts::Facts& facts_;
  std::ostringstream out_;
};

}  // namespace

std::string dump(const facts::Facts& facts) { return Dumper(facts).run(); }

}  // namespace kernel_audit::analysis::split
