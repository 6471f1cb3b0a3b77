import { DRIVE_FORMS } from './drive-forms.ts'
import { HELP_CENTER_FORMS } from './help-center-forms.ts'
import { MAIL_FORMS } from './mail-forms.ts'
import { address, PATTERNS, patternsOf, type SourceField, type SourceTypeForm } from './source-form.ts'
import { THREAD_FORMS } from './thread-forms.ts'
import { WIKI_FORMS } from './wiki-forms.ts'

/** The types that can be added here, and what each is asked for. A new field is one line here, or in the file of its kind. */
export const SOURCE_TYPE_FORMS = {
  website: {
    label: 'A website: follow its links',
    fields: [address('start_urls'), ...PATTERNS],
    guide: 'sources.md',
    name: 'Website',
    describe: (typed) => ({
      type: 'website',
      config: { start_urls: typed.lines('start_urls'), ...patternsOf(typed) },
    }),
  },
  sitemap: {
    label: 'A website: read the pages of its sitemap',
    fields: [address('sitemap_url', 'https://docs.example.com/sitemap.xml'), ...PATTERNS],
    guide: 'sources.md',
    name: 'Sitemap',
    describe: (typed) => ({
      type: 'sitemap',
      config: { sitemap_url: typed.text('sitemap_url'), ...patternsOf(typed) },
    }),
  },
  repository: {
    label: 'A git repository with documentation',
    fields: [
      address('url', 'https://git.example.com/acme/docs'),
      {
        name: 'ref',
        label: 'Branch, tag or commit',
        hint: 'If it is empty: the default branch.',
        kind: 'text',
      },
      ...PATTERNS,
    ],
    guide: 'sources.md',
    name: 'Repository',
    describe: (typed) => ({
      type: 'repository',
      config: { url: typed.text('url'), ref: typed.text('ref') || null, ...patternsOf(typed) },
    }),
  },
  openapi: {
    label: 'An OpenAPI description',
    fields: [address('url', 'https://api.example.com/openapi.json')],
    guide: 'sources.md',
    name: 'OpenAPI',
    describe: ({ text }) => ({ type: 'openapi', config: { url: text('url') } }),
  },
  s3: {
    label: 'A bucket of S3 or a storage like it',
    fields: [
      {
        ...address('url', 'https://s3.eu-central-1.amazonaws.com/acme-docs/guide/'),
        hint: 'The storage, then the bucket, then the folder, if not all of it is to be read.',
      },
      {
        name: 'region',
        label: 'Region',
        placeholder: 'eu-central-1',
        hint: 'If it is empty: the one in the address of Amazon, else us-east-1.',
        kind: 'text',
      },
      {
        name: 'user',
        label: 'Access key ID',
        hint: 'Of a user who may list the bucket and read its objects (s3:ListBucket, s3:GetObject), and nothing else. A bucket that everyone may list needs none.',
        kind: 'text',
        credential: 'name',
      },
      {
        name: 'password',
        label: 'Secret access key',
        hint: 'It is shown once, when the key is made.',
        kind: 'text',
        credential: 'secret',
      },
      {
        name: 'publish_all',
        label: 'Treat what the key opens as public',
        hint: 'Otherwise what is read with an access key is for members only.',
        kind: 'switch',
      },
      ...PATTERNS,
    ],
    guide: 'sources-s3.md',
    name: 'S3',
    describe: (typed) => ({
      type: 's3',
      config: {
        url: typed.text('url'),
        region: typed.text('region') || null,
        publish_all: typed.isOn('publish_all'),
        ...patternsOf(typed),
      },
    }),
  },
  ...DRIVE_FORMS,
  ...THREAD_FORMS,
  ...HELP_CENTER_FORMS,
  ...MAIL_FORMS,
  ...WIKI_FORMS,
} as const satisfies Record<string, SourceTypeForm>

export type OfferedType = keyof typeof SOURCE_TYPE_FORMS

export const isOffered = (type: string): type is OfferedType => Object.hasOwn(SOURCE_TYPE_FORMS, type)

export const formOf = (type: OfferedType): SourceTypeForm => SOURCE_TYPE_FORMS[type]

/** Name of a field's control. It is what the service calls the field when it refuses it. */
export const controlOf = ({ credential, name }: SourceField): string =>
  `${credential === undefined ? 'config' : 'credentials'}.${name}`
