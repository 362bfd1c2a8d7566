// jace runtime, optional part: lapack.
#ifndef JACE_RUNTIME_LAPACK
#define JACE_RUNTIME_LAPACK

namespace jace::lapack {}

#endif
