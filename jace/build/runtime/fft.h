// jace runtime, optional part: Fourier transforms through the compiled loops of NumPy's pocketfft
// (jace/build/pocketfft.py says what they take).
#ifndef JACE_RUNTIME_FFT
#define JACE_RUNTIME_FFT

namespace jace::fft {

using loop_type = void(char** args, const i64* dimensions, const i64* steps, void* data);

// Transforms the middle axis of in[outer][n_in][inner] into out[outer][n_out][inner], times `factor`. `out` may be `in`
// if the types agree.
template <class R, class In, class Out>
static inline void along(void* loop, void* data, const In* in, Out* out, R factor, i64 outer, i64 n_in, i64 n_out,
                         i64 inner) {
  const i64 in_size = sizeof(In), out_size = sizeof(Out);
  const i64 calls = inner == 1 ? 1 : outer, batch = inner == 1 ? outer : inner;
  const bool parallel = outer * n_in * inner >= 1 << 15;
  const i64 parts = !parallel || calls >= 8 ? 1 : batch < 8 ? batch : 8;  // each does a part of a batch
  const i64 contiguous[5] = {n_in * in_size, 0, n_out * out_size, in_size, out_size};
  const i64 strided[5] = {in_size, 0, out_size, inner * in_size, inner * out_size};
  const i64* steps = inner == 1 ? contiguous : strided;
#pragma omp parallel for if (parallel)
  for (i64 job = 0; job < calls * parts; ++job) {
    const i64 call = job / parts, first = batch * (job % parts) / parts, last = batch * (job % parts + 1) / parts;
    char* args[3] = {(char*)(in + call * n_in * inner) + first * steps[0], (char*)&factor,
                     (char*)(out + call * n_out * inner) + first * steps[2]};
    const i64 dimensions[3] = {last - first, n_in, n_out};
    ((loop_type*)loop)(args, dimensions, steps, data);
  }
}

}  // namespace jace::fft
#endif
