import { startStandIn, type StandInAnswer } from './stand-in-server.ts'

/** A file at an item, with the word in it. */
export interface StandInFile {
  id: string
  name: string
  word: string
  /** Instead of the true one. */
  bytes?: number
  /** The status that is answered instead of it. */
  refusedWith?: number
}

export interface VersionedFile extends StandInFile {
  version: number
}

export const textOfFile = ({ word }: StandInFile) => `# A file\n\nThe word of this file is ${word}.\n`

/** The files of a page, as Confluence lists them. */
export function filesOf(
  { id, files }: { id: string; files: readonly VersionedFile[] },
  { start, limit }: { start: number; limit: number },
) {
  const part = files.slice(start, start + limit)
  const next = `/rest/api/content/${id}/child/attachment?limit=${limit}&expand=version&start=${start + limit}`
  return {
    results: part.map((file) => ({
      id: `att${file.id}`,
      type: 'attachment',
      status: 'current',
      title: file.name,
      version: {
        number: file.version,
        when: new Date(Date.UTC(2026, 0, 1, 0, file.version)).toISOString(),
        minorEdit: false,
      },
      extensions: { mediaType: 'text/markdown', fileSize: file.bytes ?? textOfFile(file).length },
      _links: {
        download: `/download/attachments/${id}/${encodeURIComponent(file.name)}?version=${file.version}`,
      },
    })),
    start,
    limit,
    size: part.length,
    _links: start + limit < files.length ? { next } : {},
  }
}

/** The host of a product's files: whoever has the address gets the file, and no credentials belong there. */
export async function startFileHost(files: () => readonly StandInFile[]) {
  const host = await startStandIn(({ path, headers }) => {
    // A name may follow.
    const [, folder, asked] = path.split('/')
    const file = files().find(({ id }) => folder === 'file' && id === asked)
    if (headers.authorization !== undefined) return { status: 401, body: 'Credentials were sent.' }
    return file === undefined ? { status: 404, body: 'gone' } : { body: textOfFile(file) }
  })
  return {
    ...host,
    addressOf: ({ id }: StandInFile) => `${host.origin}/file/${id}`,
    /** How a product sends to a file there. */
    sendTo: ({ id }: StandInFile, status: number): StandInAnswer => ({
      status,
      headers: { location: `${host.origin}/file/${id}` },
      body: '',
    }),
  }
}
