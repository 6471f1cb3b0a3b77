import { takesIdempotencyKey, type Endpoint } from '@citewell/contract/endpoint'
import { ALL_ENDPOINTS } from '@citewell/contract/all-endpoints'
import { z } from 'zod'
import { docOf, typeOfSchema, type JsonSchema } from './type-of-schema.ts'

const PREFIX = '/api/v1'
const HEADER = '// Made by `npm run sdk-files` from the endpoints of the contract. Do not edit.\n'

const operations: readonly Endpoint[] = ALL_ENDPOINTS.filter(({ caller }) => caller === 'access-token')

const isStream = ({ answer }: Endpoint) => 'events' in answer

/** `GET? /sources`: see the comment of the written table. */
function routeOf(endpoint: Endpoint): string {
  const marks = [
    endpoint.query === undefined ? '' : '?',
    endpoint.body === undefined ? '' : '=',
    takesIdempotencyKey(endpoint) ? '+' : '',
    isStream(endpoint) ? '~' : '',
  ]
  return `${endpoint.method}${marks.join('')} ${endpoint.path.slice(PREFIX.length)}`
}

/** `sdk/src/routes.ts` */
export const sdkRoutes = (): string =>
  [
    HEADER,
    '/**',
    ' * Every operation of the management API: its method, marks, and path after `/api/v1`. `?` takes a query, `=` a body, `+` an',
    ' * `Idempotency-Key`, and `~` answers with a stream.',
    ' */',
    'export const ROUTES = {',
    ...operations.map((endpoint) => `  ${endpoint.operationId}: '${routeOf(endpoint)}',`),
    '} as const\n',
  ].join('\n')

type Direction = 'input' | 'output'

/** Collects the named types that a set of schemas refers to. */
function createNames() {
  const found = new Map<string, { input?: string; output?: string; description: string | undefined }>()
  const plain = (ref: string) => ref.slice('#/$defs/'.length)

  function read(schema: z.ZodType, io: Direction): string {
    const json = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema
    const nameOf = (ref: string) => `${plain(ref)}:${io};`
    for (const [name, one] of Object.entries(json.$defs ?? {})) {
      const entry = found.get(name) ?? { description: one.description }
      entry[io] = typeOfSchema(one, '', nameOf)
      found.set(name, entry)
    }
    return typeOfSchema(json, '', nameOf)
  }

  /** Whether what is sent differs from what is read, because of a default or in a type that it refers to. */
  function differs(name: string, seen: ReadonlySet<string> = new Set()): boolean {
    const { input, output } = found.get(name) ?? {}
    if (input === undefined || output === undefined || seen.has(name)) return false
    if (input.replaceAll(':input;', '') !== output.replaceAll(':output;', '')) return true
    return [...input.matchAll(/(?<to>\w+):input;/g)].some(({ groups }) =>
      differs(groups?.['to'] ?? '', new Set([...seen, name])),
    )
  }
  const settle = (text: string) =>
    text
      .replaceAll(/(?<name>\w+):input;/g, (_, name: string) => (differs(name) ? `${name}Input` : name))
      .replaceAll(/(?<name>\w+):output;/g, '$<name>')
  const declare = (name: string, text: string, description: string | undefined) => {
    const type = settle(text)
    const head =
      /^\{[^]*\n\}$/.test(type) && !/^\}/m.test(type.slice(0, -1))
        ? `export interface ${name} `
        : `export type ${name} = `
    return `${docOf(description, '')}${head}${type}\n`
  }
  return {
    read,
    settle,
    declarations: () =>
      [...found.keys()].toSorted().flatMap((name) => {
        const { input, output, description } = found.get(name) ?? { description: undefined }
        const main = declare(name, output ?? input ?? '', description)
        return differs(name) ? [main, declare(`${name}Input`, input ?? '', description)] : [main]
      }),
  }
}

const camel = (name: string) =>
  name.replaceAll(/_(?<letter>\w)/g, (_, letter: string) => letter.toUpperCase())

function methodOf(endpoint: Endpoint, read: (schema: z.ZodType, io: Direction) => string): string {
  const { answer, operationId, path, query, body, isBodyOptional, summary, description } = endpoint
  const args = [...path.matchAll(/\{(?<name>\w+)\}/g)].map(
    ({ groups }) => `${camel(groups?.['name'] ?? '')}: string`,
  )
  const isQueryNeeded = query !== undefined && !query.safeParse({}).success
  if (body !== undefined) args.push(`body${isBodyOptional === true ? '?' : ''}: ${read(body, 'input')}`)
  if (query !== undefined) args.push(`query${isQueryNeeded ? '' : '?'}: ${read(query, 'input')}`)
  args.push('options?: CallOptions')
  const text = `${summary}.${description === undefined ? '' : ` ${description}`}`
  let result = 'Promise<void>'
  if ('events' in answer) {
    // An error frame is thrown.
    result = `AsyncGenerator<Exclude<${read(answer.events, 'output')}, StreamError>, void, void>`
  } else if ('body' in answer) {
    const type = read(answer.body, 'output')
    result = type.includes('Page:') ? `PagePromise<${type}>` : `Promise<${type}>`
  } else if ('text' in answer) result = 'Promise<string>'
  const indented = args.map((arg) => arg.replaceAll('\n', '\n  '))
  return `${docOf(text, '  ')}  ${operationId}(${indented.join(', ')}): ${result}\n`
}

/** `sdk/src/management-api.ts` */
export function sdkTypes(): string {
  const names = createNames()
  const methods = operations.map((endpoint) => names.settle(methodOf(endpoint, names.read)))
  return [
    HEADER,
    "import type { CallOptions, PagePromise } from './management-call.ts'\n",
    '/** Every operation of the management API. Fields have the names of the reference (`/docs`). */',
    `export interface ManagementApi {\n${methods.join('')}}\n`,
    ...names.declarations(),
  ].join('\n')
}
