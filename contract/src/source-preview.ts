import { z } from 'zod'
import { nullableText, wholeNumber } from './fields.ts'
import { StreamError } from './errors.ts'

const PLACE = 'Its address; for an uploaded file, or a file in a folder or repository, its path.'

const NotRead = z.object({
  url: z.string().meta({
    description: PLACE,
    examples: ['https://docs.example.com/admin'],
  }),
  reason: z.string().meta({ examples: ['robots.txt does not allow it'] }),
})

const PreviewedPage = z.object({
  url: z.string().meta({ description: PLACE, examples: ['https://docs.example.com/start'] }),
  title: z.string().meta({ examples: ['Getting started'] }),
  excerpt: z
    .string()
    .meta({ description: 'The beginning of its text.', examples: ['Install the client, then …'] }),
})

const Detected = z
  .object({
    title: nullableText('Acme docs').describe('Title of the first page.'),
    generator: nullableText('Docusaurus v3.9.2').describe('What the site says it was made with.'),
    sitemap: nullableText('https://docs.example.com/sitemap.xml').describe('A sitemap that is read.'),
    pages_known: wholeNumber(340).describe('Addresses found so far. There may be more.'),
  })
  .meta({ id: 'DetectedSite', description: 'What is known of a source as a whole.' })

export type DetectedSite = z.infer<typeof Detected>

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
      .describe('Null for a type of source without accounts, or if it cannot be read.'),
    pages: z.array(PreviewedPage),
    detected: Detected,
    left_out: z.array(NotRead).describe('Addresses left out on purpose, each with its reason.'),
    failed: z
      .array(NotRead)
      .meta({ description: 'Addresses that could not be read, each with its reason.', examples: [[]] }),
    error: nullableText().describe('Why the source as a whole cannot be read.'),
    is_complete: z.boolean().meta({ description: 'Whether the whole source was read.', examples: [false] }),
  })
  .meta({ id: 'SourcePreview', description: 'The first pages of a source. Nothing is stored.' })

export type SourcePreview = z.infer<typeof SourcePreview>

const going = { done: z.literal(false) }

/** One `data:` line of a preview that is watched. */
export const PreviewFrame = z
  .union([
    z
      .strictObject({ detected: Detected, ...going })
      .meta({ id: 'PreviewDetectedFrame', description: 'What is known by now. Replaces the one before.' }),
    z
      .strictObject({ page: PreviewedPage, ...going })
      .meta({ id: 'PreviewPageFrame', description: 'A page that was read.' }),
    z.strictObject({ left_out: NotRead, ...going }).meta({
      id: 'PreviewLeftOutFrame',
      description: 'An address that is left out, also if it was read before.',
    }),
    z
      .strictObject({ failed: NotRead, ...going })
      .meta({ id: 'PreviewFailedFrame', description: 'An address that could not be read.' }),
    SourcePreview.extend({ done: z.literal(true) }).meta({
      id: 'PreviewLastFrame',
      description: 'The whole preview, which replaces the frames before it.',
    }),
    StreamError,
  ])
  .meta({ id: 'PreviewFrame', description: 'One frame of a preview that is watched.' })

export type PreviewFrame = z.infer<typeof PreviewFrame>
