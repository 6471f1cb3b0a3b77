import { address, type SourceTypeForm } from './source-form.ts'

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
    ],
    guide: 'sources-zendesk.md',
    name: 'Zendesk help center',
    describe: ({ text }) => ({
      type: 'zendesk_help_center',
      config: { url: text('url'), locale: text('locale') || null },
    }),
  },
} as const satisfies Record<string, SourceTypeForm>
