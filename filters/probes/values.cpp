#include "filters/probes/values.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "auditor/core/cores.h"

namespace kernel_audit::filters {

std::int64_t Values::elements() const {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  return count;
}

void for_blocks(std::int64_t blocks, std::int64_t cost, const std::function<void(std::int64_t)>& work) {
  const std::int64_t threads = std::min({std::int64_t{usable_cores()}, blocks, 1 + cost / kBlockElements});
  std::atomic<std::int64_t> next{0};
  const auto run = [&] {
    for (std::int64_t block = next++; block < blocks; block = next++) work(block);
  };
  std::vector<std::thread> helpers;
  for (std::int64_t i = 1; i < threads; ++i) helpers.emplace_back(run);
  run();
  for (std::thread& helper : helpers) helper.join();
}

}  // namespace kernel_audit::filters
