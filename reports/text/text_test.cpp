#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reports/text/finding_text.h"
#include "reports/text/format.h"
#include "reports/text/printable.h"
#include "reports/text/table.h"

namespace kernel_audit::reports {
namespace {

TEST(Printable, ShowsWhatATerminalWouldObey) {
  EXPECT_EQ(printable("plain é ×"), "plain é ×");
  EXPECT_EQ(printable("\x1b[31mred\x07"), "\\x1b[31mred\\x07");
  EXPECT_EQ(printable("a\tb\nc\rd"), "a b\\nc\\x0dd");
  EXPECT_EQ(printable("a\nb", true), "a\nb");
  EXPECT_EQ(printable("x\xE2\x80\xAEy"), "x\\u202ey");  // right-to-left override
  EXPECT_EQ(printable("x\xC2\x9By"), "x\\u009by");      // one-byte CSI
  EXPECT_EQ(printable("\xFF\xC3(\xED\xA0\x80"), "\\xff\\xc3(\\xed\\xa0\\x80");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
}

TEST(Printable, MarkdownStaysText) {
  EXPECT_EQ(markdown_text("<b>|`x`*\n[l](u)"), "&lt;b&gt;\\|\\`x\\`\\* \\[l\\]\\(u\\)");
  EXPECT_EQ(markdown_code("a ```` b", "text"), "`````text\na ```` b\n`````\n");
}

TEST(Printable, ClipsWholeCharacters) {
  EXPECT_EQ(display_width("é×…"), 3u);
  EXPECT_EQ(clip_end("éééé", 3), "éé…");
  EXPECT_EQ(clip_end("abc", 3), "abc");
  EXPECT_EQ(clip_middle("abcdefgh", 5), "ab…gh");
  EXPECT_EQ(clip_middle("éééééééé", 4), "éé…é");
}

TEST(Format, ByHint) {
  EXPECT_EQ(format_value(12345, Hint::kDuration, "ns"), "12.3 µs");
  EXPECT_EQ(format_value(0.25, Hint::kDuration, "ms"), "250 µs");
  EXPECT_EQ(format_value(3, Hint::kDuration, "fortnight"), "3.00 fortnight");
  EXPECT_EQ(format_value(0, Hint::kDuration, "ns"), "0.00 ns");
  EXPECT_EQ(format_value(-2.5e6, Hint::kDuration, "ns"), "-2.50 ms");
  EXPECT_EQ(format_value(3.046, Hint::kRatio, "1"), "3.05×");
  EXPECT_EQ(format_value(1536, Hint::kBytes, "bytes"), "1.50 KiB");
  EXPECT_EQ(format_value(1234567, Hint::kCount, "1"), "1234567");
  EXPECT_EQ(format_value(0.125, Hint::kPercent, "1"), "12.5 %");
  EXPECT_EQ(format_value(12.5, Hint::kPercent, "%"), "12.5 %");
  EXPECT_EQ(format_value(1.25e-7, Hint::kError, "1"), "1.25e-07");
  EXPECT_EQ(format_value(0, Hint::kError, "1"), "0");
  EXPECT_EQ(format_value(1e-9, Hint::kPlain, "1"), "1.00e-09");
  EXPECT_EQ(format_value(9, Hint::kPlain, "W"), "9.00 W");
}

TEST(Format, MissingNumbersSayWhy) {
  Metric metric;
  metric.id = "proven_speedup";
  metric.hint = Hint::kRatio;
  metric.missing_reason = "the baseline crashed";
  EXPECT_EQ(format_metric(metric), "n/a (the baseline crashed)");
  EXPECT_EQ(format_cell(metric), "n/a");
  EXPECT_EQ(format_cell(std::nullopt), "–");
  metric.value = std::numeric_limits<double>::infinity();
  EXPECT_EQ(format_metric(metric), "n/a (the value is not finite)");
  metric.value = 2;
  metric.interval = Interval{1.9, 2.125, 0.95};
  EXPECT_EQ(format_metric(metric), "2.00× [1.90×, 2.12×] (95 %)");
  EXPECT_EQ(label_of(metric), "proven speedup");
}

TEST(Table, AlignsByCharacters) {
  TextTable table({{"a"}, {"number", true}, {"b"}});
  table.add({"é", "1×", "x"});
  table.add({"long", "12×", ""});
  EXPECT_EQ(table.header(), "a     number  b");
  EXPECT_EQ(table.row(0), "é         1×  x");
  EXPECT_EQ(table.row(1), "long     12×");
}

SourceSpan span_of(const std::string& text, const std::string& part) {
  SourceSpan span;
  span.file = "a.py";
  span.begin = static_cast<std::int64_t>(text.find(part));
  span.end = span.begin + static_cast<std::int64_t>(part.size());
  locate(span, text);
  return span;
}

TEST(Excerpt, PointsAtTheBytes) {
  const std::string text = "x = 1\r\n\treturn self.cache  # é\r\nend";
  EXPECT_EQ(excerpt(span_of(text, "self.cache"), {{"a.py", text}}),
            "2 |  return self.cache  # é\n  |         ^~~~~~~~~~\n");
  const std::string wide = "é = \"é\"; y = 2";
  EXPECT_EQ(excerpt(span_of(wide, "y"), {{"a.py", wide}}), "1 | é = \"é\"; y = 2\n  |          ^\n");
  EXPECT_EQ(excerpt(span_of(text, "1\r\n\tret"), {{"a.py", text}}), "1 | x = 1\n  |     ^\n");  // ends with its line
}

TEST(Excerpt, CutsLongLinesAroundThePlace) {
  const std::string text = std::string(200, 'a') + "HERE" + std::string(200, 'b');
  EXPECT_EQ(
      excerpt(span_of(text, "HERE"), {{"a.py", text}}, 40),
      "1 | …" + std::string(20, 'a') + "HERE" + std::string(14, 'b') + "…\n  | " + std::string(21, ' ') + "^~~~\n");
}

TEST(Excerpt, IsLeftOutWithoutTextOrPlace) {
  const std::string text = "abc";
  EXPECT_EQ(excerpt(span_of(text, "b"), {}), "");
  EXPECT_EQ(excerpt(SourceSpan{"a.py", -1, -1, 0, 0, 0, 0}, {{"a.py", text}}), "");
  EXPECT_EQ(excerpt(SourceSpan{"a.py", 500, 501, 9, 1, 9, 2}, {{"a.py", text}}), "");
  EXPECT_EQ(excerpt(SourceSpan{"a.py", 0, 0, 1, 1, 1, 1}, {{"a.py", ""}}), "1 | \n  | ^\n");
}

TEST(FindingText, IsInTheFormOfCompilers) {
  const std::string text = "def forward(self, x):\n    self.kept = x + 1\n    return self.kept\n";
  Finding finding;
  finding.code = "KA201";
  finding.slug = "result-cache";
  finding.severity = Severity::kError;
  finding.confidence = Confidence::kHigh;
  finding.effect = Effect::kCheat;
  finding.message = "`forward` returns `self.kept`.";
  finding.span = span_of(text, "return self.kept");
  finding.notes.push_back({span_of(text, "self.kept = x + 1"), "It is stored here."});
  finding.notes.push_back({SourceSpan{}, "No place for this."});
  Metric metric;
  metric.id = "calls_replayed";
  metric.hint = Hint::kCount;
  metric.origin = Origin::kRefereeMemory;
  metric.value = 3;
  finding.evidence.push_back(metric);
  EXPECT_EQ(render_finding(finding, {{"a.py", text}}),
            "a.py:3:5: error: `forward` returns `self.kept`. [KA201 result-cache]\n"
            "  3 |     return self.kept\n"
            "    |     ^~~~~~~~~~~~~~~~\n"
            "  effect cheat, confidence high, says the source\n"
            "  a.py:2:5: note: It is stored here.\n"
            "    2 |     self.kept = x + 1\n"
            "      |     ^~~~~~~~~~~~~~~~~\n"
            "  note: No place for this.\n"
            "  calls replayed: 3, says the referee memory\n");
}

}  // namespace
}  // namespace kernel_audit::reports
