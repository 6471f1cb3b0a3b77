import type { WebhookEventName } from '@citewell/contract/events'

const OF_CONVERSATION: readonly WebhookEventName[] = ['conversation.completed', 'deflection.completed']

/** Whether an event tells of what a reader asked: with zero retention none of them is sent, also none from before. */
export const isOfConversation = (event: string): boolean => OF_CONVERSATION.some((name) => name === event)

export const NOT_KEPT = 'With zero data retention nothing about conversations is sent.'
