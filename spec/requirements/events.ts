import type { Requirement } from '../requirement.ts'

const spec = 'interface#events'
const listeners = 'service/src/channels/webhooks/webhook-listeners.ts'
const conversations = 'service/src/answers/conversations/conversations.ts'
const ticketEvents = 'service/src/channels/tickets/ticket-events.ts'
const ticketRules = 'service/src/channels/tickets/ticket-rules.ts'
const answerTicket = 'service/src/channels/tickets/answer-ticket.ts'

export const EVENTS = {
  'events.conversation-completed': {
    says: 'conversation.completed is sent when a chat answer is finished, with conversation_id, message_id and answer_excerpt.',
    spec,
    lives: listeners,
  },
  'events.conversation-every-surface': {
    says: 'conversation.completed comes for answers of every surface.',
    spec,
    lives: conversations,
  },
  'events.conversation-only-finished': {
    says: 'conversation.completed is not sent for an answer that broke off.',
    spec,
    lives: conversations,
  },
  'events.conversation-masked': {
    says: 'The excerpt of an answer is masked as the knowledge base says.',
    spec: 'interface#knowledge-base',
    lives: 'service/src/answers/answering/steps/check-citations.ts',
  },
  'events.excerpt-public': {
    says: 'The excerpt of an answer that draws on restricted documents is empty.',
    spec: 'interface#what-the-service-does',
    lives: listeners,
  },
  'events.nothing-under-zero-retention': {
    says: 'Under zero data retention no webhook tells of conversations.',
    spec: 'interface#thread-and-message',
    lives: 'service/src/answers/conversations/conversations-store.ts',
  },
  'events.deflection-completed': {
    says: 'deflection.completed is sent for the support form deflector, with conversation_id, confidence and deflected.',
    spec,
    lives: listeners,
  },
  'events.ticket-deflected': {
    says: 'ticket.deflected is sent when automation answered a ticket, with integration_id and ticket_id.',
    spec,
    lives: ticketEvents,
  },
  'events.ticket-escalated': {
    says: 'ticket.escalated is sent when automation handed a ticket or chat to a person, with integration_id, ticket_id and reason.',
    spec,
    lives: ticketEvents,
  },
  'events.escalated-tickets-customer-replied': {
    says: 'On tickets the reason of ticket.escalated is always customer_replied.',
    spec,
    lives: ticketRules,
  },
  'events.escalated-customer-asked': {
    says: 'A chat is escalated with customer_asked when the customer asks for a person.',
    spec,
    lives: ticketRules,
  },
  'events.escalated-turn-cap': {
    says: 'A chat is escalated with turn_cap once the service gave its 5 answers.',
    spec,
    lives: ticketRules,
  },
  'events.escalated-low-confidence': {
    says: 'A chat is escalated with low_confidence when the knowledge base does not cover the question.',
    spec,
    lives: answerTicket,
  },
  'events.escalated-answer-failed': {
    says: 'A chat is escalated with answer_failed when no answer could be written.',
    spec,
    lives: answerTicket,
  },
  'events.turn-cap-limit': {
    says: 'Automation of chats gives at most 5 answers.',
    spec: 'interface#limits',
    lives: 'contract/src/limits.ts',
  },
  'events.chat-reasons': {
    says: 'The reasons of escalated chats are customer_asked, turn_cap, low_confidence and answer_failed.',
    spec: 'interface#other-rules',
    lives: 'contract/src/closed-lists.ts',
  },
  'events.simulation-completed': {
    says: 'simulation.completed is sent when a simulation finished, with simulation_id, integration_id, total and completed.',
    spec: 'interface#events',
    lives: 'service/src/channels/simulations/run-simulation.ts',
  },
  'events.approval-resolved': {
    says: 'approval.resolved is sent when someone decided, with approval_id, agent_id and decision.',
    spec: 'interface#events',
    lives: 'service/src/channels/approvals/approvals.ts',
  },
  'events.platform-connectors': {
    says: 'Tickets and chats of the help desks and chat products themselves are answered and escalated there.',
    spec: 'interface#events',
    lives: 'service/src/channels/help-desks/work-ticket.ts',
  },
} as const satisfies Record<string, Requirement>
