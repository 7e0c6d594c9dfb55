// What calls hand over: arguments as they are written, and what the parameters of own functions are told of them.
#include <algorithm>

#include "analysis/python/lowerer.h"

namespace kernel_audit::analysis::python {

std::vector<Argument> Lowerer::arguments_of(const Node* node) {
  std::vector<Argument> args;
  for (const Node* each : node->list("args")) {
    if (each == nullptr) continue;
    const Operand value = expression(each);
    if (each->type() == NodeType::kStarred) {
      if (auto items = sequence_of(value.abs)) {  // f(*known): each item is an argument
        for (std::size_t i = 0; i < items->size(); ++i) {
          facts::Location location;
          location.base = value.value;
          location.element = true;
          location.key = make_value(constant(static_cast<std::int64_t>(i)), each, facts::OriginKind::kConstant).value;
          args.push_back({emit_load(location, (*items)[i], each), "", false, each});
        }
        continue;
      }
      args.push_back({value, "", true, each});
      continue;
    }
    args.push_back({value, "", false, each});
  }
  for (const Node* each : node->list("keywords")) {
    if (each == nullptr) continue;
    const Operand value = expression(each->child("value"));
    const std::string name = each->text("arg");
    if (!name.empty()) {
      args.push_back({value, name, false, each->child("value")});
      continue;
    }
    const Atom* atom = value.abs.single();
    if (atom != nullptr && atom->kind == AtomKind::kHeap && read_heap(atom->site).exact) {
      bool all_known = true;
      std::vector<Argument> spread;
      for (const auto& [key, item] : read_heap(atom->site).entries) {
        const split::Text* word = folded_text(key);
        all_known = all_known && word != nullptr;
        if (word == nullptr) continue;
        facts::Location location;
        location.base = value.value;
        location.element = true;
        location.key = make_value(key, each, facts::OriginKind::kConstant).value;
        spread.push_back({emit_load(location, item, each), word->bytes, false, each});
      }
      if (all_known) {
        args.insert(args.end(), spread.begin(), spread.end());
        continue;
      }
    }
    args.push_back({value, "**", true, each});
  }
  return args;
}

// The names that **keywords takes of a call.
void Lowerer::note_keywords(FunctionInfo& info, const std::vector<Argument>& args) {
  if (info.var_keyword.empty()) return;
  std::vector<std::string> taken;
  bool known = true;
  for (const Argument& arg : args) {
    known = known && (!arg.star || arg.keyword.empty());
    const bool own = std::find(info.parameters.begin(), info.parameters.end(), arg.keyword) != info.parameters.end();
    if (!arg.star && !arg.keyword.empty() && !own) taken.push_back(arg.keyword);
  }
  if (info.keywords.empty() && known && !info.keywords_vary && !taken.empty()) {
    info.keywords = std::move(taken);
    grew_ = true;
  } else if (!info.keywords_vary && (!known || taken != info.keywords)) {
    info.keywords_vary = grew_ = true;
  }
}

void Lowerer::pass_arguments(Id function, const Operand* receiver, const std::vector<Argument>& args) {
  if (!frame_->state.reachable) return;
  ++epoch_;
  FunctionInfo& info = *functions_[static_cast<std::size_t>(function)];
  if (!info.called) grew_ = true;
  info.called = info.entered_next = true;
  note_keywords(info, args);
  std::size_t next = 0;
  const auto give = [&](const std::string& name, const Abstract& value) { join_into(info.given_next[name], value); };
  int rest = 0;
  const auto give_rest = [&](const Abstract& value) {
    give(info.var_positional, value);  // one of its elements
    give("*" + std::to_string(rest++), value);
  };
  if (receiver != nullptr && next < info.positional)
    give(info.parameters[next++], receiver->abs);
  else if (receiver != nullptr && !info.var_positional.empty())
    give_rest(receiver->abs);
  bool unknown_rest = false;
  for (const Argument& arg : args) {
    if (arg.star) {
      unknown_rest = true;
      const Abstract elements = arg.keyword.empty() ? elements_of(arg.operand.abs) : unknown("a value of **keywords");
      for (std::size_t i = next; i < info.parameters.size(); ++i) give(info.parameters[i], elements);
    } else if (!arg.keyword.empty()) {
      const bool named =
          std::find(info.parameters.begin(), info.parameters.end(), arg.keyword) != info.parameters.end();
      if (named)
        give(arg.keyword, arg.operand.abs);
      else if (!info.var_keyword.empty())
        give("**" + arg.keyword, arg.operand.abs);
    } else if (next < info.positional && !unknown_rest) {
      give(info.parameters[next++], arg.operand.abs);
    } else if (!info.var_positional.empty() && !unknown_rest) {
      give_rest(arg.operand.abs);
    }
  }
  if (info.var_positional.empty()) return;
  const bool other = unknown_rest || (info.rest_next && *info.rest_next != rest);
  info.rest_next = other ? FunctionInfo::kVaries : rest;
}

// module.register_forward_hook(f): f is called with the module, the arguments of its call and what that gave.
void Lowerer::pass_to_hook(const Operand& module, const std::string& method, const std::vector<Argument>& args,
                           const Node* node) {
  if (method != "register_forward_hook" && method != "register_forward_pre_hook") return;
  const Argument* hook = argument(args, 0, "hook");
  if (hook == nullptr) return;
  const Argument* with_keywords = argument(args, args.size(), "with_kwargs");
  std::vector<Argument> given{{module, "", false, node}};
  const auto give = [&](Abstract value) { given.push_back({Operand{kNone, std::move(value)}, "", false, node}); };
  give(typed(TypeKind::kTuple, "torch.Tensor[]"));
  if (with_keywords != nullptr) give(typed(TypeKind::kDict));
  if (method == "register_forward_hook") give(typed(TypeKind::kTensor, "torch.Tensor"));
  for (const AtomPtr& atom : hook->operand.abs.atoms) {
    if (atom->kind != AtomKind::kFunction) continue;
    const Operand self{kNone, atom->self.empty() ? Abstract{} : atom->self.front()};
    pass_arguments(atom->function, atom->self.empty() ? nullptr : &self, given);
  }
}

}  // namespace kernel_audit::analysis::python
