"""Keep of the full reference.json, which reference.R writes, the sections that the tests use.

Usage: python reduce.py FULL.json > reference.json
"""

import json
import sys
from typing import Any

KEPT = "N B K levels summary reml_exact two_way_anova global order_relation tukey_normal_studentised_range".split()
KEPT += "tukey_t_studentised_range paired ranks".split()
KEPT_OF_UNBALANCED = "tukey_normal_glht tukey_t_glht".split()
MODES = "satterthwaite kenward-roger".split()
SANDWICH = "lmer_clubSandwich_CR2"


def reduced(section: dict[str, Any]) -> dict[str, Any]:
    """Return the part of one data file's numbers that tests use."""
    kept = [name for name in section if name in KEPT]
    if "two_way_anova" not in section:
        kept += KEPT_OF_UNBALANCED
    result = {name: section[name] for name in kept}
    result["tukey_emmeans"] = {mode: section["tukey_emmeans"][mode] for mode in MODES}
    if "robust" in section:
        result["robust"] = {SANDWICH: section["robust"][SANDWICH]}
    return result


def main(path: str) -> None:
    """Write the reduced numbers to standard output, one line for each part."""
    with open(path, encoding="utf-8") as file:
        full = json.load(file)
    parts = {name: section if name == "meta" else reduced(section) for name, section in full.items()}
    lines = []
    for name, section in parts.items():
        inner = ",\n  ".join(f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in section.items())
        lines.append(f" {json.dumps(name)}: {{\n  {inner}\n }}")
    sys.stdout.write("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main(sys.argv[1])
