"""What both forms of a script are made of: its text under construction, values and parameters as source, lines.

In: values, dtypes, parameters of equations, meshes. Out: exact Python source, and the imports and arrays it needs.
"""
