import type { SourceConfig } from '@citewell/contract/source-configs'
import { yieldToEventLoop } from '../../../kernel/yield-to-event-loop.ts'
import { mediaTypeOfFile, type ParsedDocument } from '../../parsing/parsing.ts'
import { parseShareOf, type Connector, type ConnectorInput } from '../connector.ts'
import { pathPatterns } from '../glob.ts'
import { openApiClient, perReading, type ApiDeps } from '../rest/api-connector.ts'
import { ApiFailure } from '../rest/api-failure.ts'
import { MAX_FILE_BYTES, requireReadableSize } from '../rest/file-limit.ts'
import { listingConnector, type ReadableItem } from '../rest/listed-items.ts'
import { readObjectList, type StoredObject } from './object-list.ts'
import { escapeSegment, signRequest, type AccessKey } from './sign-request.ts'

export type S3Config = SourceConfig<'s3'>
type Input = ConnectorInput<S3Config>

const NAME = 'The storage'
const CONNECT_AGAIN =
  'Make an access key that may list the bucket and read its objects (s3:ListBucket, s3:GetObject), and enter it here. Check the region, and the clock of this machine.'

/** Lists of one bucket: 1,000 objects each. */
const MAX_ANSWERS = 200
/** A thousand objects with the longest names, escaped, take less than half of it. */
const MAX_LIST_BYTES = 8_388_608
/** Longer keys name no document. */
const MAX_KEY_CHARACTERS = 1_000
const LONG_KEY = `Objects whose name is longer than ${MAX_KEY_CHARACTERS.toLocaleString('en')} characters are left out.`

/** Classes whose objects are at hand; others have to be restored first, which costs money. */
const isArchived = ({ storageClass }: StoredObject) => /^(?:GLACIER|DEEP_ARCHIVE)$/.test(storageClass)

/** The region in the host names of Amazon; other services take any. */
function regionOf({ url, region }: S3Config): string {
  const [, named] =
    /^s3[.-](?:dualstack\.)?([a-z]{2}(?:-[a-z]+){1,2}-\d)\.amazonaws\.com/.exec(new URL(url).host) ?? []
  return region ?? named ?? 'us-east-1'
}

/** The bucket, and the folder of it that is read: the first and the other segments of the path. */
function placeOf({ url }: S3Config): { bucket: string; prefix: string } {
  const [bucket = '', ...folders] = new URL(url).pathname.split('/').slice(1)
  return { bucket, prefix: folders.map((folder) => decodeURIComponent(folder)).join('/') }
}

const escapePath = (key: string) => key.split('/').map(escapeSegment).join('/')

