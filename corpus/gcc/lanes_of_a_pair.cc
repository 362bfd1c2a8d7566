// GCC 12.2 adds the wrong lanes of a pair of numbers that are read at once and mixed with rotations, as in Threefry.
//
//     g++ -O3 -mavx512vl lanes_of_a_pair.cc -o m && ./m
//
// Exit status 1 while the bug is there: out[0] and out[1] are wrong. The two words of the key are a vector {k0, k1} for
// the pass that vectorizes straight-line code (SLP). It sums {k0, k1 + 1} and {k1, k0}, the second of one lane with its
// operands exchanged, and leaves out the permutation: {k0, k1} is added. Right with -fno-tree-slp-vectorize, at -O2.
#include <cstdint>
#include <cstdio>

static inline uint32_t rotate(uint32_t x, int by) { return (x << by) | (x >> (32 - by)); }

static inline uint64_t mixed(uint32_t k0, uint32_t k1, uint32_t x0, uint32_t x1) {
  x0 += k0;
  x1 += k1;
  x0 += x1;
  x1 = x0 ^ rotate(x1, 13);
  x0 += k1;
  return uint64_t(x0) | uint64_t(x1) << 32;
}

__attribute__((noinline)) void bits(const uint32_t *__restrict__ given, uint32_t *__restrict__ out) {
  uint32_t *key = new uint32_t[2], *a = new uint32_t[3], *b = new uint32_t[3];
  uint32_t *low = new uint32_t[3], *high = new uint32_t[3];
  __builtin_memcpy(key, given, 8);
  for (int i = 0; i < 3; i++) a[i] = 0;
  for (int i = 0; i < 3; i++) b[i] = i;
  for (int i = 0; i < 3; i++) low[i] = uint32_t(mixed(key[0], key[1], a[i], b[i]));
  for (int i = 0; i < 3; i++) high[i] = uint32_t(mixed(key[0], key[1], a[i], b[i]) >> 32);
  for (int i = 0; i < 3; i++) out[i] = low[i] ^ high[i];
}

int main() {
  uint32_t key[2] = {539416131, 1474868572}, out[3] = {};
  bits(key, out);
  int wrong = 0;
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t x1 = key[1] + i, x0 = key[0] + x1;
    wrong += out[i] != ((x0 + key[1]) ^ x0 ^ rotate(x1, 13));
  }
  std::printf("%d of 3 numbers are wrong\n", wrong);
  return wrong != 0;
}
