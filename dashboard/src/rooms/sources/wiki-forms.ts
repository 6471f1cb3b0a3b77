import { address, ATTACHMENTS, keysIn, type SourceTypeForm } from './source-form.ts'

/** Sources of the pages of wikis. */
export const WIKI_FORMS = {
  notion: {
    label: 'Notion',
    fields: [
      {
        name: 'token',
        label: 'Internal integration secret',
        placeholder: 'ntn_…',
        hint: 'notion.so/profile/integrations › New integration (internal, Read content). Then open each top page in Notion › ••• › Connections › add the integration.',
        kind: 'text',
        isRequired: true,
        credential: 'secret',
      },
      ATTACHMENTS,
      {
        name: 'publish_all',
        label: 'Treat all pages as published',
        hint: 'Otherwise pages that are not published to the web are for members only.',
        kind: 'switch',
      },
    ],
    connects: 'notion',
    guide: 'sources-notion.md',
    name: 'Notion',
    describe: ({ isOn }) => ({
      type: 'notion',
      config: { attachments: isOn('attachments'), publish_all: isOn('publish_all') },
    }),
  },
  confluence: {
    label: 'Confluence, in the cloud or on your own server',
    fields: [
      {
        ...address('url', 'https://acme.atlassian.net/wiki'),
        hint: 'In the cloud: https://….atlassian.net/wiki. On your own server: the address of its start page, with its folder.',
      },
      {
        name: 'spaces',
        label: 'Spaces',
        placeholder: 'DOCS, HELP',
        hint: 'Their keys, as in the address of a space. If it is empty: every space that the account sees.',
        kind: 'text',
      },
      {
        name: 'email',
        label: 'E-mail address',
        hint: 'In the cloud only: of the account that the API token belongs to.',
        kind: 'text',
        credential: 'name',
      },
      {
        name: 'token',
        label: 'API token, or personal access token',
        hint: 'In the cloud: id.atlassian.com › Security › API tokens › Create API token (without scopes). On your own server: your profile › Settings › Personal access tokens. Without it the pages that everyone may read are read.',
        kind: 'text',
        credential: 'secret',
      },
      ATTACHMENTS,
      {
        name: 'publish_all',
        label: 'Treat pages without restrictions as published',
        hint: 'Otherwise pages that nobody can read without signing in are for members only.',
        kind: 'switch',
      },
    ],
    connects: 'atlassian',
    guide: 'sources-confluence.md',
    name: 'Confluence',
    describe: ({ text, isOn }) => ({
      type: 'confluence',
      config: {
        url: text('url'),
        spaces: keysIn(text('spaces')),
        attachments: isOn('attachments'),
        publish_all: isOn('publish_all'),
      },
    }),
  },
  mediawiki: {
    label: 'A MediaWiki',
    fields: [
      {
        ...address('url', 'https://wiki.example.com/w/api.php'),
        label: 'Address of its API',
        hint: 'It ends with api.php. The page Special:Version of the wiki names it under Entry point URLs.',
      },
      {
        name: 'user',
        label: 'Name of a bot password',
        placeholder: 'Reader@citewell',
        hint: 'Only for a wiki that needs a sign-in: Special:BotPasswords › a name › Create, with the basic rights.',
        kind: 'text',
        credential: 'name',
      },
      {
        name: 'password',
        label: 'Bot password',
        hint: 'The wiki shows it once.',
        kind: 'text',
        credential: 'secret',
      },
      {
        name: 'publish_all',
        label: 'Treat a closed wiki as published',
        hint: 'Otherwise the pages of a wiki that nobody can read without signing in are for members only.',
        kind: 'switch',
      },
    ],
    guide: 'sources-mediawiki.md',
    name: 'MediaWiki',
    describe: ({ text, isOn }) => ({
      type: 'mediawiki',
      config: { url: text('url'), publish_all: isOn('publish_all') },
    }),
  },
} as const satisfies Record<string, SourceTypeForm>
