import { BODY_BYTES } from '@citewell/contract/limits'

/** Endings of the files that can be read; the service decides by the same. */
export const FILE_ENDINGS =
  '.pdf,.docx,.md,.markdown,.mdx,.html,.htm,.xhtml,.rst,.adoc,.asciidoc,.txt,.text,.ipynb,.csv,.tsv,.xlsx,.pptx'

/** Whether a file has an ending of those that can be read. */
export function isRead({ name }: File): boolean {
  const dot = name.lastIndexOf('.')
  return dot !== -1 && FILE_ENDINGS.split(',').includes(name.slice(dot).toLowerCase())
}

/** Files that are sent with one request. */
const MOST_FILES = 100

/** A request also has a boundary and a name for each file. */
const MOST_BYTES = BODY_BYTES.files - 1_048_576

/** Files that can be sent, in requests of few enough and small enough ones. A folder keeps its paths: two files may have one name. */
export function requestsOf(files: readonly File[]): File[][] {
  const requests: File[][] = []
  let bytes = 0
  for (const file of files) {
    const last = requests.at(-1)
    if (last === undefined || last.length >= MOST_FILES || bytes + file.size > MOST_BYTES) {
      requests.push([file])
      bytes = file.size
    } else {
      last.push(file)
      bytes += file.size
    }
  }
  return requests
}

/** Why what was chosen cannot be sent, in words; undefined if it can. Files of a type that is not read are left out. */
export function whyNotSent(files: readonly File[]): string | undefined {
  if (files.length > 0 && !files.some(isRead))
    return 'Files of this type are not read. Choose others: there is nothing to send.'
  const large = files.find((file) => file.size > MOST_BYTES && isRead(file))
  return large === undefined
    ? undefined
    : `“${large.name}” is larger than ${Math.floor(MOST_BYTES / 1_048_576)} MB, which is the most for one file.`
}

/** @example sizeOf([oneOfThreeMegabytes]) // '3.0 MB' */
export function sizeOf(files: readonly Pick<File, 'size'>[]): string {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  return bytes < 1_048_576 ? `${Math.ceil(bytes / 1_024)} kB` : `${(bytes / 1_048_576).toFixed(1)} MB`
}
