#include "analysis/allow/allow.h"

#include <algorithm>

#include "analysis/rules/rule.h"
#include "auditor/core/letter_case.h"

namespace kernel_audit::analysis {
namespace {

constexpr const char* kBlanks = " \t\r\n";

bool has_form_of_code(const std::string& word) {
  return word.size() > 2 && in_capitals(word).starts_with("KA") &&
         word.find_first_not_of("0123456789", 2) == std::string::npos;
}

// The code of the rule that a word names in whatever case, by its code or, where `slug_too`, by its slug; else empty.
std::string code_of(const std::string& word, bool slug_too) {
  const std::string code = in_capitals(word), slug = in_small_letters(word);
  const auto named = [&](const RuleInfo& info) { return info.code == code || (slug_too && info.slug == slug); };
  for (const rules::Rule& rule : rules::registry()) {
    if (named(rule.info)) return rule.info.code;
  }
  for (const RuleInfo& info : allow_rules()) {
    if (named(info)) return info.code;
  }
  return {};
}

std::string trimmed(const std::string& text, const char* characters) {
  const auto begin = text.find_first_not_of(characters);
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(characters) - begin + 1);
}

// The next word of `text` from `at` on, up to a blank or a comma; `at` moves behind it and what separates it.
std::string next_word(const std::string& text, std::size_t& at) {
  const std::size_t end = std::min(text.find_first_of(" \t\r\n,", at), text.size());
  std::string word = text.substr(at, end - at);
  at = std::min(text.find_first_not_of(" \t\r\n,", end), text.size());
  return word;
}

Error wrong(const std::string& what) { return Error{ErrorKind::kUsage, what, "", "", ""}; }

struct Comment {
  const facts::Directive* directive;
  Result<Allow> allow;
  std::vector<bool> used;  // by code
};

// A comment speaks of the line that it stands on; a finding of several lines may carry it at either end.
bool speaks_of(const facts::Directive& directive, const Finding& finding) {
  return finding.span.known() && directive.span.file == finding.span.file &&
         (directive.line == finding.span.line || directive.line == finding.span.end_line);
}

std::optional<SuppressedFinding> allowed_by_comment(std::vector<Comment>& comments, const Finding& finding) {
  std::optional<SuppressedFinding> found;
  for (Comment& comment : comments) {
    if (!comment.allow || !speaks_of(*comment.directive, finding)) continue;
    for (std::size_t i = 0; i < comment.allow->codes.size(); ++i) {
      if (comment.allow->codes[i] != finding.code) continue;
      comment.used[i] = true;
      if (!found) found = SuppressedFinding{finding, "inline", comment.allow->reason, comment.directive->span};
    }
  }
  return found;
}

Finding about(const RuleInfo& rule, const Comment& comment, std::string message) {
  Finding finding = make_finding(rule, std::move(message));
  finding.span = comment.directive->span;
  return finding;
}

void report_comments(const std::vector<Comment>& comments, std::vector<Finding>& findings) {
  for (const Comment& comment : comments) {
    if (!comment.allow) {
      findings.push_back(about(allow_rules()[0], comment,
                               "The comment \"kernel-audit: " + comment.directive->text + "\" " +
                                   comment.allow.error().message + ", so it allows nothing."));
      continue;
    }
    std::string unused;
    for (std::size_t i = 0; i < comment.used.size(); ++i) {
      if (!comment.used[i]) unused += (unused.empty() ? "" : ", ") + comment.allow->codes[i];
    }
    if (unused.empty()) continue;
    findings.push_back(about(allow_rules()[1], comment,
                             "The comment allows " + unused + " on line " + std::to_string(comment.directive->line) +
                                 ", where nothing of that code is found."));
  }
}

}  // namespace

Result<Allow> parse_allow(const std::string& directive) {
  std::size_t at = std::min(directive.find_first_not_of(kBlanks), directive.size());
  if (in_small_letters(trimmed(next_word(directive, at), ":")) != "allow") return wrong("does not say `allow`");
  Allow allow;
  bool listed = true;  // first, or behind a comma: there a slug is no word of the reason
  while (at < directive.size()) {
    std::size_t behind = at;
    const std::string word = next_word(directive, behind), name = trimmed(word, ":");
    const std::string code = code_of(name, listed);
    if (code.empty() && has_form_of_code(name))
      return wrong("names " + in_capitals(name) + ", which is no rule of lint");
    if (code.empty() && allow.codes.empty()) return wrong("names no rule: \"" + name + "\" is no code and no slug");
    if (code.empty()) break;
    allow.codes.push_back(code);
    const std::string between = directive.substr(at + word.size(), behind - at - word.size());
    listed = between.find(',') != std::string::npos;
    at = behind;
  }
  if (allow.codes.empty()) return wrong("names no rule");
  allow.reason = trimmed(directive.substr(at), " \t\r\n-:");
  if (allow.reason.empty()) return wrong("gives no reason");
  return allow;
}

bool selected(const std::string& code, const std::string& slug, const std::vector<std::string>& patterns) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return code.starts_with(pattern) || slug == pattern; });
}

std::vector<SuppressedFinding> set_aside(AnalysisResult& result, const SetAside& options) {
  std::vector<Comment> comments;
  for (const facts::Directive& directive : result.directives) {
    Comment comment{&directive, parse_allow(directive.text), {}};
    if (comment.allow) comment.used.assign(comment.allow->codes.size(), false);
    comments.push_back(std::move(comment));
  }
  std::vector<SuppressedFinding> aside;
  std::vector<Finding> left;
  for (Finding& finding : result.findings) {
    if (auto allowed = allowed_by_comment(comments, finding)) {
      aside.push_back(std::move(*allowed));
    } else {
      left.push_back(std::move(finding));
    }
  }
  report_comments(comments, left);
  result.findings.clear();
  for (Finding& finding : left) {
    const bool wanted = (options.select.empty() || selected(finding.code, finding.slug, options.select)) &&
                        !selected(finding.code, finding.slug, options.ignore);
    if (!wanted) {
      aside.push_back({std::move(finding), "selection", "", {}});
    } else if (options.in_baseline && options.in_baseline(finding)) {
      aside.push_back({std::move(finding), "baseline", "", {}});
    } else {
      result.findings.push_back(std::move(finding));
    }
  }
  const bool explained = std::any_of(
      aside.begin(), aside.end(), [](const SuppressedFinding& each) { return each.finding.effect != Effect::kNote; });
  if (explained && !result.opaque) result.has_witness = true;
  result.inconclusive.clear();
  for (const Finding& finding : result.findings) {
    if (finding.effect == Effect::kInconclusive) result.inconclusive.push_back(finding.message);
  }
  return aside;
}

const std::vector<RuleInfo>& allow_rules() {
  static const std::vector<RuleInfo> rules = {
      {"KA991",
       "malformed-allow",
       "a comment that should allow a finding names no rule or gives no reason",
       Severity::kWarning,
       Confidence::kHigh,
       Stage::kAnalysis,
       Effect::kNote,
       {}},
      {"KA992",
       "unused-allow",
       "a comment allows a finding that is not there",
       Severity::kWarning,
       Confidence::kHigh,
       Stage::kAnalysis,
       Effect::kNote,
       {}},
  };
  return rules;
}

}  // namespace kernel_audit::analysis
