// What the tests of `kernel-audit lint` share: a candidate that only calls the framework, and results as JSON.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/e2e/cli.h"

namespace kernel_audit::e2e {

inline const std::string kFallback =
    "import torch\n\n\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return torch.relu(x)\n";

inline Json lint_json(std::vector<std::string> arguments, int exit_code) {
  arguments.insert(arguments.begin(), "lint");
  arguments.insert(arguments.end(), {"--format", "json"});
  const process::Completed done = run_cli(arguments);
  EXPECT_EQ(done.exit.code, exit_code) << done.standard_output << done.standard_error;
  const Result<Json> json = parse_json(done.standard_output, "stdout");
  EXPECT_TRUE(json.ok()) << done.standard_output << done.standard_error;
  return json ? *json : Json();
}

inline const Json& stage_of(const Json& results, std::size_t item = 0) { return results["items"][item]["stages"][0]; }

class Lint : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!built("kernel-audit-extract")) GTEST_SKIP() << "kernel-audit-extract is not built";
  }
  Scratch scratch_;
};

}  // namespace kernel_audit::e2e
