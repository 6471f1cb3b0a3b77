/** A change, as the management API takes it. */
export interface ApiRequest {
  method: string
  /** From `/api/v1`. */
  path: string
  /** What is sent as JSON; undefined: nothing. */
  body?: unknown
}

/** As one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Fields whose text is a secret, whatever they belong to. */
const SECRET = /api_key|password|secret|token/

/** What stands in the place of a text: the name of its field. */
const placeOf = (field: string): string => `<${field.toUpperCase()}>`

/** Secrets of a request have no place in a clipboard. */
function withoutSecrets(field: string, value: unknown): unknown {
  if (typeof value === 'string') return SECRET.test(field) ? placeOf(field) : value
  if (field !== 'credentials' || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.keys(value).map((name) => [name, placeOf(name)]))
}

/**
 * The command that sends this request with an access token of the environment.
 *
 * @param origin - the address of the service
 */
export function curlOf({ method, path, body }: ApiRequest, origin: string): string {
  const lines = [
    `curl -X ${method} ${quoted(`${origin}${path}`)}`,
    '-H "Authorization: Bearer $CITEWELL_TOKEN"',
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body, withoutSecrets))}`]),
  ]
  return lines.join(' \\\n  ')
}
