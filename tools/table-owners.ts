import { globSync, readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { FLOORS, placeOf } from './floors.ts'

const SERVICE = resolve(import.meta.dirname, '../service/src')

export interface Declaration {
  readonly table: string
  readonly room: string
}

/** The tables of `interface Tables` in each `…-table.ts` and `…-tables.ts`, with the room of the file. */
export const DECLARATIONS: readonly Declaration[] = globSync('**/*-{table,tables}.ts', {
  cwd: SERVICE,
}).flatMap((path) => {
  const [, tables = ''] =
    /interface Tables \{\n([^}]*)\}/.exec(readFileSync(join(SERVICE, path), 'utf8')) ?? []
  const room = path.split(sep).slice(0, 2).join('/')
  return [...tables.matchAll(/^\s+(\w+):/gm)].map(([, table = '']) => ({ table, room }))
})

/** The room that declares each table, and writes it. */
export const TABLE_OWNERS: Readonly<Record<string, string>> = Object.fromEntries(
  DECLARATIONS.map(({ table, room }) => [table, room]),
)

/** Tables of other rooms of its floor, or of a higher one, that a room names nevertheless. */
export interface TableException {
  readonly room: string
  readonly tables: readonly string[]
  readonly because: string
}

/** `tools/table-owners.test.ts` fails on a table that its room does not name. */
export const TABLE_EXCEPTIONS: readonly TableException[] = [
  {
    room: 'accounts/access-tokens',
    tables: ['workspace_members', 'knowledge_base_grants'],
    because:
      'one statement finds a token with the workspaces and grants of its owner, on every request of the management API',
  },
  {
    room: 'accounts/activity-log',
    tables: ['workspace_members', 'users', 'access_tokens'],
    because:
      'reads who acted and whom it concerned; those rooms record their activity here, and cannot be asked',
  },
  {
    room: 'accounts/allowance',
    tables: ['workspaces', 'knowledge_bases'],
    because: 'one statement counts a question only within the limit of its workspace',
  },
  {
    room: 'accounts/client-keys',
    tables: ['knowledge_bases', 'workspaces'],
    because:
      'one statement finds a key with its base and the settings of its questions, on every public request',
  },
  {
    room: 'accounts/external-identities',
    tables: ['user_passwords'],
    because: 'whether a person has another way to sign in is one statement; passwords imports this room',
  },
  {
    room: 'accounts/grants',
    tables: ['workspace_members', 'knowledge_bases', 'workspaces'],
    because:
      'what a member may read, with the settings of its questions, is one statement, on every request to the portal',
  },
  {
    room: 'accounts/knowledge-bases',
    tables: ['workspaces'],
    because:
      'locks the workspace whose plan limits its bases, and suspends it with them; opens a base with the settings of its questions',
  },
  {
    room: 'accounts/members',
    tables: ['workspaces', 'users', 'access_tokens'],
    because: 'invites and removes people in the transaction that counts and locks them',
  },
  {
    room: 'accounts/passwords',
    tables: ['users'],
    because: 'finds a password by the e-mail address of its person',
  },
  {
    room: 'accounts/people',
    tables: ['workspace_members'],
    because: 'a person counts as one only as a member of a workspace',
  },
  {
    room: 'accounts/sessions',
    tables: ['users', 'user_passwords', 'outside_identities'],
    because:
      'a session begins only if its proof is still valid, in one statement; it is read with its person on every page',
  },
  {
    room: 'accounts/storage-quota',
    tables: ['workspaces', 'knowledge_bases'],
    because: 'one statement finds the quota of a base by its workspace and plan',
  },
  {
    room: 'accounts/workspaces',
    tables: ['workspace_members', 'users', 'knowledge_bases'],
    because:
      'makes the first workspace with its owner, reads a person with their workspaces, and counts what workspaces have for the operator',
  },
  {
    room: 'content/addresses',
    tables: ['documents', 'sources'],
    because: 'the condition for what has a page here, used inside the statements of several rooms',
  },
  {
    room: 'content/custom-answers',
    tables: ['documents', 'sources'],
    because: 'an answer is read with its document and source, which its transaction moves and deletes',
  },
  {
    room: 'content/documents',
    tables: ['sources', 'chunks', 'source_files'],
    because:
      'documents are read with their sources and passages, and a pushed file is deleted with its document',
  },
  {
    room: 'content/indexing',
    tables: ['documents', 'sources'],
    because: 'publishes a version in the statement that makes it visible, under locks on source and document',
  },
  {
    room: 'content/search',
    tables: ['sources', 'documents'],
    because:
      'narrows a search to sources by version, and counts the pages of its scope, in its own statements',
  },
  {
    room: 'content/source-groups',
    tables: ['sources'],
    because: 'takes a deleted group from its sources in the same transaction',
  },
  {
    room: 'content/sources',
    tables: ['documents', 'syncs'],
    because:
      'counts documents and reads last syncs in the statement that lists sources; visibility moves both together',
  },
  {
    room: 'content/syncs',
    tables: ['sources', 'documents', 'held_documents'],
    because:
      'claims a sync with its source in one statement, and compares what is there, live or held, with what was read',
  },
  {
    room: 'answers/analytics',
    tables: ['messages', 'threads', 'feedback', 'mcp_feedback', 'deflections'],
    because: 'counts over everything that was asked; `deflections` is the one table of a higher floor',
  },
  {
    room: 'answers/conversations',
    tables: ['feedback'],
    because: 'conversations are listed and filtered with the votes on their answers',
  },
  {
    room: 'answers/feedback',
    tables: ['messages'],
    because: 'ratings are listed with the questions that were answered',
  },
  {
    room: 'answers/evaluation',
    tables: ['messages', 'feedback'],
    because: 'takes questions whose answers were rated up, with the pages that these cite, in one statement',
  },
  {
    room: 'answers/knowledge-gaps',
    tables: ['messages', 'threads', 'feedback'],
    because:
      'a question is one of a gap as long as its answer is not covered or rated down: each statement says so',
  },
  {
    room: 'answers/traces',
    tables: ['messages', 'threads', 'feedback'],
    because: 'a trace is a column of its message; they are listed with their ratings',
  },
  {
    room: 'channels/base-events',
    tables: ['approvals', 'simulations'],
    because: 'one statement sees whether any list of a base has changed, once a second while it is followed',
  },
  {
    room: 'channels/mcp',
    tables: ['mcp_servers'],
    because: 'one statement finds a server by its address with its base, on every MCP call',
  },
  {
    room: 'channels/oauth',
    tables: ['mcp_servers'],
    because: 'the server and base that a tool asks for are one statement',
  },
  {
    room: 'channels/public-api',
    tables: ['widgets'],
    because: 'checks the widget of a question; the routes of widgets import this room',
  },
  {
    room: 'platform/storage',
    tables: ['widgets'],
    because: 'a cast lets one table stand for every table of records',
  },
]

