# Mean regret and its standard error, in the folder of a results.csv.
rows <- subset(read.csv("results.csv", na.strings = ""), kind == "family")
seeds <- tapply(rows$regret, list(rows$seed, rows$family), mean)
print(cbind(mean = colMeans(seeds), se = apply(seeds, 2, sd) / sqrt(nrow(seeds))))
