// GCC 12.2 takes x = x * x in a loop for a product of many x, where signed numbers are multiplied as unsigned ones.
//
//     g++ -O2 -march=znver3 square_in_a_loop.cc -o s && ./s
//
// Exit status 1 while the bug is there: each of four numbers, 4, is squared twice, and 16 comes out, not 256. The inner
// loops are unrolled, the four numbers kept in registers, and the outer loop is vectorized as a reduction: one factor for
// each iteration, 4 * 1 and 4 * 1, and these are multiplied once. Right at -O1, with -fno-tree-loop-vectorize and with
// -mprefer-vector-width=128, for unsigned numbers, and where the compiler cannot see that the factors are one. Wrong for
// short and long as well. (Tuning decides whether the loop is vectorized: with -march=x86-64-v3 it is right.)
//
// Found by `jace-repro fuzz`: a scan of squares of integers on `canonical`. jace's work-around: `squared` of
// jace/build/runtime/arith.h.
#include <cstdio>
#include <cstdlib>

static inline int product(int a, int b) { return (int)((unsigned)a * (unsigned)b); }

__attribute__((noinline)) void squared_twice(const int *__restrict__ x, int *__restrict__ r) {
  int *t = (int *)aligned_alloc(64, 64);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) r[2 * i + j] = x[2 * i + j];
  for (long l = 0; l < 2; l++) {
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++) t[2 * i + j] = product(r[2 * i + j], r[2 * i + j]);
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++) r[2 * i + j] = t[2 * i + j];
  }
  free(t);
}

int main() {
  int x[4] = {4, 4, 4, 4}, r[4] = {};
  squared_twice(x, r);
  printf("%d %d %d %d, expected 256 each\n", r[0], r[1], r[2], r[3]);
  return r[0] != 256;
}
