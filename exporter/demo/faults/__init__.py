"""Everything a provider may do instead of answering properly, by name.

Looking to add a fault? Start here: write a function from Exchange to Transmission in `status` (an error status), `content`
(a 200 without the answer that was due), `shapes` (a 200 that says what was due, or nothing, in an odd form) or `transport` (bytes
that do not come as they should), and put @fault above it with its name, the reason an adapter has to find, and the APIs it
occurs in.
"""

from exporter.demo.faults import content, shapes, status, transport
from exporter.demo.faults.registry import FAULTS, Fault

__all__ = ["FAULTS", "Fault", "content", "shapes", "status", "transport"]
