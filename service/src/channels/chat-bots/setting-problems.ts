import { oneLine } from '../../kernel/one-line.ts'

/** Whether a setting is switched on. The dashboard stores what was chosen or typed, as text. */
export const isSwitchedOn = (setting: unknown): boolean => setting === true || setting === 'true'

/** Settings that are on or off. */
const SWITCHES = ['answer_only_when_covered', 'answer_mentions']

const isSwitch = (setting: unknown) =>
  isSwitchedOn(setting) || setting === false || setting === 'false' || setting === ''

/**
 * Settings of which nothing here reads what their owner means: a name with a typing error, or one that another product has, such as the
 * channel in which it should answer.
 */
export function* settingProblems(
  config: Record<string, unknown>,
  known: ReadonlySet<string>,
): Generator<string> {
  for (const [name, setting] of Object.entries(config)) {
    // Null: it was taken away.
    if (setting === null) continue
    if (!known.has(name))
      yield `There is no setting ${oneLine(name, 100)}: it changes nothing. Take it away by null. There are: ${[...known].join(', ')}.`
    else if (SWITCHES.includes(name) && !isSwitch(setting))
      yield `The setting ${name} is neither true nor false.`
  }
}
