"""The operating characteristics of voting ensembles (Gamst, Reyes & Walker 2017) and of scores."""
