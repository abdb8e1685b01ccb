# Rows of standard input (line 2 on) with 20 behind them that are given, $2, through the evaluation of e.json: the columns $1 of rows.csv, of the first $3 rows.
{ sed 's/\\/\\\\/g' | while IFS= read -r row; do printf '%b\n' "$row"; done; for i in 0 1 2 3 4 5 6 7 8 9; do echo "$2" | sed "s/I/$i/; s/A/a/; s/Y/1/"; echo "$2" | sed "s/I/2$i/; s/A/b/; s/Y/0/"; done; } > e.csv
rm -rf o; regret recommend e.json -o o --details -q > screen 2> said; [ $? = 2 ] && cat said
head -$(($3 + 1)) o/rows.csv | cut -d, -f"$1"; grep '^Note' screen || true
