// Tests of several indices at once, for KernelExtent: (row + column) % 2 == 0 lets every other place through.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "analysis/rules/kernel_extent.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"

namespace kernel_audit::analysis::rules {

using facts::Id;
using facts::kNone;
using facts::Statement;
using facts::StatementKind;

namespace {

constexpr int kDeepest = 48;
constexpr double kLargestRest = 16;
constexpr std::size_t kMostIndices = 3;

}  // namespace

// "blockIdx.x", "program 0": the name of a place of a block, thread or program, "" of anything else.
std::string KernelExtent::place_name(Id value) const {
  const std::string& symbol = kernel_.model.value(value).symbol;
  if (const auto known = built_in(symbol); known && known->low != known->high) return symbol;
  const Statement* made = kernel_.flow.made(value);
  const bool program = made != nullptr && made->callee == "triton.language.program_id";
  return program ? "program " + axis_of(kernel_.model, *made) : "";
}

// Whether a value is a sum of multiples of places: after so many of each the rests come again.
bool KernelExtent::linear(Id id, int depth) {
  if (id == kNone || depth > kDeepest) return false;
  if (fixed(id) || !place_name(id).empty()) return true;
  const Statement* s = kernel_.flow.made(id);
  if (s == nullptr) return false;
  if (const Id same = passed_on(*s); same != kNone) return linear(same, depth + 1);
  return s->kind == StatementKind::kCall && s->args.size() == 2 && s->target == kNone &&
         one_of(s->callee, {"operator.add", "operator.sub", "operator.mul", "operator.xor"}) &&
         linear(s->args[0], depth + 1) && linear(s->args[1], depth + 1);
}

// The share of all places that a test of the rest of several lets through, where the access lies by all of those.
std::optional<double> KernelExtent::share_of_rest(const Statement& test, bool holds, const Atoms& atoms) {
  const Statement* rest = &test;
  const bool compares = one_of(test.callee, {"operator.eq", "operator.ne"}) && fixed(test.args[1]);
  if (compares || test.callee == "operator.not_") rest = kernel_.flow.made(test.args[0]);
  if (rest == nullptr || rest->args.size() != 2 || !linear(rest->args[0])) return std::nullopt;
  const auto by = fixed(rest->args[1]);
  const bool bits = rest->callee == "operator.and_";
  if (!by || *by < 1 || (!bits && rest->callee != "operator.mod")) return std::nullopt;
  const double turn = bits ? std::exp2(std::ceil(std::log2(*by + 1))) : *by;
  if (turn < 2 || turn > kLargestRest) return std::nullopt;
  const bool asked_of_one =
      std::any_of(named_.begin(), named_.end(), [&](Id index) { return period(test.result, index).has_value(); });
  if (asked_of_one) return std::nullopt;  // counted with that index
  std::map<std::string, double> places;
  for (const Id value : kernel_.flow.behind(rest->args[0]).values) {
    const std::string name = place_name(value);
    if (name.empty() || places.contains(name)) continue;
    const auto range = bounds(value);
    const bool within =
        atoms.contains(name) || std::any_of(named_.begin(), named_.end(), [&](Id index) {
          const auto behind = kernel_.flow.behind(index).values;
          return std::any_of(behind.begin(), behind.end(), [&](Id each) { return place_name(each) == name; });
        });
    if (!range || range->high + 1 < turn || !within) return std::nullopt;
    places.emplace(name, 0);
  }
  if (places.size() < 2 || places.size() > kMostIndices) return std::nullopt;
  const double all = std::pow(turn, static_cast<double>(places.size()));
  double hits = 0;
  for (double place = 0; place < all; ++place) {
    double left = place;
    for (auto& [name, each] : places) {
      each = std::fmod(left, turn);
      left = std::floor(left / turn);
    }
    const auto truth = at(test.result, 0, {"?", kNone, &places});
    if (!truth) return std::nullopt;
    hits += (*truth != 0) == holds ? 1 : 0;
  }
  return hits / all;
}

double KernelExtent::share_of_rests(const Tests& tests, const Atoms& atoms) {
  double least = 1;
  for (const auto& [test, holds] : tests) {
    if (test->args.empty() || test->result == kNone) continue;
    if (const auto share = share_of_rest(*test, holds, atoms); share && *share > 0) least = std::min(least, *share);
  }
  return least;
}

}  // namespace kernel_audit::analysis::rules
