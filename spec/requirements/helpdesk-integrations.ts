import type { Requirement } from '../requirement.ts'

const answerTicket = 'service/src/channels/tickets/answer-ticket.ts'
const workTicket = 'service/src/channels/help-desks/work-ticket.ts'

export const HELPDESK_INTEGRATIONS = {
  'helpdesk-integrations.records': {
    says: 'Help-desk integrations are created, listed, read, changed and deleted over the management API.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/channels/integrations/integration-records.ts',
  },
  'helpdesk-integrations.counted': {
    says: 'The deletion preview counts help-desk integrations, and a deletion takes them along.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/channels/integrations/integrations.ts',
  },
  'helpdesk-integrations.answer-tickets': {
    says: 'Helpdesk automation answers from the knowledge base.',
    spec: 'interface#what-the-service-does',
    lives: answerTicket,
  },
  'helpdesk-integrations.public-documents-only': {
    says: 'Customers are answered from public documents alone, and not at all from an internal knowledge base.',
    spec: 'interface#what-the-service-does',
    lives: answerTicket,
  },
  'helpdesk-integrations.request-tracker': {
    says: 'Tickets of Request Tracker are read there and answered there, without a program in between.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/help-desks/desks/request-tracker',
  },
  'helpdesk-integrations.zendesk': {
    says: 'Tickets of Zendesk are read there and answered there when Zendesk tells of them, each delivery once.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/help-desks/desks/zendesk',
  },
  'helpdesk-integrations.freshdesk': {
    says: 'Tickets of Freshdesk are read there and answered there, whether its automation tells of them or not; nothing that a delivery says is trusted.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/help-desks/desks/freshdesk',
  },
  'helpdesk-integrations.front': {
    says: 'Conversations of mail in Front are read there and answered there, each delivery once; where its owner wants drafts, they are drafts of Front, which a person sends.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/help-desks/desks/front',
  },
  'helpdesk-integrations.chatwoot': {
    says: 'Conversations of Chatwoot are answered as long as its bot has them; then people get them, and Chatwoot shows them to nobody before.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/help-desks/desks/chatwoot',
  },
  'helpdesk-integrations.helpscout': {
    says: 'Conversations of mail in Help Scout are read there and answered there, each delivery once, whether a webhook tells of them or not; drafts are drafts of Help Scout, which a person sends.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/help-desks/desks/helpscout',
  },
  'helpdesk-integrations.hubspot': {
    says: 'Threads of mail in HubSpot are read there and answered there, each event once, whether a webhook tells of them or not; what is signed for another address than the public one is refused.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/help-desks/desks/hubspot',
  },
  'helpdesk-integrations.zammad': {
    says: 'Tickets of Zammad are read there and answered there by mail when a trigger tells of them, each delivery once.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/help-desks/desks/zammad',
  },
  'helpdesk-integrations.outages': {
    says: 'A help desk that cannot be read is asked again for about a day, at least every ten minutes.',
    spec: 'interface#what-the-service-does',
    lives: workTicket,
  },
  'helpdesk-integrations.lost-posts': {
    says: 'A ticket whose process died while it posted an answer that was not stored is looked at again, and not answered twice.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/tickets/driven-tickets.ts',
  },
  'helpdesk-integrations.intercom': {
    says: 'Chats of the Intercom Messenger are read there and answered there, five times at most; then, and when its customer wants or needs one, a person gets the chat.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/help-desks/desks/intercom',
  },
  'helpdesk-integrations.zendesk-messaging': {
    says: 'Chats of Zendesk messaging that its switchboard gives to this service are read there and answered there, five times at most; then, and when its customer wants or needs one, a person gets the chat.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/help-desks/desks/zendesk-messaging',
  },
  'helpdesk-integrations.email': {
    says: 'Mail of customers is read in a mailbox and answered from its address, in its conversation, marked as sent by a program.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/help-desks/desks/email',
  },
  'helpdesk-integrations.posted': {
    says: 'An answer counts, and its event is sent, when it is posted. One that fails for good leaves the ticket open; one that may have arrived is never posted again.',
    spec: 'interface#events',
    lives: 'service/src/channels/help-desks/desk-posting.ts',
  },
  'helpdesk-integrations.own-words': {
    says: 'What a customer writes in several messages is answered together after a quiet time, without what they quote and their signature.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/help-desks/customer-words.ts',
  },
  'helpdesk-integrations.person-ends': {
    says: 'As soon as a person of the team writes on a ticket, it is theirs: nothing more is posted, and no event is sent.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/help-desks/desk-rules.ts',
  },
  'helpdesk-integrations.no-loops': {
    says: 'What a program sent by itself, such as an absence or a mailing list, is never answered.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/kernel/automatic-mail.ts',
  },
  'helpdesk-integrations.modes': {
    says: 'An integration answers customers, leaves drafts for the team, or only observes, as its owner chose.',
    spec: 'interface#what-the-service-does',
    lives: workTicket,
  },
  'helpdesk-integrations.check': {
    says: 'Whether the credentials of a help desk work, and what is missing, can be checked without posting anything.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/channels/help-desks/help-desks.ts',
  },
} as const satisfies Record<string, Requirement>
