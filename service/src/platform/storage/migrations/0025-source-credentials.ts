/** `user:password@` of an address in a text column. */
const USER_INFO = String.raw`'(://)[^[:space:]/?#"]*@', '\1', 'g'`

/**
 * Credentials of sources are stored apart from their addresses, encrypted. The service, which has the key, encrypts existing ones at
 * start-up; errors of earlier syncs lose theirs here.
 */
export const sourceCredentialsMigration: readonly string[] = [
  `alter table sources add column sealed_credentials text`,
  `update syncs set error = regexp_replace(error, ${USER_INFO}) where error like '%://%@%'`,
  `update sync_errors set url = regexp_replace(url, ${USER_INFO}), reason = regexp_replace(reason, ${USER_INFO})
    where url like '%://%@%' or reason like '%://%@%'`,
]
