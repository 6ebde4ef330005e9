"""One Newton iteration against the factorisation by CHOLMOD; the work is that of `cholmod_run`, which prints JSON."""

import json
import subprocess

from stages import checked


def compare(setting):
    """The rows of `cholmod_run`."""
    details = json.loads(checked([setting.here / "cholmod_run", *(["--quick"] if setting.quick else []), "--json"]))
    return {"rows": details["rows"], "details": details}
