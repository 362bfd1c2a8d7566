// jace runtime, optional part: fft.
#ifndef JACE_RUNTIME_FFT
#define JACE_RUNTIME_FFT

namespace jace::fft {}

#endif