/** What an expression of kysely or a piece of SQL says, as far as the rule reads it. */
interface Node {
  readonly type: string
  readonly name?: string
  readonly value?: unknown
  readonly tag?: Node
  readonly quasi?: { readonly quasis: readonly { readonly value: { readonly raw: string } }[] }
  readonly callee?: Node
  readonly property?: Node
  readonly arguments?: readonly Node[]
  readonly elements?: readonly (Node | null)[]
  readonly typeName?: Node
  readonly typeArguments?: { readonly params: readonly Node[] } | null
  readonly objectType?: Node
  readonly indexType?: Node
  readonly literal?: Node
  readonly types?: readonly Node[]
}

/** Methods of kysely whose first argument is a table, and functions of `platform/storage/` that get one. */
const NAMES_TABLE =
  /^(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|from|using|table|(?:inner|left|right|full|cross)Join(?:Lateral)?)$/
const RECORD_FUNCTION =
  /^(?:findBaseOf|findRecord|listRecords|insertRecord|updateRecord|deleteRecord|countRecords|nameRecords|claimRun|renewRun|releaseRun|cancelRun|requeueRuns|touchIn)$/

const isTable = (name: string) => Object.hasOwn(TABLE_OWNERS, name)

/** The tables in SQL. A name after a dot is that of a column, one after `as` an alias. */
function tablesInSql(text: string): string[] {
  const names = text.replaceAll(/--.*|'[^']*'/g, ' ').matchAll(/(?<![\w.]|\bas\s+)[a-z]\w*/g)
  return [...names].map(([name]) => name).filter(isTable)
}

