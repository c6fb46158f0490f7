"""What runs: when a target is due, one check from claim to verdict, the config in use, and the service around it all.

This room wires the others together and owns signals and time. It never speaks a provider's API, SQL, or statistics, and
never prints: what people read comes from `reports`, what Prometheus reads from `metrics`.
"""
