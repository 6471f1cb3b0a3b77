const OF_TOKEN = new Set([
  'invalid_auth',
  'not_authed',
  'token_revoked',
  'token_expired',
  'account_inactive',
  'no_permission',
  'org_login_required',
])

const OF_CHANNEL = new Set(['channel_not_found', 'not_in_channel', 'restricted_action'])

/** Whether every other request about this channel with this token would be refused, too. */
export const isOfBot = (error: string) =>
  OF_TOKEN.has(error) || OF_CHANNEL.has(error) || error === 'is_archived' || error === 'missing_scope'

/** An error of Slack as a sentence for the owner of the bot: what is wrong, and what to do. */
export function slackProblem(error: string, needed?: string): string {
  // It comes from outside, and is shown on the record.
  const code = /^[a-z_]{1,60}$/.test(error) ? error : 'unknown error'
  if (OF_TOKEN.has(code))
    return `Slack does not accept the bot token (${code}). Open the app at api.slack.com/apps, install it to the workspace again, and enter the new Bot User OAuth Token.`
  if (OF_CHANNEL.has(code))
    return `Slack does not let the bot post in a channel where it was asked (${code}). Invite it there: /invite and its name.`
  if (code === 'is_archived')
    return `A channel where the bot was asked, or that gets its calls for a person, is archived in Slack (${code}). Unarchive it, or name another.`
  if (code === 'missing_scope') {
    const scope = /^[a-z:._,]{1,100}$/.test(needed ?? '') ? ` ${needed}` : ''
    return `The bot token lacks the scope${scope}. Add it under OAuth & Permissions at api.slack.com/apps, and install the app again.`
  }
  return `Slack refused an answer (${code}).`
}
