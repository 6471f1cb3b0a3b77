import { z } from 'zod'
import { HttpUrl, text } from './fields.ts'
import { PublishAll, ShowNames } from './product-configs.ts'

/** An id of Google's, or an address that has it. */
const DRIVE_FOLDER =
  /^(?:https:\/\/drive\.google\.com\/(?:drive\/)?(?:u\/\d{1,2}\/)?folders\/)?([\w-]{10,100})(?:[/?#]|$)/

/** The id in an address of a folder; undefined if there is none. */
export const driveFolderId = (given: string): string | undefined => DRIVE_FOLDER.exec(given)?.[1]

export const GoogleDriveConfig = z
  .strictObject({
    folders: z
      .array(
        text(10, 500).refine((given) => driveFolderId(given) !== undefined, {
          error: 'must be the address of a folder, such as https://drive.google.com/drive/folders/…',
        }),
      )
      .min(1)
      .max(50)
      .meta({
        description:
          'Addresses, or ids, of folders or shared drives: they are read with all folders in them.',
        examples: [['https://drive.google.com/drive/folders/1AbCdEfGhIjKlMnOpQrStUvWxYz']],
      }),
    act_as: text(3, 320)
      .regex(/^[^\s@]+@[^\s@]+$/, { error: 'must be an e-mail address' })
      .nullable()
      .default(null)
      .meta({
        description:
          'With the key of a service account that may act for the users of its domain: the user to read as. Null: as the service account itself.',
        examples: ['docs@example.com'],
      }),
    publish_all: PublishAll('files that not everyone may open'),
  })
  .meta({ id: 'GoogleDriveConfig', description: 'Reads the documents in folders of Google Drive.' })

export const SharepointConfig = z
  .strictObject({
    urls: z
      .array(
        HttpUrl.refine(
          (address) => /^https:\/\/[\w-]+\.sharepoint\.(?:com|us|cn|de)(?:\/|$)/i.test(address),
          {
            error: 'must be an address at SharePoint, such as https://acme.sharepoint.com/sites/Docs',
          },
        ),
      )
      .min(1)
      .max(50)
      .meta({
        description:
          'Addresses of sites, of document libraries, or of folders in them: as the browser shows them. OneDrive for work is a library at `….-my.sharepoint.com/personal/…`.',
        examples: [['https://acme.sharepoint.com/sites/Docs/Shared%20Documents/Guide']],
      }),
    tenant: text(3, 100)
      .regex(/^[\w.-]+$/, { error: 'must be an id or a domain' })
      .nullable()
      .default(null)
      .meta({
        description:
          'With the id and secret of an app: the directory (tenant) ID. Null: a connected account is used.',
        examples: ['8eaef023-2b34-4da1-9baa-8bc8c9d6a490'],
      }),
    publish_all: PublishAll('files that not everyone may open'),
  })
  .meta({
    id: 'SharepointConfig',
    description: 'Reads the documents in libraries of SharePoint and in OneDrive for work.',
  })

export const SlackChannelsConfig = z
  .strictObject({
    channels: z
      .array(
        text(2, 100).regex(/^(?:[CG][A-Z0-9]{5,30}|[^\s#A-Z][^\s#A-Z]{0,79})$/, {
          error: 'must be the name or the id of a channel',
        }),
      )
      .min(1)
      .max(100)
      .meta({
        description: 'Names, or ids, of the channels to read.',
        examples: [['support', 'C0123456789']],
      }),
    days: z
      .int()
      .min(1)
      .max(3_650)
      .default(365)
      .meta({ description: 'How old the first message of a thread may be, in days.', examples: [365] }),
    min_replies: z
      .int()
      .min(0)
      .max(100)
      .default(1)
      .meta({ description: 'Threads with fewer replies are left out: nobody answered.', examples: [1] }),
    show_names: ShowNames,
    publish_all: PublishAll('threads of public channels'),
  })
  .meta({ id: 'SlackChannelsConfig', description: 'Reads the threads of channels of a Slack workspace.' })
