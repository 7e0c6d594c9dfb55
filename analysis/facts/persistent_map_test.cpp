#include "analysis/facts/persistent_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace kernel_audit::analysis::facts {
namespace {

using Values = std::set<int>;
using Map = PersistentMap<Values>;
using Model = std::map<std::uint64_t, Values>;

Model contents(const Map& map) {
  Model found;
  std::uint64_t last = 0;
  map.for_each([&](std::uint64_t key, const Values& values) {
    EXPECT_TRUE(found.empty() || key > last);
    last = key;
    found.emplace(key, values);
  });
  return found;
}

// Sets unite; what one side alone has gets -1 or -2.
struct Marking {
  Values both(std::uint64_t, Values a, const Values& b) const {
    a.insert(b.begin(), b.end());
    return a;
  }
  Values left(std::uint64_t, Values a) const {
    a.insert(-1);
    return a;
  }
  Values right(std::uint64_t, Values b) const {
    b.insert(-2);
    return b;
  }
};
struct Uniting {
  Values both(std::uint64_t key, const Values& a, const Values& b) const { return Marking{}.both(key, a, b); }
};

Model merged(Model a, const Model& b, bool marking) {
  for (auto& [key, values] : a) {
    const auto other = b.find(key);
    if (other != b.end()) values.insert(other->second.begin(), other->second.end());
    if (other == b.end() && marking) values.insert(-1);
  }
  for (const auto& [key, values] : b) {
    const auto [it, fresh] = a.emplace(key, values);
    if (fresh && marking) it->second.insert(-2);
  }
  return a;
}

class Random {
 public:
  unsigned below(unsigned n) {
    state_ = state_ * 1664525U + 1013904223U;
    return (state_ >> 8U) % n;
  }
  // Near each other and far apart, the ends of the range included.
  std::uint64_t key() {
    const std::uint64_t low = below(40);
    const unsigned far = below(5);
    return far == 0 ? low << 32U : far == 1 ? ~low : far == 2 ? low << 58U : low;
  }

 private:
  unsigned state_ = 2024;
};

TEST(PersistentMap, DoesWhatAnOrdinaryMapDoes) {
  Random random;
  for (int round = 0; round < 300; ++round) {
    std::vector<std::pair<Map, Model>> copies(1);
    for (int step = 0; step < 120; ++step) {
      auto& [map, model] = copies[random.below(static_cast<unsigned>(copies.size()))];
      const std::uint64_t key = random.key();
      const int value = static_cast<int>(random.below(4));
      switch (random.below(8)) {
        case 0:
          if (copies.size() < 6) copies.emplace_back(copies.front());
          break;
        case 1:
          map.set(key, {value});
          model[key] = {value};
          break;
        case 2: {
          const auto& [other, other_model] = copies[random.below(static_cast<unsigned>(copies.size()))];
          const bool marking = random.below(2) == 0;
          const Model expected = merged(model, other_model, marking);
          const bool changes = expected != model;
          EXPECT_EQ(marking ? map.merge(other, Marking{}) : map.merge(other, Uniting{}), changes);
          model = expected;
          break;
        }
        case 3: {
          const auto [found, held] = map.first_from(key);
          const auto expected = model.lower_bound(key);
          ASSERT_EQ(held == nullptr, expected == model.end());
          if (held != nullptr) {
            EXPECT_EQ(found, expected->first);
            EXPECT_EQ(*held, expected->second);
          }
          break;
        }
        default:
          map.edit(key).insert(value);
          model[key].insert(value);
      }
    }
    for (const auto& [map, model] : copies) {
      EXPECT_EQ(contents(map), model);
      for (const auto& [other, other_model] : copies)
        EXPECT_EQ(map.matches(other, std::equal_to<>()), model == other_model);
      for (int i = 0; i < 20; ++i) {
        const std::uint64_t key = random.key();
        EXPECT_EQ(map.contains(key), model.contains(key));
      }
    }
  }
}

TEST(PersistentMap, ACopyStaysSharedUntilSomethingChanges) {
  Map map;
  for (std::uint64_t key = 0; key < 50; ++key) map.set(key, {1});
  Map copy = map;
  EXPECT_TRUE(copy.same(map));
  copy.set(7, {1});
  EXPECT_TRUE(copy.same(map));
  copy.set(7, {2});
  EXPECT_FALSE(copy.same(map));
  EXPECT_EQ(map.find(8), copy.find(8));
  EXPECT_EQ(*map.find(7), Values{1});
  // Joined with what holds more, it is that.
  EXPECT_FALSE(copy.merge(map, Uniting{}) && *copy.find(7) == Values{2});
  EXPECT_TRUE(map.merge(copy, Uniting{}));
  EXPECT_TRUE(map.same(copy));
}

TEST(PersistentMap, NothingIsVisitedWhereBothAreOneCopy) {
  struct Counting {
    int& calls;
    Values both(std::uint64_t, Values a, const Values& b) const {
      ++calls;
      a.insert(b.begin(), b.end());
      return a;
    }
  };
  Map map;
  for (std::uint64_t key = 0; key < 1000; ++key) map.set(key * 3, {static_cast<int>(key)});
  Map copy = map;
  copy.edit(300).insert(-5);
  int calls = 0;
  EXPECT_TRUE(map.merge(copy, Counting{calls}));
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace kernel_audit::analysis::facts
