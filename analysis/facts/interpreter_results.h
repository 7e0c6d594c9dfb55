// What a run of the interpreter (interpreter.h) records: stores to what outlives the call, operations, returns.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/facts/abstract.h"

namespace kernel_audit::analysis::facts {

// One execution site of a store to storage that outlives the call.
struct StateStore {
  StatementRef where;
  ContextId context = 0;
  Phase phase = Phase::kImport;
  NodeSet nodes;  // what was stored
};

// Objects of kind kStream that stand for threads, processes and futures, and for pools of them.
inline constexpr const char* kThreadSymbol = "thread";
inline constexpr const char* kExecutorSymbol = "executor";

// Begins the symbol of what a search of the process finds, and of what is reached from there.
inline constexpr std::string_view kFound = "found.";

// A call, or the read of an attribute, that was run, under every canonical name that it was found to have.
struct OperationRecord {
  std::vector<std::string> names;
  bool at_import = false, at_init = false, in_forward = false;
  bool in_later_calls = false;  // of forward, not the first alone
};

// A store to an attribute of an imported package or class, whatever alias it went through.
struct ForeignStore {
  std::string name;  // "torch.cuda.Event.elapsed_time"
  StatementRef where;
  ContextId context = 0;
  Phase phase = Phase::kImport;
  Abstract value;
};

// One return of the entry, over all its calls.
struct EntryReturn {
  StatementRef where;
  Abstract value;
  std::vector<NodeSet> parts;           // per returned tensor (tuples flattened): its alternatives
  std::vector<ObjectId> instances;      // own-class instances among them
  ObjectSet tensors;                    // all that are returned, those within lists and the like too
  std::map<ObjectId, NodeSet> pending;  // unjoined side-stream work at this return
};

}  // namespace kernel_audit::analysis::facts
