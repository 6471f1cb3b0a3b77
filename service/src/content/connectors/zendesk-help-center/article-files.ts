import type { VisibilityAtSource } from '../connector.ts'
import { ApiFailure } from '../rest/api-failure.ts'
import type { Attachment } from '../rest/attachments.ts'
import type { RestClient } from '../rest/rest-client.ts'
import { pages } from './zendesk-pages.ts'
import { AttachmentPage, type Article, type ArticleFile } from './zendesk-schemas.ts'

/** Asked for at the host that was entered, which has the credentials; it sends to the host of files without them. */
async function fetchFile(client: RestClient, file: ArticleFile, maxBytes: number): Promise<Uint8Array> {
  const { pathname, search } = new URL(file.content_url)
  const bytes = await client.bytes(`${pathname}${search}`, { maxBytes, isElsewhere: true })
  // A page to sign in at comes with status 200 too.
  if (file.size !== undefined && bytes.length !== file.size)
    throw new ApiFailure('refused', `Zendesk sent something else than the file ${file.file_name}.`)
  return bytes
}

/** The files at an article, without the images in its text. */
async function listFiles(
  client: RestClient,
  article: Article,
  visibility: VisibilityAtSource,
): Promise<Attachment[]> {
  const path = `/api/v2/help_center/articles/${article.id}/attachments/block`
  const files: Attachment[] = []
  for await (const page of pages(client, path, AttachmentPage))
    for (const file of page.article_attachments)
      files.push({
        of: String(article.id),
        id: String(file.id),
        name: file.file_name.toWellFormed(),
        bytes: file.size ?? undefined,
        // Its content never changes: another file has another id.
        version: file.created_at ?? '',
        url: file.content_url,
        visibility,
        fetch: async (maxBytes) => await fetchFile(client, file, maxBytes),
      })
  return files
}

/** The same; undefined if this account may not see which there are. */
export async function filesOf(...given: Parameters<typeof listFiles>): Promise<Attachment[] | undefined> {
  try {
    return await listFiles(...given)
  } catch (error) {
    if (error instanceof ApiFailure && error.kind === 'forbidden') return undefined
    throw error
  }
}
