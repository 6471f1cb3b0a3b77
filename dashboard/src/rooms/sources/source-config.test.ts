import { NewSource } from '@citewell/contract/sources'
import { expect, test } from 'vitest'
import { configFields, configOf, factsOf, shownIn } from './source-config.ts'
import { controlOf, formOf, isOffered, SOURCE_TYPE_FORMS, type OfferedType } from './source-types.ts'

/** The form of the settings of a source, as it is before anybody types. */
function formShowing(type: OfferedType, config: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const field of configFields({ type, config, connection_id: null })) {
    const shown = shownIn(field, config)
    if (field.kind !== 'switch' || shown === 'on') form.set(controlOf(field), shown)
  }
  return form
}

const TYPED = {
  url: 'https://docs.example.com/acme/product',
  text: 'acme',
  lines: 'https://docs.example.com/a\nhttps://docs.example.com/b',
  patterns: '/docs/**\n/api/**',
  switch: 'on',
  choice: 'eu',
}

test.each(Object.keys(SOURCE_TYPE_FORMS).filter(isOffered))(
  'the settings of a source of %s that are shown and not changed stay as they are',
  (type) => {
    const typed = new FormData()
    for (const field of formOf(type).fields) typed.set(controlOf(field), TYPED[field.kind])
    for (const config of [configOf(typed, type), configOf(new FormData(), type)])
      expect(configOf(formShowing(type, config), type)).toEqual(config)
  },
)

test('all addresses of a website are shown, each on its line, and can be changed', () => {
  const config = {
    start_urls: ['https://docs.example.com/a/', 'https://docs.example.com/b/'],
    include: [],
    exclude: [],
  }
  const form = formShowing('website', config)
  expect(form.get('config.start_urls')).toBe('https://docs.example.com/a/\nhttps://docs.example.com/b/')
  form.set('config.start_urls', ' https://docs.example.com/c/ \n\n')
  const changed = configOf(form, 'website')
  expect(changed).toEqual({ ...config, start_urls: ['https://docs.example.com/c/'] })
  expect(NewSource.safeParse({ type: 'website', name: 'docs', config: changed }).success).toBe(true)
})

test('what a source reads is told in words, without what is not set', () => {
  const config = {
    url: 'https://git.example.com/docs',
    ref: 'v2',
    include: ['docs/**', 'api/**'],
    exclude: [],
    site_url: null,
  }
  expect(factsOf({ type: 'repository', config, connection_id: null })).toEqual([
    ['Address', ['https://git.example.com/docs']],
    ['Branch, tag or commit', ['v2']],
    ['Include only', ['docs/**', 'api/**']],
  ])
  expect(factsOf({ type: 'push', config: {}, connection_id: null })).toEqual([])
})
