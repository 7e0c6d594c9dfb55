// KA624: code reads memory that nobody handed to it: fixed addresses, addresses counted up, pointers walked without
// end.
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "analysis/rules/kernel_code.h"
#include "analysis/rules/launch_ranges.h"
#include "analysis/rules/native_calls.h"
#include "analysis/rules/ran.h"
#include "analysis/rules/rules.h"
#include "analysis/rules/support.h"

namespace kernel_audit::analysis::rules {
namespace {

using facts::Block;
using facts::Edge;
using facts::EdgeKind;
using facts::Function;
using facts::Id;
using facts::kNone;
using facts::Model;
using facts::Statement;
using facts::StatementKind;
using facts::StorageKind;
using facts::TypeKind;

const RuleInfo kInfo{"KA624",
                     "memory-scan",
                     "code walks through memory that it was not given",
                     Severity::kError,
                     Confidence::kMedium,
                     Stage::kAnalysis,
                     Effect::kCheat,
                     {58, 85}};

constexpr std::int64_t kFirstPage = 4096;
constexpr std::int64_t kFarBefore = -256;
constexpr double kAllocatorSegment = 2 << 20;  // PyTorch's smallest segment: what lies further off is another's

class Scan {
 public:
  Scan(const Model& model, const Function& function) : model_(model), function_(function), flow_(function) {
    for (const Block& block : function.blocks) {
      for (const Statement& s : block.statements) {
        if (s.result != kNone) made_[s.result] = &s;
      }
    }
    loops_ = natural_loops(function, flow_);
  }

  struct Hit {
    const Statement* read = nullptr;
    std::string how;
    bool sure = false;
  };

  std::vector<Hit> run() const {
    std::vector<Hit> hits;
    for (std::size_t b = 0; b < function_.blocks.size(); ++b) {
      for (const Statement& s : function_.blocks[b].statements) {
        if (s.callee == "triton.language.load" && !s.args.empty()) {
          if (auto hit = judge_triton(s); hit.read != nullptr) hits.push_back(std::move(hit));
          continue;
        }
        if (s.kind != StatementKind::kLoad || s.location.base == kNone || !deref(s)) continue;
        if (auto hit = judge(s, static_cast<Id>(b)); hit.read != nullptr) hits.push_back(std::move(hit));
      }
    }
    return hits;
  }

 private:
  const facts::Value& value(Id id) const { return model_.value(id); }
  const facts::Storage& storage(Id id) const { return model_.facts().storages[static_cast<std::size_t>(id)]; }
  bool deref(const Statement& s) const {
    return s.location.storage != kNone && storage(s.location.storage).kind == StorageKind::kDeref;
  }

  // Storages that a value is computed from by arithmetic, casts and plain loads.
  void sources(Id id, std::set<Id>& storages, std::set<Id>& values, int depth) const {
    if (id == kNone || depth > 10 || !values.insert(id).second) return;
    const auto found = made_.find(id);
    if (found == made_.end()) return;
    const Statement& s = *found->second;
    if (s.kind == StatementKind::kLoad) {
      if (!deref(s) && s.location.storage != kNone) storages.insert(s.location.storage);
    } else if (s.kind == StatementKind::kCall && s.callee.compare(0, 9, "operator.") == 0) {
      for (const Id arg : s.args) sources(arg, storages, values, depth + 1);
    }
  }

  bool stepped_in(const NaturalLoop& loop, Id place) const {
    for (const Id b : loop.blocks) {
      for (const Statement& s : function_.blocks[static_cast<std::size_t>(b)].statements) {
        if (s.kind == StatementKind::kStore && s.location.storage == place && s.augmented) return true;
      }
    }
    return false;
  }

  bool is_contents(Id id) const {
    const auto load = made_.find(id);
    return load != made_.end() && load->second->kind == StatementKind::kLoad && deref(*load->second);
  }
  // fabsf(*p - wanted): how far what memory holds is from something.
  bool is_distance(Id id) const {
    const auto call = made_.find(id);
    if (call == made_.end() || call->second->args.size() != 1) return false;
    const std::string& name = call->second->callee;
    const auto inner = made_.find(call->second->args[0]);
    return (name.ends_with("abs") || name.ends_with("absf")) && inner != made_.end() &&
           inner->second->callee == "operator.sub" &&
           std::any_of(inner->second->args.begin(), inner->second->args.end(),
                       [&](Id arg) { return is_contents(arg); });
  }

