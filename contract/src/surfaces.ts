import { z } from 'zod'
import { SURFACES } from './closed-lists.ts'

export type SurfaceName = (typeof SURFACES)[number]

export const Surface = z
  .enum(SURFACES)
  .meta({ description: 'Where the question came from.', examples: ['api'] })
