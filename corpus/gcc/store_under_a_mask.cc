// GCC 12.2 writes an instruction that its assembler refuses: a number of 16 bits is stored, or 0 by a mask.
//
//     g++ -O2 -mavx512fp16 -mavx512vl -c store_under_a_mask.cc -o m
//
// Exit status 1 while the bug is there: "unsupported masking for `vmovsh'" of `vmovsh %xmm1, 2(%rdx){%k1}{z}`: a store
// under a mask can leave what is there, and cannot write zeros. Right with -mno-avx512fp16, and at -O1.
void f(const _Float16 *b, const _Float16 *c, _Float16 *o) {
  for (long l = 0; l < 3; l++)
    for (long i = 0; i < 2; ++i) {
      const _Float16 x = b[i], y = c[i];
      o[i + 2 * l] = x < _Float16(0) ? _Float16(0) : y;
    }
}