  // All ways out of the loop compare what memory holds, none how far it has come.
  bool ends_by_contents_only(const NaturalLoop& loop) const {
    bool any = false;
    for (const Id b : loop.blocks) {
      const Block& block = function_.blocks[static_cast<std::size_t>(b)];
      const bool leaves = std::any_of(block.successors.begin(), block.successors.end(),
                                      [&](const Edge& edge) { return !loop.blocks.contains(edge.to); });
      if (!leaves || block.condition == kNone) continue;
      const auto found = made_.find(block.condition);
      if (found == made_.end() || found->second->kind != StatementKind::kCall) return false;
      const Statement& test = *found->second;
      const bool equal = test.callee == "operator.eq" || test.callee == "operator.ne";
      if (!std::any_of(test.args.begin(), test.args.end(),
                       [&](Id arg) { return equal ? is_contents(arg) : is_distance(arg); }))
        return false;
      any = true;
    }
    return any;
  }

  bool starts_before(Id place) const {
    for (const Block& block : function_.blocks) {
      for (const Statement& s : block.statements) {
        if (s.kind != StatementKind::kStore || s.location.storage != place || s.augmented || s.value == kNone) continue;
        const auto& constant = value(s.value).constant;
        if (constant && constant->is_number_integer() && constant->get<std::int64_t>() < kFarBefore) return true;
      }
    }
    return false;
  }

  // p = out - (1 << 24)
  bool starts_before_pointer(Id place) const {
    for (const Block& block : function_.blocks) {
      for (const Statement& s : block.statements) {
        if (s.kind != StatementKind::kStore || s.location.storage != place || s.augmented || s.value == kNone) continue;
        const auto made = made_.find(s.value);
        if (made == made_.end() || made->second->callee != "operator.sub" || made->second->args.size() != 2) continue;
        const auto& constant = value(made->second->args[1]).constant;
        if (constant && constant->is_number_integer() && -constant->get<std::int64_t>() < kFarBefore) return true;
      }
    }
    return false;
  }

  Hit judge(const Statement& read, Id block) const {
    const facts::Value& base = value(read.location.base);
    if (base.constant && base.constant->is_number_integer()) {
      const auto address = base.constant->get<std::int64_t>();
      if (address >= kFirstPage || address < 0) return {&read, "at a fixed address", true};
      return {};
    }
    std::set<Id> in_base, in_key, seen;
    sources(read.location.base, in_base, seen, 0);
    sources(read.location.key, in_key, seen, 0);
    for (const NaturalLoop& loop : loops_) {
      if (!loop.blocks.contains(block)) continue;
      for (const Id place : in_base) {
        if (storage(place).type.kind == TypeKind::kInt && base.type.kind == TypeKind::kInt && stepped_in(loop, place))
          return {&read, "at addresses that the number " + storage(place).name + " counts", true};
        const bool walked = storage(place).type.kind == TypeKind::kPointer && stepped_in(loop, place);
        if (walked && starts_before_pointer(place))
          return {&read, "from far before the start of a buffer, through " + storage(place).name, true};
        if (walked && ends_by_contents_only(loop))
          return {&read, "through " + storage(place).name + ", in a loop that only ends at what it finds", false};
      }
      for (const Id place : in_key) {
        if (stepped_in(loop, place) && starts_before(place))
          return {&read, "from far before the start of a buffer, which " + storage(place).name + " counts", true};
      }
    }
    return {};
  }

  // for back in range(-100000000, 0): tl.load(x + back)
  Hit judge_triton(const Statement& read) const {
    std::set<Id> places, seen;
    sources(read.args[0], places, seen, 0);
    for (const Id place : places) {
      for (const Block& block : function_.blocks) {
        for (const Statement& s : block.statements) {
          if (s.kind == StatementKind::kStore && s.location.storage == place && counts_from_far_before(s.value))
            return {&read, "from far before the start of a buffer, which " + storage(place).name + " counts", true};
        }
      }
    }
    return {};
  }

  bool counts_from_far_before(Id id) const {
    for (const char* name : {"builtins.next", "builtins.iter"}) {
      const auto made = made_.find(id);
      if (made == made_.end() || made->second->callee != name || made->second->args.empty()) return false;
      id = made->second->args[0];
    }
    const auto range = made_.find(id);
    if (range == made_.end() || range->second->args.empty() ||
        (range->second->callee != "builtins.range" && range->second->callee != "triton.language.range"))
      return false;
    const auto& first = value(range->second->args[0]).constant;
    return range->second->args.size() > 1 && first && first->is_number_integer() &&
           first->get<std::int64_t>() < kFarBefore;
  }

