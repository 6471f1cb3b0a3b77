import { z } from 'zod'

/** https://learn.microsoft.com/en-us/graph/api/resources/driveitem */
const id = z.string().min(1).max(500)
const facet = z.record(z.string(), z.unknown()).nullish()

export const DriveItem = z.object({
  id,
  name: z.string().max(10_000).default(''),
  webUrl: z.string().max(4_000).optional(),
  cTag: z.string().max(500).optional(),
  size: z.number().optional(),
  lastModifiedDateTime: z.string().max(100).optional(),
  parentReference: z.object({ id: id.optional(), driveId: id.optional() }).optional(),
  file: facet,
  folder: facet,
  package: facet,
  root: facet,
  deleted: facet,
  malware: facet,
  remoteItem: facet,
  /** Shared with anyone at all; `permissions` tell with whom. */
  shared: facet,
})
export type DriveItem = z.infer<typeof DriveItem>

export const DeltaPage = z.object({
  value: z.array(DriveItem).max(10_000),
  '@odata.nextLink': z.string().max(20_000).optional(),
  '@odata.deltaLink': z.string().max(20_000).optional(),
})

export const Downloadable = z.object({ '@microsoft.graph.downloadUrl': z.string().max(20_000).optional() })

export const Site = z.object({ id, displayName: z.string().max(1_000).optional() })

export const DriveList = z.object({
  value: z
    .array(
      z.object({
        id,
        name: z.string().max(1_000).default(''),
        webUrl: z.string().max(4_000),
        driveType: z.string().max(100).optional(),
      }),
    )
    .max(10_000),
  '@odata.nextLink': z.string().max(20_000).optional(),
})

export const Me = z.object({ userPrincipalName: z.string().max(1_000).nullish() })

export const Batch = z.object({
  responses: z
    .array(
      z.object({
        id: z.string().max(100),
        status: z.number(),
        headers: z.record(z.string(), z.string().max(1_000)).optional(),
        body: z.unknown(),
      }),
    )
    .max(20),
})

export const PermissionList = z.object({
  value: z
    .array(
      z.object({
        hasPassword: z.boolean().nullish(),
        expirationDateTime: z.string().max(100).nullish(),
        roles: z.array(z.string().max(100)).max(100).nullish(),
        link: z.object({ scope: z.string().max(50).nullish(), type: z.string().max(50).nullish() }).nullish(),
      }),
    )
    .max(5_000),
})

export const ITEM_FIELDS =
  'id,name,webUrl,cTag,size,lastModifiedDateTime,parentReference,file,folder,package,root,deleted,malware,remoteItem,shared'
