#include "auditor/terminal/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace kernel_audit::terminal {
namespace {

using Clock = std::chrono::steady_clock;

std::string duration(std::chrono::seconds left) {
  const auto seconds = left.count();
  if (seconds < 60) return std::to_string(seconds) + " s";
  if (seconds < 3600) return std::to_string(seconds / 60) + " min " + std::to_string(seconds % 60) + " s";
  return std::to_string(seconds / 3600) + " h " + std::to_string(seconds % 3600 / 60) + " min";
}

// At most `columns` columns of UTF-8 text; a cut is shown by an ellipsis. Counts code points, which is right for the
// names that occur here.
std::string fit(const std::string& text, int columns) {
  int used = 0;
  std::size_t end = 0, cut = 0;
  while (end < text.size()) {
    if (used == columns - 1) cut = end;
    if (used == columns) return text.substr(0, cut) + "…";
    ++end;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
    ++used;
  }
  return text;
}

class TextProgress final : public Progress {
 public:
  explicit TextProgress(Terminal terminal) : terminal_(std::move(terminal)) {}
  ~TextProgress() override { clear(); }

  void start(const std::string& title, int total_items) override {
    title_ = title;
    total_ = total_items;
    done_ = 0;
    start_ = terminal_.now();
    if (!terminal_.live && total_ > 0)
      line(title_ + ": " + std::to_string(total_) + (total_ == 1 ? " item" : " items"));
  }

  void begin_item(const std::string& name) override {
    current_ = name;
    redraw();
  }

  void end_item(const std::string& name, const std::string& outcome) override {
    ++done_;
    if (terminal_.live) {
      redraw();
    } else {
      line("[" + std::to_string(done_) + "/" + std::to_string(total_) + "] " + title_ + " " + name + ": " + outcome);
    }
  }

  void message(const std::string& text) override {
    clear();
    line(text);
    redraw();
  }

  void finish() override {
    clear();
    current_.clear();
  }

 private:
  void line(const std::string& text) { terminal_.write(text + "\n"); }

  void clear() {
    if (drawn_) terminal_.write("\r\x1b[K");
    drawn_ = false;
  }

  void redraw() {
    if (!terminal_.live || total_ == 0) return;
    std::string text = "[" + std::to_string(done_) + "/" + std::to_string(total_) + "] " + title_ + " " + current_;
    // The first items say nothing yet about the rest; from then on their mean does.
    if (done_ > 0 && done_ < total_) {
      const auto passed = std::chrono::duration_cast<std::chrono::seconds>(terminal_.now() - start_);
      text += " · " + duration(passed * (total_ - done_) / done_) + " left";
    }
    terminal_.write("\r" + fit(text, std::max(10, terminal_.width() - 1)) + "\x1b[K");
    drawn_ = true;
  }

  Terminal terminal_;
  std::string title_, current_;
  int total_ = 0, done_ = 0;
  Clock::time_point start_;
  bool drawn_ = false;
};

class QuietProgress final : public Progress {
 public:
  void start(const std::string&, int) override {}
  void begin_item(const std::string&) override {}
  void end_item(const std::string&, const std::string&) override {}
  void message(const std::string&) override {}
  void finish() override {}
};

bool dumb_terminal() {
  const char* kind = std::getenv("TERM");
  return kind == nullptr || std::strcmp(kind, "dumb") == 0;
}

void write_all(int fd, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t wrote = ::write(fd, text.data() + at, text.size() - at);
    if (wrote <= 0) return;  // progress that cannot be shown must not end the work
    at += static_cast<std::size_t>(wrote);
  }
}

}  // namespace

std::unique_ptr<Progress> make_progress(Terminal terminal) {
  return std::make_unique<TextProgress>(std::move(terminal));
}

std::unique_ptr<Progress> make_progress(int stderr_fd, bool quiet) {
  if (quiet) return std::make_unique<QuietProgress>();
  Terminal terminal;
  terminal.live = ::isatty(stderr_fd) != 0 && !dumb_terminal();
  terminal.write = [stderr_fd](const std::string& text) { write_all(stderr_fd, text); };
  terminal.now = [] { return Clock::now(); };
  terminal.width = [stderr_fd] {
    winsize size = {};
    return ::ioctl(stderr_fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? static_cast<int>(size.ws_col) : 80;
  };
  return make_progress(std::move(terminal));
}

bool use_color(int fd) {
  const char* no_color = std::getenv("NO_COLOR");
  return (no_color == nullptr || *no_color == '\0') && ::isatty(fd) != 0 && !dumb_terminal();
}

}  // namespace kernel_audit::terminal
