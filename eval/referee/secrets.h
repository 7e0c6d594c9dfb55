// The referee's secrets: a key from the kernel's generator, and numbers derived from it by SHA-256 in counter
// mode. What the candidate sees of some of them (offsets, public seeds, inputs) tells nothing of the others.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "auditor/core/result.h"

namespace kernel_audit::eval {

class Secrets {
 public:
  static Result<Secrets> from_kernel();                 // getrandom
  static Secrets from_replay_seed(std::uint64_t seed);  // reproducible, hence no secret

  std::uint64_t next(std::string_view purpose);
  // True once in `of` calls on average.
  bool sample(std::string_view purpose, std::uint64_t of) { return next(purpose) % of == 0; }

  std::string key_hex() const;
  bool replayed() const { return replayed_; }

 private:
  std::array<std::uint8_t, 32> key_{};
  std::uint64_t counter_ = 0;
  bool replayed_ = false;
};

}  // namespace kernel_audit::eval
