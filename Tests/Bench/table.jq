# Prints the rows of bench.json as a table.

def shown:
  if . == null then "-"
  elif type == "string" then .
  elif . == (. | floor) then tostring
  elif . >= 100 then round | tostring
  elif . >= 10 then . * 10 | round / 10 | tostring
  else . * 100 | round / 100 | tostring end;

# A peer that is not installed or could not be set up has no number.
def cells:
  [
    .name, (.median | shown), .unit, (.floor | shown), (.ratioToFloor | shown),
    (.peers | to_entries | map("\(.key) \(.value // "not available" | shown)") | join(", ")),
    .target, (if .met == null then "not measured" elif .met then "yes" else "MISSED" end)
  ];

([["row", "median", "unit", "floor", "× floor", "peers", "target", "met"]] + map(cells)) as $table
| [range(8) | . as $column | [$table[][$column] | length] | max] as $widths
| $table[]
| [range(8) as $column
    | .[$column] as $cell | (" " * ($widths[$column] - ($cell | length)) // "") as $space
    | if [1, 3, 4] | index($column) then $space + $cell else $cell + $space end]
| join("  ") | sub(" +$"; "")
