#include "analysis/cuda/extract/dump.h"

namespace kernel_audit::analysis::cuda {
namespace {

using facts::EdgeKind;
using facts::Id;
using facts::kNone;
using facts::Statement;
using facts::StatementKind;
using facts::StorageKind;

class Dumper {
 public:
  explicit Dumper(const facts::Facts& facts) : facts_(facts) {}

  std::string value(Id id) const {
    if (id == kNone) return "-";
    const facts::Value& known = facts_.values[static_cast<std::size_t>(id)];
    if (known.constant) return known.constant->dump();
    if (known.function != kNone) return "@" + facts_.functions[static_cast<std::size_t>(known.function)].qualified_name;
    if (!known.symbol.empty()) return known.symbol;
    std::string text = "%" + std::to_string(id);
    if (known.origin == facts::OriginKind::kUnknown) text += "?";
    return text;
  }

  std::string values(const std::vector<Id>& ids) const {
    std::string text;
    for (const Id id : ids) text += (text.empty() ? "" : ", ") + value(id);
    return text;
  }

  std::string location(const facts::Location& place) const {
    static const char* kKinds[] = {"local",   "global", "static", "class", "member", "function", "default",
                                   "closure", "thread", "file",   "deref", "field",  "foreign"};
    std::string text = "?";
    if (place.storage != kNone) {
      const facts::Storage& storage = facts_.storages[static_cast<std::size_t>(place.storage)];
      text = std::string(kKinds[static_cast<std::size_t>(storage.kind)]) + " " + storage.name;
    }
    if (place.base != kNone) text += " of " + value(place.base);
    if (place.element) text += "[" + (place.key != kNone ? value(place.key) : "") + "]";
    return text;
  }

  std::string statement(const Statement& s) const {
    std::string text = s.result != kNone ? value(s.result) + " = " : "";
    switch (s.kind) {
      case StatementKind::kCall:
        text += "call " + (s.callee.empty() ? value(s.callee_value) : s.callee);
        if (s.receiver != kNone) text += " on " + value(s.receiver);
        text += "(" + values(s.args) + ")";
        if (s.target != kNone) text += " -> @" + facts_.functions[static_cast<std::size_t>(s.target)].qualified_name;
        break;
      case StatementKind::kLoad:
        text += "load " + location(s.location);
        break;
      case StatementKind::kStore:
        text += "store " + location(s.location) + " := " + value(s.value);
        break;
      case StatementKind::kLaunch:
        text += "launch " + s.launch->kernel_name + (s.launch->kernel_function != kNone ? "!" : "") + "<" +
                value(s.launch->grid) + ", " + value(s.launch->block) + ", " + value(s.launch->shared_bytes) + ", " +
                s.launch->stream_origin + ">(" + values(s.args) + ")";
        break;
      case StatementKind::kReturn:
        text += "return " + value(s.value);
        break;
      case StatementKind::kRaise:
        text += "raise " + value(s.value);
        break;
      case StatementKind::kPhi:
        text += "phi " + values(s.args);
        break;
    }
    return text + (s.in_macro ? " #macro" : "");
  }

  std::string function(Id id) const {
    const facts::Function& f = facts_.functions[static_cast<std::size_t>(id)];
    std::string text = std::string(f.is_kernel   ? "kernel "
                                   : f.is_device ? "device "
                                                 : "function ") +
                       f.qualified_name + "(";
    for (std::size_t i = 0; i < f.parameters.size(); ++i)
      text += (i > 0 ? ", " : "") + f.parameters[i].type.name + " " + f.parameters[i].name;
    text += ")" + std::string(f.blocks.empty() ? ";\n" : "\n");
    for (std::size_t i = 0; i < f.blocks.size(); ++i) {
      const facts::Block& block = f.blocks[i];
      text += "b" + std::to_string(i) + (block.in_try != kNone ? " try" : "") +
              (block.handler_of != kNone ? " catch" : "") + ":\n";
      for (const Statement& s : block.statements) text += "  " + statement(s) + "\n";
      static const char* kEdges[] = {"", " true", " false", " exception", " back"};
      std::string edges;
      for (const facts::Edge& edge : block.successors) {
        edges +=
            (edges.empty() ? "  -> b" : ", b") + std::to_string(edge.to) + kEdges[static_cast<std::size_t>(edge.kind)];
      }
      if (!edges.empty()) text += edges + (block.condition != kNone ? " on " + value(block.condition) : "") + "\n";
    }
    return text;
  }

 private:
  const facts::Facts& facts_;
};

}  // namespace

std::string dump(const facts::Facts& facts, facts::Id function) { return Dumper(facts).function(function); }

std::string dump(const facts::Facts& facts) {
  const Dumper dumper(facts);
  std::string text;
  for (std::size_t i = 0; i < facts.functions.size(); ++i) text += dumper.function(static_cast<Id>(i));
  for (const facts::Binding& binding : facts.bindings) {
    text += "bind " + binding.extension + "." + binding.name + " = " + binding.cpp_name +
            (binding.function != kNone ? "!" : "") + "\n";
  }
  for (const facts::Problem& problem : facts.problems)
    text += "problem " + problem.kind + ": " + problem.message + "\n";
  return text;
}

}  // namespace kernel_audit::analysis::cuda
