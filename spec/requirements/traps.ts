import type { Requirement } from '../requirement.ts'

const spec = 'security#traps'
const publicQuestion = 'service/src/channels/public-api/public-question.ts'
const conversations = 'service/src/answers/conversations/conversations.ts'

/** Sentences of the contract that are easy to implement in an unsafe way, each with our decision. */
export const TRAPS = {
  'traps.thread-is-a-ticket': {
    says: 'A thread answers only the base and the client key that it began with: another key gets 404 on the route and a new conversation in a body, and no word of it.',
    spec,
    lives: conversations,
  },
  'traps.thread-id-in-two-places': {
    says: 'A thread_id in a body that is no id, unknown or foreign starts a new conversation; on the route it is 400 or 404.',
    spec,
    lives: conversations,
  },
  'traps.feedback-tells-nothing': {
    says: 'A message of another base is told apart from an unknown one (403, 404), but its id is 122 random bits, feedback is counted, and no rating crosses bases.',
    spec,
    lives: 'service/src/answers/feedback/feedback.ts',
  },
  'traps.get-makes-a-server': {
    says: 'widget-config makes a Public server only for a valid key and origin, once however many pages load at once, under a name nobody else has.',
    spec,
    lives: 'service/src/channels/mcp-servers/mcp-servers.ts',
  },
  'traps.key-in-the-query': {
    says: 'A client key in a query is taken at the generic MCP address alone, and stands in no log.',
    spec,
    lives: 'service/src/channels/mcp/mcp-credentials.ts',
  },
  'traps.bots-of-an-internal-base': {
    says: 'Switching to internal names the bots that go on answering, and each can be switched off.',
    spec,
    lives: 'service/src/channels/integrations/integrations.ts',
  },
  'traps.related-without-captcha': {
    says: 'Related pages and suggested questions need no CAPTCHA, so each is counted for its key, and gives at most five pages of 200 characters, or eight questions.',
    spec,
    lives: 'service/src/channels/public-api/public-rate-limits.ts',
  },
  'traps.suggested-questions-of-restricted-pages': {
    says: 'A question made from the title of a page that has just been restricted is not served any more.',
    spec,
    lives: 'service/src/answers/suggested-questions/suggested-questions.ts',
  },
  'traps.mcp-feedback': {
    says: 'What an AI tool reports is text of limited length with an http address, shown as text, and counted.',
    spec,
    lives: 'contract/src/mcp-tools.ts',
  },
  'traps.get-documents': {
    says: 'get_documents looks addresses up among indexed pages and never fetches one.',
    spec,
    lives: 'service/src/channels/mcp/tools/get-documents.ts',
  },
  'traps.zero-retention': {
    says: 'Under zero data retention no word of a question or its answer stays in a table, a file, the log, a trace or a webhook.',
    spec,
    lives: 'service/src/answers/conversations/conversations-store.ts',
  },
  'traps.webhook-secret': {
    says: "A webhook's secret is not empty, is stored sealed, and is never answered.",
    spec,
    lives: 'service/src/channels/webhooks/webhooks.ts',
  },
  'traps.portal-hosts': {
    says: 'A web-based client of the portal is refused unless its host is in the list, letter by letter.',
    spec,
    lives: 'service/src/channels/oauth/web-clients.ts',
  },
  'traps.streams-in-flight': {
    says: 'Answers under way end within a second when their base is deleted, archived or made internal, or their key revoked.',
    spec,
    lives: 'service/src/answers/in-flight-answers/in-flight-answers.ts',
  },
  'traps.user-is-not-identity': {
    says: 'The user of a chat body is for analytics alone: it opens no thread and changes no answer.',
    spec,
    lives: publicQuestion,
  },
  'traps.groups-narrow': {
    says: "group_ids only narrow a key's groups: an empty list is the key's own scope, a foreign id is 403.",
    spec,
    lives: 'service/src/channels/public-api/request-scope.ts',
  },
  'traps.version-label': {
    says: 'A version label has at most 64 printable characters and stands quoted where a model reads it.',
    spec,
    lives: 'service/src/answers/answering/model-prompts.ts',
  },
  'traps.persona-has-no-way-out': {
    says: 'Whoever made the model say it, an owner or a page: a link, picture or script that no source has does not reach the reader.',
    spec,
    lives: 'service/src/answers/answering/sanitize-answer-links.ts',
  },
  'traps.automation-uses-public-pages': {
    says: 'The form deflector, whose mail is written by strangers, answers from public pages alone, as every public surface does.',
    spec,
    lives: publicQuestion,
  },
  'traps.captcha-token-once': {
    says: 'A CAPTCHA token is good once, for its action, score and host; a provider that is down is not waited for, and is refused unless the operator says otherwise.',
    spec,
    lives: 'service/src/channels/captcha/captcha.ts',
  },
} as const satisfies Record<string, Requirement>
