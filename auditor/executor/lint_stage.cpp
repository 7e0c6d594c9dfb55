#include "auditor/executor/lint_stage.h"

#include <thread>

#include "analysis/extract_client.h"
#include "auditor/executor/interrupt.h"
#include "auditor/executor/paths.h"

namespace kernel_audit::executor {
namespace {

const char* language_name(tasks::Language language) {
  switch (language) {
    case tasks::Language::kPython:
      return "python";
    case tasks::Language::kCuda:
      return "cuda";
    case tasks::Language::kCpp:
      break;
  }
  return "cpp";
}

analysis::ExtractRequest request_of(const tasks::Candidate& candidate) {
  analysis::ExtractRequest request;
  request.name = candidate.name;
  for (const tasks::SourceFile& file : candidate.files) {
    request.files.push_back(
        {file.file, file.path.empty() ? file.file : file.path, language_name(file.language), file.text});
  }
  return request;
}

}  // namespace

Status extract_all(Session& session, const std::vector<LintWork>& work, const std::string& python, int jobs) {
  if (work.empty()) return Ok{};
  Result<std::string> binary = sibling_binary("kernel-audit-extract");
  if (!binary) return binary.error();
  analysis::ExtractOptions options;
  options.binary = *binary;
  options.python = python;
  options.processes = jobs > 0 ? jobs : static_cast<int>(std::thread::hardware_concurrency());
  std::vector<analysis::ExtractRequest> requests;
  for (const LintWork& item : work) requests.push_back(request_of(*item.candidate));

  session.progress().start("lint", static_cast<int>(work.size()));
  Status recorded = Ok{};
  const Status extracted = analysis::extract_candidates(options, requests, [&](std::size_t index, Result<Json> answer) {
    StageRecord record;
    if (answer) {
      record.evidence = std::move(*answer);
    } else {
      record = fault_record(answer.error());
    }
    const std::string outcome = record.status;
    recorded = session.record(Stage::kAnalysis, work[index].key, std::move(record));
    session.progress().end_item(work[index].candidate->name, outcome);
    return recorded.ok() && !interrupted();
  });
  session.progress().finish();
  return extracted.ok() ? recorded : extracted;
}

}  // namespace kernel_audit::executor
