import { z } from 'zod'
import { declareEndpoints, POST } from './endpoint.ts'
import { idOf } from './fields.ts'

export const PLATFORM_HOOK_ENDPOINTS = declareEndpoints({
  receiveFromPlatform: {
    caller: 'platform',
    room: 'channels/platform-hooks',
    group: 'Bots',
    ...POST('/api/v1/hooks/{integration_id}'),
    summary: 'Receive what a platform delivers',
    description:
      'The address to enter at a chat platform or help desk. It takes the events and clicks of that platform, in its own format, and answers in it. A request without a valid proof is refused; one that was delivered before has no further effect.',
    params: z.object({ integration_id: idOf('bot or help-desk integration') }),
    answer: {
      status: 200,
      body: z.record(z.string().max(100), z.unknown()).meta({
        id: 'PlatformReply',
        description: 'What the platform expects; often an empty object.',
        examples: [{}],
      }),
    },
  },
})
