import { z } from 'zod'

const PLACE = 'Its address; for an uploaded file, or a file in a folder or repository, its path.'

const NotRead = z.object({
  url: z.string().meta({
    description: PLACE,
    examples: ['https://docs.example.com/admin'],
  }),
  reason: z.string().meta({ examples: ['robots.txt does not allow it'] }),
})

export const SourcePreview = z
  .object({
    access: z
      .object({
        account: z
          .string()
          .meta({ description: 'Who the service is at the source.', examples: ['Ada (agent)'] }),
        sees: z.array(z.string()).meta({
          description: 'What it can read there.',
          examples: [['120 articles of the help center']],
        }),
        missing: z
          .array(z.string())
          .meta({ description: 'What it lacks, and where to change that.', examples: [[]] }),
      })
      .nullable()
      .meta({ description: 'Null for a type of source without accounts, or if it cannot be read.' }),
    pages: z.array(
      z.object({
        url: z.string().meta({ description: PLACE, examples: ['https://docs.example.com/start'] }),
        title: z.string().meta({ examples: ['Getting started'] }),
        excerpt: z
          .string()
          .meta({ description: 'The beginning of its text.', examples: ['Install the client, then …'] }),
      }),
    ),
    left_out: z.array(NotRead).meta({ description: 'Addresses left out on purpose, each with its reason.' }),
    failed: z
      .array(NotRead)
      .meta({ description: 'Addresses that could not be read, each with its reason.', examples: [[]] }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'Why the source as a whole cannot be read.', examples: [null] }),
    is_complete: z.boolean().meta({ description: 'Whether the whole source was read.', examples: [false] }),
  })
  .meta({ id: 'SourcePreview', description: 'The first pages of a source. Nothing is stored.' })

export type SourcePreview = z.infer<typeof SourcePreview>
