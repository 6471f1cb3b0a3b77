import { address, ATTACHMENTS, keysIn, SHOW_NAMES, type SourceTypeForm } from './source-form.ts'

/** Sources of conversations: issues, topics. */
export const THREAD_FORMS = {
  discourse: {
    label: 'A Discourse forum',
    fields: [
      address('url', 'https://forum.example.com/'),
      {
        name: 'token',
        label: 'API key',
        hint: 'Admin › Advanced › API keys › New API key: a single user, granular, read topics and lists. Without one, what everyone may read is read.',
        kind: 'text',
        credential: 'secret',
      },
      {
        name: 'username',
        label: 'User name of the key',
        hint: 'If it is empty: system, for a key of all users.',
        kind: 'text',
      },
      SHOW_NAMES,
    ],
    guide: 'sources-discourse.md',
    name: 'Discourse',
    describe: ({ text, isOn }) => ({
      type: 'discourse',
      config: {
        url: text('url'),
        username: text('username') || null,
        show_names: isOn('show_names'),
      },
    }),
  },
  github: {
    label: 'GitHub: issues, discussions, releases',
    fields: [
      address('url', 'https://github.com/acme/product'),
      {
        name: 'token',
        label: 'Token',
        placeholder: 'github_pat_…',
        hint: 'Settings › Developer settings › Personal access tokens › Fine-grained tokens, for this repository, with read access to Contents, Discussions, Issues and Pull requests. Without one, few requests are answered, and discussions are not read.',
        kind: 'text',
        credential: 'secret',
      },
      {
        name: 'pull_requests',
        label: 'Read pull requests too',
        kind: 'switch',
      },
      SHOW_NAMES,
    ],
    connects: 'github',
    guide: 'sources-github.md',
    name: 'GitHub',
    describe: ({ text, isOn }) => ({
      type: 'github',
      config: {
        url: text('url'),
        pull_requests: isOn('pull_requests'),
        show_names: isOn('show_names'),
      },
    }),
  },
  gitlab: {
    label: 'GitLab: issues and wiki',
    fields: [
      address('url', 'https://gitlab.com/acme/product'),
      {
        name: 'token',
        label: 'Token',
        placeholder: 'glpat-…',
        hint: 'The project › Settings › Access tokens › Add new token: role Reporter, scope read_api. Without one, what everyone may read is read.',
        kind: 'text',
        credential: 'secret',
      },
      SHOW_NAMES,
    ],
    guide: 'sources-gitlab.md',
    name: 'GitLab',
    describe: ({ text, isOn }) => ({
      type: 'gitlab',
      config: { url: text('url'), show_names: isOn('show_names') },
    }),
  },
  jira: {
    label: 'Jira, in the cloud',
    fields: [
      address('url', 'https://acme.atlassian.net/'),
      {
        name: 'projects',
        label: 'Projects',
        placeholder: 'HELP, OPS',
        hint: 'Their keys: the letters before the number of an issue.',
        kind: 'text',
        isRequired: true,
      },
      {
        name: 'email',
        label: 'E-mail address',
        hint: 'Of the account that the API token belongs to.',
        kind: 'text',
        isRequired: true,
        credential: 'name',
      },
      {
        name: 'token',
        label: 'API token',
        hint: 'id.atlassian.com › Security › API tokens › Create API token (without scopes). Its account needs to browse the projects, and nothing else.',
        kind: 'text',
        isRequired: true,
        credential: 'secret',
      },
      ATTACHMENTS,
      {
        name: 'publish_all',
        label: 'Treat issues without a security level as published',
        hint: 'Issues can contain what customers and colleagues wrote for themselves. Otherwise all of them are for members only.',
        kind: 'switch',
      },
    ],
    connects: 'atlassian',
    guide: 'sources-jira.md',
    name: 'Jira',
    describe: ({ text, isOn }) => ({
      type: 'jira',
      config: {
        url: text('url'),
        projects: keysIn(text('projects')),
        attachments: isOn('attachments'),
        publish_all: isOn('publish_all'),
      },
    }),
  },
  slack_channels: {
    label: 'Slack channels',
    fields: [
      {
        name: 'channels',
        label: 'Channels',
        placeholder: 'support, help',
        hint: 'Their names, without #, or their ids. The app must be in each: /invite with its name.',
        kind: 'text',
        isRequired: true,
      },
      {
        name: 'token',
        label: 'Bot token',
        placeholder: 'xoxb-…',
        hint: 'api.slack.com/apps › your app › OAuth & Permissions. Scopes: channels:read, channels:history; for private channels groups:read, groups:history.',
        kind: 'text',
        isRequired: true,
        credential: 'secret',
      },
      SHOW_NAMES,
      {
        name: 'publish_all',
        label: 'Treat public channels as public',
        hint: 'Otherwise all threads are for members only. Private channels always are.',
        kind: 'switch',
      },
    ],
    connects: 'slack',
    guide: 'sources-slack.md',
    name: 'Slack channels',
    describe: ({ text, isOn }) => ({
      type: 'slack_channels',
      config: {
        channels: keysIn(text('channels')),
        show_names: isOn('show_names'),
        publish_all: isOn('publish_all'),
      },
    }),
  },
} as const satisfies Record<string, SourceTypeForm>
