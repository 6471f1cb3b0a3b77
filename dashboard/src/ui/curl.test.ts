import { expect, test } from 'vitest'
import { curlOf } from './curl.ts'

test('a copied command has none of the secrets of a request', () => {
  const command = curlOf(
    {
      method: 'POST',
      path: '/api/v1/knowledge-bases/1/sources',
      body: {
        name: 'wiki',
        credentials: { email: 'ada@example.com', token: 'hush-1' },
        llm: { api_key: 'hush-2' },
        secret: 'hush-3',
        new_password: 'hush-4',
      },
    },
    'https://citewell.example.com',
  )
  expect(command).toContain(
    `{"name":"wiki","credentials":{"email":"<EMAIL>","token":"<TOKEN>"},"llm":{"api_key":"<API_KEY>"},"secret":"<SECRET>","new_password":"<NEW_PASSWORD>"}`,
  )
  expect(command).not.toMatch(/hush|ada@/)
})
