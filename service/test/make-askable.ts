import { createFirstClientKey } from '../src/accounts/client-keys/client-keys.ts'
import { newId } from '../src/kernel/ids.ts'
import { hashSecret, newSecret } from '../src/kernel/secrets.ts'
import type { WholeDb } from '../src/platform/storage/tables.ts'
import type { Rooms } from '../src/app/compose-rooms.ts'
import { makeBase, makeSource } from './make-records.ts'
import type { TestStorage } from './test-storage.ts'

export interface TestPage {
  title: string
  text: string
  visibility?: 'public' | 'restricted'
  groupId?: string
  version?: string
}

/** Creates bases that can be asked, with keys and pages, indexed without vectors. */
export function createAskables(storage: TestStorage, { indexing }: Pick<Rooms, 'indexing'>, now: () => Date) {
  const db: WholeDb = storage.db

  /** A base with a public key, and pages. */
  async function makeAskable(pages: TestPage[], fields: Parameters<typeof makeBase>[1] = {}) {
    const base = await makeBase(db, fields)
    const key = await createFirstClientKey(db, { id: base.id, name: 'Acme docs' }, newId, now())
    await addPages(base.id, pages)
    return { ...base, key: key.public_key ?? '', keyId: key.id }
  }

  /** Indexes pages, which are identified by their titles: one source for each group and version. */
  async function addPages(knowledgeBaseId: string, pages: TestPage[]) {
    const sources = new Map<string, string>()
    for (const { title, text, visibility = 'public', groupId = null, version = null } of pages) {
      const of = { source_group_id: groupId, version_label: version }
      const sourceId = sources.get(JSON.stringify(of)) ?? (await makeSource(db, knowledgeBaseId, of))
      sources.set(JSON.stringify(of), sourceId)
      await indexing.indexDocument(
        {
          knowledgeBaseId,
          sourceId,
          externalId: title,
          url: `https://docs.example.com/${encodeURIComponent(title)}`,
          document: { title, language: 'en', blocks: [{ kind: 'paragraph', markdown: text }] },
          language: 'en',
          visibility,
          sourceModifiedAt: undefined,
        },
        new AbortController().signal,
        async () => {},
      )
    }
  }

  /** A secret pair of a base. */
  async function makePair(knowledgeBaseId: string) {
    const client_id = newSecret('cw_id_')
    const clientSecret = newSecret('cw_sk_')
    const key = await createFirstClientKey(db, { id: knowledgeBaseId, name: 'Server' }, newId, now())
    await db
      .updateTable('client_keys')
      .set({ kind: 'secret', public_key: null, client_id, secret_hash: hashSecret(clientSecret) })
      .where('id', '=', key.id)
      .execute()
    return { clientId: client_id, clientSecret }
  }

  return { makeAskable, addPages, makePair }
}
