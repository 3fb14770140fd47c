"""A report with one result for each line of the C file that says REPORT RULE."""
import json
import re
import sys

results = []
for number, line in enumerate(open(sys.argv[1]), 1):
    match = re.search(r"// REPORT (\S+)$", line)
    if match:
        place = {"artifactLocation": {"uri": "file://" + sys.argv[1]}, "region": {"startLine": number}}
        results.append({"ruleId": match[1], "message": {"text": "look at this"}, "locations": [{"physicalLocation": place}]})
print(json.dumps({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "some analyser"}}, "results": results}]}))