function stringsOf(node: Node | null | undefined): string[] {
  if (node === null || node === undefined) return []
  if (typeof node.value === 'string') return [node.value]
  return (node.elements ?? []).flatMap(stringsOf)
}

/** What a call says about tables: the first argument, or one of the first two. */
function tablesGiven({ callee, arguments: given = [] }: Node): string[] {
  const name = callee?.property?.name ?? callee?.name ?? ''
  if (RECORD_FUNCTION.test(name)) return given.slice(0, 2).flatMap(stringsOf)
  return NAMES_TABLE.test(name) ? stringsOf(given[0]) : []
}

/** The tables that a node of the syntax tree reads or writes. */
export function tablesUsed(node: Node): string[] {
  if (node.type === 'CallExpression')
    return tablesGiven(node)
      .flatMap((table) => table.split(' as ', 1))
      .filter(isTable)
  if (node.type !== 'TaggedTemplateExpression' || node.tag?.name !== 'sql') return []
  return (node.quasi?.quasis ?? []).flatMap(({ value }) => tablesInSql(value.raw))
}

const literalsOf = (node: Node | undefined): string[] => [
  ...(typeof node?.literal?.value === 'string' ? [node.literal.value] : []),
  ...(node?.types ?? []).flatMap(literalsOf),
]

/** The tables that a type names: `Db<'a' | 'b'>`, `Tables['a']`. */
export function tablesTyped(node: Node): string[] {
  if (node.type === 'TSTypeReference' && node.typeName?.name === 'Db')
    return (node.typeArguments?.params ?? []).flatMap(literalsOf).filter(isTable)
  if (node.type === 'TSIndexedAccessType' && node.objectType?.typeName?.name === 'Tables')
    return literalsOf(node.indexType).filter(isTable)
  return []
}

const floorOf = (room: string) => FLOORS.indexOf(room.split('/', 1)[0] ?? '')

/** The exception that allows a file (absolute path) to use a table; undefined: there is none. */
export function exceptionFor(file: string, table: string): TableException | undefined {
  const { floor, room } = placeOf(file)
  return TABLE_EXCEPTIONS.find(
    (exception) => exception.room === `${floor}/${room}` && exception.tables.includes(table),
  )
}

/**
 * What is wrong with a file (absolute path) naming a table; undefined: nothing.
 *
 * @param how in a statement, for which a table of the same floor needs an exception, or in a type
 */
export function judgeTable(file: string, table: string, how: 'used' | 'typed'): string | undefined {
  const { path, floor, rank, room } = placeOf(file)
  const owner = TABLE_OWNERS[table] ?? ''
  const isFree = rank < 0 || path.endsWith('.test.ts') || path.startsWith('platform/storage/migrations/')
  if (isFree || owner === `${floor}/${room}`) return undefined
  const isBelow = how === 'used' ? floorOf(owner) < rank : floorOf(owner) <= rank
  if (isBelow || exceptionFor(file, table) !== undefined) return undefined
  return `${floor}/${room ?? ''} may not name the table ${table} of ${owner}: ask that room, or add an exception to tools/table-owners.ts`
}
