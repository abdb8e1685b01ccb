# Several runs, also of different keys, a table and an export as data frames.
read_run <- function(run) read.csv(file.path(run, "report", "results.csv"), na.strings = "")
join <- function(frames) {
  all <- Reduce(union, lapply(frames, names))
  do.call(rbind, lapply(frames, function(x) { x[setdiff(all, names(x))] <- NA; x[all] }))
}
rows <- join(lapply(c("runs/main", "runs/main-hard"), read_run))
print(aggregate(regret ~ run + family, rows[rows$kind == "family", ], mean))
sweep <- read.csv("runs/main/report/tables/sweep.csv", na.strings = "")
export <- lapply(c(obs = "obs.csv", exp = "exp.csv"), function(f) read.csv(file.path("cell-7-3", f)))
