"""A verdict, or a comparison, in words, the same on the command line, in the log and on the page.

Pure: a record in, words (or a dict for JSON) out. Nothing here prints, decides or reads anything.
"""

from exporter.reports.comparison import ComparisonReport, comparison_as_dict, describe_comparison, gravest_class
from exporter.reports.document import as_dict
from exporter.reports.notices import notices
from exporter.reports.row import as_row
from exporter.reports.words import Report, describe, summarise

__all__ = [
    "ComparisonReport",
    "Report",
    "as_dict",
    "as_row",
    "comparison_as_dict",
    "describe",
    "describe_comparison",
    "gravest_class",
    "notices",
    "summarise",
]
