// The candidate's device code that launches reach, and the PTX inside of it: what rules about kernels start from.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/facts/flow_graph.h"
#include "analysis/facts/model.h"
#include "auditor/core/finding.h"
#include "auditor/core/policy.h"

namespace kernel_audit::analysis::rules {

struct DeviceFunction {
  facts::Id function = facts::kNone;
  facts::StatementRef launch;  // one that leads to it
};

// A finding inside a kernel or what it calls, with where it is launched; its notes come before that one. The message is
// the function's name and what `says` tells of it.
Finding finding_in_launched(const RuleInfo& info, const facts::Model& model, const Policy& policy,
                            const DeviceFunction& code, const facts::Statement& at, const std::string& says,
                            std::vector<FlowNote> notes = {});

// The kernel of a launch that ran, or those of which it launches one: through a table of pointers.
std::vector<facts::Id> kernels_of(const facts::Model& model, const facts::StatementRef& launch);

// Kernels of executed launches and the device functions that they call, each once.
std::vector<DeviceFunction> launched_code(const facts::Model& model);

struct PtxInstruction {
  std::string opcode;                  // "ld"
  std::vector<std::string> modifiers;  // "global", "L2", "evict_last", "f32"
  std::vector<std::string> operands;   // as written
  bool has(std::string_view modifier) const;
};

// The instructions of an asm statement's text; labels, directives, comments and predicates are left out.
std::vector<PtxInstruction> parse_ptx(const std::string& text);

// The instructions of a call of "asm"; empty for any other statement and for text that is not read.
std::vector<PtxInstruction> ptx_of(const facts::Model& model, const facts::Statement& statement);

// Data flow inside one function, without regard to order: what memory a value is computed from.
class DeviceFlow {
 public:
  DeviceFlow(const facts::Model& model, const facts::Function& function);
  const facts::Statement* made(facts::Id value) const;
  // Storages of the pointers through which memory was loaded that flows into the value (pointer_root).
  const std::set<facts::Id>& memory_behind(facts::Id value);
  // What a value is computed from by plain loads and arithmetic, by way of variables too.
  struct Behind {
    std::set<facts::Id> values;     // itself included
    std::set<facts::Id> variables;  // storages
  };
  Behind behind(facts::Id value) const;
  bool deref(const facts::Statement& statement) const;
  // Whether two values are the same expression of the same variables.
  bool same(facts::Id a, facts::Id b, int depth = 0) const;
  const std::vector<const facts::Statement*>& stores_to(facts::Id storage) const;

 private:
  void find_elements_of_arrays();
  // Stores through pointers into an array of the function's own.
  const std::vector<const facts::Statement*>& stores_into(facts::Id array);

  const facts::Model& model_;
  const facts::Function& function_;
  std::set<const facts::Statement*> elements_;
  bool arrays_known_ = false;
  std::map<facts::Id, std::vector<const facts::Statement*>> arrays_;
  std::map<facts::Id, const facts::Statement*> made_;
  std::map<facts::Id, std::vector<const facts::Statement*>> stores_;
  std::map<facts::Id, std::set<facts::Id>> memory_;
};

// Whether a value is computed from a built-in variable: "threadIdx", "blockIdx".
bool uses_symbol(const facts::Model& model, const DeviceFlow& flow, facts::Id value, const std::string& name);

// A loop by one of the jumps back to its header: the blocks from which that jump is come to without leaving it.
struct NaturalLoop {
  facts::Id header = facts::kNone;
  facts::Id last = facts::kNone;  // jumps back
  std::set<facts::Id> blocks;
};
std::vector<NaturalLoop> natural_loops(const facts::Function& function, const facts::FlowGraph& flow);

// Blocks that belong to some loop of the function.
const std::set<facts::Id>& blocks_in_loops(const facts::Model& model, facts::Id function);

// Whether a statement certainly writes global memory: a store through a pointer that is not shared memory, an atomic,
// a PTX store.
bool writes_global(const facts::Model& model, const facts::Function& function, const facts::Statement& statement);

// The storage that a pointer value was loaded or computed from, followed through arithmetic and locals with one
// store; kNone when that is not one place.
facts::Id pointer_root(const facts::Model& model, const facts::Function& function, facts::Id value);

}  // namespace kernel_audit::analysis::rules
