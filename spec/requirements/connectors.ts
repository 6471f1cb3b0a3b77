import type { Requirement } from '../requirement.ts'

const ticketRules = 'service/src/channels/tickets/ticket-rules.ts'
const events = 'interface#events'

export const CONNECTORS = {
  'connectors.bots-after-a-switch': {
    says: 'Bots connected before a switch to internal go on answering everyone in their channel.',
    spec: 'interface#knowledge-base-1',
    lives: 'service/src/channels/chat-bots/said-in-chat.ts',
  },
  'connectors.ticket-deflected': {
    says: 'A help desk whose ticket was answered announces ticket.deflected by itself.',
    spec: events,
    lives: 'service/src/channels/tickets/driven-tickets.ts',
  },
  'connectors.escalation-on-chat': {
    says: 'On chat products a hand-over is one of customer_asked, turn_cap, low_confidence or answer_failed, told by the connector.',
    spec: events,
    lives: ticketRules,
  },
  'connectors.escalation-on-tickets': {
    says: 'On tickets, and on one help-desk chat product, the reason of a hand-over is always customer_replied.',
    spec: events,
    lives: ticketRules,
  },
  'connectors.wiki-and-help-desk-sources': {
    says: 'Wikis and help desks are source types as their connectors are added.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/content/connectors/connectors.ts',
  },
  'connectors.mail-sources': {
    says: 'Folders of a mailbox and public archives of mailing lists are source types; each conversation is a document, and the mail of a mailbox is restricted unless its owner says otherwise.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/content/connectors/mail',
  },
  'connectors.script-tag': {
    says: 'The script tag takes data-knowledge-base-id, data-widget-id, data-product-name, data-hide-branding, data-mcp-enabled and data-source-group-ids.',
    spec: 'interface#widget',
    lives: 'widget/src/options/widget-options.ts',
  },
  'connectors.widget-loads-its-settings': {
    says: 'A widget embedded by its base asks widget-config on load, one embedded by its id the saved settings; its search sends no widget_id.',
    spec: 'interface#widget',
    lives: 'widget/src/loader/connect.ts',
  },
  'connectors.confirm-a-switch': {
    says: 'The dashboard asks before a base is made internal, and before one is deleted.',
    spec: 'interface#knowledge-base-1',
    lives: 'dashboard/src/rooms/settings/change-type.tsx',
  },
  'connectors.archived-in-the-dashboard': {
    says: 'An archived base leaves the Ask assistant, and its settings are shown to be read only.',
    spec: 'interface#knowledge-base-1',
    lives: 'dashboard/src/app/base-layout.tsx',
  },
  'connectors.sdk': {
    says: 'An SDK speaks the public API.',
    spec: 'interface#what-the-service-does',
    lives: 'sdk/src/client.ts',
  },
} as const satisfies Record<string, Requirement>
