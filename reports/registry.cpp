#include "reports/registry.h"

namespace kernel_audit::reports {

const std::vector<Writer>& writers() {
  static const std::vector<Writer> all = {
      {"json", "results.json", "everything, for machines (reports/schema/results.schema.json)", render_json},
      {"markdown", "report.md", "the report for pull requests and notes", render_markdown},
  };
  return all;
}

}  // namespace kernel_audit::reports
