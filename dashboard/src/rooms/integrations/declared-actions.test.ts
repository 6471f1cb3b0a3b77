import { expect, test } from 'vitest'
import { actionsOf, typedActions } from './declared-actions.ts'

test('the actions of the settings are read, whatever else is there', () => {
  const refund = { name: 'refund', url: 'https://shop.example.com/refunds', description: 'Pays back.' }
  expect(actionsOf({ actions: [refund, null, 'refund', { name: 7, url: ['x'] }] })).toEqual([
    refund,
    { name: '', url: '', description: '' },
  ])
  expect(actionsOf({ actions: { refund } })).toEqual([])
  expect(actionsOf({})).toEqual([])
  expect(actionsOf(undefined)).toEqual([])
})

test('rows of a form become actions in their order; an empty row is left out, one that is half empty is not', () => {
  const form = new FormData()
  const row = (name: string, url: string, description: string) => {
    form.append('action.name', name)
    form.append('action.url', url)
    form.append('action.description', description)
  }
  row(' refund ', 'https://shop.example.com/refunds', ' Pays back. ')
  row('', '', 'nobody reads this')
  row('cancel_order', '', '')
  expect(typedActions(form)).toEqual([
    { name: 'refund', url: 'https://shop.example.com/refunds', description: 'Pays back.' },
    { name: 'cancel_order', url: '' },
  ])
  expect(typedActions(new FormData())).toEqual([])
})
