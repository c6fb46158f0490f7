"""The command line: one file a verb, flags in Prometheus' spelling, exit codes as the README says.

Words and figures come from `reports`; only `render` prints. Nothing is decided here.
"""
