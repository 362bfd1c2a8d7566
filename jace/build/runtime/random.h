// jace runtime, optional part: counter-based random bits (Salmon et al., "Parallel random numbers: as easy as 1, 2,
// 3", SC 2011), with the counters and the order of words of XLA's RngBitGenerator.
#ifndef JACE_RUNTIME_RANDOM
#define JACE_RUNTIME_RANDOM

namespace jace::random {

static inline u32 rotate(u32 x, int by) { return (x << by) | (x >> (32 - by)); }
static inline u64 join(u32 low, u32 high) { return u64(low) | u64(high) << 32; }
static inline u32 lower(u64 x) { return u32(x); }
static inline u32 upper(u64 x) { return u32(x >> 32); }

// Threefry2x32 with 20 rounds of the counter (x0, x1) under the key (k0, k1); the first word is the low half.
static inline u64 threefry2x32(u32 k0, u32 k1, u32 x0, u32 x1) {
  const u32 keys[3] = {k0, k1, k0 ^ k1 ^ 0x1bd11bdau};
  const int turns[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  x0 += keys[0];
  x1 += keys[1];
#pragma GCC unroll 5
  for (u32 group = 0; group < 5; ++group) {
#pragma GCC unroll 4
    for (int turn : turns[group % 2]) {
      x0 += x1;
      x1 = x0 ^ rotate(x1, turn);
    }
    x0 += keys[(group + 1) % 3];
    x1 += keys[(group + 2) % 3] + group + 1;
  }
  return join(x0, x1);
}

struct four_words {
  u32 word[4];
};
// Philox4x32 with 10 rounds of the 128-bit counter (low, high) + n under a 64-bit key.
static inline four_words philox4x32(u64 key, u64 counter_low, u64 counter_high, u64 n) {
  u64 sum = counter_low + n;
  counter_high += sum < counter_low;
  u32 x0 = lower(sum), x1 = upper(sum), x2 = lower(counter_high), x3 = upper(counter_high);
  u32 k0 = lower(key), k1 = upper(key);
#pragma GCC unroll 10
  for (int turn = 0; turn < 10; ++turn) {
    u64 a = u64(x0) * 0xd2511f53u, b = u64(x2) * 0xcd9e8d57u;
    x0 = upper(b) ^ x1 ^ k0;
    x1 = lower(b);
    x2 = upper(a) ^ x3 ^ k1;
    x3 = lower(a);
    k0 += 0x9e3779b9u;
    k1 += 0xbb67ae85u;
  }
  return {{x0, x1, x2, x3}};
}

// Counters for `n` blocks that no other call in this process gets.
static inline u64 fresh_counters(u64 n) {
  static u64 next = 0x7012395;
  return __atomic_fetch_add(&next, n, __ATOMIC_RELAXED);
}

// Bits to a number in [low, high): the upper bits as fraction, or the remainder.
static inline f32 uniform(u32 bits, f32 low, f32 high) { return f32(bits >> 9) * 0x1p-23f * (high - low) + low; }
static inline f64 uniform(u64 bits, f64 low, f64 high) { return f64(bits >> 12) * 0x1p-52 * (high - low) + low; }
template <class T>
static inline T uniform(uint_of<T> bits, T low, T high) {
  return T(uint_of<T>(low) + bits % uint_of<T>(uint_of<T>(high) - uint_of<T>(low)));
}

}  // namespace jace::random
#endif
