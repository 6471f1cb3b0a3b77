import { textOf } from '../../ui/form-values.ts'
import type { PlatformField } from './platform-field.ts'
import { readPairs, shownValue } from './read-pairs.ts'

/** What is stored of an integration. */
export interface StoredIntegration {
  config: Record<string, unknown>
  has_credentials: boolean
}

/** Name of a field's control, so that those of settings and secrets cannot meet. */
export const controlOf = ({ isSecret, name }: PlatformField): string =>
  `${isSecret ? 'credentials' : 'config'}.${name}`

/**
 * What was typed for a platform. A setting that was taken away is null; one that was left as it is shown is what is stored, also if that is no
 * text. Credentials replace all that are stored, so they are undefined when none
 * was typed, and some without the others are refused.
 *
 * @throws Error with a sentence for the person
 */
export function platformValuesOf(
  form: FormData,
  fields: readonly PlatformField[],
  stored?: StoredIntegration,
): { config: Record<string, unknown>; credentials: Record<string, string> | undefined } {
  const typed = (isSecret: boolean) =>
    fields
      .filter((field) => field.isSecret === isSecret)
      .map((field) => [field.name, textOf(form, controlOf(field))] as const)
  const present = (pairs: readonly (readonly [string, string])[]) => pairs.filter(([, value]) => value !== '')
  const written = { ...Object.fromEntries(present(typed(false))), ...readPairs(textOf(form, 'config')) }
  const before = new Map(Object.entries(stored?.config ?? {}))
  const config: Record<string, unknown> = Object.fromEntries(
    Object.entries(written).map(([name, text]) => {
      const value = before.get(name)
      return [name, shownValue(value) === text ? value : text]
    }),
  )
  const gone = [...before.keys()].filter((name) => config[name] === undefined)
  const secrets = typed(true)
  const others = readPairs(textOf(form, 'credentials'))
  const credentials = { ...Object.fromEntries(present(secrets)), ...others }
  const optional = new Set(fields.filter(({ isOptional }) => isOptional === true).map(({ name }) => name))
  const missing = secrets.filter(
    ([name, value]) => value === '' && others[name] === undefined && !optional.has(name),
  )
  if (Object.keys(credentials).length > 0 && missing.length > 0 && stored?.has_credentials === true) {
    throw new Error('New credentials replace all that are stored: type every one of them, or none.')
  }
  return {
    config: { ...Object.fromEntries(gone.map((name) => [name, null])), ...config },
    credentials: Object.keys(credentials).length === 0 ? undefined : credentials,
  }
}
