/**
 * Embedded databases that tests use one after the other. Opening one takes more than a second of the processor, and a new one runs its
 * first statements slowly; emptying one that was used takes a tenth of that.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  startPglite,
  type PgliteClient,
  type Session,
} from '../src/platform/storage/embedded/pglite-client.ts'
import { StorageUnavailable } from '../src/platform/storage/storage-unavailable.ts'

/** What a database is that nobody has used: the same for all from one template. */
interface Beginning {
  schema: string
  /** Rows that every database starts with, as JSON, by table. */
  firstRows: ReadonlyMap<string, string>
  /** What is created later has a higher one. */
  lastOid: number
}

interface Engine {
  client: PgliteClient
  uses: number
  /** It ended by itself once: what it holds is not known. */
  hasEnded: boolean
}

/** Files of an emptied database do not become smaller in all cases. */
const MOST_USES = 40

/** Few tests use more at the same time. Each takes 150 MB. */
const MOST_KEPT = 2

/** What a test left running may hold the session for as long. */
const MAX_WAIT_FOR_HOLDER_MS = 2_000

const kept: Engine[] = []
let beginning: Promise<Beginning> | undefined

/** An empty database with the schema, for one user. After its end every statement is refused, like those of a closed database. */
export async function borrowEngine(templateFile: string): Promise<PgliteClient> {
  const engine = kept.pop() ?? (await openEngine(templateFile))
  engine.uses += 1
  const { client } = engine
  let returned: Promise<void> | undefined
  return {
    ...client,
    acquire: async () => {
      if (returned !== undefined) throw new StorageUnavailable('closed')
      const session = await client.acquire()
      if (returned === undefined) return session
      session.release()
      throw new StorageUnavailable('closed')
    },
    close: () => (returned ??= takeBack(engine)),
  }
}

async function openEngine(templateFile: string): Promise<Engine> {
  const engine = { uses: 0, hasEnded: false }
  const client = startPglite({ directory: undefined, template: templateFile, isDurable: false }, () => {
    engine.hasEnded = true
  })
  await client.opened()
  client.limitStatements()
  await (beginning ??= readBeginning(client))
  return Object.assign(engine, { client })
}

async function readBeginning(client: PgliteClient): Promise<Beginning> {
  const session = await client.acquire()
  const firstRows = new Map<string, string>()
  for (const table of await filledTables(session)) {
    const { rows } = await session.query(`select json_agg(t)::text as rows from ${table} t`, [])
    firstRows.set(table, String(rows[0]?.['rows']))
  }
  const { rows } = await session.query(
    `select greatest((select max(oid) from pg_class), (select max(oid) from pg_proc), (select max(oid) from pg_trigger)) as oid`,
    [],
  )
  const schema = await schemaOf(session)
  session.release()
  return { schema, firstRows, lastOid: Number(rows[0]?.['oid']) }
}

/** Empties it for the next one, or closes it if that is not possible. */
async function takeBack(engine: Engine): Promise<void> {
  const { client } = engine
  if (kept.length < MOST_KEPT && engine.uses < MOST_USES && (await isEmptied(engine))) kept.push(engine)
  else await client.close()
}

async function isEmptied(engine: Engine): Promise<boolean> {
  const late = sleep(MAX_WAIT_FOR_HOLDER_MS, undefined, { ref: false })
  const acquired = engine.client.acquire()
  acquired.catch(() => undefined)
  try {
    const session = await Promise.race([acquired, late])
    // Its holder may come to an end later; the database is closed by then.
    if (session === undefined || engine.hasEnded || beginning === undefined) return false
    try {
      const { schema, firstRows, lastOid } = await beginning
      await session.exec('rollback; reset all; select pg_advisory_unlock_all(); discard temp; unlisten *')
      await dropNew(session, lastOid)
      if ((await schemaOf(session)) !== schema) return false
      await empty(session, firstRows)
      return true
    } finally {
      session.release()
    }
  } catch {
    return false
  }
}

/** Tables have the statistics of a new one afterwards: the planner would choose other plans for a table that it knows to be empty. */
async function empty(session: Session, firstRows: ReadonlyMap<string, string>): Promise<void> {
  const tables = await filledTables(session)
  // Truncating them would truncate all that refer to them, whose indexes are many: a tenth of a second.
  await session.exec(`set session_replication_role = replica`)
  await session.exec(tables.map((table) => `delete from ${table}`).join(';'))
  for (const [table, rows] of firstRows) {
    await session.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [
      rows,
    ])
  }
  await session.exec('reset session_replication_role')
  await session.exec(`vacuum ${tables.join(', ')}`)
  await session.exec(`
    update pg_class set reltuples = -1, relpages = 0, relallvisible = 0 where oid in (${tables.map((table) => `'${table}'::regclass`).join(', ')});
    delete from pg_statistic where starelid >= ${FIRST_OWN_OID};
    select setval(oid::regclass, 1, false) from pg_class where relkind = 'S' and oid >= ${FIRST_OWN_OID}
  `)
}

/** PostgreSQL's own tables have smaller ones. */
const FIRST_OWN_OID = 16_384

/** Tables that have had a row. */
async function filledTables(session: Session): Promise<string[]> {
  const { rows } = await session.query(
    `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and c.oid >= ${FIRST_OWN_OID} and n.nspname !~ '^pg_' and pg_relation_size(c.oid) > 0`,
    [],
  )
  return rows.map(({ name }) => String(name))
}

/** Each base that was indexed has partitions of its own; a test adds triggers that refuse something, and their functions. */
async function dropNew(session: Session, lastOid: number): Promise<void> {
  const { rows } = await session.query(
    `select 1 as turn, format('drop trigger %I on %s', tgname, tgrelid::regclass) as statement
       from pg_trigger where oid > ${lastOid} and not tgisinternal and tgparentid = 0
     union all select 2, format('drop function %s', oid::regprocedure) from pg_proc where oid > ${lastOid}
     union all select 3, format('drop table %s', oid::regclass)
       from pg_class where oid > ${lastOid} and relkind = 'r' and relnamespace = 'public'::regnamespace
     order by turn`,
    [],
  )
  if (rows.length > 0) await session.exec(rows.map(({ statement }) => String(statement)).join(';'))
}

/** A test may have changed more of it. */
async function schemaOf(session: Session): Promise<string> {
  const { rows } = await session.query(
    `select concat_ws(' ',
       (select md5(string_agg(concat_ws(',', oid, relname, relnatts), ';' order by oid)) from pg_class where relpersistence = 'p' and oid >= ${FIRST_OWN_OID}),
       (select md5(string_agg(concat_ws(',', oid, proname, md5(prosrc)), ';' order by oid)) from pg_proc where oid >= ${FIRST_OWN_OID}),
       (select md5(string_agg(concat_ws(',', oid, tgname, tgenabled), ';' order by oid)) from pg_trigger),
       (select md5(string_agg(concat_ws(',', oid, conname, convalidated), ';' order by oid)) from pg_constraint where oid >= ${FIRST_OWN_OID})) as schema`,
    [],
  )
  return String(rows[0]?.['schema'])
}
