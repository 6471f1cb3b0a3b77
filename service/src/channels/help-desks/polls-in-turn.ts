/**
 * The integrations whose reading is due, the longest overdue first: with more of them than are read at a time, slow ones must not keep the
 * others from their turn for ever.
 *
 * @param nextAt the next reading of each that was read before
 */
export function pollsInTurn<Integration extends { id: string }>(
  integrations: readonly Integration[],
  nextAt: ReadonlyMap<string, Date>,
  now: Date,
): Integration[] {
  const dueAt = ({ id }: Integration) => nextAt.get(id)?.getTime() ?? 0
  return integrations
    .filter((one) => dueAt(one) <= now.getTime())
    .toSorted((one, other) => dueAt(one) - dueAt(other))
}
