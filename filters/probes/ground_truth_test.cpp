// Published flags of a handful of quick level-1 tasks against what the probes find. Needs the published table
// and the pristine tasks, which are not part of the source tree: KERNEL_AUDIT_SHARED or ../shared.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "filters/evidence.h"
#include "filters/probes/job.h"
#include "filters/probes/temporary_tasks.h"

namespace kernel_audit::filters {
namespace {

namespace fs = std::filesystem;

// Half of them degenerate: 37, 38 and 50 by range, 94 to 98 by a constant loss.
const std::vector<int> kQuickTasks = {4, 20, 24, 38, 42, 48, 50, 52, 64, 76, 84, 90, 93, 94, 96, 97, 98, 100};
const std::vector<std::string> kFlags = {"output_range", "output_std", "output_axes", "input_impact"};

fs::path shared_folder() {
  if (const char* set = std::getenv("KERNEL_AUDIT_SHARED")) return set;
  return fs::path(KA_SOURCE_DIR) / ".." / "shared";
}

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  std::stringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  return cells;
}

// task id → the four flags
std::map<int, std::vector<bool>> published_level_1(const fs::path& file) {
  std::map<int, std::vector<bool>> table;
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  const std::vector<std::string> header = split(line);
  while (std::getline(stream, line)) {
    const std::vector<std::string> cells = split(line);
    if (cells.size() < 7 || cells[0] != "1") continue;
    std::vector<bool>& flags = table[std::stoi(cells[1])];
    for (const std::string& flag : kFlags) {
      const auto at = std::find(header.begin(), header.end(), flag) - header.begin();
      flags.push_back(cells.at(static_cast<std::size_t>(at)) == "1");
    }
  }
  return table;
}

TEST(GroundTruth, QuickLevel1TasksAgreeWithThePublishedFlags) {
  const fs::path table_file = shared_folder() / "ground_truth" / "task_flags_v0.csv";
  const fs::path corpus = shared_folder() / "corpora" / "cuda_l1" / "a100.jsonl";
  if (!fs::exists(table_file) || !fs::exists(corpus)) {
    GTEST_SKIP() << table_file << " or " << corpus << " is absent; set KERNEL_AUDIT_SHARED to where they are";
  }
  const auto published = published_level_1(table_file);
  TemporaryTasks tasks;
  std::ifstream stream(corpus);
  int compared = 0, flagged = 0;
  for (std::string line; std::getline(stream, line);) {
    const Json record = Json::parse(line);
    const int id = record.at("task_id").get<int>();
    if (record.at("level_id") != 1 || std::find(kQuickTasks.begin(), kQuickTasks.end(), id) == kQuickTasks.end())
      continue;
    ASSERT_TRUE(published.contains(id)) << id;
    const std::string path = tasks.write(record.at("ref_code").get<std::string>());
    const auto result = run_probe_job(Json{{"task", {{"path", path}}}, {"preset", "robust-kbench"}});
    ASSERT_TRUE(result.ok()) << result.error().describe();
    EXPECT_TRUE(result->at("missing").empty()) << id << ": " << result->at("missing").dump();
    for (std::size_t i = 0; i < kFlags.size(); ++i) {
      EXPECT_EQ(result->at("extra").value(kFlags[i], Json()), Json(bool{published.at(id)[i]}))
          << "1/" << id << " " << kFlags[i];
      flagged += published.at(id)[i];
    }
    ++compared;
  }
  EXPECT_EQ(compared, static_cast<int>(kQuickTasks.size()));
  EXPECT_GT(flagged, 10);
}

// Rectified to nothing but for a few elements in a thousand: whether five seeds see one depends on how they are drawn.
// Published for the pristine code: no flag, the largest output near 0.45.
TEST(GroundTruth, RareElementsAreSeenAsPublished) {
  const fs::path corpus = shared_folder() / "corpora" / "cuda_l1" / "a100.jsonl";
  if (!fs::exists(corpus)) GTEST_SKIP() << corpus << " is absent; set KERNEL_AUDIT_SHARED to where it is";
  TemporaryTasks tasks;
  std::ifstream stream(corpus);
  for (std::string line; std::getline(stream, line);) {
    const Json record = Json::parse(line);
    if (record.at("level_id") != 2 || record.at("task_id") != 9) continue;
    const std::string path = tasks.write(record.at("ref_code").get<std::string>());
    const auto result = run_probe_job(Json{{"task", {{"path", path}}}, {"preset", "robust-kbench"}});
    ASSERT_TRUE(result.ok()) << result.error().describe();
    for (const std::string& flag : kFlags) EXPECT_EQ(result->at("extra").value(flag, Json()), Json(false)) << flag;
    EXPECT_NEAR(result->at("outputs")[0]["maximum"].get<double>(), 0.449, 0.01);
    return;
  }
  FAIL() << "the corpus has no task 9 of level 2";
}

}  // namespace
}  // namespace kernel_audit::filters
