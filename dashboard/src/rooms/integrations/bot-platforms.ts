import type { Bot } from '@citewell/sdk/management'
import type { Platform, PlatformField } from './platform-field.ts'

/** Who takes over when somebody asks a bot for a person. */
const personField = (hint: string): PlatformField => ({
  name: 'person_channel',
  label: 'Channel to notify when somebody asks for a person',
  hint: `${hint} Leave empty if nobody can ask for a person.`,
  isSecret: false,
})

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
      {
        name: 'app_token',
        label: 'App-level token',
        hint: 'Only for Socket Mode, where Slack cannot reach this service. Begins with xapp-. Type it again with the others.',
        isSecret: true,
        isOptional: true,
      },
      personField('Its ID, at the end of “View channel details”, such as C0123456789.'),
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
      {
        name: 'answer_mentions',
        label: 'Mentions',
        hint: 'For mentions the bot needs the scope “bot” in its install link, and no privileged intent.',
        choices: [
          ['false', 'It answers the command /ask'],
          ['true', 'It also answers where it is mentioned'],
        ],
        isSecret: false,
      },
      personField('Its ID, by “Copy Channel ID” in developer mode.'),
    ],
  },
  teams: {
    name: 'Microsoft Teams',
    fields: [
      {
        name: 'app_id',
        label: 'Microsoft App ID',
        hint: 'From “Configuration” of the Azure Bot.',
        isSecret: true,
      },
      {
        name: 'tenant_id',
        label: 'App Tenant ID',
        hint: 'From “Configuration” of the Azure Bot.',
        isSecret: true,
      },
      {
        name: 'client_secret',
        label: 'Client secret',
        hint: 'Its value, from “Certificates & secrets” of the app registration.',
        isSecret: true,
      },
      personField('Its ID, from the link to the channel, such as 19:…@thread.tacv2.'),
    ],
  },
  mattermost: {
    name: 'Mattermost',
    fields: [
      {
        name: 'api_url',
        label: 'Address of your Mattermost',
        hint: 'For example https://chat.example.com.',
        isSecret: false,
        isNeeded: true,
      },
      {
        name: 'bot_token',
        label: 'Bot token',
        hint: 'From “Integrations”, “Bot Accounts”. It is shown once.',
        isSecret: true,
      },
      {
        name: 'command_token',
        label: 'Token of the command',
        hint: 'Only for the command /ask, from “Integrations”, “Slash Commands”. Type the bot token again with it.',
        isSecret: true,
        isOptional: true,
      },
      personField('Its ID, from “View Info” of the channel.'),
    ],
  },
  google_chat: {
    name: 'Google Chat',
    fields: [
      {
        name: 'service_account',
        label: 'JSON key of the service account',
        hint: 'The whole file, from “Service Accounts”, “Keys”, “Add key”, in the Google Cloud console.',
        isSecret: true,
      },
      {
        name: 'project_number',
        label: 'Project number',
        hint: 'Digits, from the dashboard of the Google Cloud console. Not the project ID.',
        isSecret: true,
      },
      personField(
        'Its name, such as spaces/AAAAAAAAAAA: the end of its address in the browser, with spaces/ before it.',
      ),
    ],
  },
  telegram: {
    name: 'Telegram',
    fields: [
      {
        name: 'bot_token',
        label: 'Bot token',
        hint: 'From the chat with @BotFather: /newbot, or /mybots and “API Token”.',
        isSecret: true,
      },
      {
        name: 'receive_by',
        label: 'How messages arrive',
        hint: 'Telegram can only call an https address that is open to the internet. “Check” sets it.',
        choices: [
          ['polling', 'This service asks Telegram: no address is needed'],
          ['hook', 'Telegram calls this service'],
        ],
        isSecret: false,
      },
      personField(
        'Its ID, such as -1001234567890: the number in the link of one of its messages, with -100 before it.',
      ),
    ],
  },
  other: { name: 'Another platform, through your own program', fields: [] },
}
