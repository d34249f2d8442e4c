"""Writes the report of schemactl into one comment of a pull request, which later runs change instead of adding another.

REPORT is the file with the text, and NAME tells the comments of several reports apart. The rest is what GitHub Actions gives:
GITHUB_TOKEN, GITHUB_API_URL, GITHUB_REPOSITORY and GITHUB_EVENT_PATH.
"""

import json
import os
import sys
import urllib.error
import urllib.request


def request(method, address, body=None):
    call = urllib.request.Request(address, method=method, data=None if body is None else json.dumps(body).encode())
    call.add_header("Authorization", "Bearer " + os.environ["GITHUB_TOKEN"])
    call.add_header("Accept", "application/vnd.github+json")
    call.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(call, timeout=60) as answer:
        return json.load(answer)


def comments(issue):
    page = 1
    while True:
        found = request("GET", f"{issue}/comments?per_page=100&page={page}")
        yield from found
        if len(found) < 100:
            return
        page += 1


def main():
    with open(os.environ["GITHUB_EVENT_PATH"], encoding="utf-8") as file:
        pull = json.load(file).get("pull_request")
    if not pull:
        print("schemactl: this run is not of a pull request; there is nothing to comment on.")
        return
    with open(os.environ["REPORT"], encoding="utf-8") as file:
        report = file.read()
    # An HTML comment, which GitHub does not show.
    marker = f"<!-- schemactl {os.environ.get('NAME') or 'report'} -->".replace("\n", " ")
    body = {"body": f"{marker}\n{report}"}
    repository = f"{os.environ['GITHUB_API_URL']}/repos/{os.environ['GITHUB_REPOSITORY']}/issues"
    try:
        own = next((one for one in comments(f"{repository}/{pull['number']}") if one["body"].startswith(marker)), None)
        if own:
            request("PATCH", f"{repository}/comments/{own['id']}", body)
        else:
            request("POST", f"{repository}/{pull['number']}/comments", body)
    except urllib.error.HTTPError as error:
        # The token of a pull request from a fork may not write.
        print(f"::warning::schemactl: the comment could not be written, HTTP {error.code}: the token needs pull-requests: write")


sys.exit(main())
