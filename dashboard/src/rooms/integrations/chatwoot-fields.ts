import { deskFields } from './desk-fields.ts'
import type { Platform } from './platform-field.ts'

export const CHATWOOT: Platform = {
  name: 'Chatwoot',
  handles: 'chats',
  fields: [
    {
      name: 'api_url',
      label: 'Address of your Chatwoot',
      hint: 'For example https://chat.acme.com. Empty: app.chatwoot.com.',
      isSecret: false,
    },
    {
      name: 'account_id',
      label: 'Account',
      hint: 'The number after /accounts/ in the address of your Chatwoot.',
      isSecret: false,
      isNeeded: true,
    },
    ...deskFields('The number of the team that takes over. Empty: no team.'),
    {
      name: 'bot_token',
      label: 'Access token of the bot',
      hint: 'From “Settings”, “Bots”. Answers are posted with it.',
      isSecret: true,
    },
    { name: 'hook_secret', label: 'Secret of the bot', hint: 'Beside it.', isSecret: true },
    {
      name: 'agent_token',
      label: 'Access token of an agent',
      hint: 'From “Profile settings” of an agent who sees the inbox. Conversations are read with it, as bots may not.',
      isSecret: true,
    },
  ],
}
