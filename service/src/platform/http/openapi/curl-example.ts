import type { Endpoint } from '@citewell/contract/endpoint'

const CREDENTIAL: Record<Endpoint['caller'], string | undefined> = {
  'access-token': 'Authorization: Bearer $TOKEN',
  'public-key': 'X-Client-Key: $KEY',
  platform: undefined,
  nobody: undefined,
}

/** `/sources/{id}` becomes `/sources/$SOURCE_ID`: a shell variable with a meaningful name. */
const withVariables = (path: string) =>
  path.replaceAll(/(?<![a-z-])([a-z-]+)\/\{(\w+)\}/g, (_, before: string, name: string) => {
    const noun = before.replace(/s$/, '').replaceAll('-', '_')
    const variable = name === 'id' ? `${noun}_id` : name.replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    return `${before}/$${variable.toUpperCase()}`
  })

/** Text in single quotes for a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** A command line that calls an endpoint, ready to be pasted. */
export function curlExample(endpoint: Endpoint, publicUrl: string, body: unknown): string {
  const { method, path, answer } = endpoint
  const credential = CREDENTIAL[endpoint.caller]
  const isPlain = method === 'GET' || (method === 'POST' && body !== undefined)
  const lines = [
    `curl ${'events' in answer ? '-N ' : ''}${isPlain ? '' : `-X ${method} `}"${publicUrl}${withVariables(path)}"`,
  ]
  if (credential !== undefined) lines.push(`-H "${credential}"`)
  if (endpoint.bodyIs === 'files') lines.push('-F file=@handbook.pdf')
  else if (body !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body, null, 2))}`)
  }
  return lines.join(' \\\n  ')
}
