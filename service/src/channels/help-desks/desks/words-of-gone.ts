/** What is said on the record if what was to be answered is not there any more. Help desks answer the same for what an account may not see. */
export const wordsOfGone = (what: 'ticket' | 'conversation' | 'mail'): string =>
  `A ${what} that was to be answered is gone: it was deleted or merged meanwhile, or the account may not see it any more. Nothing was sent. If it is still there, check what the account may see.`
