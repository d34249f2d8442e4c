"""runs.py NUMBER [wait]: logs so many runs of an experiment, and reads all of them."""
import sys

import mlflow
from mlflow.tracking import MlflowClient

mlflow.set_tracking_uri("sqlite:///mlflow.db")
client = MlflowClient()
mlflow.set_experiment("lab")


def log(number):
    with mlflow.start_run(run_name=f"run {number}") as run:
        mlflow.log_params({"depth": number, "kind": "gr\u00fcn"})
        for step in range(10):
            mlflow.log_metric("loss", 1 / (step + number + 1), step=step)
        mlflow.log_metric("odd", float("nan"))
        mlflow.set_tag("stage", "test")
    return run.info.run_id


experiment = client.get_experiment_by_name("lab").experiment_id
before = len(client.search_runs([experiment], max_results=5000))
wanted = int(sys.argv[1])
runs = [log(before)]
if sys.argv[2:] == ["wait"]:
    print("ready", flush=True)
    sys.stdin.readline()
runs += [log(before + number) for number in range(1, wanted)]
found = client.search_runs([experiment], "metrics.loss < 1 and params.kind = 'gr\u00fcn'", max_results=5000)
assert len(found) in (before + wanted, before + wanted - 1), len(found)
assert len(client.search_runs([experiment], max_results=5000)) == before + wanted
assert [round(metric.value, 6) for metric in client.get_metric_history(runs[0], "loss")] == [round(1 / (step + before + 1), 6) for step in range(10)]
name = f"model {before}"
client.create_registered_model(name, tags={"a": "b"})
assert client.get_registered_model(name).tags == {"a": "b"}
client.delete_run(runs[-1])
client.restore_run(runs[-1])
