"""study.py TRIALS [wait]: goes on with a study, or begins it, by so many trials."""
import sys

import optuna

optuna.logging.set_verbosity(optuna.logging.WARNING)
study = optuna.create_study(
    storage="sqlite:///study.db",
    study_name="lab",
    load_if_exists=True,
    directions=["minimize", "maximize"],
    sampler=optuna.samplers.RandomSampler(seed=7),
)


def objective(trial):
    x = trial.suggest_float("x", -10, 10)
    kind = trial.suggest_categorical("kind", ["square", "cube", None])
    depth = trial.suggest_int("depth", 1, 5, log=True)
    trial.set_user_attr("note", f"gr\u00fcn {depth}")
    if depth == 5:
        raise optuna.TrialPruned
    return x**2 if kind == "square" else x**3, float(depth)


trials = int(sys.argv[1])
before = len(study.trials)
if sys.argv[2:] == ["wait"]:
    study.optimize(objective, n_trials=1)
    print("ready", flush=True)
    sys.stdin.readline()
    trials -= 1
study.optimize(objective, n_trials=trials)
read = optuna.load_study(storage="sqlite:///study.db", study_name="lab")
read.set_user_attr("trials", len(read.trials))
assert len(read.trials) == before + int(sys.argv[1]), len(read.trials)
assert [trial.number for trial in read.trials] == list(range(len(read.trials)))
assert all(trial.params["kind"] in ("square", "cube", None) for trial in read.trials)
assert read.best_trials
