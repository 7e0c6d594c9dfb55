#include "analysis/rules/makers.h"

#include <vector>

#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

std::set<const facts::Statement*> makers(const facts::Model& model, facts::Id function, facts::Id value) {
  std::set<const facts::Statement*> all;
  std::set<facts::Id> seen;
  std::vector<facts::Id> todo{value};
  while (!todo.empty()) {
    const facts::Id at = todo.back();
    todo.pop_back();
    const facts::Statement* made = seen.insert(at).second ? maker(model, function, at) : nullptr;
    if (made == nullptr) continue;
    std::vector<facts::Id> sources = made->kind == facts::StatementKind::kPhi ? made->args : facts::Operands{};
    if (made->kind == facts::StatementKind::kLoad && made->location.base == facts::kNone) {
      for (const facts::Block& block : model.function(function).blocks) {
        for (const facts::Statement& s : block.statements) {
          if (s.kind == facts::StatementKind::kStore && s.location.storage == made->location.storage)
            sources.push_back(s.value);
        }
      }
    }
    if (sources.empty()) all.insert(made);
    todo.insert(todo.end(), sources.begin(), sources.end());
  }
  return all;
}

}  // namespace kernel_audit::analysis::rules
