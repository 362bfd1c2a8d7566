"""jace: run JAX programs through DaCe."""
