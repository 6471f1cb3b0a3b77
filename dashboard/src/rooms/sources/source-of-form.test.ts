import { NewSource } from '@citewell/contract/sources'
import { expect, test } from 'vitest'
import { sourceOf } from './source-of-form.ts'
import type { SourceField } from './source-form.ts'
import { controlOf, formOf, isOffered, SOURCE_TYPE_FORMS } from './source-types.ts'

const typedIn = ({ kind, placeholder = '' }: SourceField): string =>
  // An address that is not one of a page.
  (kind === 'text' || kind === 'lines') && /:\/\/|^\S+@/.test(placeholder)
    ? placeholder.replace('…', 'a1b2c3d4e5f6')
    : {
        url: 'https://docs.example.com/acme/product',
        text: 'acme',
        lines: 'acme',
        patterns: ' /docs/** \n\n/api/**',
        switch: 'on',
        choice: 'eu',
      }[kind]

/** A form in which every field of a type, or every required one, is filled in. */
function formFor(fields: readonly SourceField[], { isWhole }: { isWhole: boolean }): FormData {
  const form = new FormData()
  for (const field of fields)
    if (isWhole || field.isRequired === true) form.set(controlOf(field), typedIn(field))
  return form
}

test.each(Object.keys(SOURCE_TYPE_FORMS).filter(isOffered))(
  'the form of %s, empty but for what it requires or filled in, makes a source that the contract takes',
  (type) => {
    const { fields } = formOf(type)
    for (const isWhole of [true, false]) {
      const source = sourceOf(formFor(fields, { isWhole }), type)
      expect(NewSource.safeParse(source).error).toBeUndefined()
      expect(source).toMatchObject({ type, visibility: 'public', refresh: 'daily' })
      expect(source.name).not.toBe('')
    }
  },
)

test('several keys stand in one field', () => {
  const form = new FormData()
  form.set('config.url', 'https://acme.atlassian.net/')
  form.set('config.projects', ' HELP, OPS;DEV\tWEB ')
  expect(sourceOf(form, 'jira')).toMatchObject({ config: { projects: ['HELP', 'OPS', 'DEV', 'WEB'] } })
})

test('credentials are sent as credentials, and only those that were typed', () => {
  const form = new FormData()
  form.set('config.url', 'https://acme.zendesk.com/')
  expect(sourceOf(form, 'zendesk_help_center')).toMatchObject({
    name: 'acme.zendesk.com',
    config: { url: 'https://acme.zendesk.com/', locale: null },
  })
  expect(sourceOf(form, 'zendesk_help_center')).not.toHaveProperty('credentials')
  form.set('credentials.token', 'secret')
  expect(sourceOf(form, 'zendesk_help_center')).toMatchObject({ credentials: { token: 'secret' } })
})
