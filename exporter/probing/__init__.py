"""One run: every question asked, wrong answers asked again, each grade handed over as it comes.

What a run asks and costs is planned before anything is sent; every request is reserved before it goes out and settled after
it came back; failures are retried within the deadline; a run that cannot be measured says why. Never done here: judging,
storing, scheduling, and talking to a provider in its own words.
"""
