import { oneLine } from '../../../../kernel/one-line.ts'

/** What the bot needs: to be told when it is named or written to, and to write. */
export const SLACK_SCOPES = ['app_mentions:read', 'chat:write', 'im:history'] as const

/** The manifest with which an owner creates the Slack app of a bot. Each workspace has an app of its own. */
export const slackManifest = (given: {
  hookUrl: string
  name: string
  knowledgeBaseName: string
  /** Slack tells over a connection of our own, and needs no address. */
  isBySocket: boolean
}): Record<string, unknown> => ({
  display_information: {
    // Slack takes 35 and 140 characters.
    name: oneLine(given.name, 35),
    description: oneLine(`Answers questions from ${given.knowledgeBaseName}`, 140),
  },
  features: {
    app_home: { home_tab_enabled: false, messages_tab_enabled: true, messages_tab_read_only_enabled: false },
    bot_user: { display_name: oneLine(given.name, 80), always_online: true },
  },
  oauth_config: { scopes: { bot: [...SLACK_SCOPES] } },
  settings: {
    event_subscriptions: {
      ...(!given.isBySocket && { request_url: given.hookUrl }),
      bot_events: ['app_mention', 'app_uninstalled', 'message.im', 'tokens_revoked'],
    },
    interactivity: { is_enabled: true, ...(!given.isBySocket && { request_url: given.hookUrl }) },
    org_deploy_enabled: false,
    socket_mode_enabled: given.isBySocket,
    token_rotation_enabled: false,
  },
})
