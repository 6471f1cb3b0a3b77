import type { Requirement } from '../requirement.ts'

const lives = 'service/src/channels/public-api/chat-socket.ts'
const socket = 'service/src/platform/http/socket.ts'

export const WEBSOCKET = {
  'websocket.auth-then-ready': {
    says: 'The first message is auth with a client key; the service answers ready.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives,
  },
  'websocket.secret-pair': {
    says: 'auth takes a secret pair in place of a key.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives,
  },
  'websocket.frames-as-the-stream': {
    says: 'A chat message with an id gets the chat frames, with type and that id.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives,
  },
  'websocket.thread-and-message-ids': {
    says: 'Threads go on over the socket, and its messages are rated, as those of the stream.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives,
  },
  'websocket.cancel': {
    says: 'cancel with an id ends that answer.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives,
  },
  'websocket.several-at-once': {
    says: 'One socket takes several questions at once, four at most.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives,
  },
  'websocket.same-id': {
    says: 'A question with the id of one that is still being answered gets an error frame without an id; the answers under way go on.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives,
  },
  'websocket.version': {
    says: 'A version of the WebSocket protocol other than 13 is refused with 426 and Sec-WebSocket-Version: 13.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: 'service/src/platform/http/sockets.ts',
  },
  'websocket.close-1009': {
    says: 'A message that is too big closes it with 1009.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: 'service/src/platform/http/sockets.ts',
  },
  'websocket.close-4400': {
    says: 'A bad frame closes it with 4400.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives,
  },
  'websocket.close-4401': {
    says: 'Who is not known, or no more, is closed with 4401.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives,
  },
  'websocket.close-4403': {
    says: 'A key that may not be used here is closed with 4403.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives,
  },
  'websocket.close-4404': {
    says: 'A base that there is not for this key is closed with 4404.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives,
  },
  'websocket.close-4408': {
    says: 'Without a first message within 10 s, and idle later, it is closed with 4408.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives,
  },
  'websocket.close-4429': {
    says: 'Too many questions close it with 4429.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives,
  },
  'websocket.origin-of-key': {
    says: 'The origin of the page is checked against the key’s, since browsers do not ask before they open a socket.',
    spec: 'interface#authentication',
    lives,
  },
  'websocket.faults-of-one-question': {
    says: 'What concerns one question, its widget or its groups, ends that question alone.',
    spec: 'interface#widget-config-response',
    lives,
  },
  'websocket.limits-per-message': {
    says: 'The chat limits count each question of a socket.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives,
  },
  'websocket.captcha-per-question': {
    says: 'Where CAPTCHA is on each question brings a token of its own.',
    spec: 'interface#authentication',
    lives,
  },
  'websocket.leaving-ends-the-model': {
    says: 'Leaving or cancelling ends the call to the model within 250 ms.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives,
  },
  'websocket.stop': {
    says: 'A service that stops ends what is under way with an error frame, and closes with 1001.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives,
  },
  'websocket.no-ids-under-zero-retention': {
    says: 'Under zero data retention the done frame has no ids.',
    spec: 'interface#thread-and-message',
    lives: 'service/src/channels/public-api/chat-frames.ts',
  },
  'websocket.ping': {
    says: 'Sockets are pinged; who does not answer is cut off.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: socket,
  },
  'websocket.slow-reader-is-cut': {
    says: 'A reader who does not read is cut off, and does not fill the memory.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives: socket,
  },
  'websocket.browser-client': {
    says: 'The WebSocket of a browser reads it.',
    spec: 'open-items#3-public-api-the-parts-not-shown',
    lives,
  },
} as const satisfies Record<string, Requirement>
