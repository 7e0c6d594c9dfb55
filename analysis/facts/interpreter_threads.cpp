// Work handed to threads, processes and futures. A thread is kept as a stream of its own (symbol
// "thread"): what runs in it is pending there until something waits for it, and its field "result" holds
// what it gives. An executor (symbol "executor") makes threads.
#include <algorithm>

#include "analysis/facts/interpreter.h"
#include "analysis/facts/names.h"

namespace kernel_audit::analysis::facts {
namespace {

constexpr const char* kExecutors[] = {"concurrent.futures.ThreadPoolExecutor",
                                      "concurrent.futures.ProcessPoolExecutor",
                                      "concurrent.futures.thread.ThreadPoolExecutor",
                                      "concurrent.futures.process.ProcessPoolExecutor",
                                      "multiprocessing.Pool",
                                      "multiprocessing.pool.Pool",
                                      "multiprocessing.pool.ThreadPool",
                                      "multiprocessing.dummy.Pool",
                                      "torch.multiprocessing.Pool"};

}  // namespace

Abstract Interpreter::run_in_thread(const Abstract& function, std::vector<Abstract> args, const CallSite& site) {
  const ObjectId thread = make_object(ObjectKind::kStream, site.where, site.context, 40);
  objects_[static_cast<std::size_t>(thread)].symbol = kThreadSymbol;
  const ObjectSet before = state_.stream;
  state_.stream = {thread};
  const Abstract result = call_object(function, args, {}, site);
  state_.stream = before;
  write_field(thread, key_of("result"), result, false);
  return of_object(thread);
}

// Whoever waits has the thread's work behind it, also that of threads that can not be told apart.
Abstract Interpreter::join_threads(const ObjectSet& threads) {
  Abstract result;
  for (auto it = state_.pending.begin(); it != state_.pending.end();) {
    const bool thread = object(it->first).symbol == kThreadSymbol;
    const bool meant = threads.empty() || std::binary_search(threads.begin(), threads.end(), it->first);
    it = thread && meant ? state_.pending.erase(it) : std::next(it);
  }
  for (const ObjectId id : threads) join(result, read_field(id, key_of("result")));
  if (result.nothing()) result.open = true;
  return result;
}

// Fields of a tuple or list in the order of their positions.
// Of one of several containers, what each place of it may hold, if they are of the same length.
std::vector<Abstract> Interpreter::items_in_order(const Abstract& container) const {
  std::vector<Abstract> items;
  bool first = true;
  for (const ObjectId id : objects_of_kind(container, ObjectKind::kContainer)) {
    std::size_t count = 0;
    for (; count < 64; ++count) {
      const auto key = keys_.find("#" + std::to_string(count));
      const Abstract* field = key == keys_.end() ? nullptr : state_.fields.find(field_key(id, key->second));
      if (field == nullptr) break;
      if (first) items.emplace_back();
      if (count < items.size()) join(items[count], *field);
    }
    if (count != items.size()) return {};
    first = false;
  }
  return items;
}

std::optional<Abstract> Interpreter::apply_thread(const std::string& callee, std::vector<Abstract>& args,
                                                  const Keywords& keywords, const CallSite& site) {
  const auto given = [&](std::size_t position, std::string_view keyword) {
    for (const auto& [name, value] : keywords) {
      if (name == keyword) return value;
    }
    return position < args.size() ? args[position] : Abstract{};
  };
  if (one_of(callee, {"threading.Thread", "multiprocessing.Process", "torch.multiprocessing.Process",
                      "multiprocessing.context.Process"})) {
    return run_in_thread(given(1, "target"), items_in_order(given(3, "args")), site);
  }
  if (callee == "threading.Timer") return run_in_thread(given(1, "function"), items_in_order(given(2, "args")), site);
  if (one_of(callee, {"_thread.start_new_thread", "_thread.start_joinable_thread"}))
    return run_in_thread(given(0, "function"), items_in_order(given(1, "args")), site);
  if (one_of(callee, {"torch.jit.fork", "torch.jit._fork", "asyncio.to_thread"}) && !args.empty())
    return run_in_thread(args[0], {args.begin() + 1, args.end()}, site);
  if (std::find(std::begin(kExecutors), std::end(kExecutors), callee) != std::end(kExecutors)) {
    const ObjectId executor = make_object(ObjectKind::kStream, site.where, site.context, 41);
    objects_[static_cast<std::size_t>(executor)].symbol = kExecutorSymbol;
    return of_object(executor);
  }
  if (one_of(callee, {"torch.jit.wait", "torch.jit._wait", "torch.futures.wait_all", "torch.futures.collect_all",
                      "concurrent.futures.wait", "concurrent.futures.as_completed"})) {
    const Abstract waited = given(0, "fs");
    Abstract threads = waited;
    for (const ObjectId id : objects_of_kind(waited, ObjectKind::kContainer)) join(threads, all_fields(id));
    const Abstract result = join_threads(objects_of_kind(threads, ObjectKind::kStream));
    return callee.ends_with("as_completed") ? waited : result;
  }
  return std::nullopt;
}

// A method of a thread, a future or an executor.
Abstract Interpreter::thread_method(ObjectId id, const std::string& method, std::vector<Abstract>& args,
                                    const CallSite& site) {
  const bool executor = object(id).symbol == kExecutorSymbol;
  if (executor && one_of(method, {"submit", "apply_async", "map_async", "starmap_async"}) && !args.empty()) {
    std::vector<Abstract> passed(args.begin() + 1, args.end());
    if (method == "apply_async") passed = items_in_order(args.size() > 1 ? args[1] : Abstract{});
    if (method.starts_with("map") || method.starts_with("starmap")) passed.assign(1, open_value({}));
    return run_in_thread(args[0], std::move(passed), site);
  }
  if (executor && one_of(method, {"map", "imap", "imap_unordered", "starmap", "apply"}) && !args.empty()) {
    // What the caller iterates over has been waited for.
    std::vector<Abstract> each;
    for (std::size_t i = 1; i < args.size(); ++i) {
      Abstract element;
      for (const ObjectId inner : args[i].objects) {
        if (object(inner).kind == ObjectKind::kContainer) join(element, all_fields(inner));
      }
      if (element.nothing()) element = args[i];
      each.push_back(element);
    }
    if (method == "apply")
      return call_object(args[0], each = items_in_order(args.size() > 1 ? args[1] : Abstract{}), {}, site);
    const ObjectId items = make_object(ObjectKind::kContainer, site.where, site.context, 42);
    write_field(items, kAnyKey, call_object(args[0], each, {}, site), false);
    return of_object(items);
  }
  if (executor && one_of(method, {"shutdown", "close", "join", "terminate", "__exit__"})) return join_threads({});
  if (!executor && one_of(method, {"join", "result", "wait", "get", "exception", "value"})) return join_threads({id});
  if (method == "__enter__" || method == "start") return of_object(id);
  return open_value({});
}

// `start` and `join` of an own class that derives from Thread, `submit` and its like of one that is an executor.
std::optional<Abstract> Interpreter::own_thread_method(ObjectId id, const std::string& method,
                                                       std::vector<Abstract>& args, const CallSite& site) {
  const Id klass = object(id).class_id;
  const auto derived = [&](const char* base) { return derives_from(klass, base); };
  if (std::any_of(std::begin(kExecutors), std::end(kExecutors), derived) && find_method(klass, method) == kNone) {
    const KeyId key = key_of("#executor");
    ObjectSet executors = objects_of_kind(read_field(id, key), ObjectKind::kStream);
    if (executors.empty()) {
      executors = {make_object(ObjectKind::kStream, object(id).made, object(id).context, 41)};
      objects_[static_cast<std::size_t>(executors.front())].symbol = kExecutorSymbol;
      write_field(id, key, of_object(executors.front()), false);
    }
    if (method == "__enter__") return of_object(id);
    Abstract result;
    for (const ObjectId executor : executors) join(result, thread_method(executor, method, args, site));
    return result;
  }
  const bool thread = derived("threading.Thread") || derived("multiprocessing.Process");
  const Id run = thread ? find_method(klass, "run") : kNone;
  if (run == kNone) return std::nullopt;
  const KeyId key = key_of("#thread");
  if (method == "start") {
    write_field(id, key, run_in_thread(function_value(run, {of_object(id)}, site), {}, site), false);
    return open_value({});
  }
  if (method == "join") return join_threads(objects_of_kind(read_field(id, key), ObjectKind::kStream));
  return std::nullopt;
}

}  // namespace kernel_audit::analysis::facts
