#include "auditor/executor/workspace.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

namespace kernel_audit::executor {
namespace {

namespace fs = std::filesystem;

TEST(Workspace, PrivateFoldersOfOneNameAreApart) {
  Result<Workspace> workspace = Workspace::create();
  ASSERT_TRUE(workspace) << workspace.error().describe();
  const Result<std::string> first = workspace->private_folder("build");
  const Result<std::string> second = workspace->private_folder("build");
  ASSERT_TRUE(first && second);
  EXPECT_NE(*first, *second);
  for (const std::string& folder : {*first, *second}) {
    EXPECT_TRUE(fs::is_directory(folder)) << folder;
    EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all) << folder;
  }
}

// A build that is set aside and restored is not built again: same path, same content, same times; and what a process
// changed in its copy is not there for the next one.
TEST(Workspace, RestoresABuildAsItWas) {
  Result<Workspace> workspace = Workspace::create();
  ASSERT_TRUE(workspace);
  const Result<std::string> folder = workspace->private_folder("build");
  ASSERT_TRUE(folder);
  fs::create_directory(*folder + "/extension");
  const fs::path object = *folder + "/extension/main.o";
  std::ofstream(object) << "object";
  const auto written = fs::file_time_type::clock::now() - std::chrono::hours(3);
  fs::last_write_time(object, written);
  const Result<std::string> snapshot = workspace->set_aside(*folder);
  ASSERT_TRUE(snapshot) << snapshot.error().describe();
  EXPECT_FALSE(fs::exists(*folder));
  for (int process = 0; process < 2; ++process) {
    const Result<std::string> restored = workspace->restored(*snapshot, *folder);
    ASSERT_TRUE(restored) << restored.error().describe();
    EXPECT_EQ(*restored, *folder);
    EXPECT_EQ(fs::last_write_time(object), written);
    EXPECT_EQ(fs::file_size(object), 6U);
    EXPECT_FALSE(fs::exists(*folder + "/planted"));
    std::ofstream(object) << "changed by a process";
    std::ofstream(*folder + "/planted") << "for the next process";
  }
}

TEST(Workspace, ACandidateKeepsItsFoldersAndNoOthers) {
  Result<Workspace> workspace = Workspace::create();
  ASSERT_TRUE(workspace);
  tasks::Candidate candidate;
  candidate.name = "entry";
  for (const char* name : {"c/entry.py", "c/lib/ops.py", "c/../above.py", "/elsewhere/other.py", ""})
    candidate.files.push_back({name, name, name, tasks::Language::kPython});
  const Result<std::string> entry = workspace->write_candidate(candidate);
  ASSERT_TRUE(entry) << entry.error().describe();
  const fs::path folder = fs::path(*entry).parent_path();
  EXPECT_EQ(fs::path(*entry).filename(), "entry.py");
  for (const char* name : {"lib/ops.py", "above.py", "other.py", "candidate.py"})
    EXPECT_TRUE(fs::is_regular_file(folder / name)) << name;
}

TEST(Workspace, IsGoneWithItsOwner) {
  std::string root;
  {
    Result<Workspace> workspace = Workspace::create();
    ASSERT_TRUE(workspace);
    root = workspace->root();
    ASSERT_TRUE(workspace->private_folder("party"));
  }
  EXPECT_FALSE(fs::exists(root));
}

}  // namespace
}  // namespace kernel_audit::executor
