import type { Widget } from '@citewell/sdk/management'
import { LOOK_FIELDS, type LookField, type LookName } from './look-fields.ts'

/** What the form shows of each look: text, or `true` and `false`. */
export type LookValues = Readonly<Record<LookName, string>>

/** The value of a look that is not set. */
function defaultOf(field: LookField): string {
  if (field.kind === 'switch') return String(field.byDefault)
  return field.kind === 'choice' ? (field.choices[0]?.[0] ?? '') : ''
}

function shownOf(field: LookField, config: Widget['config']): string {
  const saved = config[field.name]
  return typeof saved === 'string' || typeof saved === 'boolean' ? String(saved) : defaultOf(field)
}

/** What the form shows of saved looks. */
export const valuesOf = (config: Widget['config']): LookValues =>
  Object.fromEntries(LOOK_FIELDS.map((field) => [field.name, shownOf(field, config)])) as LookValues

/** What a person changed, as the service takes it. The default is written as null: it is not set. */
export function changeOf(now: LookValues, before: LookValues): Widget['config'] {
  const changed = LOOK_FIELDS.filter(({ name }) => now[name] !== before[name])
  return Object.fromEntries(
    changed.map((field) => {
      const value = now[field.name].trim()
      if (value === defaultOf(field)) return [field.name, null]
      return [field.name, field.kind === 'switch' ? value === 'true' : value]
    }),
  )
}

/** What is typed, with what others have saved since then in the fields that show what was saved before. */
export const withOthers = (typed: LookValues, before: LookValues, now: LookValues): LookValues =>
  Object.fromEntries(
    LOOK_FIELDS.map(({ name }) => [name, typed[name] === before[name] ? now[name] : typed[name]]),
  ) as LookValues

/** Looks that the preview takes from its address. Voice and links of others are of the saved widget. */
const NOT_PREVIEWED: readonly LookName[] = [
  'logo',
  'privacy_url',
  'support_url',
  'support_email',
  'persona',
  'tone',
  'standing_instructions',
]

/** The address of the preview, with what is not saved yet. */
export function previewQuery(
  widget: Pick<Widget, 'id' | 'knowledge_base_id'>,
  values: LookValues,
): Record<string, string> {
  const looks = LOOK_FIELDS.filter(({ name }) => !NOT_PREVIEWED.includes(name))
    .map(({ name }) => [name, values[name].trim()] as const)
    .filter(([, value]) => value !== '')
  return {
    knowledge_base_id: widget.knowledge_base_id,
    widget_id: widget.id,
    ...Object.fromEntries(looks),
  }
}
