#!/usr/bin/env python3
"""The files of data/paper are whole, and a finding or a shape that makes no sense is refused (data/paper/check.py).

usage: check_paper_data.py ROOT
"""
import csv
import pathlib
import sys

sys.dont_write_bytecode = True  # the sources stay as they are
sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "data/paper"))
import check  # noqa: E402

OWN = "a,own (not counted),ours,main,"
CLAIMS = {
    "a,own,mine,main,cvci,,regret,each,below,,,,p,a": "standing",
    "a,own,ours,main,cvci,,regret,each,below,,,,p,a": "ends in (not counted)",
    "a,own (not counted),ours,,cvci,,regret,each,below,,,,p,a": "views",
    OWN + "cvcii,,regret,each,below,,,,p,a": "subjects",
    OWN + "cvci,fit:proxy,regret,each,below,,,,p,a": "of one kind",
    OWN + ",,regret,each,below,,,,p,a": "it names none",
    OWN + "cvci,,regrett,each,below,,,,p,a": "measure",
    OWN + "cvci,,,each,below,,,,p,a": "measure",
    OWN + "cvci,,regret rank,each,below,,,,p,a": "two of them are of rows",
    OWN + "cvci,,regret,everyone,below,,,,p,a": "against",
    OWN + "cvci,,regret,other,below,,,,p,a": "names none",
    OWN + "cvci,,regret,half,below,,,,p,a": "against half",
    OWN + "cvci,obs-only,rank,other,below,,,,p,a": "ranks and excesses",
    OWN + "cvci,,wins,dm,below,,,,p,a": "wins of one subject",
    OWN + "grounded-linear,,rank,each,below,,,,p,a": "that the paper ranks",
    OWN + "cvci,grounded-linear,wins,each,below,,,,p,a": "that the paper ranks",
    OWN + "cvci,,costliest-tenth,each,below,,,,p,a": "taken against half",
    OWN + "cvci,,dm_bias2,each,below,,,,p,a": "dm_bias2 and dr_bias2",
    OWN + "by-cell,,regret,each,below,,,,p,a": "best-ranked",
    OWN + "cvci,,regret,each,under,,,,p,a": "direction",
    OWN + "cvci,,regret,each,near,,,,p,a": "near is said of",
    OWN + "cvci,,regret,,below,along n_exp,,,p,a": "over",
    OWN + "cvci,,regret,,below,slope,,,p,a": "over",
    OWN + "cvci,,regret,,below,slope n_expp,,,p,a": "over",
    OWN + "cvci,,regret,,below,rows,,,p,a": "most-wins",
    OWN + "cvci obs-only,,regret,each,below,each,,,p,a": "is one subject",
    OWN + "cvci,,regret,each,below,,n_exp>last,,p,a": "cells",
    OWN + "cvci,,regret,each,below,,n_ex=last,,p,a": "cells",
    OWN + "cvci,,regret,each,below,,,n_ex,p,a": "needs",
}
VIEWS = {"v,summary,families,main": "task", "v,world,familes,main": "shape", "v,world,beta=many,main": "shape",
         "v,world,betta>1,main": "shape", "v,world,variant:ground,main": "shape"}


def main():
    failed = check.check_records()
    for name, wrong in (("claims", CLAIMS), ("views", VIEWS)):
        heads = list(check.RECORDS[name])
        for line, says in wrong.items():
            faults = check.faults_of(name, list(csv.DictReader([line], heads)))
            if len(faults) != 1 or says not in faults[0]:
                failed += 1
                print(f"{line}: {faults}, not one with \"{says}\"")
    first = check.records_of("claims")[:1]
    if "there twice" not in "".join(check.faults_of("claims", first + first)):
        failed += 1
        print("a finding may be there twice")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
