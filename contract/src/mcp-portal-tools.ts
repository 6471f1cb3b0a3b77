import { z } from 'zod'
import {
  AskQuestionInput,
  AskQuestionResult,
  FoundPage,
  GetDocumentsResult,
  ListSourcesResult,
  SearchDocsInput,
} from './mcp-tools.ts'

/** Tools at the portal, where a person reads several knowledge bases. A list of ids narrows what is read, and never widens it. */

/** Maximum number of ids per list. */
const MAX_IDS = 100

const idsOf = (what: string, from: string) =>
  z
    .array(z.uuid({ error: `this is not an id: use the ids that ${from} returns` }).toLowerCase(), {
      error: `give a list of ids that ${from} returns`,
    })
    .max(MAX_IDS, { error: `at most ${MAX_IDS} ids in one list` })
    .optional()
    .describe(`Only these ${what}. If omitted or empty: all that you may read.`)

const narrowing = {
  knowledge_base_ids: idsOf('knowledge bases', 'list_knowledge_bases'),
  group_ids: idsOf('source groups', 'list_sources'),
  source_ids: idsOf('sources', 'list_sources'),
}

const BaseNamed = z
  .object({ id: z.string(), name: z.string() })
  .describe('The knowledge base that it is from.')

export const ListKnowledgeBasesInput = z.object({})

export const ListKnowledgeBasesResult = z.object({
  knowledge_bases: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      description: z.string().nullable(),
      has_documents_tool: z.boolean().describe('Whether get_documents can read its full pages.'),
    }),
  ),
})
export type ListKnowledgeBasesResult = z.infer<typeof ListKnowledgeBasesResult>

export const SearchPortalInput = SearchDocsInput.extend(narrowing)

export const SearchPortalResult = z.object({
  results: z.array(FoundPage.extend({ knowledge_base: BaseNamed })),
  count: z.int(),
})
export type SearchPortalResult = z.infer<typeof SearchPortalResult>

export const AskPortalInput = AskQuestionInput.extend(narrowing)

export const AskPortalResult = AskQuestionResult.extend({
  knowledge_base: BaseNamed.describe('The knowledge base that answered: the one with the best evidence.'),
})
export type AskPortalResult = z.infer<typeof AskPortalResult>

export const ListPortalSourcesResult = z.object({
  sources: z.array(
    ListSourcesResult.shape.sources.element.extend({
      knowledge_base: BaseNamed,
      group: z.object({ id: z.string(), name: z.string() }).nullable().describe('Its source group.'),
    }),
  ),
})
export type ListPortalSourcesResult = z.infer<typeof ListPortalSourcesResult>

export const GetPortalDocumentsResult = GetDocumentsResult.extend({
  documents: z.array(GetDocumentsResult.shape.documents.element.extend({ knowledge_base: BaseNamed })),
})
export type GetPortalDocumentsResult = z.infer<typeof GetPortalDocumentsResult>
