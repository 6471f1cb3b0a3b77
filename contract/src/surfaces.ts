import { z } from 'zod'

/** Where a question came from. Used for a rating's `source`, the filter of conversations, and the breakdown of analytics. */
export const SURFACES = [
  /** The public API: over HTTP or a WebSocket, without a widget. */
  'api',
  /** The same, with the `widget_id` of a saved widget. */
  'widget',
  /** The endpoint in the format of OpenAI's API. */
  'openai',
  'form_deflector',
  'bot',
  'helpdesk',
  'mcp',
  /** A member of the workspace, with an access token. */
  'team',
] as const

export type SurfaceName = (typeof SURFACES)[number]

export const Surface = z
  .enum(SURFACES)
  .meta({ description: 'Where the question came from.', examples: ['api'] })
