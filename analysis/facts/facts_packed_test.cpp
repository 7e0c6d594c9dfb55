#include "analysis/facts/facts_packed.h"

#include <gtest/gtest.h>

#include <limits>

#include "analysis/facts/facts_test_support.h"

namespace kernel_audit::analysis::facts {
namespace {

// What JSON makes of the Facts is the measure of what the bytes must make of them.
void expect_same_as_json(const Facts& facts) {
  const Result<Json> text = parse_json(dump_json(json_of(facts)), "test");
  ASSERT_TRUE(text.ok());
  const auto by_json = facts_from_json(*text, "test");
  const auto by_bytes = facts_from_packed(packed(facts), "test");
  ASSERT_TRUE(by_json.ok()) << by_json.error().describe();
  ASSERT_TRUE(by_bytes.ok()) << by_bytes.error().describe();
  EXPECT_EQ(json_of(*by_bytes), json_of(*by_json));
}

Facts all_fields() {
  Facts facts = sample_facts();
  facts.extractor_version = "2";
  facts.python_version = "3.11";
  facts.clang_version = "19";
  facts.directives.push_back({"allow KA301 why", {"a.py", 3, 9, 1, 4, 1, 10}, 2});
  Unit& unit = facts.units[0];
  unit.build_flags = {"-O3", "-O3"};
  unit.includes = {"<a.h>"};
  unit.missing_includes = {"b.h"};
  Class& klass = facts.classes[0];
  klass.bases = {"torch.nn.Module"};
  klass.methods = {{"forward", 1}};
  klass.attributes = {{"fc", {TypeKind::kModule, "torch.nn.Linear"}}};
  Function& function = facts.functions[1];
  function.decorators = {"torch.compile"};
  function.is_module_body = function.is_device = function.is_generator = function.is_static_method = true;
  function.is_class_method = function.is_property = function.is_constructor_attribute = true;
  function.span = {"a.py", std::numeric_limits<std::int64_t>::max(), 5, 6, 7, 8, 9};
  function.parameters[0].is_const_pointer = function.parameters[0].variadic = true;
  function.parameters[0].default_value = 1;
  Block& block = function.blocks[0];
  block.handler_of = 4;
  block.in_try = 5;
  block.in_finally = true;
  Statement& statement = block.statements[0];
  statement.keywords = {{"out", 0}, {"out", 1}};
  statement.star_args = statement.augmented = statement.yields = statement.in_macro = true;
  statement.location = {0, 1, true, 0};
  facts.storages[0].bytes = std::int64_t{1} << 40;
  facts.storages[0].type = {TypeKind::kOther, "Lanes", true};
  facts.values[0].reason = "it is not known";
  return facts;
}

TEST(FactsPacked, TheBytesSayWhatJsonSays) {
  expect_same_as_json({});
  expect_same_as_json(sample_facts());
  expect_same_as_json(all_fields());
  EXPECT_LT(packed(all_fields()).size() * 4, dump_json(json_of(all_fields())).size());
}

TEST(FactsPacked, ConstantsOfEveryKindComeAsJsonBringsThem) {
  Facts facts = sample_facts();
  for (const Json& constant :
       {Json(nullptr), Json(true), Json(false), Json(0), Json(7U), Json(-1), Json(INT64_MIN), Json(UINT64_MAX),
        Json(0.1), Json(-0.0), Json(std::numeric_limits<double>::infinity()), Json("text"), Json(""), Json("\xff\xc3"),
        Json::array({1, "a", Json::array({2.5, "\xf0\x9f\x98\x80"})}), Json::object({{"k", nullptr}})}) {
    facts.values[0].constant = constant;
    expect_same_as_json(facts);
  }
  facts.values[0].constant.reset();
  expect_same_as_json(facts);
}

TEST(FactsPacked, TextThatIsNotUtf8ChangesAsInJson) {
  Facts facts = sample_facts();
  for (const char* text : {"\xff", "a\xc3", "\xed\xa0\x80", "\xc3\xa4 is whole", "\xe2\x80\xae"}) {
    facts.functions[1].name = text;
    facts.functions[1].span.file = text;
    expect_same_as_json(facts);
  }
  std::string bytes = packed(sample_facts());
  bytes[bytes.find("ModelNew")] = '\xff';
  const auto read = facts_from_packed(bytes, "test");
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("is not UTF-8"), std::string::npos);
}

TEST(FactsPacked, HostileBytesAreErrorsOrSoundFacts) {
  const std::string whole = packed(all_fields());
  int accepted = 0, refused = 0;
  const auto attempt = [&](const std::string& bytes) {
    const auto read = facts_from_packed(bytes, "test");
    if (!read) {
      ++refused;
      EXPECT_FALSE(read.error().message.empty());
      return;
    }
    ++accepted;
    // What is accepted has ids that refer to something, whichever form it takes.
    EXPECT_TRUE(facts_from_json(json_of(*read), "again").ok());
  };
  for (std::size_t length = 0; length < whole.size(); ++length) attempt(whole.substr(0, length));
  EXPECT_EQ(accepted, 0) << "a message that is cut off";
  attempt(whole + '\0');
  EXPECT_EQ(accepted, 0) << "a message with more behind it";
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char byte : {'\0', '\1', '\2', '\7', '\x40', '\x7f', '\x80', '\xff'}) {
      std::string bytes = whole;
      bytes[at] = byte;
      attempt(bytes);
      bytes.insert(at, 9, '\xff');
      attempt(bytes);
    }
  }
  EXPECT_GT(accepted, 0);
  EXPECT_GT(refused, 1000);
}

TEST(FactsPacked, IdsOutOfRangeAndOtherVersionsAreNamed) {
  Facts facts = sample_facts();
  facts.functions[1].blocks[0].statements[0].args.at(0) = 9999;
  auto read = facts_from_packed(packed(facts), "test");
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("refers to nothing"), std::string::npos);
  std::string bytes = packed(sample_facts());
  bytes[0] = '\x7e';
  read = facts_from_packed(bytes, "test");
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("version"), std::string::npos);
}

}  // namespace
}  // namespace kernel_audit::analysis::facts
