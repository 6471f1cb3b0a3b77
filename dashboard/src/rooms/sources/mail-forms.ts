import { ATTACHMENTS, keysIn, SHOW_NAMES, type SourceTypeForm } from './source-form.ts'

/** Names of folders, which may have spaces in them. */
function foldersIn(typed: string): string[] {
  const folders = typed
    .split(',')
    .map((folder) => folder.trim())
    .filter((folder) => folder !== '')
  return folders.length === 0 ? ['INBOX'] : folders
}

/** Sources of mail. */
export const MAIL_FORMS = {
  mail_archive: {
    label: 'A mailing list: its public archives',
    fields: [
      {
        name: 'urls',
        label: 'Addresses of mbox files',
        placeholder: 'https://lists.example.com/archives/users/2026-November.txt.gz',
        hint: 'With spaces between them, packed with gzip or not.',
        kind: 'text',
        isRequired: true,
      },
      ATTACHMENTS,
      SHOW_NAMES,
    ],
    guide: 'sources-mail.md',
    name: 'Mailing list',
    describe: ({ text, isOn }) => ({
      type: 'mail_archive',
      config: {
        urls: keysIn(text('urls')),
        attachments: isOn('attachments'),
        show_names: isOn('show_names'),
      },
    }),
  },
  mailbox: {
    label: 'A mailbox: folders of it, by IMAP',
    fields: [
      {
        name: 'url',
        label: 'Mail server',
        placeholder: 'imaps://imap.example.com',
        hint: 'imaps:// for TLS at port 993, imap:// for STARTTLS at port 143.',
        kind: 'text',
        isRequired: true,
      },
      {
        name: 'folders',
        label: 'Folders',
        placeholder: 'INBOX, Archive/Support',
        hint: 'With commas between them. If it is empty: INBOX.',
        kind: 'text',
      },
      {
        name: 'user',
        label: 'User',
        placeholder: 'archive@example.com',
        kind: 'text',
        isRequired: true,
        credential: 'name',
      },
      {
        name: 'password',
        label: 'Password',
        hint: 'Of the mailbox; with two-step sign-in, an app password.',
        kind: 'text',
        isRequired: true,
        credential: 'secret',
      },
      ATTACHMENTS,
      SHOW_NAMES,
      {
        name: 'publish_all',
        label: 'Treat mails as published',
        hint: 'Mails contain what people wrote to each other. Otherwise all of them are for members only.',
        kind: 'switch',
      },
    ],
    guide: 'sources-mail.md',
    name: 'Mailbox',
    describe: ({ text, isOn }) => ({
      type: 'mailbox',
      config: {
        url: text('url'),
        folders: foldersIn(text('folders')),
        attachments: isOn('attachments'),
        show_names: isOn('show_names'),
        publish_all: isOn('publish_all'),
      },
    }),
  },
} as const satisfies Record<string, SourceTypeForm>
