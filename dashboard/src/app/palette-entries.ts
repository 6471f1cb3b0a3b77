/** One line of the palette. */
export interface Entry {
  id: string
  /** Under which heading it stands. */
  kind: string
  name: string
  /** What tells it from others of the same name. */
  note?: string | undefined
  /** An address of the app; without one, `act` is called. */
  href?: string
  act?: () => void
}

/** Lines that are shown of one kind, and of all. */
const MOST_OF_KIND = 6

/** How well a name fits what was typed; 0: not at all. */
function fit(name: string, words: readonly string[]): number {
  const lower = name.toLowerCase()
  if (!words.every((word) => lower.includes(word))) return 0
  const [first = ''] = words
  if (lower.startsWith(first)) return 3
  return lower.split(/[\s/·-]+/).some((part) => part.startsWith(first)) ? 2 : 1
}

/** The entries that fit what was typed: by kind in the order given, the best of each kind first. */
export function found(entries: readonly Entry[], typed: string): Map<string, Entry[]> {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const ranked = entries
    .map((entry) => ({
      entry,
      rank:
        words.length === 0
          ? 1
          : Math.max(fit(entry.name, words), fit(`${entry.name} ${entry.note ?? ''}`, words) - 1),
    }))
    .filter(({ rank }) => rank > 0)
    .toSorted((one, other) => other.rank - one.rank)
  const kinds = new Map<string, Entry[]>(entries.map(({ kind }) => [kind, []]))
  for (const { entry } of ranked) {
    const ofKind = kinds.get(entry.kind)
    if (ofKind !== undefined && ofKind.length < MOST_OF_KIND) ofKind.push(entry)
  }
  for (const [kind, ofKind] of kinds) if (ofKind.length === 0) kinds.delete(kind)
  return kinds
}
