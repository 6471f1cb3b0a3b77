import { createChatSocket } from '../channels/public-api/chat-socket.ts'
import type { SocketRoute } from '../platform/http/sockets.ts'
import type { RoutesInput } from './compose-routes.ts'
import type { RoomParts } from './room-parts.ts'
import type { Surroundings } from './surroundings.ts'

/** Every address that takes a WebSocket. */
export function composeSockets({
  rooms,
  publicLimits,
  report,
  surroundings,
}: Pick<RoutesInput, 'rooms' | 'publicLimits'> & {
  report: RoomParts['report']
  surroundings: Pick<Surroundings, 'chatSocketSeconds'>
}): SocketRoute[] {
  const { clientKeys, answering, captcha, publicQuestions } = rooms
  return [
    createChatSocket({
      clientKeys,
      answering,
      captcha,
      questions: publicQuestions,
      report,
      ...publicLimits,
      ...(surroundings.chatSocketSeconds !== undefined && { seconds: surroundings.chatSocketSeconds }),
    }),
  ]
}
