"""Options that XLA compiles with."""

#: It optimises nothing.
UNOPTIMIZED = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}
