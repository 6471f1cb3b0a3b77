import { canParse, mediaTypeOfFile } from '../parsing/parsing.ts'

/** Types that do not identify the format, so that the file name decides. */
const GENERIC_TYPES = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'text/plain'])

/** File extensions that are never documents; skipping them saves requests. */
const NON_DOCUMENT_EXTENSIONS = new Set(
  (
    'png jpg jpeg gif svg svgz webp avif ico bmp tif tiff css js mjs map wasm json jsonl yml yaml toml xml rss atom csv tsv ' +
    'woff woff2 ttf otf eot mp3 mp4 m4a m4v webm ogg ogv wav flac avi mov zip gz tgz tar bz2 xz zst 7z rar jar war whl deb ' +
    'rpm apk dmg pkg iso exe msi bin so dll class inv asc sig sha1 sha256 sha512 md5 c h cc cpp hpp py rb go rs java kt ts ' +
    'tsx jsx sh bat ps1 sql db sqlite patch diff epub odt ppt pptx xls xlsx'
  ).split(' '),
)

const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/** Returns `html` for `/a/b.HTML`; empty if there is no extension. Version numbers (`/v1.2`, `/3.11`) are not extensions. */
export function extensionOf(path: string): string {
  const name = baseName(path)
  const dot = name.lastIndexOf('.')
  const extension = dot <= 0 ? '' : name.slice(dot + 1).toLowerCase()
  return /^\d+$/.test(extension) ? '' : extension
}

/** Whether the file name shows that it is not a document: an image, an archive, a script. */
export function isNeverDocument(path: string): boolean {
  return NON_DOCUMENT_EXTENSIONS.has(extensionOf(path))
}

/** Parses a `Content-Type` field: `text/html; charset="UTF-8"` gives `['text/html', 'UTF-8']`. */
export function readContentType(field: string): { type: string; charset: string | undefined } {
  const [type = '', ...parameters] = field.split(';')
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^";\s]+)/i.exec(parameter)?.[1])
    .find(Boolean)
  return { type: type.trim().toLowerCase(), charset }
}

/**
 * The media type to parse a response as, from its `Content-Type` and its address; undefined if it cannot be parsed. Plain text is accepted
 * only for names that may be prose: servers send source code as plain text too.
 */
export function documentTypeOf(contentType: string, path: string): string | undefined {
  const named = mediaTypeOfFile(path)
  if (!GENERIC_TYPES.has(contentType)) return canParse(contentType) ? contentType : undefined
  if (named !== undefined && (contentType !== 'text/plain' || named !== 'text/html')) return named
  return contentType === 'text/plain' && (named !== undefined || extensionOf(path) === '')
    ? 'text/plain'
    : undefined
}
