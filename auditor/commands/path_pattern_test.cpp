#include "auditor/commands/path_pattern.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tasks/loaders/temp_tree.h"

namespace kernel_audit::commands {
namespace {

class PathPattern : public ::testing::Test {
 protected:
  PathPattern() {
    for (const char* name :
         {"a.py", "b.cu", "one/a.py", "one/two/a.py", "one/two/three/c.py", ".hidden/a.py", "x[1].py"})
      tree_.write(name, "");
    tree_.link("one", "linked");
  }
  std::vector<std::string> found(const std::string& pattern) const {
    std::vector<std::string> names;
    for (const std::string& path : paths_matching(tree_.path(pattern)))
      names.push_back(std::filesystem::path(path).lexically_relative(tree_.path()).string());
    return names;
  }
  using Names = std::vector<std::string>;
  tasks::TempTree tree_;
};

TEST_F(PathPattern, ActWithinOneName) {
  EXPECT_EQ(found("*.py"), (Names{"a.py", "x[1].py"}));
  EXPECT_EQ(found("?.[cp]?"), (Names{"a.py", "b.cu"}));
  EXPECT_EQ(found("*/a.py"), (Names{"linked/a.py", "one/a.py"}));
  EXPECT_EQ(found("*/t*/a.py"), (Names{"linked/two/a.py", "one/two/a.py"}));
  EXPECT_EQ(found("one**.py"), Names{}) << "beside other characters two stars are one";
  EXPECT_EQ(found("nothing*"), Names{});
  EXPECT_EQ(found("a.py/*"), Names{});
  EXPECT_EQ(found(".h*/a.py"), Names{".hidden/a.py"});
}

TEST_F(PathPattern, TwoStarsAreAnyNumberOfFolders) {
  EXPECT_EQ(found("**/a.py"), (Names{"a.py", "one/a.py", "one/two/a.py"}));
  EXPECT_EQ(found("one/**/*.py"), (Names{"one/a.py", "one/two/a.py", "one/two/three/c.py"}));
  EXPECT_EQ(found("**/two/**/c.py"), Names{"one/two/three/c.py"});
  EXPECT_EQ(found("**/**/c.py"), Names{"one/two/three/c.py"});
  EXPECT_EQ(found("one/**"), Names{"one"}) << "a folder is read with all that lies below";
}

}  // namespace
}  // namespace kernel_audit::commands
