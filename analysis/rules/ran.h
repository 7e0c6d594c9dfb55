// What rules ask about operations that ran: calls and stores by canonical name, when they run, and the
// constants that they are given. All of it comes from the interpreter's records; code that nothing
// reaches is not listed.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/facts/model.h"
#include "analysis/facts/names.h"
#include "auditor/core/finding.h"

namespace kernel_audit::analysis::rules {

struct Ran {
  facts::StatementRef where;
  const facts::Statement* statement = nullptr;
  std::string name;  // the name that was asked for
  const facts::OperationRecord* record = nullptr;
};

// A pattern that ends in a dot stands for every name below it, any other for itself.
bool matches(std::string_view name, std::span<const std::string_view> patterns);

// Operations under a name that `wanted` accepts, in order of place; each place once.
std::vector<Ran> ran(const facts::Model& model, const std::function<bool(const std::string&)>& wanted);
std::vector<Ran> ran(const facts::Model& model, std::span<const std::string_view> patterns);

// "at import", "when it is constructed", "in the first call" or "in every call".
std::string when(const facts::OperationRecord& record);
std::string when(facts::Phase phase);

// Argument by position or keyword, kNone when it is not given or hidden by *args.
facts::Id argument(const facts::Statement& statement, std::size_t position, std::string_view keyword = {});
// The constant or symbol that a value is known to be.
const Json* constant_of(const facts::Model& model, facts::Id value);
std::string text_of(const facts::Model& model, facts::Id value);    // "" when it is no folded string
std::string symbol_of(const facts::Model& model, facts::Id value);  // "" when it names nothing
// The statement of the same function that made the value, nullptr when there is none.
const facts::Statement* maker(const facts::Model& model, facts::Id function, facts::Id value);

// The value behind a local or global that is stored once, else the value itself.
facts::Id behind(const facts::Model& model, facts::Id function, facts::Id value);

// Every node that a way of returning is made of, through data alone (sizes and addresses are left out).
facts::NodeSet made_of(const facts::Model& model, const facts::NodeSet& from);

// Whether the condition of a guard looks at a node that `wanted` accepts.
bool looks_at(const facts::Model& model, const facts::Guard& guard,
              const std::function<bool(const facts::Node&)>& wanted);

// Where a package's attribute is named first; for symbols that were read without a call.
SourceSpan span_of_symbol(const facts::Model& model, const std::string& symbol);

using facts::last_part;

// True when a place (line and column) has been reported already; remembers it otherwise.
class Once {
 public:
  bool seen(const SourceSpan& span);

 private:
  std::vector<SourceSpan> spans_;
};

}  // namespace kernel_audit::analysis::rules
