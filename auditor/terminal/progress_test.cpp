#include "auditor/terminal/progress.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace kernel_audit::terminal {
namespace {

struct Fake {
  std::string written;
  std::chrono::steady_clock::time_point time;
  int columns = 80;

  std::unique_ptr<Progress> make(bool live) {
    return make_progress({live, [this] { return columns; }, [this](const std::string& text) { written += text; },
                          [this] { return time; }});
  }
};

TEST(Progress, PlainLinesWithoutATerminal) {
  Fake fake;
  const auto progress = fake.make(false);
  progress->start("filter", 2);
  progress->begin_item("1/1");
  progress->end_item("1/1", "ok");
  progress->message("a note");
  progress->end_item("1/2", "timeout");
  progress->finish();
  EXPECT_EQ(fake.written, "filter: 2 items\n[1/2] filter 1/1: ok\na note\n[2/2] filter 1/2: timeout\n");
}

TEST(Progress, OneLineWithTimeLeftOnATerminal) {
  Fake fake;
  const auto progress = fake.make(true);
  progress->start("eval", 3);
  progress->begin_item("a");
  fake.time += std::chrono::seconds(90);
  progress->end_item("a", "ok");
  EXPECT_NE(fake.written.find("\r[1/3] eval a · 3 min 0 s left\x1b[K"), std::string::npos) << fake.written;
  fake.written.clear();
  progress->message("look");
  EXPECT_EQ(fake.written.rfind("\r\x1b[Klook\n", 0), 0U) << "the message stands above the line";
  fake.written.clear();
  progress->finish();
  EXPECT_EQ(fake.written, "\r\x1b[K");
}

TEST(Progress, FitsTheWidth) {
  Fake fake;
  fake.columns = 20;
  const auto progress = fake.make(true);
  progress->start("eval", 1);
  progress->begin_item("äöü a name that is far longer than the line");
  EXPECT_EQ(fake.written, "\r[0/1] eval äöü a n…\x1b[K");
}

TEST(Progress, NoColourAndPipesAreRespected) {
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(use_color(STDOUT_FILENO));
  ::unsetenv("NO_COLOR");
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_FALSE(use_color(ends[1])) << "a pipe is no terminal";
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace kernel_audit::terminal
