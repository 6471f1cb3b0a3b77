import { z } from 'zod'

/** https://developers.google.com/workspace/drive/api/reference/rest/v3 */
const id = z.string().min(1).max(200)

export const DriveFile = z.object({
  id,
  name: z.string().max(10_000).default(''),
  mimeType: z.string().max(500),
  /** As the source writes it; it may be nonsense. */
  modifiedTime: z.string().max(100).optional(),
  md5Checksum: z.string().max(100).optional(),
  size: z.string().max(30).optional(),
  webViewLink: z.string().max(4_000).optional(),
  parents: z.array(id).max(100).optional(),
  driveId: id.optional(),
  trashed: z.boolean().optional(),
  /** Not told of files in shared drives. */
  permissions: z
    .array(
      z.object({
        type: z.string().max(50),
        view: z.string().max(50).optional(),
        deleted: z.boolean().optional(),
        expirationTime: z.string().max(100).optional(),
      }),
    )
    .max(10_000)
    .optional(),
  permissionIds: z.array(z.string().max(200)).max(10_000).optional(),
  shortcutDetails: z.object({ targetId: id, targetMimeType: z.string().max(500).optional() }).optional(),
})
export type DriveFile = z.infer<typeof DriveFile>

export const FileList = z.object({
  files: z.array(DriveFile).max(1_000),
  nextPageToken: z.string().max(10_000).optional(),
  incompleteSearch: z.boolean().optional(),
})

export const StartPageToken = z.object({ startPageToken: z.string().min(1).max(10_000) })

export const ChangeList = z.object({
  changes: z
    .array(
      z.object({
        changeType: z.string().max(50).optional(),
        removed: z.boolean().optional(),
        fileId: id.optional(),
        file: DriveFile.optional(),
      }),
    )
    .max(1_000),
  nextPageToken: z.string().max(10_000).optional(),
  newStartPageToken: z.string().max(10_000).optional(),
})
export type DriveChange = z.infer<typeof ChangeList>['changes'][number]

export const SharedDrive = z.object({
  id,
  name: z.string().max(10_000).default(''),
  restrictions: z
    .object({ domainUsersOnly: z.boolean().optional(), driveMembersOnly: z.boolean().optional() })
    .optional(),
})
export type SharedDrive = z.infer<typeof SharedDrive>

export const About = z.object({
  user: z.object({
    displayName: z.string().max(1_000).optional(),
    emailAddress: z.string().max(1_000).optional(),
  }),
})

export const FILE_FIELDS =
  'id,name,mimeType,modifiedTime,md5Checksum,size,webViewLink,parents,driveId,trashed,permissions(type,view,deleted,expirationTime),permissionIds,shortcutDetails(targetId,targetMimeType)'
