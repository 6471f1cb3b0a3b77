import type { Requirement } from '../requirement.ts'

const lives = 'service/src/channels/webhooks'
const row = { spec: 'interface#events', lives } as const
const helpdesk = { spec: 'interface#events', lives: 'service/src/channels/tickets' } as const

export const EVENTS = {
  'events.conversation-completed': {
    says: 'conversation.completed is sent when a chat answer is finished, with conversation_id, message_id and answer_excerpt.',
    ...row,
  },
  'events.conversation-every-surface': {
    says: 'conversation.completed comes for answers of every surface.',
    ...row,
  },
  'events.conversation-only-finished': {
    says: 'conversation.completed is not sent for an answer that broke off.',
    ...row,
  },
  'events.conversation-masked': {
    says: 'The excerpt of an answer is masked as the knowledge base says.',
    spec: 'interface#knowledge-base',
    lives,
  },
  'events.excerpt-public': {
    says: 'The excerpt of an answer that draws on restricted documents is empty.',
    spec: 'interface#what-the-service-does',
    lives,
  },
  'events.nothing-under-zero-retention': {
    says: 'Under zero data retention no webhook tells of conversations.',
    spec: 'interface#thread-and-message',
    lives,
  },
  'events.deflection-completed': {
    says: 'deflection.completed is sent for the support form deflector, with conversation_id, confidence and deflected.',
    ...row,
  },
  'events.ticket-deflected': {
    says: 'ticket.deflected is sent when automation answered a ticket, with integration_id and ticket_id.',
    ...helpdesk,
  },
  'events.ticket-escalated': {
    says: 'ticket.escalated is sent when automation handed a ticket or chat to a person, with integration_id, ticket_id and reason.',
    ...helpdesk,
  },
  'events.escalated-tickets-customer-replied': {
    says: 'On tickets the reason of ticket.escalated is always customer_replied.',
    ...helpdesk,
  },
  'events.escalated-customer-asked': {
    says: 'A chat is escalated with customer_asked when the customer asks for a person.',
    ...helpdesk,
  },
  'events.escalated-turn-cap': {
    says: 'A chat is escalated with turn_cap once the service gave its 5 answers.',
    ...helpdesk,
  },
  'events.escalated-low-confidence': {
    says: 'A chat is escalated with low_confidence when the knowledge base does not cover the question.',
    ...helpdesk,
  },
  'events.escalated-answer-failed': {
    says: 'A chat is escalated with answer_failed when no answer could be written.',
    ...helpdesk,
  },
  'events.turn-cap-limit': {
    says: 'Automation of chats gives at most 5 answers.',
    spec: 'interface#limits',
    lives: 'service/src/channels/tickets',
  },
  'events.chat-reasons': {
    says: 'The reasons of escalated chats are customer_asked, turn_cap, low_confidence and answer_failed.',
    spec: 'interface#other-rules',
    lives: 'contract/src/closed-lists.ts',
  },
  'events.simulation-completed': {
    says: 'simulation.completed is sent when a simulation finished, with simulation_id, integration_id, total and completed.',
    spec: 'interface#events',
    lives: 'service/src/channels/simulations',
  },
  'events.approval-resolved': {
    says: 'approval.resolved is sent when someone decided, with approval_id, agent_id and decision.',
    spec: 'interface#events',
    lives: 'service/src/channels/approvals',
  },
  'events.platform-connectors': {
    says: 'Tickets and chats of the help desks and chat products themselves are answered and escalated there.',
    spec: 'interface#events',
    lives: 'service/src/channels/tickets',
  },
} as const satisfies Record<string, Requirement>
