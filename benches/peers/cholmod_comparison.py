"""One whole Newton iteration against the factorisation by CHOLMOD alone; the work is that of `cholmod_run`, which prints JSON."""

import json

from stages import checked

QUICK_BRICKS = 8


def compare(setting):
    """One row a box; the quick way is a small one."""
    command = setting.here / "cholmod_run"
    if not command.exists():
        return {"rows": [], "details": [], "text": "cholmod: there is no cholmod_run"}
    details = json.loads(checked([command, *([QUICK_BRICKS] if setting.quick else [])]))
    return {"rows": [row for record in details for row in rows_of(record)], "details": details}


def rows_of(record):
    """pliant with a factorisation, and with the solver that it chooses."""
    for case, field in [("Newton iteration, direct", "iteration"), ("Newton iteration, default solver", "default_iteration")]:
        yield {
            "case": case, "size": f"{record['cholmod']['dofs']} unknowns",
            "pliant": record["pliant"][field], "peer": record["cholmod"]["factorise"], "note": "against CHOLMOD's factorisation alone",
        }
