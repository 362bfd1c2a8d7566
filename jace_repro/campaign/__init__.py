"""What the commands do, without a terminal: test a set of entries, reduce what fails, report.

In: recordings or repros, and options. Out: a `report.Report`, minimal repros, bug reports.
"""
