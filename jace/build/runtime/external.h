// jace runtime, part 10: C functions of Python extension modules (SciPy's LAPACK, NumPy's FFT).
#ifndef JACE_RUNTIME_EXTERNAL
#define JACE_RUNTIME_EXTERNAL

// The address of the function that jace.build.externals knows as `name`, exported by the shim. Only names that are
// literal arguments of a call in the generated code are known: they are looked up before the program is loaded.
extern "C" void* jace_external(const char* name);

#endif
