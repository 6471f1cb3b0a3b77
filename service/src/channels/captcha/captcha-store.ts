import { sql } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'

export type CaptchaDb = Db<'captcha_spent_tokens' | 'captcha_secrets'>

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

/** The secret of this name: the one that is there, else this new one, also where several processes ask first at once. */
export async function keepSecret(
  db: CaptchaDb,
  made: { name: string; secret: string; now: Date },
): Promise<string> {
  const row = await db
    .insertInto('captcha_secrets')
    .values({ name: made.name, secret: made.secret, created_at: made.now })
    // An update of nothing: unlike "do nothing", it gives back the row that is there.
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ secret: sql.ref('captcha_secrets.secret') }),
    )
    .returning('secret')
    .executeTakeFirstOrThrow()
  return row.secret
}
