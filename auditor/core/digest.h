// SHA-256 content digests (FIPS 180-4): keys of the journal, hash chain, code hashes, fingerprints.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace kernel_audit {

class Sha256 {
 public:
  Sha256();
  void update(const void* data, std::size_t size_bytes);
  void update(std::string_view text) { update(text.data(), text.size()); }
  std::array<std::uint8_t, 32> finish();  // the object must not be used afterwards

 private:
  void compress(const std::uint8_t* block);
  std::array<std::uint32_t, 8> state_;
  std::array<std::uint8_t, 64> buffer_;
  std::uint64_t length_bytes_ = 0;
};

std::string to_hex(const std::array<std::uint8_t, 32>& digest);  // 64 lower-case hex digits
std::string sha256_hex(std::string_view text);

}  // namespace kernel_audit
