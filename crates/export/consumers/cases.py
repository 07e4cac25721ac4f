"""Makes test cases of the strategies in a folder: for each NAME.json, NAME.cases.json has the answers of every leaf's
path and the names found there, and one case with an unknown answer."""

import json
import pathlib
import sys


def paths(node, answers):
    """All leaves below `node`: pairs of answers and names."""
    waiting = [(node, answers)]
    while waiting:
        node, answers = waiting.pop()
        if "ask" not in node:
            yield answers, " or ".join(node["groups"])
            continue
        for answer, child in node["answers"].items():
            waiting.append((child, {**answers, node["ask"]: answer}))


folder = pathlib.Path(sys.argv[1])
for plan in sorted(folder.glob("*.plan.json")):
    tree = json.loads(plan.read_text())["tree"]
    cases = [{"answers": answers, "names": names} for answers, names in paths(tree, {})]
    # The unknown answer stands at the end of a path, where a careless consumer would take the last branch.
    longest = max(cases, key=lambda case: len(case["answers"]))
    last = list(longest["answers"])[-1]
    cases.append({"answers": {**longest["answers"], last: "an answer that is not known"}, "names": None})
    (folder / plan.name.replace(".plan.json", ".cases.json")).write_text(json.dumps(cases))
    print(plan.name, len(cases), "cases")
