#include "reports/registry.h"

namespace kernel_audit::reports {

const std::vector<Writer>& writers() {
  static const std::vector<Writer> all = {
      {"github", "annotations.txt", "workflow commands that GitHub shows as annotations", render_github},
      {"json", "results.json", "everything, for machines (reports/schema/results.schema.json)", render_json},
      {"junit", "junit.xml", "one test case per item, for CI servers", render_junit},
      {"markdown", "report.md", "the report for pull requests and notes", render_markdown},
      {"sarif", "results.sarif", "SARIF 2.1.0, for code scanning", render_sarif},
  };
  return all;
}

const Writer* find_writer(const std::string& name) {
  for (const Writer& writer : writers()) {
    if (writer.name == name) return &writer;
  }
  return nullptr;
}

}  // namespace kernel_audit::reports
