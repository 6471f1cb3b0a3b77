import { z } from 'zod'
import { HttpUrl, nullableText, text, Timestamp } from './fields.ts'

const BaseUrl = HttpUrl.refine(
  (address) => {
    const url = URL.parse(address)
    return (
      url === null || (url.username === '' && url.password === '' && url.search === '' && url.hash === '')
    )
  },
  { error: 'must not contain a user name, password, query or fragment' },
).meta({
  description: 'An OpenAI-compatible address, without `/chat/completions`.',
  examples: ['https://api.openai.com/v1'],
})
const Model = text(1, 200).meta({ examples: ['gpt-5-mini'] })

/** The model that answers for a workspace, as returned: never with its key. */
export const WorkspaceLlm = z.object({
  base_url: BaseUrl,
  model: Model,
  has_api_key: z.boolean().describe('Whether a key is stored. It is never returned.'),
  api_key_end: nullableText('9fK2').describe('The last four characters of the key, to distinguish keys.'),
})

export type WorkspaceLlm = z.infer<typeof WorkspaceLlm>

export const WorkspaceLlmProblem = z.object({
  since: Timestamp,
  message: z.string().meta({
    description: 'What is wrong, in plain words. It may quote the provider: show it as text.',
    examples: ['The model provider answered 401: Incorrect API key provided.'],
  }),
})

/** Only the fields that are sent are changed. Null restores the model of the instance. */
export const WorkspaceLlmChange = z.strictObject({
  base_url: BaseUrl.optional(),
  model: Model.optional(),
  api_key: text(1, 500)
    .nullable()
    .optional()
    .meta({
      description:
        'The key of the provider. Null removes it. A new base_url on another host deletes the key unless it is sent too.',
      examples: ['sk-…'],
    }),
})

export type WorkspaceLlmChange = z.infer<typeof WorkspaceLlmChange>

export const TryWorkspaceLlm = z
  .strictObject({
    llm: WorkspaceLlmChange.optional().describe(
      'What to try, as in `PATCH /workspaces/{id}`: fields that are not sent are those of the workspace. Nothing is stored.',
    ),
  })
  .meta({ id: 'TryWorkspaceLlm', examples: [{}] })

export const TriedWorkspaceLlm = z
  .object({
    ok: z.boolean().meta({ examples: [true] }),
    model: nullableText('gpt-5-mini').describe('Null if no model is set up.'),
    first_ms: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'Milliseconds to its first word. Null if it said nothing.', examples: [412] }),
    error: nullableText().describe(
      'What is wrong, in plain words. It may quote the provider: show it as text.',
    ),
  })
  .meta({ id: 'TriedWorkspaceLlm', description: 'Whether a model answers.' })
