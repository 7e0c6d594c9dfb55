#include <gtest/gtest.h>

#include <limits>

#include "eval/guards/evidence_for_test.h"

namespace kernel_audit::eval {
namespace {

EvalEvidence full_evidence() {
  EvalEvidence e = honest_evidence();
  e.sandbox_missing = {"landlock: kernel too old"};
  CheckResult check = refused_check(3, 1);
  check.stale = true;
  check.max_abs_error = std::numeric_limits<double>::infinity();
  e.checks.push_back(check);
  e.faults.push_back({Party::kCandidate, "run", "exception", "boom"});
  e.phases.push_back({"rounds", 12.5});
  e.not_comparable = "why";
  e.state_note = "note";
  e.graph_missing = "none";
  e.measured_mode = CallMode::kWindow;
  e.impossible_claims = 2;
  return e;
}

TEST(EvidenceJson, ComesBackAsItWas) {
  const Json json = full_evidence();
  const auto read = eval_evidence_from_json(parse_json(json.dump(), "test").value(), "test");
  ASSERT_TRUE(read.ok()) << read.error().describe();
  EXPECT_EQ(Json(*read), json);
  EXPECT_EQ(read->checks.back().max_abs_error, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(read->checks.back().stale);
  EXPECT_EQ(read->measured_mode, CallMode::kWindow);
  EXPECT_EQ(read->faults.front().message, "boom");
  EXPECT_EQ(read->phases.front().phase, "rounds");
  EXPECT_EQ(read->phases.front().ns, 12.5);
}

TEST(EvidenceJson, EveryMissingFieldIsAnError) {
  const Json json = full_evidence();
  for (const auto& [key, value] : json.items()) {
    Json spoiled = json;
    spoiled.erase(key);
    EXPECT_FALSE(eval_evidence_from_json(spoiled, "test").ok()) << key;
  }
  for (const char* list : {"windows", "checks", "claimed", "faults"}) {
    for (const auto& [key, value] : json[list][0].items()) {
      Json spoiled = json;
      spoiled[list][0].erase(key);
      EXPECT_FALSE(eval_evidence_from_json(spoiled, "test").ok()) << list << "." << key;
    }
  }
}

TEST(EvidenceJson, EveryFieldOfAnotherTypeIsAnError) {
  const Json json = full_evidence();
  const Json wrong = Json::array({Json::object({{"strange", 1}})});
  for (const auto& [key, value] : json.items()) {
    Json spoiled = json;
    spoiled[key] = wrong;
    EXPECT_FALSE(eval_evidence_from_json(spoiled, "test").ok()) << key;
  }
}

TEST(EvidenceJson, ImpossibleValuesAreErrors) {
  const Json json = full_evidence();
  const auto refused = [&](const char* pointer, const Json& value) {
    Json spoiled = json;
    spoiled[Json::json_pointer(pointer)] = value;
    return !eval_evidence_from_json(spoiled, "test").ok();
  };
  EXPECT_TRUE(refused("/windows/0/wall_ns", -1));
  EXPECT_TRUE(refused("/windows/0/wall_ns", nullptr));
  EXPECT_TRUE(refused("/windows/0/calls", 0));
  EXPECT_TRUE(refused("/windows/0/calls", 1 << 20));
  EXPECT_TRUE(refused("/windows/0/party", "referee"));
  EXPECT_TRUE(refused("/windows/0/mode", "warp"));
  EXPECT_TRUE(refused("/windows/0/solo", 1));
  EXPECT_TRUE(refused("/windows/0/round", 1e300));
  EXPECT_TRUE(refused("/checks/0/elements", -5));
  EXPECT_TRUE(refused("/checks_total", 0));  // fewer than were accepted
  EXPECT_TRUE(refused("/checks_total", -1));
  EXPECT_TRUE(refused("/rounds_done", 18446744073709551615ULL));
  EXPECT_FALSE(refused("/rounds_done", 3));
  EXPECT_FALSE(eval_evidence_from_json(Json::array(), "test").ok());
  EXPECT_FALSE(eval_evidence_from_json(Json(nullptr), "test").ok());
}

}  // namespace
}  // namespace kernel_audit::eval
