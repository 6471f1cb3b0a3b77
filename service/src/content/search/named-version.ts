/** A number that may name a version: `v3`, `3.11`, `Vite 3`, `version 3`. */
const NUMBER =
  // bounded: at most 60 characters of a name
  /(?:(?<marked>(?:\bv|\b(?:version|release)\s+v?))|(?<named>\b\p{Lu}[\p{L}.]{0,60}\s+)|(?<![\p{L}\p{N}.]))(?<number>\d+(?:\.\d+){0,3})(?:\.x)?(?![\p{L}\p{N}]|\.\d)/gu
/** Labels of versions that are newer than any number. */
const NEWEST = /^(?:main|master|latest|next|current|dev|development|edge|canary|nightly|unreleased|trunk)$/i

/** Extracts 3 from `v3`, `3.x`, `Version 3` and `release-3`. */
const numberOf = (label: string) => /^\D*?(\d+(?:\.\d+)*)(?:\.x)?$/i.exec(label.trim())?.[1]

const startsAs = (number: string, other: string) => number === other || number.startsWith(`${other}.`)

function isNewer(number: string, other: string): boolean {
  const [left, right] = [number, other].map((text) => text.split('.').map(Number))
  const differs = (left ?? []).findIndex((part, index) => part !== (right?.[index] ?? 0))
  return differs >= 0 && (left?.[differs] ?? 0) > (right?.[differs] ?? 0)
}

/**
 * The labels that a number in the question means: the number itself, else its prefix, else the newest label if the number is higher than
 * all.
 */
function labelsOf(number: string, labels: readonly string[]): string[] {
  const numbered = labels.flatMap((label) => {
    const own = numberOf(label)
    return own === undefined ? [] : [{ label, own }]
  })
  const same = numbered.filter(({ own }) => own === number)
  if (same.length > 0) return same.map(({ label }) => label)
  const nearest = numbered
    .filter(({ own }) => startsAs(number, own) || startsAs(own, number))
    .sort((left, right) => right.own.length - left.own.length)
  if (nearest.length > 0) return nearest.map(({ label }) => label)
  const isAboveAll = numbered.length > 0 && numbered.every(({ own }) => isNewer(number, own))
  return isAboveAll ? labels.filter((label) => NEWEST.test(label.trim())) : []
}

/** Whether a question contains a number that may name a version. */
export const mayNameVersion = (query: string): boolean => /\d/.test(query)

/**
 * The version labels of the sources that a question names; empty if it names none of them. A number without a version marker (`v3`, `3.1`,
 * or a name or "version" before it) is ignored.
 *
 * @example
 * namedVersions('What is new in Vite 3?', ['v2', 'v3']) // ['v3']
 */
export function namedVersions(query: string, labels: readonly string[]): string[] {
  const found = [...query.matchAll(NUMBER)].flatMap(({ groups }) => {
    const number = groups?.['number'] ?? ''
    const isVersion =
      groups?.['marked'] !== undefined || groups?.['named'] !== undefined || number.includes('.')
    return isVersion ? labelsOf(number, labels) : []
  })
  return [...new Set(found)]
}
