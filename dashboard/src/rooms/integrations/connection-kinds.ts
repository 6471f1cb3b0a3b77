import type { HelpdeskCheck, HelpdeskSetup, Management } from '@citewell/sdk/management'
import type { Integration } from './integration-kinds.ts'

export interface Driven {
  name: string
  guide: string
  /** Where its address is entered, if the platform sends to one. */
  address: string
  /** Where its manifest is pasted, if it takes one. */
  manifest: string
  /** What is driven of a help desk: tickets, if it is not said. */
  handles?: 'chats'
}

/** How the integrations of a kind are connected. */
export interface ConnectionKind {
  /** Of its queries. */
  key: string
  /** The platforms that the service drives itself. The others are driven by a program of the owner, which needs no set-up here. */
  driven: Record<string, Driven>
  setup: (
    api: Management,
    id: string,
    options: { signal: AbortSignal },
  ) => Promise<HelpdeskSetup & { manifest?: Record<string, unknown> | null }>
  check: (api: Management, id: string) => Promise<HelpdeskCheck>
}

export const BOT_CONNECTIONS: ConnectionKind = {
  key: 'bots',
  driven: {
    slack: {
      name: 'Slack',
      guide: 'slack.md',
      address: 'The manifest has this address: Event Subscriptions, Request URL',
      manifest: 'Create New App, From a manifest, JSON: paste this',
    },
    discord: {
      name: 'Discord',
      guide: 'discord.md',
      address: 'General Information, Interactions Endpoint URL: paste this',
      manifest: 'Manifest',
    },
    teams: {
      name: 'Microsoft Teams',
      guide: 'teams.md',
      address: 'Azure Bot, Configuration, Messaging endpoint: paste this',
      manifest: 'manifest.json of the app package: paste this',
    },
    mattermost: {
      name: 'Mattermost',
      guide: 'mattermost.md',
      address: 'Only for the command /ask: Integrations, Slash Commands, Request URL: paste this',
      manifest: 'Manifest',
    },
    google_chat: {
      name: 'Google Chat',
      guide: 'google-chat.md',
      address: 'Google Chat API, Configuration, HTTP endpoint URL: paste this',
      manifest: 'Manifest',
    },
    telegram: {
      name: 'Telegram',
      guide: 'telegram.md',
      address: 'The check gives Telegram this address',
      manifest: 'Manifest',
    },
  },
  setup: (api, id, options) => api.getBotSetup(id, options),
  check: (api, id) => api.checkBot(id),
}

export const HELPDESK_CONNECTIONS: ConnectionKind = {
  key: 'helpdesk-integrations',
  driven: {
    chatwoot: {
      name: 'Chatwoot',
      guide: 'chatwoot.md',
      address: 'Settings, Bots, the address of the bot: paste this',
      manifest: 'Manifest',
      handles: 'chats',
    },
    email: { name: 'the mailbox', guide: 'email.md', address: 'Address', manifest: 'Manifest' },
    freshdesk: {
      name: 'Freshdesk',
      guide: 'freshdesk.md',
      address: 'Automations, the action that sends to a URL: paste this',
      manifest: 'Manifest',
    },
    front: {
      name: 'Front',
      guide: 'front.md',
      address: 'Developers, the app, URL of the server: paste this',
      manifest: 'Manifest',
    },
    helpscout: {
      name: 'Help Scout',
      guide: 'help-scout.md',
      address: 'Manage, Apps, callback address: paste this',
      manifest: 'Manifest',
    },
    hubspot: {
      name: 'HubSpot',
      guide: 'hubspot.md',
      address: 'The app, target URL: paste this',
      manifest: 'Manifest',
    },
    intercom: {
      name: 'Intercom',
      guide: 'intercom.md',
      address: 'Developer Hub, the app, endpoint URL: paste this',
      manifest: 'Manifest',
      handles: 'chats',
    },
    request_tracker: {
      name: 'Request Tracker',
      guide: 'request-tracker.md',
      address: 'Address',
      manifest: 'Manifest',
    },
    zammad: {
      name: 'Zammad',
      guide: 'zammad.md',
      address: 'Manage, Endpoint: paste this',
      manifest: 'Manifest',
    },
    zendesk: {
      name: 'Zendesk',
      guide: 'zendesk.md',
      address: 'Apps and integrations, Endpoint URL: paste this',
      manifest: 'Manifest',
    },
    zendesk_messaging: {
      name: 'Zendesk messaging',
      guide: 'zendesk-messaging.md',
      address: 'Conversations integrations, endpoint URL: paste this',
      manifest: 'Manifest',
      handles: 'chats',
    },
  },
  setup: (api, id, options) => api.getHelpdeskSetup(id, options),
  check: (api, id) => api.checkHelpdesk(id),
}

/** The platform of an integration that the service drives itself; undefined if a program of its owner does. */
export const drivenOf = ({ platform, handles }: Integration, kind: ConnectionKind): Driven | undefined => {
  const driven = kind.driven[platform ?? '']
  // The other product of a help desk is driven by a program.
  return handles !== undefined && handles !== (driven?.handles ?? 'tickets') ? undefined : driven
}