  const Model& model_;
  const Function& function_;
  facts::FlowGraph flow_;
  std::map<Id, const Statement*> made_;
  std::vector<NaturalLoop> loops_;
};

// What address a launch hands over lies before a tensor's buffer: `(const float*)((uintptr_t)y.data_ptr() - span)`.
const Statement* before_buffer(const PlainVariables& host, Id argument) {
  const KernelView& view = host.view();
  const Statement* moved = view.flow.made(host.settled(argument));
  if (moved == nullptr || moved->callee != "operator.sub" || moved->args.size() != 2) return nullptr;
  const auto gives_pointer = [&](Id value) {
    const Statement* made = view.flow.made(value);
    return made != nullptr && made->kind == StatementKind::kCall &&
           one_of(last_part(made->callee), {"data_ptr", "mutable_data_ptr", "const_data_ptr"});
  };
  if (!gives_pointer(host.settled(moved->args[0]))) return nullptr;
  const auto behind = view.flow.behind(moved->args[1]).values;
  // Rounded down to an alignment, or a distance between two places.
  if (std::any_of(behind.begin(), behind.end(), gives_pointer)) return nullptr;
  const facts::Type& type = view.model.value(moved->result).type;
  if (type.kind == TypeKind::kInt) return moved;
  // A pointer moved back by a halo is one thing, by as much as tensors or the allocator's segments hold another.
  if (const auto distance = host.number(moved->args[1]); distance && *distance >= kAllocatorSegment) return moved;
  const auto names = view.names_behind(moved->args[1]);
  const bool far = std::any_of(names.begin(), names.end(),
                               [](const std::string& name) { return one_of(last_part(name), {"numel", "nbytes"}); });
  return far ? moved : nullptr;
}

// Whether the kernel walks through what a parameter points to.
bool walks(const KernelView& kernel, Id parameter) {
  for (const Id b : blocks_in_loops(kernel.model, kernel.model.id_of(kernel.function))) {
    for (const Statement& s : kernel.function.blocks[static_cast<std::size_t>(b)].statements) {
      if (s.kind == StatementKind::kLoad && kernel.flow.deref(s) && kernel.root(s.location.base) == parameter)
        return true;
    }
  }
  return false;
}

void find_before_buffers(const Model& model, const Policy& policy, std::vector<Finding>& findings) {
  for (const facts::StatementRef& where : model.run().executed_launches) {
    const Statement* launch = model.statement(where);
    const Id id = model.kernel_of(where);
    if (launch == nullptr || !launch->launch || id == kNone || !model.native(where.function) || launch->star_args)
      continue;
    const KernelView &view = view_of(model, where.function), &kernel = view_of(model, id);
    const PlainVariables host(view);
    for (std::size_t p = 0; p < launch->args.size() && p < kernel.function.parameters.size(); ++p) {
      const Statement* moved = before_buffer(host, launch->args[p]);
      if (moved == nullptr || !walks(kernel, kernel.function.parameters[p].storage)) continue;
      Finding finding = make_finding(
          kInfo, policy,
          kernel.function.qualified_name + " walks through memory from an address that lies before a tensor's buffer.");
      finding.span = moved->span;
      finding.notes.push_back({launch->span, "launched here"});
      findings.push_back(std::move(finding));
    }
  }
}

// The address that a kernel leaves in memory as a number.
const Statement* leaves_address(const KernelView& kernel) {
  const auto address = [&](Id value) { return kernel.model.value(value).type.kind == TypeKind::kPointer; };
  const auto of_numbers = [&](Id pointer) {
    const std::string& type = kernel.model.value(pointer).type.name;
    return type.find("long") != std::string::npos && type.find('*') == type.rfind('*');
  };
  for (const Block& block : kernel.function.blocks) {
    for (const Statement& s : block.statements) {
      const bool store = s.kind == StatementKind::kStore && kernel.flow.deref(s) && s.value != kNone;
      if (store && address(s.value) && of_numbers(s.location.base)) return &s;
      const bool atomic = s.callee.starts_with("atomic") && s.args.size() >= 2;
      if (atomic && of_numbers(s.args[0]) && address(s.args.back())) return &s;
    }
  }
  return nullptr;
}

// Whether a kernel reads through a number that it finds in memory.
bool reads_through_number(const KernelView& kernel) {
  for (const Block& block : kernel.function.blocks) {
    for (const Statement& s : block.statements) {
      const Statement* pointer = s.kind == StatementKind::kLoad && kernel.flow.deref(s) && s.location.base != kNone
                                     ? kernel.flow.made(s.location.base)
                                     : nullptr;
      if (pointer == nullptr || pointer->kind != StatementKind::kLoad || pointer->location.element) continue;
      const auto& stores = kernel.flow.stores_to(pointer->location.storage);
      const Statement* found = stores.size() == 1 ? kernel.flow.made(stores.front()->value) : nullptr;
      if (found != nullptr && kernel.flow.deref(*found) &&
          kernel.model.value(found->result).type.kind == TypeKind::kInt)
        return true;
    }
  }
  return false;
}

// What one kernel finds by address, another takes for where its data lies.
void find_left_addresses(const Model& model, const Policy& policy, std::vector<Finding>& findings) {
  const std::vector<DeviceFunction> launched = launched_code(model);
  const auto reads = [&](const DeviceFunction& code) {
    return reads_through_number(KernelView(model, model.function(code.function)));
  };
  if (std::none_of(launched.begin(), launched.end(), reads)) return;
  for (const DeviceFunction& code : launched) {
    const Statement* leaves = leaves_address(KernelView(model, model.function(code.function)));
    if (leaves == nullptr) continue;
    Finding finding = finding_in_launched(kInfo, model, policy, code, *leaves,
                                          "leaves an address in memory, through which a kernel reads afterwards.");
    finding.severity = Severity::kWarning;
    soften(finding, Effect::kReview);
    findings.push_back(std::move(finding));
  }
}

// Reads of one launch that may lie far before the buffer that they start from, and that are for comparing alone.
class Search {
 public:
  Search(const KernelView& kernel, const facts::StatementRef& launch, HostNumbers& host)
      : kernel_(kernel), variables_(kernel), ranges_(kernel, launch, &host) {}

