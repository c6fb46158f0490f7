"""A made-up provider that answers, drifts and fails on command, for tests and for `model-drift-exporter demo`.

Done here: speaking the chat APIs as a server, answering from a suite, behaving by a seed so that the same asks get the same
answers in whatever order they come. Never done here: grading, judging, asking a real provider.
"""
