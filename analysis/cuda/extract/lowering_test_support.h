// Shared by the tests of the lowering: one unit from a string, and questions about what came out.
#pragma once

#include <string>
#include <vector>

#include "analysis/cuda/extract/dump.h"
#include "analysis/cuda/extract/extract.h"

namespace kernel_audit::analysis::cuda {

struct Lowered {
  facts::Facts facts;

  explicit Lowered(const std::string& text, const Limits& limits = {},
                   const std::vector<split::VirtualFile>& neighbours = {},
                   const std::vector<std::string>& build_flags = {}) {
    add(text, "ext:test", limits, neighbours, {}, build_flags);
    link_units(facts);
  }
  void add(const std::string& text, const std::string& extension, const Limits& limits = {},
           const std::vector<split::VirtualFile>& neighbours = {}, std::vector<std::string> bound = {},
           const std::vector<std::string>& build_flags = {}) {
    split::SourceUnit unit;
    unit.name = "unit.cu";
    unit.language = facts::UnitLanguage::kCuda;
    unit.text = text;
    unit.map = split::OffsetMap::identity("unit.cu", static_cast<std::int64_t>(text.size()));
    unit.extension = extension;
    unit.bound_functions = std::move(bound);
    unit.build_flags = build_flags;
    const Status status = lower_cuda(unit, neighbours, facts, limits);
    if (!status.ok()) failure = status.error().describe();
  }
  std::string failure;

  facts::Id find(const std::string& name) const {
    facts::Id found = facts::kNone;
    for (std::size_t i = 0; i < facts.functions.size(); ++i) {
      if (facts.functions[i].qualified_name == name && (found == facts::kNone || !facts.functions[i].blocks.empty()))
        found = static_cast<facts::Id>(i);
    }
    return found;
  }
  std::string text(const std::string& name) const {
    const facts::Id id = find(name);
    return id == facts::kNone ? "no function " + name + "\n" + dump(facts) : dump(facts, id);
  }
  std::vector<const facts::Statement*> statements(const std::string& name, facts::StatementKind kind) const {
    std::vector<const facts::Statement*> result;
    const facts::Id id = find(name);
    if (id == facts::kNone) return result;
    for (const facts::Block& block : facts.functions[static_cast<std::size_t>(id)].blocks) {
      for (const facts::Statement& statement : block.statements) {
        if (statement.kind == kind) result.push_back(&statement);
      }
    }
    return result;
  }
  bool has_problem(const std::string& kind) const {
    for (const facts::Problem& problem : facts.problems) {
      if (problem.kind == kind) return true;
    }
    return false;
  }
};

}  // namespace kernel_audit::analysis::cuda
