"""A verdict in words, the same on the command line, in the log and on the page.

Pure: Verdict in, words (or a dict for JSON) out. Nothing here prints, decides or reads anything.
"""

from exporter.reports.document import as_dict
from exporter.reports.words import Report, describe, summarise

__all__ = ["Report", "as_dict", "describe", "summarise"]
