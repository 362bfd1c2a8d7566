"""What other programs load by themselves: the plugin of pytest and the extension of IPython.

In: what the host passes (a pytest configuration, an IPython shell). Out: its hooks, tests and magics.
"""
