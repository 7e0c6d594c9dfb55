// Starts the interpreter once for all tests and leaves without running destructors, as the worker does.
#include <gtest/gtest.h>

#include <cstdio>

#include "auditor/worker/interpreter.h"

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  // Listing the tests needs no torch.
  if (!::testing::GTEST_FLAG(list_tests)) {
    if (const kernel_audit::Status started = kernel_audit::worker::start_interpreter(); !started) {
      std::fprintf(stderr, "%s\n", started.error().describe().c_str());
      return 1;
    }
  }
  kernel_audit::worker::leave_process(RUN_ALL_TESTS());
}
