// The published CUDA-L1 records, when they are at hand: $KERNEL_AUDIT_SHARED or ../shared beside the source tree.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "tasks/loaders/listing.h"
#include "tasks/matching.h"

namespace kernel_audit::tasks {
namespace {

std::string corpus() {
  const char* shared = std::getenv("KERNEL_AUDIT_SHARED");
  return (shared != nullptr ? std::string(shared) : KA_SOURCE_DIR "/../shared") + "/corpora/cuda_l1/a100.jsonl";
}

TEST(Corpus, CudaL1IsReadUnmodified) {
  if (!is_file(corpus())) GTEST_SKIP() << "no corpus at " << corpus();
  const auto tasks = load_tasks(corpus(), {});
  ASSERT_TRUE(tasks.ok()) << tasks.error().describe();
  EXPECT_EQ(tasks->tasks.size(), 250u);
  EXPECT_TRUE(tasks->problems.empty());
  std::set<std::string> keys;
  for (const Task& task : tasks->tasks) keys.insert(task.key());
  EXPECT_EQ(keys.size(), 250u);

  auto set = load_candidates(corpus(), {});
  ASSERT_TRUE(set.ok()) << set.error().describe();
  EXPECT_EQ(set->candidates.size(), 250u);
  EXPECT_TRUE(set->problems.empty());
  const auto without = [](const Candidate& c) { return c.files.empty(); };
  EXPECT_EQ(std::count_if(set->candidates.begin(), set->candidates.end(), without), 25);
  const auto claimed = [](const Candidate& c) { return c.claimed_speedup.has_value(); };
  EXPECT_EQ(std::count_if(set->candidates.begin(), set->candidates.end(), claimed), 241);
  for (const Candidate& candidate : set->candidates) {
    EXPECT_EQ(candidate.files.empty(), candidate.note.starts_with("no code: custom_code is ")) << candidate.name;
  }
  const std::vector<std::string> before = [&] {
    std::vector<std::string> task_keys;
    for (const Candidate& candidate : set->candidates) task_keys.push_back(candidate.task_key);
    return task_keys;
  }();
  match_candidates(set->candidates, tasks->tasks);
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(set->candidates[i].task_key, before[i]);

  LoadOptions level1;
  level1.levels = {1};
  EXPECT_EQ(load_tasks(corpus(), level1)->tasks.size(), 100u);
}

}  // namespace
}  // namespace kernel_audit::tasks
