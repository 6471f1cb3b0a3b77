import type { HelpdeskIntegration } from '@citewell/sdk/management'
import { CHATWOOT } from './chatwoot-fields.ts'
import { deskFields } from './desk-fields.ts'
import { FRESHDESK, FRONT, HELPSCOUT, HUBSPOT, ZAMMAD } from './mail-desk-fields.ts'
import type { Platform } from './platform-field.ts'

/** The help desks, and what each takes. */
export const HELPDESK_PLATFORMS: Record<HelpdeskIntegration['platform'], Platform> = {
  zendesk: {
    name: 'Zendesk',
    fields: [
      {
        name: 'api_url',
        label: 'Address of your Zendesk',
        hint: 'For example https://acme.zendesk.com.',
        isSecret: false,
        isNeeded: true,
      },
      ...deskFields('The id of the group that gets a ticket when its customer writes again.'),
      {
        name: 'status_after_answer',
        label: 'Status after the answer',
        choices: [
          ['', 'As it was'],
          ['pending', 'Pending'],
          ['solved', 'Solved'],
        ],
        isSecret: false,
      },
      { name: 'email', label: 'E-mail address of the agent that answers', isSecret: true },
      {
        name: 'api_token',
        label: 'API token',
        hint: 'From Admin Center, “Apps and integrations”, “API tokens”.',
        isSecret: true,
      },
      {
        name: 'signing_secret',
        label: 'Signing secret',
        hint: 'From “Show signing secret” in the Admin Center. You have it after the next step: come back here then.',
        isSecret: true,
      },
    ],
  },
  zendesk_messaging: {
    name: 'Zendesk messaging',
    handles: 'chats',
    fields: [
      {
        name: 'api_url',
        label: 'Address of your Zendesk',
        hint: 'For example https://acme.zendesk.com.',
        isSecret: false,
        isNeeded: true,
      },
      {
        name: 'app_id',
        label: 'App ID',
        hint: 'From “Conversations API” in the Admin Center, where the key is made.',
        isSecret: false,
        isNeeded: true,
      },
      {
        name: 'switchboard_integration',
        label: 'Name in the switchboard',
        hint: 'Of the switchboard integration that is this service. Empty: citewell.',
        isSecret: false,
      },
      ...deskFields('The name of the switchboard integration of your team. Empty: the next one.', {
        hasDrafts: false,
      }),
      { name: 'from_name', label: 'Name beside the answers', isSecret: false },
      { name: 'key_id', label: 'Key ID', hint: 'From “Conversations API”.', isSecret: true },
      { name: 'key_secret', label: 'Secret key', hint: 'Shown once, beside the Key ID.', isSecret: true },
      {
        name: 'shared_secret',
        label: 'Shared secret of the integration',
        hint: 'From “Conversations integrations”. You have it after the next step: come back here then.',
        isSecret: true,
      },
    ],
  },
  intercom: {
    name: 'Intercom',
    handles: 'chats',
    fields: [
      {
        name: 'api_url',
        label: 'Address of the API',
        hint: 'In Europe https://api.eu.intercom.io, in Australia https://api.au.intercom.io. Empty: elsewhere.',
        isSecret: false,
      },
      {
        name: 'admin_id',
        label: 'Teammate that answers',
        hint: 'The id of a teammate that no person uses. Empty: that of the access token.',
        isSecret: false,
      },
      ...deskFields('The id of the team or teammate that takes over. Empty: nobody in particular.'),
      {
        name: 'access_token',
        label: 'Access token',
        hint: 'From “Authentication” of the app.',
        isSecret: true,
      },
      {
        name: 'client_secret',
        label: 'Client secret',
        hint: 'From “Basic information” of the app.',
        isSecret: true,
      },
    ],
  },
  freshdesk: FRESHDESK,
  chatwoot: CHATWOOT,
  helpscout: HELPSCOUT,
  hubspot: HUBSPOT,
  front: FRONT,
  zammad: ZAMMAD,
  request_tracker: {
    name: 'Request Tracker',
    fields: [
      {
        name: 'api_url',
        label: 'Address of your Request Tracker',
        hint: 'For example https://rt.example.com.',
        isSecret: false,
        isNeeded: true,
      },
      {
        name: 'username',
        label: 'User that answers',
        hint: 'Its name in Request Tracker.',
        isSecret: false,
        isNeeded: true,
      },
      {
        name: 'queue',
        label: 'Queue',
        hint: 'Whose tickets are answered. Empty: all that the user sees.',
        isSecret: false,
      },
      ...deskFields('The queue that a ticket is moved to when its customer writes again.'),
      {
        name: 'status_after_answer',
        label: 'Status after the answer',
        hint: 'For example resolved. Empty: open.',
        isSecret: false,
      },
      {
        name: 'token',
        label: 'Auth token',
        hint: 'From “Admin”, “Users”, the user that answers, “Auth Tokens”.',
        isSecret: true,
      },
    ],
  },
  email: {
    name: 'E-mail',
    fields: [
      {
        name: 'address',
        label: 'Address of the mailbox',
        hint: 'Where customers write to, and answers come from: for example help@acme.com.',
        isSecret: false,
        isNeeded: true,
      },
      {
        name: 'imap_host',
        label: 'IMAP server',
        hint: 'For example imap.gmail.com.',
        isSecret: false,
        isNeeded: true,
      },
      {
        name: 'imap_port',
        label: 'IMAP port',
        hint: '993, or 143 for STARTTLS. Empty: 993.',
        isSecret: false,
      },
      {
        name: 'smtp_host',
        label: 'SMTP server',
        hint: 'For example smtp.gmail.com.',
        isSecret: false,
        isNeeded: true,
      },
      {
        name: 'smtp_port',
        label: 'SMTP port',
        hint: '465, or 587 for STARTTLS. Empty: 465.',
        isSecret: false,
      },
      { name: 'username', label: 'User name', hint: 'Only if it is not the address.', isSecret: false },
      {
        name: 'from_name',
        label: 'Name beside the address',
        hint: 'For example Acme Support.',
        isSecret: false,
      },
      {
        name: 'team',
        label: 'Addresses of your team',
        hint: 'With commas between them; @acme.com is everyone there. What they write ends the automatic part.',
        isSecret: false,
      },
      ...deskFields('The folder that a conversation is moved to when its customer writes again.'),
      {
        name: 'password',
        label: 'Password of the mailbox',
        hint: 'With two-step sign-in, an app password. A password that you use elsewhere does not belong here.',
        isSecret: true,
      },
    ],
  },
  other: { name: 'Another help desk, through your own program', fields: [] },
}
