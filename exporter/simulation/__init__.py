"""What the rule of judging would find and what it would cry wolf about: made-up models, judged by the product's own code.

Done here: drawing models, their answers and what becomes of them, and counting verdicts over many of them. What a verdict is
stays in `exporter.verdicts`: no level, no area, no condition of it is repeated here. Nothing is asked of anybody, nothing is
stored, and the same seed always gives the same figures. This is the only room that needs numpy.
"""

from exporter.errors import Problem, UsageError

try:
    import numpy as _  # noqa: F401 - only whether it is there
except ImportError as error:
    missing = Problem("simulate", "numpy is not installed", "pip install 'model-drift-exporter[simulate]'")
    raise UsageError(missing) from error
