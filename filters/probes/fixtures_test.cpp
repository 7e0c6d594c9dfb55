// Every bad and good task of every filter rule, probed for real and judged under the default preset. A task
// claims its findings in comments, "# expect: KA001 drop"; a finding that no comment claims fails, and so does
// a claim without a finding. All in one process: importing torch costs seconds.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "filters/engine.h"
#include "filters/presets.h"
#include "filters/probes/job.h"
#include "filters/rules/rule.h"

namespace kernel_audit::filters {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> claims_of(const fs::path& file) {
  std::vector<std::string> claims;
  std::ifstream stream(file);
  const std::string mark = "# expect: ";
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind(mark, 0) == 0) claims.push_back(line.substr(mark.size()));
  }
  std::sort(claims.begin(), claims.end());
  return claims;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "  " + line + "\n";
  return text;
}

// Whether a task about short times has to be measured again: a busy machine makes every pass longer.
bool stretched(const TaskEvidence& evidence, const Rule& rule, bool is_bad) {
  return is_bad && rule.info.slug == "too-short-to-measure" &&
         rule.check(evidence, find_preset("default")->policy).empty();
}

void check(const fs::path& file, const Rule& rule, bool is_bad, int attempts = 10) {
  SCOPED_TRACE(file.string());
  const auto result = run_probe_job(Json{{"kind", "probe"}, {"task", {{"path", file.string()}}}});
  ASSERT_TRUE(result.ok()) << result.error().describe();
  const auto evidence = read_json<TaskEvidence>(*result, file.string());
  ASSERT_TRUE(evidence.ok()) << evidence.error().describe();
  if (attempts > 1 && stretched(*evidence, rule, is_bad)) return check(file, rule, is_bad, attempts - 1);
  std::vector<std::string> found, messages;
  Policy policy = find_preset("default")->policy;
  // How long a small task takes is the machine's affair, but for the tasks that are about it.
  if (rule.info.slug != "too-short-to-measure") policy.thresholds["filters.too-short-to-measure.enabled"] = 0;
  for (const Finding& finding : judge(*evidence, policy)) {
    found.push_back(finding.code + " " + to_string(finding.effect));
    messages.push_back(finding.code + " " + finding.message);
    for (const Metric& metric : finding.evidence) {
      // A report multiplies by a hundred what has no unit of its own.
      if (metric.hint != Hint::kPercent || !metric.value) continue;
      EXPECT_TRUE(metric.unit == "1" && *metric.value >= 0 && *metric.value <= 1) << finding.code << " " << metric.id;
    }
  }
  std::sort(found.begin(), found.end());
  EXPECT_TRUE(evidence->missing.empty()) << Json(evidence->missing).dump();
  const std::vector<std::string> claims = claims_of(file);
  EXPECT_EQ(found, claims) << "found:\n" << joined(messages);
  const bool names_rule = std::any_of(claims.begin(), claims.end(),
                                      [&](const std::string& claim) { return claim.rfind(rule.info.code, 0) == 0; });
  EXPECT_EQ(names_rule, is_bad) << "a bad task claims its rule, a good one does not";
}

TEST(FilterFixtures, EveryTaskGivesWhatItClaims) {
  int checked = 0;
  for (const Rule& rule : registry()) {
    for (const char* kind : {"bad", "good"}) {
      const fs::path folder = fs::path(KA_SOURCE_DIR) / "filters" / "rules" / rule.info.slug / kind;
      for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".py") continue;
        check(entry.path(), rule, std::string(kind) == "bad");
        ++checked;
      }
    }
  }
  EXPECT_GE(checked, 2 * static_cast<int>(registry().size()));
}

}  // namespace
}  // namespace kernel_audit::filters
