#include "auditor/executor/workspace.h"

#include <gtest/gtest.h>

#include <filesystem>

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
