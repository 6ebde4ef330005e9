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
    return {"rows": [row_of(record) for record in details], "details": details}


def row_of(record):
    return {
        "case": "Newton iteration, factorisation alone", "size": f"{record['cholmod']['dofs']} unknowns",
        "pliant": record["pliant"]["iteration"], "peer": record["cholmod"]["factorise"], "note": "",
    }
