#include "analysis/split/programs.h"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/split/text.h"
#include "auditor/core/digest.h"

namespace kernel_audit::analysis::split {
namespace {

using facts::Id;
using facts::kNone;
using facts::Statement;
using facts::StatementKind;

constexpr std::size_t kMaxTexts = 16;  // that one value may be
constexpr int kMaxSteps = 24;          // from a value back to its texts

bool passes_text(const std::string& callee) {
  return callee == "std::string::string" || callee == "std::string::c_str" || callee == "std::string::data" ||
         callee == "std::string_view::string_view" || callee == "std::string_view::data" ||
         callee == "operator.addressof" || callee == "operator.cast";
}

// Follows values of C++ back to constant texts, through variables, parameters and what functions return.
class TextFinder {
 public:
  TextFinder(const facts::Facts& facts, const std::vector<CandidateFile>& files) : facts_(facts), files_(files) {
    for (std::size_t f = 0; f < facts.functions.size(); ++f) {
      const facts::Function& function = facts.functions[f];
      if (!native(function)) continue;
      for (std::size_t p = 0; p < function.parameters.size(); ++p)
        parameters_[function.parameters[p].storage] = {static_cast<Id>(f), p};
      for (const facts::Block& block : function.blocks) {
        for (const Statement& s : block.statements) {
          if (s.result != kNone) made_[s.result] = &s;
          if (s.kind == StatementKind::kStore && !s.location.element) stored_[s.location.storage].push_back(s.value);
          if (s.kind == StatementKind::kReturn) returned_[static_cast<Id>(f)].push_back(s.value);
          if (s.kind == StatementKind::kCall && s.target != kNone) calls_[s.target].push_back(&s);
          if (s.callee == "nvrtcCreateProgram" && s.args.size() > 1) programs_.emplace_back(function.unit, s.args[1]);
        }
      }
    }
  }

  // The unit that makes a program, and the value of its source.
  const std::vector<std::pair<Id, Id>>& programs() const { return programs_; }

  std::vector<Text> texts_of(Id value, int steps = 0) {
    std::vector<Text> found;
    if (value == kNone || steps > kMaxSteps) return found;
    const facts::Value& known = facts_.values[static_cast<std::size_t>(value)];
    if (known.constant) {
      if (known.constant->is_string()) found.push_back(located(known.constant->get<std::string>(), known.span));
      return found;
    }
    const auto add = [&](Id from) {
      for (Text& text : texts_of(from, steps + 1)) {
        if (found.size() < kMaxTexts) found.push_back(std::move(text));
      }
    };
    const auto made = made_.find(value);
    if (made == made_.end()) return found;
    const Statement& s = *made->second;
    if (s.kind == StatementKind::kPhi) {
      for (const Id arg : s.args) add(arg);
    } else if (s.kind == StatementKind::kLoad && !s.location.element) {
      if (const auto stores = stored_.find(s.location.storage); stores != stored_.end()) {
        for (const Id each : stores->second) add(each);
      }
      if (const auto parameter = parameters_.find(s.location.storage); parameter != parameters_.end()) {
        for (const Statement* call : calls_[parameter->second.first]) {
          if (parameter->second.second < call->args.size()) add(call->args[parameter->second.second]);
        }
      }
    } else if (s.kind == StatementKind::kCall && s.target != kNone) {
      for (const Id each : returned_[s.target]) add(each);
    } else if (s.kind == StatementKind::kCall && passes_text(s.callee)) {
      add(s.receiver != kNone ? s.receiver : s.args.empty() ? kNone : s.args[0]);
    } else if (s.kind == StatementKind::kCall && s.callee == "operator.add" && s.args.size() == 2) {
      const std::vector<Text> left = texts_of(s.args[0], steps + 1), right = texts_of(s.args[1], steps + 1);
      for (const Text& begin : left) {
        for (const Text& end : right) {
          if (found.size() < kMaxTexts) found.push_back(concat(begin, end));
        }
      }
    }
    return found;
  }

 private:
  bool native(const facts::Function& function) const {
    return function.unit != kNone &&
           facts_.units[static_cast<std::size_t>(function.unit)].language != facts::UnitLanguage::kPython;
  }

  // Byte by byte where the file holds the text as it is, as a raw string does; else all of it is the whole literal.
  Text located(const std::string& bytes, const SourceSpan& span) const {
    for (const CandidateFile& file : files_) {
      if (file.file != span.file || span.begin < 0 || span.end > static_cast<std::int64_t>(file.text.size())) continue;
      const std::string_view literal = std::string_view(file.text).substr(
          static_cast<std::size_t>(span.begin), static_cast<std::size_t>(span.end - span.begin));
      const std::size_t at = literal.find(bytes);
      if (at == std::string_view::npos || bytes.empty()) continue;
      const std::int64_t begin = span.begin + static_cast<std::int64_t>(at);
      Text text;
      text.bytes = bytes;
      text.map.append(Segment{0, static_cast<std::int64_t>(bytes.size()), span.file, begin,
                              begin + static_cast<std::int64_t>(bytes.size()), true});
      return text;
    }
    return Text::coarse(bytes, span);
  }

  const facts::Facts& facts_;
  const std::vector<CandidateFile>& files_;
  std::map<Id, const Statement*> made_;
  std::map<Id, std::vector<Id>> stored_, returned_;  // by storage, by function
  std::map<Id, std::pair<Id, std::size_t>> parameters_;
  std::map<Id, std::vector<const Statement*>> calls_;
  std::vector<std::pair<Id, Id>> programs_;
};

}  // namespace

std::vector<SourceUnit> nvrtc_sources(const facts::Facts& facts, const std::vector<CandidateFile>& files) {
  TextFinder finder(facts, files);
  std::vector<SourceUnit> units;
  std::set<std::string> known;
  for (const auto& [parent, source] : finder.programs()) {
    for (Text& text : finder.texts_of(source)) {
      const std::string digest = sha256_hex(text.bytes);
      if (!known.insert(digest).second) continue;
      SourceUnit& unit = units.emplace_back();
      unit.name = facts.units[static_cast<std::size_t>(parent)].name + ":program";
      unit.language = facts::UnitLanguage::kCuda;
      unit.text = std::move(text.bytes);
      unit.map = std::move(text.map);
      unit.extension = "ext:program@" + digest.substr(0, 12);
      unit.bare_kernel_source = true;
    }
  }
  return units;
}

}  // namespace kernel_audit::analysis::split
