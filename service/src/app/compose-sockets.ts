import { createChatSocket } from '../channels/public-api/chat-socket.ts'
import type { SocketRoute } from '../platform/http/sockets.ts'
import type { Log } from '../platform/log/log.ts'
import type { RoutesInput } from './compose-routes.ts'
import type { Surroundings } from './surroundings.ts'

/** Every address that takes a WebSocket. */
export function composeSockets({
  rooms,
  publicLimits,
  log,
  surroundings,
}: Pick<RoutesInput, 'rooms' | 'publicLimits'> & {
  log: Log
  surroundings: Pick<Surroundings, 'chatSocketSeconds'>
}): SocketRoute[] {
  const { clientKeys, answering, captcha, publicQuestions } = rooms
  return [
    createChatSocket({
      clientKeys,
      answering,
      captcha,
      questions: publicQuestions,
      report: (fault, doing) => log.error({ err: fault }, `${doing} failed`),
      ...publicLimits,
      ...(surroundings.chatSocketSeconds !== undefined && { seconds: surroundings.chatSocketSeconds }),
    }),
  ]
}
