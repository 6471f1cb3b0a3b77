import { sql } from 'kysely'

/** Whether a token reaches a workspace that its person is in: nobody has shut it out there. Both are names of columns. */
export const isReached = (tokenId: string, workspaceId: string) =>
  sql<boolean>`not exists (select from access_token_exclusions as e
    where e.token_id = ${sql.ref(tokenId)} and e.workspace_id = ${sql.ref(workspaceId)})`
