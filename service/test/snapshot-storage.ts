import type { Storage } from '../src/platform/storage/storage.ts'

/** Columns that change by reading alone, and tables that background work fills. */
const WITHOUT_COLUMNS = ['last_used_at', 'last_seen_at', 'last_seen_origin']
const WITHOUT_TABLES = ['suggested_questions']

/**
 * The number of rows and a hash of every table: two snapshots are equal if nothing was changed between them.
 */
export async function snapshotStorage(storage: Storage): Promise<Record<string, string>> {
  const { rows } = await storage.execute(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  )
  const tables = rows
    .map((row) => String(row['name']))
    .filter((name) => !WITHOUT_TABLES.includes(name))
    .toSorted()
  const without = WITHOUT_COLUMNS.map((column) => ` - '${column}'`).join('')
  const each = tables.map(
    (name) => `select '${name}' as name, count(*) || ' ' ||
      coalesce(md5(string_agg(md5((to_jsonb(t)${without})::text), '' order by md5((to_jsonb(t)${without})::text))), '') as content
      from "${name}" t`,
  )
  const contents = await storage.execute(each.join(' union all '))
  return Object.fromEntries(contents.rows.map((row) => [String(row['name']), String(row['content'])]))
}
