import type { ClientKey } from '@citewell/sdk/management'
import { expect, test } from 'vitest'
import { changeOf } from './key-form.tsx'

const key = (groups: string[]) => ({ allowed_source_group_ids: groups }) as ClientKey

/** What is sent if these groups were offered, and these were chosen of them. */
function sent(groups: string[], offered: string[], chosen: string[]) {
  const form = new FormData()
  form.set('name', 'Website')
  form.set('allowed_origins', 'https://a.example\n\n https://b.example ')
  if (offered.length > 0) form.set('offered', offered.join(' '))
  for (const id of chosen) form.append('group', id)
  return changeOf(key(groups), form)
}

test('a changed key keeps its source groups unless others are chosen', () => {
  const rest = { name: 'Website', allowed_origins: ['https://a.example', 'https://b.example'] }
  expect(sent(['one'], ['one', 'two'], ['one'])).toEqual(rest)
  expect(sent(['one'], ['one', 'two'], ['two'])).toEqual({ ...rest, allowed_source_group_ids: ['two'] })
  expect(sent(['one'], ['one', 'two'], [])).toEqual({ ...rest, allowed_source_group_ids: [] })
})

test('a key stays limited to groups that the form could not show', () => {
  expect(sent(['one'], [], [])).not.toHaveProperty('allowed_source_group_ids')
  expect(sent(['gone'], ['two'], [])).not.toHaveProperty('allowed_source_group_ids')
})
