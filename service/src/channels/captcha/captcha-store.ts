import type { Db } from '../../platform/storage/tables.ts'

export type CaptchaDb = Db<'captcha_spent_tokens'>

/** Records that a token was used: true for the first use, false for any concurrent or later one. */
export async function spendToken(db: CaptchaDb, spent: { hash: string; expiresAt: Date }): Promise<boolean> {
  const row = await db
    .insertInto('captcha_spent_tokens')
    .values({ token_hash: spent.hash, expires_at: spent.expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('token_hash')
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes spent tokens that are too old to be accepted again. */
export async function deleteExpiredTokens(db: CaptchaDb, before: Date): Promise<void> {
  await db.deleteFrom('captcha_spent_tokens').where('expires_at', '<', before).execute()
}
