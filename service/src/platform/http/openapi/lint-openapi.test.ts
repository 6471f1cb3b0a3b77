import type { Endpoint } from '@citewell/contract/endpoint'
import { ALL_ENDPOINTS } from '@citewell/contract/all-endpoints'
import { ENDPOINTS } from '@citewell/contract/endpoints'
import { expect, test } from 'vitest'
import { createOpenApiDocument } from './openapi-document.ts'
import { verifies } from '@citewell/spec/verifies'
import { lintOpenApi } from '../../../../test/lint-openapi.ts'

const made = (endpoints: readonly Endpoint[] = ALL_ENDPOINTS) =>
  createOpenApiDocument({
    endpoints,
    publicUrl: 'https://citewell.example',
    version: '1.2.3',
  })

verifies(
  'openapi.linted',
  'Spectral with its OWASP rules finds no problem in the document',
  async () => {
    expect(await lintOpenApi(made())).toEqual([])
  },
  { timeout: 120_000, tags: ['long'] },
)

test('the rules detect an unbounded field, an operation without authentication and a missing error response', async () => {
  // Of the endpoints that are broken: reading the whole document takes seconds.
  const document = made([ENDPOINTS.chat, ENDPOINTS.listKnowledgeBases])
  const rulesOf = async () => (await lintOpenApi(document)).map((line) => line.split(' ', 1)[0])
  const before = await rulesOf()
  const chat = document.paths['/api/v1/public/knowledge-bases/{knowledgeBaseId}/chat']?.['post']
  const list = document.paths['/api/v1/knowledge-bases']?.['get']
  expect(chat).toBeDefined()
  expect(list).toBeDefined()
  delete document.components.schemas['ChatBody']?.properties?.['query']?.maxLength
  delete chat?.responses['429']
  delete list?.responses['401']

  const found = (await rulesOf()).filter((rule) => !before.includes(rule))
  expect(new Set(found)).toEqual(
    new Set([
      'owasp:api4:2023-string-limit',
      'owasp:api4:2023-rate-limit-responses-429',
      'owasp:api8:2023-define-error-responses-401',
    ]),
  )
})
