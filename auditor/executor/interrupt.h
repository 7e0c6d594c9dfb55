// SIGINT and SIGTERM end a run in order: the item in flight is dropped, what is recorded stays, the process leaves with
// 130. The handler only sets a flag; loops ask `interrupted()`. A second signal ends the process at once.
#pragma once

#include <functional>

namespace kernel_audit::executor {

constexpr int kInterruptedExit = 130;

void install_interrupt_handler();
bool interrupted();

// Does `work`, which does not ask `interrupted()`, and returns when it is done. When it is not done two seconds after
// an interrupt, the process leaves at once, saying `message`: what is on disk is whole at any moment.
void do_or_leave(const std::function<void()>& work, const char* message);

// The end of the process while threads of it may still be at work.
[[noreturn]] void leave(int exit_code);

}  // namespace kernel_audit::executor
