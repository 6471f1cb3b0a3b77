import type { Bot, HelpdeskIntegration } from '@citewell/sdk/management'

/** A setting or a secret that the integration of a platform needs. */
export interface PlatformField {
  /** Its key in `config` or `credentials`. */
  name: string
  label: string
  hint?: string
  /** Secrets are stored encrypted and never shown again; settings are shown to everyone who may read the record. */
  isSecret: boolean
}

interface Platform {
  name: string
  /** What it takes besides what every integration takes. Empty: lines of `name = value`. */
  fields: readonly PlatformField[]
}

/** The chat platforms, and what each one is asked for. A new field is one line here. */
export const BOT_PLATFORMS: Record<Bot['platform'], Platform> = {
  slack: {
    name: 'Slack',
    fields: [
      {
        name: 'bot_token',
        label: 'Bot token',
        hint: 'Begins with xoxb-. From “OAuth & Permissions” of the Slack app.',
        isSecret: true,
      },
      {
        name: 'signing_secret',
        label: 'Signing secret',
        hint: 'From “Basic Information” of the Slack app.',
        isSecret: true,
      },
    ],
  },
  discord: {
    name: 'Discord',
    fields: [
      {
        name: 'bot_token',
        label: 'Bot token',
        hint: 'From “Bot”, “Reset Token”, in the Developer Portal of Discord.',
        isSecret: true,
      },
      {
        name: 'public_key',
        label: 'Public key',
        hint: 'From “General Information” of the application.',
        isSecret: true,
      },
    ],
  },
  teams: { name: 'Microsoft Teams', fields: [] },
  google_chat: { name: 'Google Chat', fields: [] },
  telegram: { name: 'Telegram', fields: [] },
  other: { name: 'Another platform, by a program of yours', fields: [] },
}

/** The help desks, in the same way. */
export const HELPDESK_PLATFORMS: Record<HelpdeskIntegration['platform'], Platform> = {
  zendesk: { name: 'Zendesk', fields: [] },
  intercom: { name: 'Intercom', fields: [] },
  freshdesk: { name: 'Freshdesk', fields: [] },
  helpscout: { name: 'Help Scout', fields: [] },
  front: { name: 'Front', fields: [] },
  other: { name: 'Another help desk, by a program of yours', fields: [] },
}
