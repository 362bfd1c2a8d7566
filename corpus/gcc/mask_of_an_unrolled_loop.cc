// GCC 12.2 loses elements of a loop whose halves are computed by two branches, as a concatenation is.
//
//     g++ -O3 -mavx512vl -fno-trapping-math mask_of_an_unrolled_loop.cc -o m && ./m
//
// Exit status 1 while the bug is there: w[16..23] are 0 instead of 1. The loop is vectorized under masks and then
// unrolled; the pass that propagates value ranges (VRP) makes a false constant of the mask of the last eight elements.
// Right with GCC 11, with -fno-tree-vrp, without -fno-trapping-math (-ffast-math has it), without -mavx512vl, at -O1.
#include <cstdint>
#include <cstdio>

__attribute__((noinline)) void concatenated(const float *__restrict__ a, const float *__restrict__ b,
                                            const float *__restrict__ c, const float *__restrict__ d,
                                            const float *__restrict__ e, float *__restrict__ w) {
  for (int64_t l = 0; l < 2; l++)
    for (int64_t i = 0; i < 24; ++i) {
      float m;
      if (i < 12)
        m = c[i] * d[i - 12 * l + 12];
      else
        m = a[i - 12] * e[i - 12 * l] + b[i - 12];
      w[i] = m;
    }
}

int main() {
  static float a[12], b[12], c[12], d[24], e[24], w[24];
  for (float &x : b) x = 1;
  concatenated(a, b, c, d, e, w);
  int wrong = 0;
  for (int i = 0; i < 24; i++) wrong += w[i] != (i < 12 ? 0.0f : 1.0f);
  std::printf("%d of 24 elements are wrong\n", wrong);
  return wrong != 0;
}
