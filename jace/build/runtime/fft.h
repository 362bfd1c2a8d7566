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
  for (i64 call = 0; call < calls; ++call) {
    char* args[3] = {(char*)(in + call * n_in * inner), (char*)&factor, (char*)(out + call * n_out * inner)};
    const i64 dimensions[3] = {batch, n_in, n_out};
    const i64 contiguous[5] = {n_in * in_size, 0, n_out * out_size, in_size, out_size};
    const i64 strided[5] = {in_size, 0, out_size, inner * in_size, inner * out_size};
    ((loop_type*)loop)(args, dimensions, inner == 1 ? contiguous : strided, data);
  }
}

}  // namespace jace::fft
#endif
