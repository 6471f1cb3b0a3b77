import { deskFields } from './desk-fields.ts'
import type { Platform } from './platform-field.ts'

export const FRESHDESK: Platform = {
  name: 'Freshdesk',
  fields: [
    {
      name: 'api_url',
      label: 'Address of your Freshdesk',
      hint: 'For example https://acme.freshdesk.com.',
      isSecret: false,
      isNeeded: true,
    },
    {
      name: 'groups',
      label: 'Groups',
      hint: 'The ids of those whose tickets are answered, with commas between them. Empty: all tickets.',
      isSecret: false,
    },
    ...deskFields('The id of the group that gets a ticket when its customer writes again.'),
    {
      name: 'status_after_answer',
      label: 'Status after the answer',
      choices: [
        ['', 'As it was'],
        ['pending', 'Pending'],
        ['resolved', 'Resolved'],
      ],
      isSecret: false,
    },
    {
      name: 'api_key',
      label: 'API key',
      hint: 'From “Profile settings” of the agent that answers, “View API key”.',
      isSecret: true,
    },
    {
      name: 'hook_secret',
      label: 'Secret of the automation',
      hint: 'At least 20 characters that you make up, for the header X-Citewell-Secret. Empty: tickets are read once a minute.',
      isSecret: true,
      isOptional: true,
    },
  ],
}

export const FRONT: Platform = {
  name: 'Front',
  fields: [
    {
      name: 'teammate',
      label: 'Teammate that answers',
      hint: 'The id of a teammate that no person uses, such as tea_123.',
      isSecret: false,
      isNeeded: true,
    },
    {
      name: 'inboxes',
      label: 'Inboxes',
      hint: 'The ids of those whose conversations are answered, such as inb_123, with commas between them. Empty: all.',
      isSecret: false,
    },
    {
      name: 'channel',
      label: 'Channel',
      hint: 'The id of the channel that answers come from, such as cha_123. Drafts need it. Empty: that of the conversation.',
      isSecret: false,
    },
    ...deskFields(
      'The id of the teammate or inbox that gets a conversation when its customer writes again: tea_123 or inb_123.',
    ),
    {
      name: 'archive_after_answer',
      label: 'After the answer',
      choices: [
        ['', 'The conversation stays'],
        ['yes', 'It is archived'],
      ],
      isSecret: false,
    },
    {
      name: 'answered_tag',
      label: 'Tag of what was answered',
      hint: 'For example tag_123.',
      isSecret: false,
    },
    {
      name: 'unanswered_tag',
      label: 'Tag of what is not covered',
      hint: 'For example tag_124.',
      isSecret: false,
    },
    {
      name: 'api_token',
      label: 'API token',
      hint: 'From “Settings”, “Developers”, “API tokens”.',
      isSecret: true,
    },
    {
      name: 'signing_key',
      label: 'Application key',
      hint: 'From “Basic information” of the app. Empty: conversations are read every two minutes.',
      isSecret: true,
      isOptional: true,
    },
  ],
}

export const HELPSCOUT: Platform = {
  name: 'Help Scout',
  fields: [
    {
      name: 'inboxes',
      label: 'Inboxes',
      hint: 'The ids of those whose conversations are answered, with commas between them. Empty: all that the user sees.',
      isSecret: false,
    },
    ...deskFields('The id of the user or team that gets a conversation when its customer writes again.'),
    {
      name: 'status_after_answer',
      label: 'Status after the answer',
      choices: [
        ['', 'As it was'],
        ['active', 'Active'],
        ['pending', 'Pending'],
        ['closed', 'Closed'],
      ],
      isSecret: false,
    },
    {
      name: 'app_id',
      label: 'App ID',
      hint: 'From “My apps” in the profile of the user that answers.',
      isSecret: true,
    },
    { name: 'app_secret', label: 'App secret', hint: 'Beside it.', isSecret: true },
    {
      name: 'hook_secret',
      label: 'Secret key',
      hint: 'At most 40 characters that you make up, and enter beside the callback address. Empty: conversations are read every two minutes.',
      isSecret: true,
      isOptional: true,
    },
  ],
}

export const HUBSPOT: Platform = {
  name: 'HubSpot',
  fields: [
    {
      name: 'sender',
      label: 'User that answers',
      hint: 'A- and the id of the user, for example A-123.',
      isSecret: false,
      isNeeded: true,
    },
    {
      name: 'inboxes',
      label: 'Inboxes',
      hint: 'The ids of those whose threads are answered, with commas between them. Empty: all that the app sees.',
      isSecret: false,
    },
    ...deskFields('The user that gets a thread when its customer writes again, for example A-456.'),
    {
      name: 'close_after_answer',
      label: 'Close with the answer',
      choices: [
        ['', 'No'],
        ['yes', 'Yes'],
      ],
      isSecret: false,
    },
    {
      name: 'access_token',
      label: 'Access token',
      hint: 'From “Auth” of the app. It begins with pat-.',
      isSecret: true,
    },
    {
      name: 'client_secret',
      label: 'Client secret',
      hint: 'Beside it. Empty: threads are read every two minutes.',
      isSecret: true,
      isOptional: true,
    },
  ],
}

export const ZAMMAD: Platform = {
  name: 'Zammad',
  fields: [
    {
      name: 'api_url',
      label: 'Address of your Zammad',
      hint: 'For example https://support.acme.com.',
      isSecret: false,
      isNeeded: true,
    },
    {
      name: 'groups',
      label: 'Groups',
      hint: 'The names of those whose tickets are answered, with commas between them. Empty: all that the agent sees.',
      isSecret: false,
    },
    ...deskFields('The name of the group that gets a ticket when its customer writes again.'),
    {
      name: 'state_after_answer',
      label: 'State after the answer',
      hint: 'For example closed. Empty: as it was.',
      isSecret: false,
    },
    {
      name: 'token',
      label: 'Access token',
      hint: 'From the profile of the agent that answers, “Token Access”, with ticket.agent.',
      isSecret: true,
    },
    {
      name: 'signature_token',
      label: 'HMAC SHA1 Signature Token',
      hint: 'A secret that you make up, and enter beside the endpoint.',
      isSecret: true,
    },
  ],
}
