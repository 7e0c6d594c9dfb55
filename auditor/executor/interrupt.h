// SIGINT and SIGTERM end a run in order: the item in flight is dropped, what is recorded stays, the
// process leaves with 130. The handler only sets a flag; loops ask `interrupted()`.
#pragma once

namespace kernel_audit::executor {

void install_interrupt_handler();
bool interrupted();

}  // namespace kernel_audit::executor
