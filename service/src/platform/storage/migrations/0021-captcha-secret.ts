/** Challenges are signed with a key that is made from the master key: no secret lies in the database unsealed. */
export const captchaSecretMigration: readonly string[] = [`drop table captcha_secrets`]
