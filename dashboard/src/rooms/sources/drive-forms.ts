import { type SourceTypeForm } from './source-form.ts'

/** Sources of files in the folders of a team. */
export const DRIVE_FORMS = {
  google_drive: {
    label: 'Google Drive',
    fields: [
      {
        name: 'folders',
        label: 'Folders or shared drives',
        placeholder: 'https://drive.google.com/drive/folders/…',
        hint: 'One address a line, as the browser shows it when the folder is open. Folders in them come along.',
        kind: 'lines',
        isRequired: true,
      },
      {
        name: 'token',
        label: 'JSON key of a service account',
        placeholder: '{"type": "service_account", …',
        hint: 'console.cloud.google.com › IAM & Admin › Service accounts › the account › Keys › Add key › JSON: the whole file. Share each folder with the e-mail address of the account.',
        kind: 'text',
        isRequired: true,
        credential: 'secret',
      },
      {
        name: 'act_as',
        label: 'Read as',
        placeholder: 'docs@example.com',
        hint: 'With a service account that may act for your users only: the user to read as.',
        kind: 'text',
        isForKey: true,
      },
      {
        name: 'publish_all',
        label: 'Treat all files as public',
        hint: 'Otherwise files that not everyone with the link may open are for members only.',
        kind: 'switch',
      },
    ],
    connects: 'google',
    guide: 'sources-google-drive.md',
    name: 'Google Drive',
    describe: ({ text, lines, isOn }) => ({
      type: 'google_drive',
      config: {
        folders: lines('folders'),
        act_as: text('act_as') || null,
        publish_all: isOn('publish_all'),
      },
    }),
  },
  sharepoint: {
    label: 'SharePoint, or OneDrive for work',
    fields: [
      {
        name: 'urls',
        label: 'Sites, libraries or folders',
        placeholder: 'https://acme.sharepoint.com/sites/Docs/Shared%20Documents',
        hint: 'One address a line, as the browser shows it when the library or folder is open.',
        kind: 'lines',
        isRequired: true,
      },
      {
        name: 'tenant',
        label: 'Directory (tenant) ID',
        hint: 'entra.microsoft.com › App registrations › the app › Overview.',
        kind: 'text',
        isRequired: true,
        isForKey: true,
      },
      {
        name: 'client_id',
        label: 'Application (client) ID',
        hint: 'On the same page.',
        kind: 'text',
        isRequired: true,
        credential: 'name',
      },
      {
        name: 'client_secret',
        label: 'Client secret',
        hint: 'The app › Certificates & secrets › New client secret: its Value, which is shown once. API permissions: Sites.Read.All and Files.Read.All (Application), with the consent of an administrator.',
        kind: 'text',
        isRequired: true,
        credential: 'secret',
      },
      {
        name: 'publish_all',
        label: 'Treat all files as public',
        hint: 'Otherwise files that not everyone with the link may open are for members only.',
        kind: 'switch',
      },
    ],
    connects: 'microsoft',
    guide: 'sources-sharepoint.md',
    name: 'SharePoint',
    describe: ({ text, lines, isOn }) => ({
      type: 'sharepoint',
      config: { urls: lines('urls'), tenant: text('tenant') || null, publish_all: isOn('publish_all') },
    }),
  },
} as const satisfies Record<string, SourceTypeForm>
