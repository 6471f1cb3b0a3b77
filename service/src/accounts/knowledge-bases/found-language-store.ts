import type { Db } from '../../platform/storage/tables.ts'

export interface BaseLanguage {
  language: string | undefined
  /** Chosen by an owner: never changed by what the pages say. */
  isChosen: boolean
}

/** Undefined for a base that was deleted. */
export async function findBaseLanguage(
  db: Db<'knowledge_bases'>,
  id: string,
): Promise<BaseLanguage | undefined> {
  const row = await db
    .selectFrom('knowledge_bases')
    .select(['language', 'is_language_found'])
    .where('id', '=', id)
    .executeTakeFirst()
  return (
    row && {
      language: row.language ?? undefined,
      isChosen: row.language !== null && !row.is_language_found,
    }
  )
}

/** Notes the language that the pages of a base are in; undefined: none. False if an owner has chosen one meanwhile. */
export async function noteFoundLanguage(
  db: Db<'knowledge_bases'>,
  id: string,
  language: string | undefined,
): Promise<boolean> {
  const updated = await db
    .updateTable('knowledge_bases')
    .set({ language: language ?? null, is_language_found: language !== undefined })
    .where('id', '=', id)
    .where((row) => row.or([row('language', 'is', null), row('is_language_found', '=', true)]))
    .executeTakeFirst()
  return updated.numUpdatedRows > 0n
}
