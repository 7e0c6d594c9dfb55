#include "auditor/executor/interrupt.h"

#include <csignal>

namespace kernel_audit::executor {
namespace {

volatile std::sig_atomic_t g_interrupted = 0;

extern "C" void on_interrupt(int) {
  // A second signal ends the process at once: the journal is durable line by line.
  if (g_interrupted != 0) std::signal(SIGINT, SIG_DFL);
  g_interrupted = 1;
}

}  // namespace

void install_interrupt_handler() {
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

bool interrupted() { return g_interrupted != 0; }

}  // namespace kernel_audit::executor
