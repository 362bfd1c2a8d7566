"""What the commands do, without a terminal: test a set of entries, reduce what fails, report.

    run.run(target, recorded, out, settings, pool, observer)    a recording: self-check, test, reduce, report
    files, described                                      the repro files that a user names, and what is known of them
    check.check_files(paths, settings, observer)          repro files
    localize.localize_files(...), reduce.reduce_files(...)    failing repros; reduce.reduce_file(...): one of them
    testing, reduction                                    what they are made of: a set of entries, a set of findings
    report, text, bugreport                               what was found, for machines, for a terminal, for an issue

In: recordings or repros, `settings.Settings`, and an `observer.Observer` that is told of the progress. Out: a
`report.Report`, minimal repros, bug reports.
"""
