// Progress on stderr: one status line with ETA on a terminal, plain lines elsewhere; NO_COLOR and
// TERM=dumb are respected. Machine output (stdout) never passes through here.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace kernel_audit::terminal {

class Progress {
 public:
  virtual ~Progress() = default;
  virtual void start(const std::string& title, int total_items) = 0;
  virtual void begin_item(const std::string& name) = 0;  // items can overlap; the newest is shown
  virtual void end_item(const std::string& name, const std::string& outcome) = 0;
  virtual void message(const std::string& text) = 0;  // printed above the line
  virtual void finish() = 0;
};

std::unique_ptr<Progress> make_progress(int stderr_fd, bool quiet);
bool use_color(int fd);

// The parts below make_progress, so that tests drive them with a clock and a sink of their own.
struct Terminal {
  bool live = false;                              // one line that is rewritten, else plain lines
  std::function<int()> width;                     // columns, asked for each line
  std::function<void(const std::string&)> write;  // raw bytes
  std::function<std::chrono::steady_clock::time_point()> now;
};
std::unique_ptr<Progress> make_progress(Terminal terminal);

}  // namespace kernel_audit::terminal
