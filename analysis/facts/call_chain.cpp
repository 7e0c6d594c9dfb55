#include "analysis/facts/call_chain.h"

namespace kernel_audit::analysis::facts {

std::vector<CallSite> call_chain(const Provenance& graph, StatementRef where, ContextId context) {
  std::vector<CallSite> chain{{where, context}};
  while (context > 0) {
    const Context& inside = graph.context_at(context);
    context = inside.parent;
    chain.push_back({inside.call, context});
  }
  return chain;
}

}  // namespace kernel_audit::analysis::facts
