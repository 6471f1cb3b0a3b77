import type { z } from 'zod'
import type { AtlassianSite } from '../atlassian/atlassian-site.ts'
import type { VisibilityAtSource } from '../connector.ts'
import { ApiFailure } from '../rest/api-failure.ts'
import type { Attachment } from '../rest/attachments.ts'
import { MAX_ADDRESS_CHARACTERS } from '../rest/short-address.ts'
import { AttachmentPage, type Content, type FileAtPage, type IdPage } from './confluence-schemas.ts'

/** Answers of one query: a server that names the same page again ends nowhere. */
const MAX_ANSWERS = 5_000
/** Files in one answer. */
const LISTED_AT_ONCE = 100

type Api = Pick<AtlassianSite, 'client' | 'folder' | 'isCloud'>

/** An address at a site that it names itself, or another if it is none, or too long. */
export function addressAt(site: string, path: string, otherwise: string): string {
  const url = URL.parse(`${site}${path}`)
  const isOne = path !== '' && url !== null && /^https?:$/.test(url.protocol)
  return isOne && url.href.length <= MAX_ADDRESS_CHARACTERS ? url.href : `${site}${otherwise}`
}

/** A path that an answer names, at the host of the API. It is given within the folder of Confluence; some servers give it whole. */
function pathWithin(folder: string, given: string): string {
  const isWhole = folder === '' || given.startsWith(`${folder}/`) || /^https?:/.test(given)
  // The gateway of connected accounts may begin it with the folder of the site.
  const inside = folder.startsWith('/ex/') && given.startsWith('/wiki/') ? given.slice('/wiki'.length) : given
  return isWhole ? given : `${folder}${inside}`
}

/** The parts of a list, one answer after the other. */
export async function* partsOf<Page extends z.output<typeof IdPage | typeof AttachmentPage>>(
  { client, folder }: Omit<Api, 'isCloud'>,
  first: string,
  schema: z.ZodType<Page>,
): AsyncGenerator<Page, void, void> {
  let path = first
  for (let answer = 0; answer < MAX_ANSWERS; answer += 1) {
    const data: Page = (await client.json(path, schema)).data
    yield data
    const next: string = data.links.next ?? ''
    if (next === '') return
    const after = pathWithin(folder, next)
    // Taken for whole, what is missing in the list would be removed.
    if (after === path)
      throw new ApiFailure('unexpected', 'Confluence cut off a list: it names the same part again.')
    path = after
  }
  throw new ApiFailure('unexpected', 'Confluence lists more pages than are read of one site.')
}

/** The files at a page: those that came with it, or all if these are not all. */
async function filesAt(api: Api, content: Content): Promise<FileAtPage[]> {
  const first = content.children?.attachment ?? undefined
  // Taken for none, its documents would be removed.
  if (first === undefined)
    throw new ApiFailure('unexpected', `Confluence did not send which files are at the page ${content.id}.`)
  if ((first.links.next ?? '') === '') return first.results
  const files: FileAtPage[] = []
  const path = `${api.folder}/rest/api/content/${content.id}/child/attachment?limit=${LISTED_AT_ONCE}&expand=version`
  for await (const part of partsOf(api, path, AttachmentPage)) files.push(...part.results)
  return files
}

/**
 * Where the content of a file is. In the cloud `_links.download` is for browsers: it refuses API tokens with 401, and the tokens of connected
 * accounts are not taken there at all. A server of one's own has no other.
 */
function downloadPath({ folder, isCloud }: Omit<Api, 'client'>, content: Content, file: FileAtPage): string {
  if (isCloud) return `${folder}/rest/api/content/${content.id}/child/attachment/${file.id}/download`
  const path = file.links.download ?? ''
  if (path === '') throw new ApiFailure('unexpected', `Confluence did not send where the file ${file.id} is.`)
  return pathWithin(folder, path)
}

/** Characters of a name that an address has: with all of a long one it would be too long. */
const NAME_IN_URL = 100

/**
 * Where readers find a file: in the list of the page's files, as the address of the file itself is one of its version, which the cloud opens
 * with its query alone. Its name keeps the addresses of a page's files apart; names that begin alike are kept apart by their ids, which
 * Confluence ignores.
 */
function fileUrl(site: string, content: Content, { id, title }: FileAtPage): string {
  const name = title.slice(0, NAME_IN_URL).toWellFormed()
  const own = title.length > NAME_IN_URL ? `&file=${encodeURIComponent(id)}` : ''
  return `${site}/pages/viewpageattachments.action?pageId=${content.id}&highlight=${encodeURIComponent(name)}${own}`
}

/** The files at a page, in its visibility. */
export async function attachmentsOf(
  api: Api,
  { content, site, visibility }: { content: Content; site: string; visibility: VisibilityAtSource },
): Promise<Attachment[]> {
  return (await filesAt(api, content)).map((file) => ({
    of: content.id,
    id: file.id,
    name: file.title.toWellFormed(),
    bytes: file.extensions?.fileSize ?? undefined,
    version: String(file.version.number),
    url: fileUrl(site, content, file),
    visibility,
    fetch: async (maxBytes) =>
      await api.client.bytes(downloadPath(api, content, file), { maxBytes, isElsewhere: true }),
  }))
}
