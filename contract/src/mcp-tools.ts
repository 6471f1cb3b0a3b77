import { z } from 'zod'
import { HttpUrl, normalAddress, PageUrl } from './fields.ts'
import { LIMITS } from './limits.ts'

/** The tools of AI clients over MCP: inputs and results of each. Error messages of the schemas tell a model how to correct its call. */

const { mcp } = LIMITS

/** Whether a text can be stored and searched: without U+0000, which PostgreSQL text cannot hold, and lone surrogates, which JSON allows. */
const isText = (value: string) => !value.includes('\0') && value.isWellFormed()

const notText = (name: string) => ({
  error: `${name} contains an invalid character (U+0000 or a lone surrogate): remove it`,
})

/** A required, non-empty text field of a tool. */
const words = (name: string, length: { empty: string; most: number; tooLong: string }) =>
  z
    .string({ error: `${name} is missing or not text` })
    .trim()
    .min(1, { error: `${name} is empty${length.empty}` })
    .max(length.most, { error: `${name} is longer than ${length.most} characters${length.tooLong}` })
    .refine(isText, notText(name))

const MAX_ADDRESS_LENGTH = 2_048

const address = (name: string) =>
  z
    .string({ error: `${name} is not text` })
    .trim()
    .max(MAX_ADDRESS_LENGTH, { error: `${name} is longer than ${MAX_ADDRESS_LENGTH} characters` })
    .refine(isText, notText(name))

export const SearchDocsInput = z.object({
  query: words('query', {
    empty: ': say what you are looking for',
    most: LIMITS.searchQuery,
    tooLong: ': use only the essential words',
  }).describe('What to search for: a question or keywords, in the language of the documentation.'),
  limit: z
    .int({ error: 'limit must be a whole number' })
    .min(1, { error: 'limit must be at least 1' })
    .max(mcp.searchResults.max, {
      error: `limit must be at most ${mcp.searchResults.max}: for more, search again with other words`,
    })
    .default(mcp.searchResults.default)
    .describe(`Pages to return: ${mcp.searchResults.default} by default, at most ${mcp.searchResults.max}.`),
})

export const FoundPage = z.object({
  title: z.string(),
  url: PageUrl.describe('Opens at the best matching section. Cite it.'),
  content: z.string().describe('The best matching passage, as Markdown.'),
  heading_path: z.array(z.string()).describe('Headings above the passage.'),
  score: z.number().describe('0 to 1, within this result.'),
  version_label: z.string().nullable().describe('Version of the product that the page is about.'),
})

export const SearchDocsResult = z.object({ results: z.array(FoundPage), count: z.int() })
export type SearchDocsResult = z.infer<typeof SearchDocsResult>

export const AskQuestionInput = z.object({
  question: words('question', {
    empty: '',
    most: LIMITS.query,
    tooLong: ': leave out what is not necessary',
  }).describe('One self-contained question: earlier ones are not known.'),
})

export const AskQuestionResult = z.object({
  answer: z.string().describe('Markdown. [n] refers to the citation with index n.'),
  covered: z.boolean().describe('False if the documentation does not cover the question.'),
  confidence: z.number().describe('0 to 1.'),
  citations: z.array(
    z.object({
      index: z.int(),
      title: z.string(),
      url: PageUrl,
      heading_path: z.array(z.string()),
      excerpt: z.string(),
    }),
  ),
})
export type AskQuestionResult = z.infer<typeof AskQuestionResult>

export const ListSourcesInput = z.object({})

export const ListSourcesResult = z.object({
  sources: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      type: z.string(),
      version_label: z.string().nullable(),
      document_count: z.int().describe('Number of readable pages.'),
    }),
  ),
})
export type ListSourcesResult = z.infer<typeof ListSourcesResult>

export const GiveMcpFeedbackInput = z.object({
  message: words('message', {
    empty: ': say what is wrong or missing',
    most: mcp.feedback,
    tooLong: '',
  }).describe('What was wrong in an answer, or what the documentation does not cover.'),
  url: address('url')
    .refine((value) => HttpUrl.safeParse(value).success, { error: 'url is not an http or https address' })
    .overwrite(normalAddress)
    .optional()
    .meta({ format: 'uri', description: 'The page that it is about, if there is one.' }),
})

export const GiveMcpFeedbackResult = z.object({ recorded: z.boolean() })
export type GiveMcpFeedbackResult = z.infer<typeof GiveMcpFeedbackResult>

export const GetDocumentsInput = z.object({
  urls: z
    .array(address('this address'))
    .min(1, { error: 'urls is empty: give addresses that a search returned' })
    .max(mcp.documents, { error: `urls has more than ${mcp.documents} addresses: ask in several calls` })
    .describe(
      'Addresses that search returned. Only pages of this documentation can be read; nothing else is fetched.',
    ),
})

export const GetDocumentsResult = z.object({
  documents: z.array(
    z.object({
      url: PageUrl,
      title: z.string(),
      content: z.string().describe('The whole page as Markdown.'),
      is_truncated: z
        .boolean()
        .describe(`True if the page is longer than ${mcp.documentCharacters} characters.`),
    }),
  ),
  not_found: z.array(z.string()).describe('Addresses that are not pages of this documentation.'),
})
export type GetDocumentsResult = z.infer<typeof GetDocumentsResult>
