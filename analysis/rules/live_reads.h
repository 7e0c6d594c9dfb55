// Which of the buffers that a launch is handed take part in what its kernel stores, with the numbers that the launch
// gives: not those that are read in a loop without a turn, on a side that no thread takes, or to be multiplied by zero.
// What is not followed counts as taking part.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/rules/launch_ranges.h"

namespace kernel_audit::analysis::rules {

class LiveReads {
 public:
  struct Live {
    bool followed = false;         // else all of them may
    std::vector<bool> parameters;  // structures are among them
    std::set<std::pair<std::size_t, std::string>> members;
  };

  // `inputs`: with the sizes that the candidate's own get_inputs makes; else what holds whatever they are.
  LiveReads(const facts::Model& model, HostNumbers* inputs) : model_(model), inputs_(inputs) {}

  // Of what a launch hands to a parameter.
  bool takes_part(const facts::StatementRef& launch, facts::ContextId context, std::size_t parameter);
  // Visits what nodes are made of, as Provenance::walk does, but of a launch only what takes part.
  void walk(const facts::NodeSet& from, const std::function<bool(const facts::Node&, facts::NodeId)>& descend);

 private:
  const Live& live_in(const facts::StatementRef& launch, facts::ContextId context);
  bool slot_takes_part(facts::NodeId launch, std::size_t slot);

  const facts::Model& model_;
  HostNumbers* inputs_;
  std::map<std::pair<facts::StatementRef, facts::ContextId>, Live> known_;
};

}  // namespace kernel_audit::analysis::rules
