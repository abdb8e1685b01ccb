echo "{\"exp\": {\"file\": \"e.csv\", \"context\": \"q\", \"agent\": \"m\", \"outcome\": \"y\"$1}$2, \"families\": [\"exp-only\"], \"resamples\": 100}" > e.json
