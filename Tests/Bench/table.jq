# Prints the rows of bench.json as a table.

def shown:
  if . == null then "-"
  elif . == (. | floor) then tostring
  elif . >= 100 then round | tostring
  elif . >= 10 then . * 10 | round / 10 | tostring
  else . * 100 | round / 100 | tostring end;

def cells:
  [
    .name, (.median | shown), .unit, (.floor | shown), (.ratioToFloor | shown),
    (.peers | to_entries | map("\(.key) \(if .value == null then "not available" else .value | shown end)")
      | join(", ")),
    .target, (if .met == null then "not available" elif .met then "yes" else "MISSED" end)
  ];

([["row", "median", "unit", "floor", "× floor", "peers", "target", "met"]] + map(cells)) as $table
| [range(8) | . as $column | [$table[][$column] | length] | max] as $widths
| $table[]
| [range(8) as $column
    | .[$column] as $cell | (" " * ($widths[$column] - ($cell | length)) // "") as $space
    | if [1, 3, 4] | index($column) then $space + $cell else $cell + $space end]
| join("  ") | sub(" +$"; "")
