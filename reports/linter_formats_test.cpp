// What lint prints for people, for GitHub and for CI servers, against golden texts.
#include <gtest/gtest.h>

#include "reports/report_for_test.h"
#include "reports/text/source_place.h"
#include "reports/text/summary.h"
#include "tests/support/golden.h"

namespace kernel_audit::reports {
namespace {

using testing_support::golden_file_difference;

const std::string kGolden = KA_SOURCE_DIR "/reports/golden/";

TEST(Diagnostics, AreAsExpected) {
  EXPECT_EQ(golden_file_difference(kGolden + "lint.txt", render_diagnostics(lint_example(), false)), "");
}

TEST(Diagnostics, HaveNoEscapesUnlessAsked) {
  Report report = lint_example();
  report.items[0].candidate = "x\x1b[2J";
  EXPECT_EQ(render_diagnostics(report, false).find('\x1b'), std::string::npos);
  const std::string colored = render_diagnostics(report, true);
  EXPECT_NE(colored.find("\x1b[1;31merror\x1b[0m"), std::string::npos);
  EXPECT_EQ(colored.find("\x1b[2J"), std::string::npos);
}

TEST(Labels, AreComparedOnlyWhereTheCommandCanMeetThem) {
  Report report = lint_example();
  EXPECT_TRUE(label_applies(report, report.items[0]));
  EXPECT_FALSE(label_missed(report, report.items[0]));
  for (const char* label : {"confirmed", "wrong", "no-speedup", "invalid-task", "broken"}) {
    report.items[0].expected_verdict = label;
    EXPECT_FALSE(label_applies(report, report.items[0])) << label;
  }
  for (const char* label : {"clean", "review", "inconclusive", "misspelt"}) {
    report.items[0].expected_verdict = label;
    EXPECT_TRUE(label_missed(report, report.items[0])) << label;
  }
  report.items[0].expected_verdict = "confirmed";
  EXPECT_EQ(labels_line(report), "3 labels are ones that lint alone cannot meet");
  report.command = "run";
  EXPECT_TRUE(label_missed(report, report.items[0]));
  EXPECT_EQ(render_terminal(lint_example(), false, 100).find("NOT MET"), std::string::npos);
}

TEST(GitHub, AnnotatesLines) {
  EXPECT_EQ(golden_file_difference(kGolden + "annotations.txt", render_github(lint_example())), "");
}

TEST(GitHub, TextCannotMakeACommandOfItsOwn) {
  Report report = lint_example();
  report.items[0].stages[0].findings[0].message = "a\n::error::b";
  report.items[0].stages[0].findings[0].span.file = "x,line=1::y\n::error::z";
  const std::string text = render_github(report);
  EXPECT_EQ(text.find("\n::error::"), std::string::npos) << text;
  EXPECT_NE(text.find("file=x%2Cline=1%3A%3Ay"), std::string::npos) << text;
}

TEST(JUnit, CountsAndEscapes) {
  EXPECT_EQ(golden_file_difference(kGolden + "junit.xml", render_junit(lint_example())), "");
}

TEST(SourcePlace, KnowsRecords) {
  EXPECT_EQ(artifact_of("a.jsonl:record 17:custom_code").path, "a.jsonl");
  EXPECT_EQ(artifact_of("a.jsonl:record 17:custom_code").inner, "record 17/custom_code");
  EXPECT_EQ(artifact_of("a.jsonl:record x:custom_code").path, "a.jsonl:record x:custom_code");
  EXPECT_EQ(artifact_of(":record 1:x").inner, "");
  EXPECT_EQ(uri_of("/tmp/a b%é.py"), "file:///tmp/a%20b%25%C3%A9.py");
  EXPECT_EQ(uri_of("a/b.py"), "a/b.py");
}

TEST(SourcePlace, FingerprintFollowsTheLine) {
  const auto finding_at = [](const std::string& text, const std::string& part) {
    Finding finding;
    finding.code = "KA101";
    finding.message = "m";
    finding.span.file = "a.py";
    finding.span.begin = static_cast<std::int64_t>(text.find(part));
    finding.span.end = finding.span.begin + 1;
    locate(finding.span, text);
    return fingerprint(finding, "a.py", {{"a.py", text}});
  };
  EXPECT_EQ(finding_at("x = 1\nreturn y", "return"), finding_at("\n\n\nx = 1\n\treturn  y\r\n", "return"));
  EXPECT_NE(finding_at("return y", "return"), finding_at("return z", "return"));
  Finding without;
  without.code = "KA101";
  without.message = "m";
  Finding other = without;
  other.message = "n";
  EXPECT_NE(fingerprint(without, "", {}), fingerprint(other, "", {}));
}

}  // namespace
}  // namespace kernel_audit::reports
