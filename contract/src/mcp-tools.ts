import { z } from 'zod'
import { HttpUrl, normalAddress, PageUrl } from './fields.ts'
import { LIMITS } from './limits.ts'

/** What AI tools call over MCP: inputs and results of each tool. A message of a schema tells a model how to ask better. */

const { mcp } = LIMITS

/** Text as it can be kept and searched for: without U+0000, which no database text has, and without half characters, which JSON can spell. */
const isText = (value: string) => !value.includes('\0') && value.isWellFormed()

const notText = (name: string) => ({
  error: `${name} has a character that is none (U+0000, or half of one): leave it out`,
})

/** A field of a tool: text with something in it. */
const words = (name: string, length: { empty: string; most: number; tooLong: string }) =>
  z
    .string({ error: `${name} is missing, or no text` })
    .trim()
    .min(1, { error: `${name} is empty${length.empty}` })
    .max(length.most, { error: `${name} is longer than ${length.most} characters${length.tooLong}` })
    .refine(isText, notText(name))

const LONGEST_ADDRESS = 2_048

const address = (name: string) =>
  z
    .string({ error: `${name} is no text` })
    .trim()
    .max(LONGEST_ADDRESS, { error: `${name} is longer than ${LONGEST_ADDRESS} characters` })
    .refine(isText, notText(name))

export const SearchDocsInput = z.object({
  query: words('query', {
    empty: ': say what you look for',
    most: LIMITS.searchQuery,
    tooLong: ': keep to the essential words',
  }).meta({
    description: 'What to look for: a question or key words, in the language of the documentation.',
  }),
  limit: z
    .int({ error: 'limit is a whole number' })
    .min(1, { error: 'limit is at least 1' })
    .max(mcp.searchResults.max, {
      error: `limit is at most ${mcp.searchResults.max}: for more, search again in other words`,
    })
    .default(mcp.searchResults.default)
    .meta({
      description: `Pages to return: ${mcp.searchResults.default} unless said, at most ${mcp.searchResults.max}.`,
    }),
})

export const FoundPage = z.object({
  title: z.string(),
  url: PageUrl.meta({ description: 'Opens at the section that fits best. Cite it.' }),
  content: z.string().meta({ description: 'The passage that fits best, as Markdown.' }),
  heading_path: z.array(z.string()).meta({ description: 'Headings above the passage.' }),
  score: z.number().meta({ description: '0 to 1, within this result.' }),
  version_label: z
    .string()
    .nullable()
    .meta({ description: 'Version of the product that the page speaks of.' }),
})

export const SearchDocsResult = z.object({ results: z.array(FoundPage), count: z.int() })
export type SearchDocsResult = z.infer<typeof SearchDocsResult>

export const AskQuestionInput = z.object({
  question: words('question', {
    empty: '',
    most: LIMITS.query,
    tooLong: ': leave out what is not needed',
  }).meta({ description: 'One question, whole: earlier ones are not known here.' }),
})

export const AskQuestionResult = z.object({
  answer: z.string().meta({ description: 'Markdown. [n] refers to the citation with index n.' }),
  covered: z.boolean().meta({ description: 'False when the documentation does not cover the question.' }),
  confidence: z.number().meta({ description: '0 to 1.' }),
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
      document_count: z.int().meta({ description: 'Pages that can be read here.' }),
    }),
  ),
})
export type ListSourcesResult = z.infer<typeof ListSourcesResult>

export const GiveMcpFeedbackInput = z.object({
  message: words('message', {
    empty: ': say what is wrong or missing',
    most: mcp.feedback,
    tooLong: '',
  }).meta({ description: 'What was wrong in an answer, or what the documentation does not say.' }),
  url: address('url')
    .refine((value) => HttpUrl.safeParse(value).success, { error: 'url is no http or https address' })
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
    .meta({
      description:
        'Addresses as search returned them. Only pages of this documentation; nothing else is fetched.',
    }),
})

export const GetDocumentsResult = z.object({
  documents: z.array(
    z.object({
      url: PageUrl,
      title: z.string(),
      content: z.string().meta({ description: 'The whole page as Markdown.' }),
      is_truncated: z
        .boolean()
        .meta({ description: `True where the page is longer than ${mcp.documentCharacters} characters.` }),
    }),
  ),
  not_found: z.array(z.string()).meta({ description: 'Addresses that are no page of this documentation.' }),
})
export type GetDocumentsResult = z.infer<typeof GetDocumentsResult>
