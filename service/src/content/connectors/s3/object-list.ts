import { decodeXmlEntities } from '../../../kernel/xml-entities.ts'

/** An object in the list of a bucket. */
export interface StoredObject {
  key: string
  etag: string
  /** ISO 8601. */
  modified: string
  bytes: number
  /** Empty: the usual one. */
  storageClass: string
}

export interface ObjectList {
  objects: StoredObject[]
  /** Where the list goes on; undefined at its end. */
  next: string | undefined
}

/** Objects of one answer: S3 sends a thousand at most. */
const MAX_OBJECTS = 10_000
/** Characters of a key: S3 allows 1,024 bytes, which are three times as long if they are escaped. */
const MAX_KEY_CHARACTERS = 3_072

/** What elements of a name contain, one after another. */
function* insideOf(xml: string, name: string): Generator<string, void, void> {
  let at = 0
  for (;;) {
    const open = xml.indexOf(`<${name}>`, at)
    const close = open < 0 ? -1 : xml.indexOf(`</${name}>`, open)
    if (close < 0) return
    yield xml.slice(open + name.length + 2, close)
    at = close
  }
}

const textIn = (xml: string, name: string): string =>
  decodeXmlEntities(insideOf(xml, name).next().value ?? '')

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '))
  } catch {
    return key
  }
}

/**
 * Reads an answer to `ListObjectsV2`. https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
 * @returns undefined if it is none
 */
export function readObjectList(xml: string): ObjectList | undefined {
  if (!xml.slice(0, 1_000).includes('<ListBucketResult')) return undefined
  const isEscaped = textIn(xml, 'EncodingType') === 'url'
  const objects: StoredObject[] = []
  let entries = 0
  for (const entry of insideOf(xml, 'Contents')) {
    entries += 1
    if (entries > MAX_OBJECTS) break
    const key = textIn(entry, 'Key')
    if (key === '' || key.length > MAX_KEY_CHARACTERS) continue
    objects.push({
      key: isEscaped ? unescaped(key) : key,
      etag: textIn(entry, 'ETag').slice(0, 200),
      modified: textIn(entry, 'LastModified').slice(0, 50),
      bytes: Number(textIn(entry, 'Size')) || 0,
      storageClass: textIn(entry, 'StorageClass').slice(0, 50),
    })
  }
  const isCut = textIn(xml, 'IsTruncated') === 'true'
  return { objects, next: isCut ? textIn(xml, 'NextContinuationToken') : undefined }
}
