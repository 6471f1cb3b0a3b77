/** `user:password@` of an address, as far as a text column may hold one. */
const USER_INFO = String.raw`'(://)[^[:space:]/?#"]*@', '\1', 'g'`

/**
 * Credentials of sources stand apart from their addresses, sealed. What is stored in clear is sealed by the service when it starts,
 * which has the key; reasons of earlier syncs lose theirs here.
 */
export const sourceCredentialsMigration: readonly string[] = [
  `alter table sources add column sealed_credentials text`,
  `update syncs set error = regexp_replace(error, ${USER_INFO}) where error like '%://%@%'`,
  `update sync_errors set url = regexp_replace(url, ${USER_INFO}), reason = regexp_replace(reason, ${USER_INFO})
    where url like '%://%@%' or reason like '%://%@%'`,
]
