import type { Source, SourceChange } from '@citewell/sdk/management'
import { linesOf, textOf } from '../../ui/form-values.ts'
import { count } from '../../ui/time.tsx'
import type { SourceField, TypedSource } from './source-form.ts'
import { formOf, isOffered, type OfferedType } from './source-types.ts'

type Configured = Pick<Source, 'type' | 'config' | 'connection_id'>

/** What was typed into the fields of a type of source. */
export const typedInto = (form: FormData): TypedSource => ({
  text: (field) => textOf(form, `config.${field}`),
  lines: (field) => linesOf(form, `config.${field}`),
  isOn: (field) => form.get(`config.${field}`) === 'on',
})

/** The settings in the form of a type. */
export const configOf = (form: FormData, type: OfferedType): NonNullable<SourceChange['config']> => ({
  ...formOf(type).describe(typedInto(form)).config,
})

/** The settings that its form can change. Credentials are not among them: nobody sees those again. */
export function configFields({ type, config, connection_id: account }: Configured): SourceField[] {
  if (!isOffered(type)) return []
  return formOf(type)
    .fields.filter(
      ({ credential, isForKey }) => credential === undefined && !(isForKey === true && account !== null),
    )
    .map((field): SourceField => {
      // The form of a new website has one address; the API takes several.
      const isSeveral = field.kind === 'url' && Array.isArray(config[field.name])
      return isSeveral ? { ...field, kind: 'lines', label: 'Addresses', hint: 'One per line' } : field
    })
}

/** A setting as its field shows it. */
export function shownIn({ kind, name }: SourceField, config: Source['config']): string {
  const value = config[name]
  if (Array.isArray(value)) return value.join(kind === 'lines' || kind === 'patterns' ? '\n' : ', ')
  return typeof value === 'string' ? value : value === true ? 'on' : ''
}

/** Settings that only the API sets, in words. */
const OTHERS: Record<string, string> = {
  site_url: 'Published at',
  max_pages: 'Pages at most',
  max_depth: 'Links to follow at most',
  content_selector: 'Content of a page',
}

/** What a source reads: each setting that is set, with what it says. */
export function factsOf(source: Configured): [name: string, values: string[]][] {
  const { config } = source
  const told = configFields(source).map((field): [string, string[]] => {
    const shown = shownIn(field, config)
    if (field.kind === 'switch') return [field.label, shown === 'on' ? ['Yes'] : []]
    const chosen = field.choices?.find(([value]) => value === shown)?.[1] ?? shown
    return [field.label, chosen.split('\n').filter((value) => value !== '')]
  })
  const others = Object.entries(OTHERS).map(([name, label]): [string, string[]] => {
    const value = config[name]
    return [label, typeof value === 'number' ? [count(value)] : typeof value === 'string' ? [value] : []]
  })
  return [...told, ...others].filter(([, values]) => values.length > 0)
}
