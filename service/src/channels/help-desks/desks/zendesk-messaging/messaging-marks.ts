import type { MessagingMessage } from './messaging-schemas.ts'

/** Metadata of what this service says: the only way to know it again, and customers cannot write as the business. */
const KIND = 'citewell'
const ANSWERS = 'citewell_answers'
const PART = 'citewell_part'

/** An answer in parts: to which message, and which part. */
export interface AnswerPart {
  answers: string
  part: number
}

/** What is said when people take over. */
export const HAND_OVER_MARK = { [KIND]: 'hand_over' }

export const markOfPart = ({ answers, part }: AnswerPart) => ({
  [KIND]: 'answer',
  [ANSWERS]: answers,
  [PART]: part,
})

const isOfBusiness = ({ author }: MessagingMessage) => author.type === 'business'

/** Whether this service said it. */
export const isOfUs = (message: MessagingMessage): boolean =>
  isOfBusiness(message) && typeof message.metadata?.[KIND] === 'string'

/** Undefined if it is no part of an answer of ours. */
export function partOf(message: MessagingMessage): AnswerPart | undefined {
  if (!isOfUs(message)) return undefined
  const { [ANSWERS]: answers, [PART]: part } = message.metadata ?? {}
  return typeof answers === 'string' && typeof part === 'number' ? { answers, part } : undefined
}

export const isHandOver = (message: MessagingMessage): boolean =>
  isOfBusiness(message) && message.metadata?.[KIND] === HAND_OVER_MARK[KIND]
