// An ordered map from 64-bit keys whose copies share what they have in common: copying costs one pointer, a change
// copies the path to it, and comparing or merging two copies looks only at where they differ. The states of the
// interpreter are such copies of each other. A binary trie over the keys' bits, highest first, so its shape depends on
// the keys alone. Copies of one map belong to one thread.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>

namespace kernel_audit::analysis::facts {

template <typename T>
class PersistentMap {
 public:
  using Key = std::uint64_t;

  PersistentMap() = default;
  PersistentMap(const PersistentMap& other) : root_(shared(other.root_)) {}
  PersistentMap(PersistentMap&& other) noexcept : root_(std::exchange(other.root_, nullptr)) {}
  PersistentMap& operator=(PersistentMap other) noexcept {
    std::swap(root_, other.root_);
    return *this;
  }
  ~PersistentMap() { release(root_); }

  // Whether this is a copy that nothing has changed since; equal contents alone do not make it so.
  bool same(const PersistentMap& other) const { return root_ == other.root_; }

  const T* find(Key key) const {
    const Node* node = root_;
    while (node != nullptr && !node->leaf()) node = branch(node)->child[side(node, key)];
    return node != nullptr && node->key == key ? &value_of(node) : nullptr;
  }
  bool contains(Key key) const { return find(key) != nullptr; }

  // The value of the key for writing, made when it is not there. The reference is good until the next call.
  T& edit(Key key) {
    Node** at = &root_;
    while (*at != nullptr && !(*at)->leaf() && covers(*at, key)) {
      own(*at);
      at = &branch(*at)->child[side(*at, key)];
    }
    if (*at == nullptr) {
      *at = new Leaf(key);
    } else if (!covers(*at, key)) {
      Leaf* added = new Leaf(key);
      *at = above(added, *at);
      return added->value;
    } else {
      own(*at);
    }
    return static_cast<Leaf*>(*at)->value;
  }
  // Like `edit(key) = value`, but what has the value already stays shared.
  void set(Key key, T value) {
    if (const T* known = find(key); known != nullptr && *known == value) return;
    edit(key) = std::move(value);
  }

  // In the order of the keys. `visit(key, value)` must not change this map.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    walk(root_, visit);
  }
  // The first entry whose key is `key` or above; null when there is none.
  std::pair<Key, const T*> first_from(Key key) const {
    const Node* found = lower_bound(root_, key);
    return found == nullptr ? std::pair<Key, const T*>{} : std::pair<Key, const T*>{found->key, &value_of(found)};
  }

  // Adds what `from` holds; true when this map changed. `merging` says how:
  //   both(key, into, from)  the value of the two, which includes `into`
  //   left(key, into)        the value for what only this map has; without it, as it is
  //   right(key, from)       the value for what only `from` has; without it, as it is
  template <typename Merging>
  bool merge(const PersistentMap& from, const Merging& merging) {
    Node* merged = merge(root_, from.root_, merging);
    const bool changed = merged != root_;
    release(std::exchange(root_, merged));
    return changed;
  }

  // Whether both hold the same keys, and values that `equal` says are alike.
  template <typename Equal>
  bool matches(const PersistentMap& other, const Equal& equal) const {
    return matches(root_, other.root_, equal);
  }

 private:
  struct Node {
    Node(Key k, int b) : key(k), bit(b) {}
    Key key;  // of a branch: the bits above `bit`, the others are zero
    int bit;  // of a branch: the highest in which its children differ; -1: a leaf
    std::uint32_t references = 1;
    bool leaf() const { return bit < 0; }
  };
  struct Leaf : Node {
    explicit Leaf(Key k) : Node(k, -1) {}
    Leaf(Key k, T v) : Node(k, -1), value(std::move(v)) {}
    T value{};
  };
  struct Branch : Node {
    using Node::Node;
    Node* child[2] = {nullptr, nullptr};
  };

  static Branch* branch(Node* node) { return static_cast<Branch*>(node); }
  static const Branch* branch(const Node* node) { return static_cast<const Branch*>(node); }
  static const T& value_of(const Node* node) { return static_cast<const Leaf*>(node)->value; }
  static std::size_t side(const Node* node, Key key) { return (key >> static_cast<unsigned>(node->bit)) & 1U; }
  // Whether the key belongs below this branch, or is this leaf's.
  static bool covers(const Node* node, Key key) {
    return node->leaf() ? node->key == key : ((node->key ^ key) >> static_cast<unsigned>(node->bit) >> 1U) == 0;
  }

  static Node* shared(Node* node) {
    if (node != nullptr) ++node->references;
    return node;
  }
  static void release(Node* node) {
    if (node == nullptr || --node->references > 0) return;
    if (node->leaf()) {
      delete static_cast<Leaf*>(node);
      return;
    }
    release(branch(node)->child[0]);
    release(branch(node)->child[1]);
    delete branch(node);
  }
  // Makes the node this map's own: nobody else sees it change.
  static void own(Node*& node) {
    if (node->references == 1) return;
    Node* copy = nullptr;
    if (node->leaf()) {
      copy = new Leaf(node->key, value_of(node));
    } else {
      copy = joined(branch(node), shared(branch(node)->child[0]), shared(branch(node)->child[1]));
    }
    release(std::exchange(node, copy));
  }
  // A branch in the place of `like` over two children, which it takes.
  static Node* joined(const Branch* like, Node* low, Node* high) {
    Branch* made = new Branch(like->key, like->bit);
    made->child[0] = low;
    made->child[1] = high;
    return made;
  }
  // A branch over two nodes with no key in common, which it takes.
  static Node* above(Node* a, Node* b) {
    const int bit = 63 - std::countl_zero((a->key ^ b->key) | 1U);  // they differ somewhere
    Branch* made = new Branch(bit == 63 ? 0 : a->key & (~Key{0} << static_cast<unsigned>(bit) << 1U), bit);
    const std::size_t a_side = side(made, a->key);
    made->child[a_side] = a;
    made->child[1 - a_side] = b;
    return made;
  }

