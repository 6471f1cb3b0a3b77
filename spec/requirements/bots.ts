import type { Requirement } from '../requirement.ts'

const integrationRecords = 'service/src/channels/integrations/integration-records.ts'
const bot = 'service/src/channels/integrations/bot.ts'
const saidInChat = 'service/src/channels/chat-bots/said-in-chat.ts'
const handleIncoming = 'service/src/channels/chat-bots/handle-incoming.ts'
const readSlack = 'service/src/channels/chat-bots/platforms/slack/read-slack.ts'
const readTeams = 'service/src/channels/chat-bots/platforms/teams/read-teams.ts'
const readMattermost = 'service/src/channels/chat-bots/platforms/mattermost/read-mattermost.ts'
const readGoogleChat = 'service/src/channels/chat-bots/platforms/google-chat/read-google-chat.ts'
const hooks = 'service/src/channels/platform-hooks/platform-hooks.ts'
const posts = 'service/src/channels/platform-posts/platform-posts.ts'

export const BOTS = {
  'bots.records': {
    says: 'The bots of a knowledge base are created, listed, read, changed and deleted over the management API.',
    spec: 'open-items#2-management-api',
    lives: integrationRecords,
  },
  'bots.counted': {
    says: 'The deletion preview counts bots, and a deletion takes them along.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/channels/integrations/integrations.ts',
  },
  'bots.credentials-kept': {
    says: 'Credentials of a bot are sealed, and never returned.',
    spec: 'security#1.8',
    lives: integrationRecords,
  },
  'bots.internal-keep-answering': {
    says: 'A bot that was connected before its knowledge base became internal stays as it is, and its record says that it answers everyone in the channel.',
    spec: 'interface#knowledge-base-1',
    lives: bot,
  },
  'bots.internal-acknowledged': {
    says: 'Since bots do not check who asks, connecting one to an internal knowledge base has to be acknowledged: when it is added, switched on, or gets its first credentials.',
    spec: 'interface#knowledge-base-1',
    lives: bot,
  },
  'bots.answer-in-channels': {
    says: 'A connected bot answers in its channel, for everyone in it.',
    spec: 'interface#what-the-service-does',
    lives: handleIncoming,
  },
  'bots.internal-answers-everyone': {
    says: 'On an internal knowledge base a bot answers everyone in its channel: bots do not check who asks.',
    spec: 'interface#knowledge-base-1',
    lives: saidInChat,
  },
  'bots.external-public-only': {
    says: 'On an external knowledge base a bot answers from public documents only, and from none that is archived.',
    spec: 'interface#what-the-service-does',
    lives: saidInChat,
  },
  'bots.slack.mentions': {
    says: 'A Slack bot that is named in a channel answers in that thread, with links to the pages that it cites, and notifies nobody.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/chat-bots/platforms/slack/render-slack.ts',
  },
  'bots.slack.threads': {
    says: 'Earlier questions to the bot in the same thread are the context of the next.',
    spec: 'interface#what-the-service-does',
    lives: readSlack,
  },
  'bots.slack.direct-messages': {
    says: 'A direct message to a Slack bot is a question. Messages of programs, edits, and messages that do not name it are none.',
    spec: 'interface#what-the-service-does',
    lives: readSlack,
  },
  'bots.slack.socket': {
    says: 'A Slack bot with an app-level token hears Slack over a connection that the service opens, and needs no address that Slack can reach.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/chat-bots/platforms/slack/listen-to-slack.ts',
  },
  'bots.slack.live': {
    says: 'An answer that takes time is shown in Slack while it is written: by a stream, or by edits where Slack has none; it calls nobody, and it becomes the answer.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/chat-bots/platforms/slack/slack-live.ts',
  },
  'bots.slack.handshake': {
    says: 'The check with which Slack verifies the address of a bot is answered.',
    spec: 'interface#what-the-service-does',
    lives: readSlack,
  },
  'bots.discord.ask': {
    says: 'In Discord the command /ask is acknowledged at once and answered in its own message, with links to what is cited, and notifies nobody.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/chat-bots/platforms/discord/render-discord.ts',
  },
  'bots.discord.mentions': {
    says: 'A Discord bot with answer_mentions answers where a person mentions it in a message, thread or post of a forum, once, by a reply there that notifies nobody; it needs no privileged intent.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/chat-bots/platforms/discord/read-discord-message.ts',
  },
  'bots.discord.gateway': {
    says: 'The connection to the gateway of Discord is continued where it broke off, a session begins only within the limit of Discord, and what Discord refuses for good is on the record with what to do.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/chat-bots/platforms/discord/listen-to-discord.ts',
  },
  'bots.teams.answers': {
    says: 'A Microsoft Teams bot that is named in a channel or group, or written to, answers there, with its citations in the form of Teams, and notifies nobody.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/chat-bots/platforms/teams',
  },
  'bots.teams.live': {
    says: 'An answer that takes time is shown in Microsoft Teams while it is written: by a stream in a chat with the bot alone, by edits of a message elsewhere; it becomes the answer, once.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/chat-bots/platforms/teams/teams-live.ts',
  },
  'bots.teams.threads': {
    says: 'In Teams earlier questions to the bot in the same thread are the context of the next; in a chat with the bot alone those of the last half hour.',
    spec: 'interface#what-the-service-does',
    lives: readTeams,
  },
  'bots.teams.ignores': {
    says: 'In Teams edits, deletions, reactions, clicks on cards and messages that do not name the bot are no questions.',
    spec: 'interface#what-the-service-does',
    lives: readTeams,
  },
  'bots.teams.proof': {
    says: 'A request of Teams is taken with a valid token of the Bot Framework for this very bot, tenant and answering address only.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/chat-bots/platforms/teams/verify-teams.ts',
  },
  'bots.mattermost.answers': {
    says: 'A Mattermost bot that is named in a channel, or written to, answers in the thread, with links to the pages that it cites, and notifies nobody.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/chat-bots/platforms/mattermost',
  },
  'bots.mattermost.threads': {
    says: 'In Mattermost earlier questions to the bot in the same thread are the context of the next; direct messages need no name.',
    spec: 'interface#what-the-service-does',
    lives: readMattermost,
  },
  'bots.mattermost.ignores': {
    says: 'In Mattermost edits, deletions, and messages of programs, of the system and of the bot itself are no questions.',
    spec: 'interface#what-the-service-does',
    lives: readMattermost,
  },
  'bots.mattermost.command': {
    says: 'In Mattermost the command /ask, proven by its token, is acknowledged at once and answered in the channel with the question above the answer; also where the bot is not a member.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/chat-bots/platforms/mattermost/read-command.ts',
  },
  'bots.mattermost.connection': {
    says: 'A Mattermost bot hears over a connection that the service opens; if it is cut, the next one begins where it ended.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/chat-bots/platforms/mattermost/listen-to-mattermost.ts',
  },
  'bots.telegram.answers': {
    says: 'A Telegram bot that is named in a group, answered there, or asked with /ask, answers by a reply with links to the pages that it cites, and notifies nobody.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/chat-bots/platforms/telegram/render-telegram.ts',
  },
  'bots.telegram.conversations': {
    says: 'In Telegram the questions of a chat, or of a topic of a group, within half an hour are one conversation; a chat with the bot alone needs no name.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/chat-bots/platforms/telegram/telegram-place.ts',
  },
  'bots.telegram.ignores': {
    says: 'In Telegram edits, messages of programs and channels, commands of others and what was said more than an hour ago are no questions.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/chat-bots/platforms/telegram/read-telegram.ts',
  },
  'bots.telegram.live': {
    says: 'An answer that takes time is shown in Telegram while it is written: by a draft in a chat with the bot alone, by edits of a message elsewhere, which becomes the answer.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/chat-bots/platforms/telegram/telegram-live.ts',
  },
  'bots.telegram.connection': {
    says: 'A Telegram bot needs no address that Telegram can reach: it asks for what is said, from where it ended.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/chat-bots/platforms/telegram/listen-to-telegram.ts',
  },
  'bots.telegram.webhook': {
    says: 'With receive_by: hook the check has Telegram send to the bot, with a secret that only its token makes; nothing else is taken.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/chat-bots/platforms/telegram/telegram-hook.ts',
  },
  'bots.google-chat.answers': {
    says: 'A Google Chat app that is named in a space, or written to, answers in the thread with links to the pages that it cites, and notifies nobody.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/chat-bots/platforms/google-chat',
  },
  'bots.google-chat.threads': {
    says: 'In Google Chat earlier questions in the same thread are the context of the next; where there are no threads, those of the last half hour.',
    spec: 'interface#what-the-service-does',
    lives: readGoogleChat,
  },
  'bots.google-chat.ignores': {
    says: 'In Google Chat messages of programs, joining and leaving, and events that are not known are no questions.',
    spec: 'interface#what-the-service-does',
    lives: readGoogleChat,
  },
  'bots.google-chat.live': {
    says: 'An answer that takes time is shown in Google Chat while it is written, by edits of the message that becomes the answer.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/chat-bots/platforms/google-chat/google-chat-live.ts',
  },
  'bots.google-chat.proof': {
    says: 'A request of Google Chat is taken with a token that Google signed for the project of this very bot only.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/chat-bots/platforms/google-chat/verify-google-chat.ts',
  },
  'bots.person': {
    says: 'Whoever asks a bot for a person, by a button or a word, is passed on once to the channel or help desk that its owner named, with the conversation; it is recorded.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/chat-bots/call-person.ts',
  },
  'bots.rating': {
    says: 'Buttons under an answer rate it in the same feedback as everywhere; the last click counts.',
    spec: 'interface#feedback-rules',
    lives: handleIncoming,
  },
  'bots.uncovered': {
    says: 'A bot says that a question is not covered, or stays silent if its settings say so.',
    spec: 'interface#what-the-service-does',
    lives: handleIncoming,
  },
  'bots.switched-off': {
    says: 'Each bot can be switched off by itself: then it takes nothing and posts nothing.',
    spec: 'interface#what-the-service-does',
    lives: hooks,
  },
  'bots.problem': {
    says: 'What a bot cannot do is said on its record, with what to do, until it works again.',
    spec: 'interface#what-the-service-does',
    lives: 'service/src/channels/platform-posts/post-ends.ts',
  },
  'bots.check': {
    says: 'Whether the credentials of a bot work, and which scopes are missing, can be checked without posting anything.',
    spec: 'open-items#2-management-api',
    lives: 'service/src/channels/chat-bots/chat-bots.ts',
  },
  'bots.limits': {
    says: 'A bot keeps within the pace of its platform, waits as long as it is told to, and keeps no other channel waiting.',
    spec: 'interface#what-the-service-does',
    lives: posts,
  },
  'bots.zero-retention': {
    says: 'With zero data retention a bot answers, and nothing of question or answer is stored.',
    spec: 'interface#thread-and-message',
    lives: hooks,
  },
  'hooks.proof': {
    says: 'A delivery of a platform without a valid proof is 401 without a reason: wrong, old, from the future, or of another integration.',
    spec: 'security#1.8',
    lives: hooks,
  },
  'hooks.once': {
    says: 'A delivery is taken once, however often it comes.',
    spec: 'interface#what-the-service-does',
    lives: hooks,
  },
  'hooks.crashes': {
    says: 'Whenever the process ends, an answer is posted at most once, and the record says if it is uncertain.',
    spec: 'interface#what-the-service-does',
    lives: posts,
  },
} as const satisfies Record<string, Requirement>
