"""The config file: what can be set, read with all its errors at once. Secrets are read here and shown nowhere.

Nothing below this room knows that a file exists; everything above is handed a Config.
"""

from exporter.config.model import Budget, Config, Decision, Price, RetryFailedCheck, Schedule, Target, TotalBudget

__all__ = ["Budget", "Config", "Decision", "Price", "RetryFailedCheck", "Schedule", "Target", "TotalBudget"]