  const Statement* find() const {
    for (const Block& block : kernel_.function.blocks) {
      for (const Statement& s : block.statements) {
        const bool triton = s.callee == "triton.language.load" && s.keywords.empty() && s.args.size() == 1;
        const bool load = s.kind == StatementKind::kLoad && kernel_.flow.deref(s) && s.location.base != kNone;
        if (!triton && !load) continue;
        if (lowest(triton ? s.args[0] : s.location.base, s) <= -kAllocatorSegment && compared_alone(s.result))
          return &s;
      }
    }
    return nullptr;
  }

 private:
  static double size_of(const std::string& pointer) {
    static constexpr std::pair<const char*, double> sizes[] = {{"char", 1},  {"half", 2},   {"bfloat", 2},
                                                               {"short", 2}, {"double", 8}, {"long", 8}};
    for (const auto& [name, size] : sizes) {
      if (pointer.find(name) != std::string::npos) return size;
    }
    return 4;
  }

  // In bytes from the parameter; nothing below zero where it is not followed.
  double lowest(Id pointer, const Statement& read) const {
    double low = 0;
    if (read.kind == StatementKind::kLoad && read.location.key != kNone)
      low += ranges_.of(read.location.key).low * size_of(kernel_.model.value(pointer).type.name);
    for (int hops = 0; hops < 16 && std::isfinite(low); ++hops) {
      pointer = variables_.settled(pointer);
      const Statement* moved = kernel_.flow.made(pointer);
      if (moved == nullptr || moved->kind == StatementKind::kLoad)
        return kernel_.root(pointer) == kNone && moved == nullptr ? 0 : low;
      const bool back = moved->callee == "operator.sub";
      if ((!back && moved->callee != "operator.add") || moved->args.size() != 2) return 0;
      const bool second = !back && kernel_.root(moved->args[0]) == kNone;
      const Range by = ranges_.of(moved->args[second ? 0 : 1]);
      low += (back ? -by.high : by.low) * size_of(kernel_.model.value(pointer).type.name);
      pointer = moved->args[second ? 1 : 0];
    }
    return std::isfinite(low) ? low : 0;
  }

