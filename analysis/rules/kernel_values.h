// What a value of a kernel is computed from, the helpers that it calls included: their results are followed into their
// bodies, and their parameters out to what the call hands over.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "analysis/rules/device_code.h"

namespace kernel_audit::analysis::rules {

// A value in one call of a function; frame 0 is the kernel itself.
struct KernelValue {
  facts::Id value = facts::kNone;
  int frame = 0;
  auto operator<=>(const KernelValue&) const = default;
};

class KernelValues {
 public:
  KernelValues(const facts::Model& model, const facts::Function& kernel);

  // Visits each statement that the value is computed from; `enter` says whether to go on to its operands.
  void walk(KernelValue from, const std::function<bool(const facts::Statement&, KernelValue)>& enter);
  // Whether one of them is accepted.
  bool any(KernelValue from, const std::function<bool(const facts::Statement&)>& wanted);
  // Whether it comes of what memory holds.
  bool from_memory(KernelValue from);
  const facts::Statement* made(KernelValue value) const;
  const facts::Function& function(int frame) const { return *frames_[static_cast<std::size_t>(frame)].function; }
  // What a value is one of that a variable, a parameter or a call of a helper passes on; nothing for any other.
  std::vector<KernelValue> passed_on(KernelValue value);
  // The parameter of the kernel that a statement loads, kNone when it does not.
  facts::Id kernel_parameter(const facts::Statement& load, KernelValue value) const;
  // Reads memory: a load through a pointer, tl.load, __ldg.
  bool reads_memory(const facts::Statement& statement, int frame) const;

 private:
  struct Frame {
    const facts::Function* function;
    const DeviceFlow* flow;
    const facts::Statement* call;  // in the frame around it
    int around;
  };
  const DeviceFlow& flow_of(facts::Id function);
  // What the call that entered a frame hands to a parameter.
  KernelValue handed(int frame, std::size_t parameter) const;
  int enter(int frame, const facts::Statement& call);

  const facts::Model& model_;
  std::map<facts::Id, std::unique_ptr<DeviceFlow>> flows_;
  std::deque<Frame> frames_;
  std::map<std::pair<int, const facts::Statement*>, int> entered_;
};

}  // namespace kernel_audit::analysis::rules
