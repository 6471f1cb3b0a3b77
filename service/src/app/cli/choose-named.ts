import { nearestWord } from '../nearest-word.ts'
import { CommandFailure, EXIT } from './command.ts'
import { oneLine } from './printable.ts'

/** A list of names for the middle of a sentence: not longer than somebody reads. */
const MOST_NAMED = 10

export function quotedNames(records: readonly { name: string }[]): string {
  const shown = records.slice(0, MOST_NAMED).map(({ name }) => `"${oneLine(name)}"`)
  const more = records.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}

/** The record of this id or name; the letters' case does not matter where one record alone has the name. @throws CommandFailure */
export function chooseNamed<Named extends { id: string; name: string }>(
  records: readonly Named[],
  wanted: string,
  noun: string,
): Named {
  const lower = wanted.toLowerCase()
  const exact = records.filter(({ id, name }) => id === lower || name === wanted)
  const found = exact.length > 0 ? exact : records.filter(({ name }) => name.toLowerCase() === lower)
  const [first, second] = found
  if (first !== undefined && second === undefined) return first
  if (first !== undefined)
    throw new CommandFailure(
      EXIT.usage,
      `There are several ${noun}s "${oneLine(wanted)}". Name one by its id: ${found.map(({ id }) => id).join(', ')}.`,
    )
  const meant = nearestWord(
    wanted,
    records.map(({ name }) => name),
  )
  const instead =
    records.length === 0
      ? 'there is none.'
      : meant === undefined
        ? `there are ${quotedNames(records)}.`
        : `did you mean "${oneLine(meant)}"?`
  throw new CommandFailure(EXIT.notFound, `There is no ${noun} "${oneLine(wanted)}": ${instead}`)
}
