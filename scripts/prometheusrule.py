"""Make the Prometheus operator's PrometheusRule of the plain rules, so that there is one place to change them.

python scripts/prometheusrule.py            writes deploy/k8s/components/prometheus-operator/prometheusrule.yaml
"""

from __future__ import annotations

from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
RULES = TOP / "deploy" / "alertmanager" / "model-drift.rules.yml"
RESOURCE = TOP / "deploy" / "k8s" / "components" / "prometheus-operator" / "prometheusrule.yaml"

HEAD = """\
# Made of deploy/alertmanager/model-drift.rules.yml by scripts/prometheusrule.py: change the rules there, and run it again.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: model-drift-exporter
  labels:
    app.kubernetes.io/name: model-drift-exporter
spec:
"""


def render(rules: str) -> str:
    """The resource, of a file of rules: its groups as they stand, comments included, two columns further in."""
    _, _, groups = rules.partition("\ngroups:\n")
    lines = ["groups:", *groups.splitlines()]
    return HEAD + "".join(f"  {line}".rstrip() + "\n" for line in lines)


def main() -> None:
    """Write the resource anew."""
    RESOURCE.write_text(render(RULES.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
