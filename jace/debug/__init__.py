"""Watching and cutting a pipeline: DaCe's passes as numbered steps, where to stop, notes in the generated C++.

Public: the harness bisects and explains crashes with it.
"""
