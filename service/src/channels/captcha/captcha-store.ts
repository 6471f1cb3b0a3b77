import type { Db } from '../../platform/storage/tables.ts'

export type CaptchaDb = Db<'captcha_spent_tokens'>

/** Writes down that a token was used: true for the first, whoever else shows it at the same moment. */
export async function spendToken(db: CaptchaDb, spent: { hash: string; expiresAt: Date }): Promise<boolean> {
  const row = await db
    .insertInto('captcha_spent_tokens')
    .values({ token_hash: spent.hash, expires_at: spent.expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('token_hash')
    .executeTakeFirst()
  return row !== undefined
}

/** Forgets tokens that are too old to be accepted. */
export async function forgetSpentTokens(db: CaptchaDb, before: Date): Promise<void> {
  await db.deleteFrom('captcha_spent_tokens').where('expires_at', '<', before).execute()
}
