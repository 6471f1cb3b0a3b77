export interface CaptchaSpentTokensTable {
  token_hash: string
  expires_at: Date
}

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    captcha_spent_tokens: CaptchaSpentTokensTable
  }
}
