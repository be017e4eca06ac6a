# Turns samples, lines of a series and a value, into the rows of bench.json.

# Within which so much of all lies.
def quantile($part): sort | if length == 0 then null else .[(length * $part | ceil) - 1] end;
def median: sort | if length == 0 then null else .[(length - 1) / 2 | floor] end;

(reduce ($samples | split("\n")[] | select(. != "") | split(" ")) as [$series, $value]
  ({}; .[$series] += [$value | tonumber])) as $all

# The value of a series; null where it was not measured.
| def of($series; $row):
    ($all[$series // ""] // [])
    | if $row.take == "most" then max elif $row.take == "p99" then quantile(0.99) else median end
    | if . == null then null else . / ($row.scale // 1) end;

def text($clause):
  if $clause.atMost then "≤ \($clause.atMost)"
  elif $clause.timesFloor then "≤ \($clause.timesFloor) × floor"
  elif $clause.timesPeer == 1 then "< \($clause.peer)"
  else "≤ \($clause.timesPeer) × \($clause.peer)" end;

# Whether a clause is met; null where it can't be said.
def met($clause; $own; $floor; $peers):
  (if $clause.atMost then $clause.atMost
   elif $clause.timesFloor then $floor | values * $clause.timesFloor
   else $peers[$clause.peer] | values * $clause.timesPeer end) as $limit
  | if $own == null then null
    # "< peer" is what the table says of a factor of one.
    elif $clause.timesPeer == 1 then $own < $limit
    else $own <= $limit end;

[$rows[0][] | . as $row
  | of(.series; $row) as $own
  | of(.floor; $row) as $floor
  | (.peers | map_values(of(.; $row))) as $peers
  | [.target[] | [met(.; $own; $floor; $peers)] | .[0]] as $answers
  | {
      name, median: $own, unit, floor: $floor,
      ratioToFloor: (if $own != null and $floor != null then $own / $floor else null end),
      $peers, target: ([.target[] | text(.)] | join(", ")),
      # One clause that is missed is enough; met are all of them, each of them measured.
      met: ($answers
        | if any(. == false) then false elif any(. == null) then null else all end)
    }]
