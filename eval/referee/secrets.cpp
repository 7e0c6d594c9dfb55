#include "eval/referee/secrets.h"

#include <sys/random.h>

#include <cstring>

#include "auditor/core/digest.h"

namespace kernel_audit::eval {

Result<Secrets> Secrets::from_kernel() {
  Secrets secrets;
  if (getrandom(secrets.key_.data(), secrets.key_.size(), 0) != static_cast<ssize_t>(secrets.key_.size())) {
    return Error{ErrorKind::kTool, "The kernel gave no random bytes for the secrets of this measurement.", "", "", ""};
  }
  return secrets;
}

Secrets Secrets::from_replay_seed(std::uint64_t seed) {
  Secrets secrets;
  Sha256 digest;
  digest.update("replay");
  digest.update(&seed, sizeof seed);
  secrets.key_ = digest.finish();
  secrets.replayed_ = true;
  return secrets;
}

std::uint64_t Secrets::next(std::string_view purpose) {
  Sha256 digest;
  digest.update(key_.data(), key_.size());
  digest.update(purpose);
  const std::uint64_t count = counter_++;
  digest.update(&count, sizeof count);
  const auto bytes = digest.finish();
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

std::string Secrets::key_hex() const { return to_hex(key_); }

}  // namespace kernel_audit::eval
