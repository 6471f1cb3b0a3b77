import type { Sealer } from '../../platform/secrets/sealed.ts'
import { SourceFailure, type SourceCredentials } from '../connectors/connectors.ts'
import type { SourceToSync } from '../syncs/syncs.ts'
import { openCredentials, sealCredentials } from './source-credentials.ts'
import { lockSource, updateSource, type SourcesDb } from './sources-store.ts'

/**
 * The credentials of a source for one sync: opened when it reads, and stored again when its connector renews them. They are passed to no one
 * else.
 *
 * @param of.sealed as the sync found them
 */
export function sourceCredentials(
  { db, sealer }: { db: SourcesDb; sealer: Sealer },
  of: { knowledgeBaseId: string; sourceId: string; sealed: string | null },
): Pick<SourceToSync, 'openCredentials' | 'saveCredentials'> {
  const { knowledgeBaseId, sourceId } = of
  let { sealed } = of
  return {
    openCredentials: () => openCredentials(sealer, sourceId, sealed),
    saveCredentials: async (next: SourceCredentials) => {
      const renewed = sealCredentials(sealer, sourceId, next)
      await db.transaction().execute(async (transaction: SourcesDb) => {
        // Two writers must not both believe that theirs is the valid refresh token.
        const row = await lockSource(transaction, knowledgeBaseId, sourceId)
        if (row === undefined || row.sealed_credentials !== sealed)
          throw new SourceFailure(
            'The credentials of this source were changed while it was read. Sync it again.',
          )
        await updateSource(transaction, { ...row, sealed_credentials: renewed })
      })
      sealed = renewed
    },
  }
}
