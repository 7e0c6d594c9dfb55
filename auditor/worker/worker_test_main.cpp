// Tests that embed Python: the interpreter starts once, with the main thread holding the GIL, and is never finalised.
#include <gtest/gtest.h>

#include <cstdio>

#include "auditor/worker/interpreter.h"

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (::testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();  // listing needs no torch
  const kernel_audit::Status started = kernel_audit::worker::start_interpreter();
  if (!started) {
    std::fprintf(stderr, "%s\n", started.error().describe().c_str());
    return 1;
  }
  kernel_audit::worker::leave_process(RUN_ALL_TESTS());
}