  // What is read decides something, and is part of nothing that is stored.
  bool compared_alone(Id value) const {
    bool compared = false;
    for (const Block& block : kernel_.function.blocks) {
      for (const Statement& s : block.statements) {
        const bool tests = one_of(
            s.callee, {"operator.lt", "operator.le", "operator.gt", "operator.ge", "operator.eq", "operator.ne"});
        const auto takes = [&](Id part) { return kernel_.flow.behind(part).values.contains(value); };
        compared = compared || (tests && std::any_of(s.args.begin(), s.args.end(), takes));
        if (writes_global(kernel_.model, kernel_.function, s) &&
            takes(s.kind == StatementKind::kStore ? s.value : s.args[1]))
          return false;
      }
    }
    return compared;
  }

  const KernelView& kernel_;
  PlainVariables variables_;
  LaunchRanges ranges_;
};

void find_searches(const Model& model, const Policy& policy, std::vector<Finding>& findings) {
  HostNumbers host(model);
  Once once;
  for (const facts::StatementRef& where : model.run().executed_launches) {
    const Id id = model.kernel_of(where);
    if (id == kNone) continue;
    const KernelView& kernel = view_of(model, id);
    const Statement* read = Search(kernel, where, host).find();
    if (read == nullptr || once.seen(read->span)) continue;
    Finding finding =
        make_finding(kInfo, policy,
                     kernel.function.qualified_name +
                         " compares what lies far before the buffer from which it takes the address with something.");
    finding.span = read->span;
    finding.severity = Severity::kWarning;
    soften(finding, Effect::kReview);
    finding.notes.push_back({model.span(where), "launched here"});
    findings.push_back(std::move(finding));
  }
}

// Forward asks the allocator for its blocks, and takes from what it says where they lie: others' results are among
// them.
void find_listed_blocks(const Model& model, const Policy& policy, std::vector<Finding>& findings) {
  const auto lists = [](const std::string& name) {
    return one_of(name, {"torch.cuda.memory_snapshot", "torch.cuda.memory.memory_snapshot",
                         "torch.cuda.memory._snapshot", "torch._C._cuda_memorySnapshot"});
  };
  for (const Ran& call : ran(model, lists)) {
    if (!call.record->in_forward) continue;
    const auto& blocks = model.function(call.where.function).blocks;
    const bool address = std::any_of(blocks.begin(), blocks.end(), [&](const Block& block) {
      return std::any_of(block.statements.begin(), block.statements.end(), [&](const Statement& s) {
        return s.kind == StatementKind::kLoad && s.location.element && text_of(model, s.location.key) == "address";
      });
    });
    Finding finding = make_finding(kInfo, policy,
                                   entry_name(model) + " asks the allocator with " + call.name +
                                       " which blocks it has" + (address ? ", and takes their addresses." : "."));
    if (!address) soften_to_review(finding);
    finding.span = call.statement->span;
    findings.push_back(std::move(finding));
  }
}

std::vector<Finding> check(const Model& model, const Policy& policy) {
  std::vector<Finding> findings;
  find_before_buffers(model, policy, findings);
  find_listed_blocks(model, policy, findings);
  const auto scan = [&](Id id, const facts::StatementRef* launch) {
    const Function& function = model.function(id);
    for (const Scan::Hit& hit : Scan(model, function).run()) {
      Finding finding = make_finding(kInfo, policy, function.qualified_name + " reads memory " + hit.how + ".");
      finding.span = hit.read->span;
      if (!hit.sure) {
        finding.severity = Severity::kWarning;
        soften(finding, Effect::kReview);
      }
      if (launch != nullptr) finding.notes.push_back({model.span(*launch), "launched here"});
      const bool known =
          std::any_of(findings.begin(), findings.end(), [&](const Finding& f) { return f.message == finding.message; });
      if (!known) findings.push_back(std::move(finding));
    }
  };
  const auto& functions = model.facts().functions;
  for (std::size_t f = 0; f < functions.size(); ++f) {
    const Id id = static_cast<Id>(f);
    if (!model.native(id) || functions[f].is_device || functions[f].is_kernel) continue;
    if (model.reached(id, facts::Phase::kForward) || model.reached(id, facts::Phase::kImport) ||
        model.reached(id, facts::Phase::kInit)) {
      scan(id, nullptr);
    }
  }
  for (const DeviceFunction& code : launched_code_of_both(model)) scan(code.function, &code.launch);
  if (findings.empty()) find_left_addresses(model, policy, findings);
  if (findings.empty()) find_searches(model, policy, findings);
  return findings;
}

}  // namespace

const Rule& memory_scan() {
  static const Rule rule{kInfo, check};
  return rule;
}

}  // namespace kernel_audit::analysis::rules
