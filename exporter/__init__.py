"""model-drift-exporter: is the model behind the name still the model it was?

Each package's docstring is the sign on its door: what is done there and what never is. Imports go down only; the
order of the floors is in docs/architecture.md and import-linter holds it.
"""

__version__ = "0.1.0"