  template <typename Visit>
  static void walk(const Node* node, const Visit& visit) {
    if (node == nullptr) return;
    if (node->leaf()) {
      visit(node->key, value_of(node));
      return;
    }
    walk(branch(node)->child[0], visit);
    walk(branch(node)->child[1], visit);
  }
  static const Node* lower_bound(const Node* node, Key key) {
    if (node == nullptr) return nullptr;
    if (node->leaf()) return node->key >= key ? node : nullptr;
    if (!covers(node, key)) {
      if (node->key < key) return nullptr;  // all of it lies below the key
      while (!node->leaf()) node = branch(node)->child[0];
      return node;
    }
    if (side(node, key) == 0) {
      if (const Node* found = lower_bound(branch(node)->child[0], key)) return found;
    }
    return lower_bound(branch(node)->child[1], key);
  }

  // What `only` becomes, where it is all that one map has of these keys; `value` gives an entry's new value.
  template <typename Value>
  static Node* mapped(Node* only, const Value& value) {
    if (only == nullptr) return nullptr;
    if (only->leaf()) {
      T changed = value(only->key, value_of(only));
      return changed == value_of(only) ? shared(only) : new Leaf(only->key, std::move(changed));
    }
    Node* low = mapped(branch(only)->child[0], value);
    Node* high = mapped(branch(only)->child[1], value);
    return kept_or_joined(branch(only), low, high);
  }
  static Node* kept_or_joined(Branch* old, Node* low, Node* high) {
    if (low != old->child[0] || high != old->child[1]) return joined(old, low, high);
    release(low);
    release(high);
    return shared(old);
  }
  template <typename Merging>
  static Node* left_only(Node* into, const Merging& merging) {
    if constexpr (requires(const T& value) { merging.left(Key{}, value); }) {
      return mapped(into, [&](Key key, const T& value) { return merging.left(key, value); });
    } else {
      return shared(into);
    }
  }
  template <typename Merging>
  static Node* right_only(Node* from, const Merging& merging) {
    if constexpr (requires(const T& value) { merging.right(Key{}, value); }) {
      return mapped(from, [&](Key key, const T& value) { return merging.right(key, value); });
    } else {
      return shared(from);
    }
  }

  template <typename Merging>
  static Node* merge(Node* into, Node* from, const Merging& merging) {
    if (into == from) return shared(into);
    if (into == nullptr) return right_only(from, merging);
    if (from == nullptr) return left_only(into, merging);
    if (into->leaf() && from->leaf() && into->key == from->key) {
      T both = merging.both(into->key, value_of(into), value_of(from));
      if (both == value_of(into)) return shared(into);
      return both == value_of(from) ? shared(from) : new Leaf(into->key, std::move(both));
    }
    if (!into->leaf() && !from->leaf() && into->bit == from->bit && into->key == from->key) {
      Node* low = merge(branch(into)->child[0], branch(from)->child[0], merging);
      Node* high = merge(branch(into)->child[1], branch(from)->child[1], merging);
      // Once merged, what became equal to the other side is shared with it.
      const bool as_from = low == branch(from)->child[0] && high == branch(from)->child[1];
      const bool as_into = low == branch(into)->child[0] && high == branch(into)->child[1];
      return kept_or_joined(branch(as_from && !as_into ? from : into), low, high);
    }
    if (!into->leaf() && into->bit > from->bit && covers(into, from->key)) {
      const std::size_t at = side(into, from->key);
      Node* inner = merge(branch(into)->child[at], from, merging);
      Node* other = left_only(branch(into)->child[1 - at], merging);
      return kept_or_joined(branch(into), at == 0 ? inner : other, at == 0 ? other : inner);
    }
    if (!from->leaf() && from->bit > into->bit && covers(from, into->key)) {
      const std::size_t at = side(from, into->key);
      Node* inner = merge(into, branch(from)->child[at], merging);
      Node* other = right_only(branch(from)->child[1 - at], merging);
      return kept_or_joined(branch(from), at == 0 ? inner : other, at == 0 ? other : inner);
    }
    return above(left_only(into, merging), right_only(from, merging));
  }

  template <typename Equal>
  static bool matches(const Node* a, const Node* b, const Equal& equal) {
    if (a == b) return true;
    if (a == nullptr || b == nullptr || a->bit != b->bit || a->key != b->key) return false;
    if (a->leaf()) return equal(value_of(a), value_of(b));
    return matches(branch(a)->child[0], branch(b)->child[0], equal) &&
           matches(branch(a)->child[1], branch(b)->child[1], equal);
  }

  Node* root_ = nullptr;
};

}  // namespace kernel_audit::analysis::facts
