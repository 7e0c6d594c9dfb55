// What launches hand to the parameters of a kernel, across functions and languages: numbers, and buffers of which kind
// of elements.
#pragma once

#include <optional>
#include <vector>

#include "analysis/facts/model.h"

namespace kernel_audit::analysis::rules {

// Which element types something may have, as bits. Nothing known of it: kNoWidth.
using Widths = unsigned;
inline constexpr Widths kNarrowFloat = 1, kWideFloat = 2, kOtherElements = 4, kNoWidth = 8;

// By what a dtype's name says: "torch.float16", "torch.int8".
Widths width_of_dtype(const std::string& symbol);

class LaunchValues {
 public:
  explicit LaunchValues(const facts::Model& model);

  // Joined over all launches that ran; nothing when the parameter is not handed over in one of them.
  std::optional<facts::Abstract> given(facts::Id kernel, std::size_t parameter) const;
  // The constants that a parameter may be in any launch; nothing when it may be something else as well.
  std::vector<Json> constants(facts::Id kernel, std::size_t parameter) const;
  // The number that it is in every launch, whatever came of it on the way.
  std::optional<double> number(facts::Id kernel, std::size_t parameter) const;
  Widths widths(facts::ObjectId tensor) const;
  Widths widths(const facts::Abstract& value) const;
  // Of all that a kernel reads through its pointers, whole numbers left out.
  Widths read_by(facts::Id kernel) const;
  Widths read_by(facts::Id kernel, const std::vector<facts::Abstract>& arguments) const;
  // 32 bit floats, and whole numbers at most besides.
  static bool wide_alone(Widths widths) {
    return (widths & kWideFloat) != 0 && (widths & (kNarrowFloat | kNoWidth)) == 0;
  }

 private:
  Widths widths(facts::ObjectId tensor, int depth) const;
  Widths of_weights() const;
  Widths of_argument(int position) const;

  const facts::Model& model_;
  std::vector<Widths> inputs_;
  Widths all_inputs_ = 0;
};

}  // namespace kernel_audit::analysis::rules
