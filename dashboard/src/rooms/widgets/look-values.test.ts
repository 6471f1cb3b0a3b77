import { WidgetLooks } from '@citewell/contract/widget-looks'
import { Widget } from '@citewell/contract/widgets'
import { expect, test } from 'vitest'
import { LOOK_FIELDS } from './look-fields.ts'
import { changeOf, previewQuery, valuesOf } from './look-values.ts'

test('only what was changed is sent; a default clears what was saved', () => {
  const before = valuesOf({ mode: 'sidebar', accent: '#123456', search: false })
  expect(changeOf(before, before)).toEqual({})
  expect(changeOf({ ...before, mode: 'modal', accent: ' ', search: 'true', slash: 'false' }, before)).toEqual(
    {
      mode: null,
      accent: null,
      search: null,
      slash: false,
    },
  )
})

test('every field of the form is a look or a voice of the contract', () => {
  const known = Object.keys(Widget.shape.config.shape)
  expect(LOOK_FIELDS.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([])
})

test('every choice and switch of the form is one that the service takes', () => {
  for (const field of LOOK_FIELDS) {
    if (field.kind !== 'choice') continue
    for (const [value] of field.choices) {
      const given = value === '' ? null : value
      expect([field.name, value, WidgetLooks.safeParse({ [field.name]: given }).success]).toEqual([
        field.name,
        value,
        true,
      ])
    }
  }
})

test('the preview shows what is not saved yet', () => {
  const query = previewQuery({ id: 'w', knowledge_base_id: 'b' }, { ...valuesOf({}), accent: 'teal' })
  expect(query).toMatchObject({ knowledge_base_id: 'b', widget_id: 'w', accent: 'teal', mode: 'modal' })
  expect(Object.keys(query)).not.toContain('persona')
})
