/** Challenges are signed with a key derived from the master key: the database contains no unencrypted secret. */
export const captchaSecretMigration: readonly string[] = [`drop table captcha_secrets`]
