import { z } from 'zod'

const Style = z.strictObject({
  bold: z.literal(true).optional(),
  italic: z.literal(true).optional(),
  strike: z.literal(true).optional(),
  code: z.literal(true).optional(),
})

const Inline = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().min(1), style: Style.optional() }),
  z.strictObject({
    type: z.literal('link'),
    url: z.url({ protocol: /^https?$/ }),
    text: z.string().min(1),
    style: Style.optional(),
  }),
])

const Section = z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(Inline).min(1) })

const RichTextBlock = z.strictObject({
  type: z.literal('rich_text'),
  elements: z
    .array(
      z.discriminatedUnion('type', [
        Section,
        z.strictObject({
          type: z.literal('rich_text_list'),
          style: z.enum(['bullet', 'ordered']),
          indent: z.int().min(0).max(8),
          offset: z.int().min(0),
          elements: z.array(Section).min(1),
        }),
        z.strictObject({ type: z.literal('rich_text_preformatted'), elements: z.array(Inline).min(1) }),
        z.strictObject({ type: z.literal('rich_text_quote'), elements: z.array(Inline).min(1) }),
      ]),
    )
    .min(1),
})

const FeedbackButton = z.strictObject({
  text: z.strictObject({ type: z.literal('plain_text'), text: z.string().min(1).max(75) }),
  accessibility_label: z.string().max(75).optional(),
  value: z.string().max(2_000),
})

const ContextActionsBlock = z.strictObject({
  type: z.literal('context_actions'),
  elements: z
    .array(
      z.strictObject({
        type: z.literal('feedback_buttons'),
        action_id: z.string().max(255),
        positive_button: FeedbackButton,
        negative_button: FeedbackButton,
      }),
    )
    .min(1)
    .max(5),
})

const ActionsBlock = z.strictObject({
  type: z.literal('actions'),
  elements: z
    .array(
      z.strictObject({
        type: z.literal('button'),
        action_id: z.string().min(1).max(255),
        text: z.strictObject({ type: z.literal('plain_text'), text: z.string().min(1).max(75) }),
        value: z.string().max(2_000),
      }),
    )
    .min(1)
    .max(25),
})

export const SlackMessage = z.object({
  channel: z.string(),
  thread_ts: z.string().optional(),
  text: z.string().max(40_000),
  parse: z.literal('none'),
  unfurl_links: z.literal(false),
  unfurl_media: z.literal(false),
  blocks: z.array(z.discriminatedUnion('type', [RichTextBlock, ContextActionsBlock, ActionsBlock])),
})

export type SlackMessage = z.infer<typeof SlackMessage>

export interface SlackPost extends SlackMessage {
  ts: string
  /** `performance.now()`. */
  at: number
}

/** The text of a block as people see it; a preformatted part between triple quotes. */
function textOfBlock(block: SlackMessage['blocks'][number]): string {
  if (block.type !== 'rich_text') return ''
  const inline = (elements: z.infer<typeof Inline>[]) => elements.map(({ text }) => text).join('')
  return block.elements
    .map((part) => {
      if (part.type === 'rich_text_list')
        return part.elements.map((item) => `• ${inline(item.elements)}`).join('\n')
      return part.type === 'rich_text_preformatted' ? `"""${inline(part.elements)}"""` : inline(part.elements)
    })
    .join('\n')
}

export const textOfMessage = ({ blocks }: SlackMessage): string => blocks.map(textOfBlock).join('\n')

/** Characters of a block, with those of its links. */
function sizeOfBlock(block: SlackMessage['blocks'][number]): number {
  if (block.type !== 'rich_text') return 0
  const links = [...JSON.stringify(block).matchAll(/"url":"([^"]*)"/g)].map((match) => match[1]?.length ?? 0)
  return textOfBlock(block).length + links.reduce((sum, length) => sum + length, 0)
}

/** What Slack refuses of a message: a part that it does not know, or too much. Undefined if it takes it. */
export function faultInMessage(message: SlackMessage): { error: string; because: string } | undefined {
  const parsed = SlackMessage.safeParse(message)
  if (!parsed.success) return { error: 'invalid_blocks', because: parsed.error.message }
  const { blocks } = parsed.data
  if (blocks.length > 50) return { error: 'invalid_blocks', because: 'more than 50 blocks' }
  // Not documented; measured by others (slackapi/bolt-js#2509).
  const size = blocks.reduce((sum, block) => sum + sizeOfBlock(block), 0)
  if (size > 13_200) return { error: 'msg_blocks_too_long', because: `${size} characters in all blocks` }
  if (blocks.some((block) => sizeOfBlock(block) > 3_300))
    return { error: 'invalid_blocks', because: 'a long block' }
  return undefined
}
