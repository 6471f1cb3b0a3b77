import type { Requirement } from '../requirement.ts'

const lives = 'service/src/answers/feedback/feedback.ts'
const body = 'contract/src/feedback.ts'
const store = 'service/src/answers/feedback/feedback-store.ts'

export const FEEDBACK = {
  'feedback.one-per-answer': {
    says: 'An answer has one rating: posting again replaces it.',
    spec: 'interface#feedback-rules',
    lives: store,
  },
  'feedback.rating': {
    says: 'rating is up or down; the older values 5 and 1 mean the same.',
    spec: 'interface#public-api',
    lives: body,
  },
  'feedback.older-numbers': {
    says: 'The older numbers 5 and 1 are taken beside up and down; the answer calls the field vote.',
    spec: 'interface#versioning',
    lives: body,
  },
  'feedback.record': {
    says: 'A rating is answered with 201 and its record: id, workspace_id, message_id, vote, comment, source and both times.',
    spec: 'interface#feedback-record-returned-by-post-feedback',
    lives: 'service/src/answers/feedback/present-feedback.ts',
  },
  'feedback.comment-optional': {
    says: 'A rating may have a comment, and needs none.',
    spec: 'interface#public-api',
    lives: body,
  },
  'feedback.source': {
    says: 'source names the surface on which the answer was given.',
    spec: 'interface#feedback-record-returned-by-post-feedback',
    lives,
  },
  'feedback.withdraw': {
    says: 'DELETE withdraws a rating: 204, no body.',
    spec: 'interface#feedback-rules',
    lives: 'service/src/channels/public-api/public-feedback-routes.ts',
  },
  'feedback.bad-request': {
    says: 'A rating or a message_id that is not valid is a 400.',
    spec: 'interface#feedback-rules',
    lives: body,
  },
  'feedback.other-base': {
    says: 'The message of another base is a 403.',
    spec: 'interface#feedback-rules',
    lives,
  },
  'feedback.unknown': {
    says: 'An unknown message is a 404.',
    spec: 'interface#feedback-rules',
    lives,
  },
  'feedback.message-id-everywhere': {
    says: 'message_id comes from the last frame of a chat, the done frame of a socket, and the answer to a form.',
    spec: 'interface#feedback-rules',
    lives: 'service/src/channels/public-api/chat-frames.ts',
  },
  'feedback.none-without-storage': {
    says: 'Under zero data retention there is no message_id, so no rating is possible.',
    spec: 'interface#feedback-rules',
    lives: 'service/src/answers/conversations/conversations-store.ts',
  },
  'feedback.of-members': {
    says: 'A member rates answers of their own conversations, in bases that they may chat in, and no one else’s; the source is team, and the rating counts like a reader’s.',
    spec: 'interface#what-the-service-does',
    lives,
  },
  'feedback.listed': {
    says: 'Who holds Config on a base lists its ratings with their questions, by vote and by whether they have a comment.',
    spec: 'open-items#2-management-api',
    lives,
  },
  'feedback.parallel': {
    says: 'A hundred ratings of one answer at the same time leave one.',
    spec: 'interface#feedback-rules',
    lives: store,
  },
} as const satisfies Record<string, Requirement>
