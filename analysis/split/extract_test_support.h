// Extraction of small sources for tests, with one Python process for all of them.
#pragma once

#include <string>

#include "analysis/split/extract.h"

namespace kernel_audit::analysis::split {

inline python::Interpreter& test_interpreter() {
  static python::Interpreter interpreter;
  return interpreter;
}

inline facts::Facts extract_files(const std::vector<CandidateFile>& files) {
  return extract_candidate(files, {&test_interpreter(), 20});
}

inline facts::Facts extract_python(const std::string& source) {
  return extract_files({{"candidate.py", "candidate.py", "python", source}});
}

// Callees of calls and launches in the function, in order of blocks.
inline std::vector<std::string> callees_of(const facts::Facts& facts, const std::string& function) {
  std::vector<std::string> names;
  for (const facts::Function& each : facts.functions) {
    if (each.qualified_name != function) continue;
    for (const facts::Block& block : each.blocks) {
      for (const facts::Statement& statement : block.statements) {
        if (statement.kind == facts::StatementKind::kCall) names.push_back(statement.callee);
        if (statement.kind == facts::StatementKind::kLaunch) names.push_back("launch " + statement.launch->kernel_name);
      }
    }
  }
  return names;
}

inline bool calls(const facts::Facts& facts, const std::string& function, const std::string& callee) {
  for (const std::string& name : callees_of(facts, function)) {
    if (name == callee) return true;
  }
  return false;
}

inline bool has_problem(const facts::Facts& facts, const std::string& kind) {
  for (const facts::Problem& problem : facts.problems) {
    if (problem.kind == kind) return true;
  }
  return false;
}

// A candidate whose forward is `body` (lines of four spaces) after module-level `before`.
inline std::string model(const std::string& before, const std::string& body, const std::string& init = "pass") {
  return "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n" + before +
         "\nclass ModelNew(nn.Module):\n    def __init__(self):\n        super().__init__()\n        " + init +
         "\n    def forward(self, a, b):\n        " + body + "\n";
}

}  // namespace kernel_audit::analysis::split
