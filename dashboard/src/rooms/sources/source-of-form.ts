import type { NewSource } from '@citewell/sdk/management'
import { textOf, textOrNull } from '../../ui/form-values.ts'
import { typedInto } from './source-config.ts'
import { controlOf, formOf, type OfferedType } from './source-types.ts'

export const REFRESHES = [
  ['daily', 'Every day'],
  ['hourly', 'Every hour'],
  ['weekly', 'Every week'],
  ['monthly', 'Every month'],
  ['none', 'Only when asked to'],
] as const

/** What `SourceOptions` asks for of every source. */
export const optionsOf = (form: FormData): Pick<NewSource, 'version_label' | 'visibility'> => ({
  version_label: textOrNull(form, 'version'),
  visibility: form.get('visibility') === 'restricted' ? 'restricted' : 'public',
})

/** The source that a form describes. */
export function sourceOf(form: FormData, type: OfferedType): NewSource {
  const { fields, describe, name: otherwise } = formOf(type)
  const address = fields.find(({ kind }) => kind === 'url')
  const url = address === undefined ? '' : textOf(form, controlOf(address))
  const name = textOf(form, 'name')
  const secrets = fields
    .filter(({ credential }) => credential !== undefined)
    .map((field) => [field.name, textOf(form, controlOf(field))] as const)
    .filter(([, typed]) => typed !== '')
  const account = textOf(form, 'connection_id')
  return {
    ...describe(typedInto(form)),
    name: name === '' ? (URL.parse(url)?.host ?? (url === '' ? otherwise : url)) : name,
    ...(account !== '' && { connection_id: account }),
    ...(secrets.length > 0 && { credentials: Object.fromEntries(secrets) }),
    ...optionsOf(form),
    refresh: REFRESHES.find(([value]) => value === form.get('refresh'))?.[0] ?? 'daily',
  }
}
