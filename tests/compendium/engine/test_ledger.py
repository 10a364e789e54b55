"""Who computes which unit, by simulation: workers die over some tasks, and none of the others is blamed."""

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from compendium.engine._ledger import MAX_LOSSES, Ledger


@dataclass(frozen=True)
class Numbered:
    """A task, as far as it matters here."""

    number: int


@given(
    threads=st.lists(st.integers(1, 4), min_size=1, max_size=4),
    count=st.integers(0, 30),
    killers=st.sets(st.integers(0, 29), max_size=4),
    picks=st.randoms(use_true_random=False),
)
def test_only_tasks_that_kill_are_given_up_and_each_after_three_workers(threads, count, killers, picks):
    ledger = Ledger([Numbered(number) for number in range(count)])
    workers = {f"w{place}": number for place, number in enumerate(threads)}
    holding = {worker: [] for worker in workers}
    done, given_up, deaths, lost_before = [], [], dict.fromkeys(killers, 0), set()
    while ledger.unfinished:
        for worker, task in ledger.assign(workers):
            holding[worker].append(task)
        for worker, tasks in holding.items():
            assert len(tasks) <= workers[worker] + 1
            if any(task.number in lost_before for task in tasks):
                assert len(tasks) == 1
        worker = picks.choice([worker for worker, tasks in holding.items() if tasks])  # else nobody could go on
        task = holding[worker][0]
        if task.number not in killers:
            holding[worker].remove(task)
            ledger.finish(worker, task)
            done.append(task.number)
            continue
        deaths[task.number] += 1
        for victim in holding.pop(worker):
            lost_before.add(victim.number)
            if not ledger.lose(worker, victim, 1):
                given_up.append(victim.number)
        workers[f"{worker}'"] = workers.pop(worker)
        holding[f"{worker}'"] = []
    killing = {number for number in killers if number < count}
    assert sorted(done) == [number for number in range(count) if number not in killing]
    assert sorted(given_up) == sorted(killing)
    assert all(MAX_LOSSES - 1 <= deaths[number] <= MAX_LOSSES for number in killing)  # one may die over another


def test_a_worker_has_one_task_more_than_threads_while_plenty_wait_and_the_last_ones_are_shared():
    ledger = Ledger([Numbered(number) for number in range(8)])
    first = ledger.assign({"one": 1, "two": 2})
    assert [worker for worker, _ in first] == ["one", "two", "two", "one", "two"]
    for worker, task in first:
        ledger.finish(worker, task)
    assert [worker for worker, _ in ledger.assign({"one": 1, "two": 2})] == ["one", "two", "two"]


def test_a_task_that_came_back_without_any_loss_is_the_next():
    ledger = Ledger([Numbered(0), Numbered(1)])
    ((worker, task),) = ledger.assign({"one": 1})
    assert ledger.lose(worker, task, 0)
    assert ledger.assign({"one": 1}) == [("one", task)]
