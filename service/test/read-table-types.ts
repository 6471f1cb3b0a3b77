/** Parses the hand-written table types, as far as they can be compared with a database. */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseAst } from 'vitest/node'

const SOURCE = resolve(import.meta.dirname, '../src')

export interface TypedColumn {
  /** The type in a row that is read: `string`, `number`, `boolean`, `Date`, `Buffer`, `json` or `array`. */
  readonly kind: string
  readonly isNullable: boolean
  /** An insert may omit the column. */
  readonly isOptional: boolean
}

export type TypedTables = Readonly<Record<string, Readonly<Record<string, TypedColumn>>>>

/** The properties that are read from any node of the syntax tree. */
interface Node {
  readonly type: string
  readonly id?: Node
  readonly name?: string
  readonly key?: Node
  readonly body?: Node | readonly Node[]
  readonly literal?: Node
  readonly value?: unknown
  readonly indexType?: Node
  readonly objectType?: Node
  readonly typeName?: Node
  readonly typeAnnotation?: Node
  readonly typeArguments?: { readonly params: readonly Node[] } | null
  readonly types?: readonly Node[]
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

function* nodesOf(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if (isNode(value)) yield value
  for (const child of Object.values(value)) yield* nodesOf(child)
}

const must = <Value>(value: Value | undefined | null, what: string): Value => {
  if (value === undefined || value === null) throw new Error(`A table type that cannot be read: ${what}.`)
  return value
}

/** The properties of an interface, with their types. */
function propertiesOf(node: Node): [name: string, type: Node][] {
  const body = must(Array.isArray(node.body) ? undefined : (node.body as Node | undefined), node.type)
  return (body.body as readonly Node[]).map((property) => [
    must(property.key?.name, 'a property without a plain name'),
    must(property.typeAnnotation?.typeAnnotation, 'a property without a type'),
  ])
}

/** The members of a union, the aliases of the file resolved. */
function membersOf(type: Node, aliases: ReadonlyMap<string, Node>): readonly Node[] {
  if (type.type === 'TSUnionType') return (type.types ?? []).flatMap((member) => membersOf(member, aliases))
  const alias = type.type === 'TSTypeReference' ? aliases.get(type.typeName?.name ?? '') : undefined
  return alias === undefined ? [type] : membersOf(alias, aliases)
}

const KINDS: Record<string, string> = {
  TSStringKeyword: 'string',
  TSNumberKeyword: 'number',
  TSBooleanKeyword: 'boolean',
  TSArrayType: 'array',
}

function kindOf(type: Node): string {
  const kind = KINDS[type.type]
  if (kind !== undefined) return kind
  if (type.type === 'TSLiteralType') return typeof type.literal?.value
  if (type.typeName?.name === 'Record') return 'json'
  // `SomeTable['role']`: such a column has named values.
  if (type.type === 'TSIndexedAccessType') return 'string'
  return must(type.typeName?.name, type.type)
}

function columnOf(type: Node, aliases: ReadonlyMap<string, Node>): TypedColumn {
  const name = type.typeName?.name
  const [select, insert] = type.typeArguments?.params ?? []
  if (name === 'Json') return { kind: 'json', isNullable: false, isOptional: false }
  if (name === 'Nullable')
    return { ...columnOf(must(select, name), aliases), isNullable: true, isOptional: true }
  const read = membersOf(name === 'ColumnType' ? must(select, name) : type, aliases)
  const written = membersOf(name === 'ColumnType' ? must(insert, name) : type, aliases)
  const kinds = new Set(read.filter(({ type: kind }) => kind !== 'TSNullKeyword').map(kindOf))
  if (kinds.size !== 1) throw new Error(`A column of several kinds: ${[...kinds].join(', ')}.`)
  return {
    kind: [...kinds].join(''),
    isNullable: read.some(({ type: kind }) => kind === 'TSNullKeyword'),
    isOptional: written.some(({ type: kind }) => kind === 'TSUndefinedKeyword'),
  }
}

/** The tables of an interface `…Tables`, with the columns of their interfaces `…Table`. */
export function tableTypesOf(text: string): TypedTables {
  const nodes = [...nodesOf(parseAst(text, { lang: 'ts' }))]
  const interfaces = nodes.filter(({ type }) => type === 'TSInterfaceDeclaration')
  const aliases = new Map(
    nodes
      .filter(({ type, id }) => type === 'TSTypeAliasDeclaration' && id?.name !== 'Nullable')
      .map(({ id, typeAnnotation }) => [must(id?.name, 'a type'), must(typeAnnotation, 'a type')]),
  )
  const tables = interfaces.filter(({ id }) => id?.name?.endsWith('Tables')).flatMap(propertiesOf)
  return Object.fromEntries(
    tables.map(([table, reference]) => {
      const name = reference.typeName?.name
      const columns = must(
        interfaces.find(({ id }) => id?.name === name),
        `${table} of another file`,
      )
      return [
        table,
        Object.fromEntries(propertiesOf(columns).map(([column, type]) => [column, columnOf(type, aliases)])),
      ]
    }),
  )
}

/** The tables of all files `…-table.ts` and `…-tables.ts` of the service. */
export function readTableTypes(): TypedTables {
  const files = globSync('**/*-{table,tables}.ts', { cwd: SOURCE })
  const read = files.map((file) => tableTypesOf(readFileSync(join(SOURCE, file), 'utf8')))
  return Object.assign({}, ...read) as TypedTables
}
