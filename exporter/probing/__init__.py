"""One run: every question asked, wrong answers asked again, each grade handed over as it comes.

What a run asks and costs is planned before anything is sent; every request is reserved before it goes out and settled after
it came back; failures are retried within the deadline; a run that cannot be measured says why. Never done here: judging,
storing, scheduling, and talking to a provider in its own words.
"""

from exporter.probing.budget import caps_of
from exporter.probing.estimate import Estimate, over_caps
from exporter.probing.ledger import Ledger
from exporter.probing.limiter import Limiter
from exporter.probing.outcome import RunOutcome
from exporter.probing.plan import Plan, plan_run
from exporter.probing.runner import run_questions
from exporter.probing.use import PastUse, past_use

__all__ = [
    "Estimate",
    "Ledger",
    "Limiter",
    "PastUse",
    "Plan",
    "RunOutcome",
    "caps_of",
    "over_caps",
    "past_use",
    "plan_run",
    "run_questions",
]
