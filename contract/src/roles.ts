import { z } from 'zod'
import { ROLES } from './closed-lists.ts'

export const Role = z.enum(ROLES).meta({
  description:
    '`owner` and `admin` may do everything in the workspace, but only owners make, change and remove owners. A `member` reads and makes knowledge bases, and may do with each what its members may or what was granted.',
  examples: ['member'],
})
