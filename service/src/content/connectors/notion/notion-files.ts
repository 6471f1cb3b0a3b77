import { z } from 'zod'
import type { ConnectorInput, VisibilityAtSource } from '../connector.ts'
import type { ApiDeps } from '../rest/api-connector.ts'
import { ApiFailure } from '../rest/api-failure.ts'
import type { Attachment } from '../rest/attachments.ts'
import { downloadFile } from '../rest/download-file.ts'
import type { BlockTree } from './notion-markdown.ts'

/**
 * A file that Notion keeps, of a block of type `file` or `pdf`: https://developers.notion.com/reference/file-object. Its address opens it for
 * an hour, without credentials. A file that is elsewhere is a link, and not read.
 */
const HostedFile = z.object({
  type: z.literal('file'),
  file: z.object({ url: z.url({ protocol: /^https?$/ }).max(10_000) }),
  name: z.string().max(2_000).catch('').default(''),
})

const FILE_BLOCKS = new Set(['file', 'pdf'])

/** The last part of the path: a PDF block has no name of its own. */
function nameIn({ pathname }: URL): string {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

function* hostedFiles(
  trees: readonly BlockTree[],
): Generator<{ block: BlockTree['block']; name: string; address: URL }, void, void> {
  for (const { block, children } of trees) {
    const parsed = FILE_BLOCKS.has(block.type) ? HostedFile.safeParse(block[block.type]) : undefined
    if (parsed?.success === true) {
      const address = new URL(parsed.data.file.url)
      yield { block, address, name: (parsed.data.name || nameIn(address)).toWellFormed() }
    }
    yield* hostedFiles(children)
  }
}

/** The files in the blocks of a page. @param place `protocol`: that of the API; a file does not come by a weaker one */
export function filesIn(
  deps: Pick<ApiDeps, 'outbound'>,
  { signal }: Pick<ConnectorInput<unknown>, 'signal'>,
  blocks: readonly BlockTree[],
  place: { page: string; url: string; visibility: VisibilityAtSource; protocol: string },
): Attachment[] {
  return [...hostedFiles(blocks)].map(({ block, name, address }) => ({
    of: place.page,
    id: block.id,
    name,
    bytes: undefined,
    // The rest of the address is another one each time.
    version: address.pathname,
    url: `${place.url}#${block.id.replaceAll('-', '')}`,
    visibility: place.visibility,
    fetch: async (maxBytes) => {
      if (address.protocol !== place.protocol)
        throw new ApiFailure('unexpected', `Notion names an address of ${name} that is not encrypted.`)
      return await downloadFile(deps, address.href, { name: 'Notion', maxBytes, signal })
    },
  }))
}
