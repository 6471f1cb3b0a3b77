import { join } from 'node:path'
import { newId } from '../../service/src/kernel/ids.ts'
import { hashSecret, newSecret } from '../../service/src/kernel/secrets.ts'
import { openEmbeddedStorage } from '../../service/src/platform/storage/storage.ts'

/** Adds members to the one workspace of a service that is stopped. An access token of each. */
export async function addPeople(data: string, count: number): Promise<string[]> {
  const storage = await openEmbeddedStorage({ directory: join(data, 'database'), isDurable: true })
  const tokens = Array.from({ length: count }, () => newSecret('cw_pat_'))
  try {
    for (const [number, token] of tokens.entries()) {
      const [user, tokenId] = [newId(), newId()]
      await storage.execute(`insert into users (id, email, name, created_at, updated_at)
        values ('${user}', 'person-${number}@example.com', 'Person ${number}', now(), now())`)
      await storage.execute(`insert into workspace_members (workspace_id, user_id, role, created_at, updated_at)
        select id, '${user}', 'admin', now(), now() from workspaces`)
      await storage.execute(`insert into access_tokens
        (id, user_id, name, token_hash, token_start, scopes, created_at, updated_at)
        values ('${tokenId}', '${user}', 'Tabs', '${hashSecret(token)}', '${token.slice(0, 11)}', '{read}', now(), now())`)
    }
    return tokens
  } finally {
    await storage.close()
  }
}
