import { address, ATTACHMENTS, type SourceTypeForm } from './source-form.ts'

const REGIONS = [
  ['us', 'United States'],
  ['eu', 'Europe'],
  ['au', 'Australia'],
] as const

/** Sources of the articles of help desks. */
export const HELP_CENTER_FORMS = {
  zendesk_help_center: {
    label: 'A Zendesk help center',
    fields: [
      {
        ...address('url', 'https://acme.zendesk.com/'),
        hint: 'Its address at Zendesk, not one of your own domain.',
      },
      {
        name: 'locale',
        label: 'Language',
        placeholder: 'en-us',
        hint: 'If it is empty: the default language of the help center. One source for each language.',
        kind: 'text',
      },
      {
        name: 'email',
        label: 'E-mail address of an agent',
        hint: 'An agent who may see the articles, with few rights otherwise. Without credentials the public articles are read.',
        kind: 'text',
        credential: 'name',
      },
      {
        name: 'token',
        label: 'API token',
        hint: 'Admin Center › Apps and integrations › APIs › API tokens › Add API token. Zendesk shows it once.',
        kind: 'text',
        credential: 'secret',
      },
      ATTACHMENTS,
    ],
    guide: 'sources-zendesk.md',
    name: 'Zendesk help center',
    describe: ({ text, isOn }) => ({
      type: 'zendesk_help_center',
      config: {
        url: text('url'),
        locale: text('locale') || null,
        attachments: isOn('attachments'),
      },
    }),
  },
  intercom: {
    label: 'Intercom articles',
    fields: [
      {
        name: 'region',
        label: 'Region of the workspace',
        hint: 'In the address bar when you are signed in: app.intercom.com, app.eu.intercom.com or app.au.intercom.com.',
        kind: 'choice',
        choices: REGIONS,
      },
      {
        name: 'token',
        label: 'Access token',
        hint: 'Settings › Integrations › Developer Hub › New app (internal) › Configure › Authentication. It needs the permission Read and list articles.',
        kind: 'text',
        isRequired: true,
        credential: 'secret',
      },
      {
        name: 'locale',
        label: 'Language',
        placeholder: 'de',
        hint: 'If it is empty: the default language of each article. One source for each language.',
        kind: 'text',
      },
      {
        name: 'publish_all',
        label: 'Treat the articles of collections as public',
        hint: 'Intercom does not tell which audience an article has. Otherwise all of them are for members only.',
        kind: 'switch',
      },
    ],
    guide: 'sources-intercom.md',
    name: 'Intercom',
    describe: ({ text, isOn }) => ({
      type: 'intercom',
      config: {
        region: REGIONS.find(([value]) => value === text('region'))?.[0] ?? 'us',
        locale: text('locale') || null,
        publish_all: isOn('publish_all'),
      },
    }),
  },
  freshdesk_solutions: {
    label: 'Freshdesk solutions',
    fields: [
      {
        ...address('url', 'https://acme.freshdesk.com/'),
        hint: 'Its address at Freshdesk, not one of your own domain.',
      },
      {
        name: 'token',
        label: 'API key',
        hint: 'Your picture › Profile settings › View API key, of an agent who may view solutions.',
        kind: 'text',
        isRequired: true,
        credential: 'secret',
      },
    ],
    guide: 'sources-freshdesk.md',
    name: 'Freshdesk solutions',
    describe: ({ text }) => ({ type: 'freshdesk_solutions', config: { url: text('url') } }),
  },
  help_scout_docs: {
    label: 'Help Scout Docs',
    fields: [
      {
        name: 'site',
        label: 'Site',
        placeholder: 'acme',
        hint: 'Its name before .helpscoutdocs.com. If it is empty: all sites.',
        kind: 'text',
      },
      {
        name: 'token',
        label: 'Docs API key',
        hint: 'Person icon › Your profile › Authentication › API keys › Docs API key. A key of the Mailbox API does not work.',
        kind: 'text',
        isRequired: true,
        credential: 'secret',
      },
      {
        name: 'publish_all',
        label: 'Treat sites as public if Help Scout does not say otherwise',
        hint: 'Only needed if the check says that it is not told whether a site needs a sign-in.',
        kind: 'switch',
      },
    ],
    guide: 'sources-help-scout.md',
    name: 'Help Scout Docs',
    describe: ({ text, isOn }) => ({
      type: 'help_scout_docs',
      config: { site: text('site') || null, publish_all: isOn('publish_all') },
    }),
  },
} as const satisfies Record<string, SourceTypeForm>
