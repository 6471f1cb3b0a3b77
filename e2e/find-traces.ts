import { closeSync, globSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openEmbeddedStorage } from '../service/src/platform/storage/storage.ts'

/** All text in every table of the database in a data directory. */
export async function dumpTables(dataDirectory: string): Promise<Map<string, string>> {
  const storage = await openEmbeddedStorage({ directory: join(dataDirectory, 'database'), isDurable: true })
  try {
    const { rows } = await storage.execute(
      `select table_schema || '.' || table_name as name from information_schema.tables
       where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
    )
    const texts = new Map<string, string>()
    for (const { name } of rows) {
      const [schema, table] = String(name).split('.')
      const found = await storage.execute(
        `select coalesce(string_agg(t::text, chr(10)), '') as text from "${schema}"."${table}" t`,
      )
      texts.set(String(name), String(found.rows[0]?.['text']))
    }
    return texts
  } finally {
    await storage.close()
  }
}

export const tablesWith = (texts: Map<string, string>, word: string) =>
  [...texts].filter(([, text]) => text.toLowerCase().includes(word)).map(([name]) => name)

export const linesWith = (text: string, word: string) =>
  text
    .split('\n')
    .filter((line) => line.toLowerCase().includes(word))
    .map((line) => line.slice(0, 600))

/** How a file ends: a heap snapshot is too long to be read again and again until it is complete. */
export function endOf(path: string): string {
  const file = openSync(path, 'r')
  const end = Buffer.alloc(16)
  try {
    readSync(file, end, 0, end.length, Math.max(0, statSync(path).size - end.length))
  } finally {
    closeSync(file)
  }
  return end.toString().trimEnd()
}

/** The texts in a heap snapshot. They stand at its end; its numbers, which are most of it, are not read. */
export function textsOfHeap(path: string): string[] {
  const bytes = readFileSync(path)
  const name = '"strings":'
  const texts = bytes.subarray(bytes.lastIndexOf(name) + name.length, bytes.lastIndexOf('}'))
  return JSON.parse(texts.toString('utf8')) as string[]
}

/** Of the words, those that each file has. */
export function wordsInFiles(folder: string, words: readonly string[]): Map<string, Set<string>> {
  const pattern = new RegExp(words.join('|'), 'gi')
  const files = globSync('**/*', { cwd: folder }).filter((file) => statSync(join(folder, file)).isFile())
  return new Map(
    files.map((file) => {
      const found = readFileSync(join(folder, file)).toString('latin1').match(pattern) ?? []
      return [file, new Set(found.map((word) => word.toLowerCase()))] as const
    }),
  )
}
