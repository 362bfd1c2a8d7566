// jace runtime, optional part: random.
#ifndef JACE_RUNTIME_RANDOM
#define JACE_RUNTIME_RANDOM

namespace jace::random {}

#endif
