import { oneLine } from '../../../kernel/one-line.ts'

/** The parts of a help desk that the owner chose: all if nothing is set, none if anything that is set is not what it should be. */
export type Chosen = { is: 'all' } | { is: 'these'; ids: readonly string[] } | { is: 'wrong'; given: string }

/** What is set, as text, whatever it is: a setting that nobody understands must not count as one that is not set. */
export function textOfSetting(given: unknown): string {
  if (given === undefined || given === null) return ''
  return typeof given === 'string' ? given : JSON.stringify(given)
}

/**
 * Reads the ids that the owner typed. Nothing is picked out of what is no id, and nothing is left out: a typing error must not have more
 * answered than was meant.
 *
 * @param between what may be between two of them
 */
export function chosenIds(given: unknown, isId: (id: string) => boolean, between = /[\s,]+/): Chosen {
  const text = textOfSetting(given)
  if (text.trim() === '') return { is: 'all' }
  const ids = text
    .split(between)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  return ids.length > 0 && ids.every(isId) ? { is: 'these', ids } : { is: 'wrong', given: text }
}

export const isChosen = (chosen: Chosen, id: string | null | undefined): boolean =>
  chosen.is === 'all' || (chosen.is === 'these' && chosen.ids.includes(id ?? ''))

/** The ids, where there are some. */
export const idsOf = (chosen: Chosen): readonly string[] => (chosen.is === 'these' ? chosen.ids : [])

/** What the owner is told of a setting that is wrong. */
export function* problemsOf(setting: string, chosen: Chosen, example: string): Generator<string> {
  if (chosen.is === 'wrong')
    yield `The setting ${setting} has something that is no id: ${oneLine(chosen.given, 80)}. Write ids such as ${example}, with commas between them. Until then, nothing is answered.`
}
