import { sql } from 'kysely'

/** SQL: whether a token is not excluded from a workspace that its user is a member of. Both parameters are column names. */
export const reachesWorkspace = (tokenId: string, workspaceId: string) =>
  sql<boolean>`not exists (select from access_token_exclusions as e
    where e.token_id = ${sql.ref(tokenId)} and e.workspace_id = ${sql.ref(workspaceId)})`
