import { createHmac, hash } from 'node:crypto'

/** An access key of a storage service. */
export interface AccessKey {
  id: string
  secret: string
  region: string
}

/** SHA-256 of an empty body. */
const NO_BODY = hash('sha256', '')

/** As RFC 3986 has it: `encodeURIComponent` leaves these five alone. */
export const escapeSegment = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/**
 * The headers that sign a GET request (Signature Version 4).
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 *
 * @param url with its path escaped by `escapeSegment`
 * @param now milliseconds since 1970, by our clock: storage services refuse requests that are 15 minutes off
 */
export function signRequest(url: URL, key: AccessKey, now: number): Record<string, string> {
  const time = new Date(now).toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const query = [...url.searchParams]
    .map(([name, value]): [string, string] => [escapeSegment(name), escapeSegment(value)])
    .toSorted(([one], [other]) => (one < other ? -1 : Number(one > other)))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  const headers = { host: url.host, 'x-amz-content-sha256': NO_BODY, 'x-amz-date': time }
  const signed = Object.keys(headers).join(';')
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`)
  const request = ['GET', url.pathname, query, lines.join(''), signed, NO_BODY].join('\n')
  const scope = `${day}/${key.region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, hash('sha256', request)].join('\n')
  const signing = [day, key.region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${key.secret}`)
  const signature = createHmac('sha256', signing).update(text).digest('hex')
  return {
    authorization: `AWS4-HMAC-SHA256 Credential=${key.id}/${scope},SignedHeaders=${signed},Signature=${signature}`,
    'x-amz-content-sha256': NO_BODY,
    'x-amz-date': time,
  }
}
