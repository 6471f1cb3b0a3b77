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

/** Secrets of a request have no place in a clipboard. */
const withoutSecrets = (field: string, value: unknown): unknown =>
  field === 'api_key' && typeof value === 'string' ? '<API_KEY>' : value

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