/** Reads the documents in a bucket of Amazon S3, or of a storage that speaks the same. */
export function createS3Connector(deps: ApiDeps): Connector<S3Config> {
  const session = perReading((input: Input) => {
    const { config, credentials } = input
    const { origin } = new URL(config.url)
    const { user: id, password: secret } = credentials ?? {}
    const key: AccessKey | undefined =
      id === undefined || secret === undefined ? undefined : { id, secret, region: regionOf(config) }
    return {
      client: openApiClient(deps, input, {
        name: NAME,
        origin,
        headers: (url) => (key === undefined ? {} : signRequest(url, key, deps.now())),
      }),
      ...placeOf(config),
      include: pathPatterns(config.include),
      exclude: pathPatterns(config.exclude),
      isSignedIn: key !== undefined,
    }
  })

  async function* lists(input: Input, prefix: string): AsyncGenerator<StoredObject[], void, void> {
    const { client, bucket } = session(input)
    let token: string | undefined
    for (let answer = 0; answer < MAX_ANSWERS; answer += 1) {
      const query = { 'encoding-type': 'url', 'list-type': '2', prefix }
      const given = Object.entries({ ...(token !== undefined && { 'continuation-token': token }), ...query })
      const search = given.map(([name, value]) => `${name}=${escapeSegment(value)}`).join('&')
      const xml = new TextDecoder().decode(
        await client.bytes(`/${bucket}?${search}`, { maxBytes: MAX_LIST_BYTES }),
      )
      const list = readObjectList(xml)
      if (list === undefined)
        throw new ApiFailure(
          'unexpected',
          `${NAME} sent something else than a list of objects. Is the address that of the storage, with the name of the bucket behind it?`,
        )
      yield list.objects
      if (list.next === undefined) return
      // Taken for whole, what is missing in the list would be removed.
      if (list.next === '' || list.next === token)
        throw new ApiFailure('unexpected', `${NAME} cut off a list: it does not say where it goes on.`)
      token = list.next
    }
    throw new ApiFailure('unexpected', `${NAME} lists more objects than are read of one bucket.`)
  }

  /** Why an object is no document of this source; undefined if it is one. */
  function leftOut(input: Input, { key, ...object }: StoredObject): string | undefined {
    const { prefix, include, exclude } = session(input)
    const path = key.slice(prefix.length)
    if (mediaTypeOfFile(key) === undefined) return 'not a document'
    if (key.length > MAX_KEY_CHARACTERS) return LONG_KEY
    // An address cannot have them, so neither can the request.
    if (key.split('/').some((segment) => segment === '.' || segment === '..')) return 'its name is no address'
    // The database does not take them.
    if (/\p{Cc}/u.test(key) || !key.isWellFormed()) return 'its name is no address'
    if (isArchived({ key, ...object })) return 'it is archived'
    if (exclude.find(path) !== undefined) return 'excluded by a pattern'
    if (input.config.include.length > 0 && include.find(path) === undefined)
      return 'no include pattern matches'
    return undefined
  }

  const placed = (input: Input, key: string) => `/${session(input).bucket}/${escapePath(key)}`

  /** Where the bucket is published, or the object itself. */
  function addressOf(input: Input, key: string): string {
    const { site_url: site, url } = input.config
    if (site === null) return new URL(placed(input, key), url).href
    const path = key.slice(session(input).prefix.length).replace(/^\//, '')
    return `${site.replace(/(?<!\/)\/+$/, '')}/${escapePath(path)}`
  }

  async function readObject(input: Input, { key, bytes: size }: StoredObject): Promise<ParsedDocument> {
    requireReadableSize(size)
    const bytes = await session(input).client.bytes(placed(input, key), { maxBytes: MAX_FILE_BYTES })
    const file = { mediaType: mediaTypeOfFile(key) ?? 'text/plain', bytes, url: addressOf(input, key) }
    return (await deps.parse(file, input.signal, parseShareOf(input))).document
  }

  function itemOf(input: Input, object: StoredObject): ReadableItem {
    const url = addressOf(input, object.key)
    // Without a key, it reads what everyone may read. Who else may read what a key opens is not told.
    const isPublished = !session(input).isSignedIn || input.config.publish_all
    const visibility = isPublished ? 'as-source' : 'restricted'
    return {
      externalId: object.key,
      url,
      changed: JSON.stringify([object.etag, object.bytes, url, visibility]),
      visibility,
      read: async () => ({ document: await readObject(input, object), modified: object.modified }),
    }
  }

  return listingConnector('s3', CONNECT_AGAIN, {
    async *parts(input) {
      const { prefix } = session(input)
      let listed = 0
      for await (const objects of lists(input, prefix)) {
        listed += objects.length
        const chosen: ReadableItem[] = []
        for (const object of objects) {
          await yieldToEventLoop()
          const reason = leftOut(input, object)
          if (reason === undefined) chosen.push(itemOf(input, object))
          else if (reason === LONG_KEY) input.onLimit?.(reason, object.key)
          else if (!object.key.endsWith('/')) input.onLeftOut?.(addressOf(input, object.key), reason)
        }
        yield chosen
      }
      // Taken for an empty folder, a misspelt one would empty the source.
      if (listed === 0 && prefix !== '')
        throw new ApiFailure(
          'refused',
          `${NAME} has no object whose name begins with ${prefix}. Check the address of the source; if everything there was deleted, delete the source.`,
        )
    },
    one: async (input, externalId) => {
      // The object itself comes first among those whose names begin with its own.
      const first = await lists(input, externalId).next()
      const object = (first.done === true ? [] : first.value).find(({ key }) => key === externalId)
      const { prefix } = session(input)
      const isRead = object?.key.startsWith(prefix) === true && leftOut(input, object) === undefined
      return isRead ? itemOf(input, object) : undefined
    },
    addressOf,
    check: async (input) => {
      const { isSignedIn, bucket, prefix } = session(input)
      const first = await lists(input, prefix).next()
      const objects = first.done === true ? [] : first.value
      const documents = objects.filter((object) => leftOut(input, object) === undefined)
      const more = objects.length >= 1_000 ? ' or more' : ''
      const [one] = documents
      // Listing and reading are two rights.
      if (one !== undefined)
        await session(input).client.bytes(placed(input, one.key), { maxBytes: MAX_FILE_BYTES })
      return {
        account: isSignedIn ? `the access key ${input.credentials?.user ?? ''}` : 'not signed in',
        sees: [
          `${objects.length}${more} objects in ${bucket}/${prefix}, ${documents.length} of them documents`,
        ],
        missing: missingOf(input, documents.length),
      }
    },
  })
}

function missingOf({ config, credentials }: Input, documents: number): string[] {
  if (documents === 0) return ['There is no document in this place that can be read.']
  if (credentials?.user === undefined || config.publish_all) return []
  return [
    'What is read with an access key is restricted, so public answers use none of it. If these documents are meant for everyone, set publish_all.',
  ]
}
