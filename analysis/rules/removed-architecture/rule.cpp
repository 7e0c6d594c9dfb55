// KA908: the build asks for an architecture that current toolkits have dropped.
#include <algorithm>
#include <cctype>
#include <optional>

#include "analysis/rules/build_flags.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Model;

const RuleInfo kInfo{"KA908",
                     "removed-architecture",
                     "the build asks for an architecture that the toolkit no longer has",
                     Severity::kWarning,
                     Confidence::kHigh,
                     Stage::kAnalysis,
                     Effect::kNote,
                     {}};

constexpr int kOldestOfTwelve = 50, kOldestOfThirteen = 75;

// Numbers after "sm_", "compute_" or "lto_", or as in "6.1".
std::vector<int> architectures(const std::string& text) {
  std::vector<int> found;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (std::isdigit(static_cast<unsigned char>(text[i])) == 0) continue;
    const bool dotted = i + 2 < text.size() && text[i + 1] == '.';
    std::string number;
    for (; i < text.size() && (std::isdigit(static_cast<unsigned char>(text[i])) != 0 || text[i] == '.'); ++i) {
      if (text[i] != '.') number += text[i];
    }
    if (number.size() >= 2 && number.size() <= 3 && (dotted || text.find('_') != std::string::npos))
      found.push_back(std::stoi(number));
  }
  return found;
}

std::string verdict_on(int architecture) {
  if (architecture < kOldestOfTwelve) return "which CUDA 12 no longer has";
  if (architecture < kOldestOfThirteen) return "which CUDA 13 no longer has";
  return "";
}

std::optional<int> oldest(const std::string& text) {
  const std::vector<int> all = architectures(text);
  const auto least = std::min_element(all.begin(), all.end());
  return least == all.end() || verdict_on(*least).empty() ? std::nullopt : std::optional(*least);
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  const auto add = [&](int architecture, const SourceSpan& span) {
    Finding finding = make_finding(kInfo, policy,
                                   "The build asks for the architecture " + std::to_string(architecture / 10) + "." +
                                       std::to_string(architecture % 10) + ", " + verdict_on(architecture) + ".");
    finding.span = span;
    findings.push_back(std::move(finding));
  };
  std::set<facts::Id> units;
  for (const facts::StatementRef& where : model.run().executed_launches) {
    const facts::Id unit = model.function(where.function).unit;
    if (unit == facts::kNone || !model.native(where.function) || !units.insert(unit).second) continue;
    for (const BuildFlag& flag : flags_of(model.facts().units[static_cast<std::size_t>(unit)])) {
      const bool wanted = flag.name == "arch" || flag.name == "gpu-architecture" || flag.name == "gencode" ||
                          flag.name == "generate-code" || flag.name == "code" || flag.name == "gpu-code";
      const auto old = wanted ? oldest(flag.value) : std::nullopt;
      if (old) add(*old, model.span(where));
    }
  }
  for (const facts::ForeignStore& store : model.run().foreign_stores) {
    if (store.name != "os.environ.TORCH_CUDA_ARCH_LIST") continue;
    const auto text = model.run().text_of(store.value);
    const auto old = text ? oldest(*text) : std::nullopt;
    if (old) add(*old, model.span(store.where));
  }
  return findings;
}

}  // namespace

const Rule& removed_architecture() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
