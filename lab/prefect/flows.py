"""flows.py NUMBER: runs a flow so many times on a server that Prefect starts for it, and reads all runs."""
import sys

from prefect import flow, get_client, task
from prefect.artifacts import create_markdown_artifact
from prefect.variables import Variable


@task(retries=1)
def half(number):
    if number == 7:
        raise ValueError("gr\u00fcn")
    return number / 2


@flow
def lab(number):
    create_markdown_artifact(f"# Number {number}", key="number")
    return [half.submit(number + step).result(raise_on_failure=False) for step in range(3)] and number


with get_client(sync_client=True) as client:
    before = len(client.read_flow_runs())
    for number in range(int(sys.argv[1])):
        assert lab(before + number, return_state=True).is_completed()
    runs = client.read_flow_runs()
    assert len(runs) == before + int(sys.argv[1]), len(runs)
    assert all(run.parameters["number"] < len(runs) for run in runs)
    Variable.set(f"v{before}", {"depth": before})
    assert Variable.get(f"v{before}") == {"depth": before}
    if before:
        client.delete_flow_run(runs[0].id)
        assert len(client.read_flow_runs()) == len(runs) - 1
