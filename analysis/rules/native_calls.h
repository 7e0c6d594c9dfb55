// Calls of C and C++ library functions that run, from the candidate's C++ code by whatever name, pointer or symbol
// lookup they are reached, and from its Python code through ctypes and the CUDA bindings. Rules ask for them by
// predicate on the canonical name, and for what folds of their arguments.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/facts/model.h"
#include "analysis/facts/names.h"
#include "auditor/core/finding.h"

namespace kernel_audit::analysis::rules {

struct NativeCall {
  facts::StatementRef where;
  std::string name;         // canonical: "cuptiFinalize", "std::thread::thread"
  bool in_forward = false;  // else only while the extension is loaded or the model is made
  bool in_python = false;
};

// In order of occurrence.
std::vector<NativeCall> native_calls(const facts::Model& model, const std::function<bool(std::string_view)>& wanted);

// What argument `i` (receiver first) certainly is.
std::optional<std::string> text_argument(const facts::Model& model, const NativeCall& call, std::size_t i);
std::optional<std::int64_t> number_argument(const facts::Model& model, const NativeCall& call, std::size_t i);
// The last part of the symbol that it certainly is: "cudaLimitPersistingL2CacheSize".
std::string symbol_argument(const facts::Model& model, const NativeCall& call, std::size_t i);
// Whether the argument is certainly what was compiled from a source in the candidate.
bool loads_program(const facts::Model& model, const NativeCall& call, std::size_t i);
// Whether it may be anything that is not known at all.
bool open_argument(const facts::Model& model, const NativeCall& call, std::size_t i);

using facts::one_of;
bool starts_with_any(std::string_view name, std::initializer_list<std::string_view> prefixes);

// "C++ code" or "Python code".
const char* caller_text(const NativeCall& call);
// "while forward runs", or when it is called before.
const char* phase_text(const NativeCall& call);

// The call sites from the entry's function to the function that holds `where`, as far as direct calls show.
void add_route_notes(const facts::Model& model, const facts::StatementRef& where, std::vector<FlowNote>& notes);

// Whether some call in the same function, or in one that calls it, surely follows `where` on every way that returns:
// it post-dominates it, itself or by way of the loop that it is in.
bool surely_followed_by(const facts::Model& model, const facts::StatementRef& where,
                        const std::function<bool(const facts::Statement&)>& wanted);

}  // namespace kernel_audit::analysis::rules
