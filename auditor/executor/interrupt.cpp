#include "auditor/executor/interrupt.h"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <future>
#include <iostream>
#include <optional>

namespace kernel_audit::executor {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kTick{50}, kGrace{2000};

volatile std::sig_atomic_t g_interrupted = 0;

extern "C" void on_interrupt(int) {
  // The journal is durable line by line, files are put in place whole, and children die with their parent.
  if (g_interrupted != 0) ::_exit(kInterruptedExit);
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

void do_or_leave(const std::function<void()>& work, const char* message) {
  std::future<void> done = std::async(std::launch::async, work);
  std::optional<Clock::time_point> last;
  while (done.wait_for(kTick) != std::future_status::ready) {
    if (!interrupted()) continue;
    if (!last) last = Clock::now() + kGrace;
    if (Clock::now() < *last) continue;
    std::cerr << "kernel-audit: " << message << "\n";
    leave(kInterruptedExit);
  }
  done.get();
}

void leave(int exit_code) {
  std::cout.flush();
  std::cerr.flush();
  ::_exit(exit_code);
}

}  // namespace kernel_audit::executor
