import type { Tone } from '../../ui/status.tsx'
import type { PlatformField } from './platform-field.ts'

/** What is known of an integration without asking its platform. */
export interface KnownIntegration {
  enabled: boolean
  config: Record<string, unknown>
  has_credentials: boolean
  problem: { because: string; at: string } | null
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

/**
 * The labels of what an integration cannot work without, and does not have.
 *
 * @param unset names of the credentials that are not stored; undefined where that is not known, or still being read
 */
export function missingOf(
  { config, has_credentials: hasAny }: KnownIntegration,
  fields: readonly PlatformField[],
  unset: ReadonlySet<string> | undefined,
): string[] {
  return fields
    .filter(({ name, isSecret, isOptional, isNeeded }) =>
      isSecret
        ? isOptional !== true && (hasAny ? unset?.has(name) === true : true)
        : isNeeded === true && isEmpty(config[name]),
    )
    .map(({ label }) => label)
}

const list = new Intl.ListFormat('en')

/**
 * How an integration is. That it is switched on says nothing of whether anybody can be answered: what it lacks comes first.
 *
 * @param known.missing labels of what it lacks; undefined if a program of its owner drives it
 * @param known.isCertain false where only some of what it lacks is known
 */
export function integrationState(
  { enabled, problem }: KnownIntegration,
  { missing, isCertain = true }: { missing?: readonly string[]; isCertain?: boolean },
): { tone: Tone; words: string } {
  if (!enabled) return { tone: 'quiet', words: 'Switched off' }
  if (missing !== undefined && missing.length > 0)
    return {
      tone: 'warn',
      words: `Not connected yet: add ${list.format(missing.map((label) => `“${label}”`))}`,
    }
  if (problem !== null) return { tone: 'warn', words: 'Not working' }
  if (missing === undefined) return { tone: 'quiet', words: 'On, for your own program' }
  return { tone: isCertain ? 'ok' : 'quiet', words: 'On' }
}
