import { z } from 'zod'

/** From the most to the least. */
export const ROLES = ['owner', 'admin', 'member'] as const

export const Role = z.enum(ROLES).meta({
  description:
    '`owner` and `admin` may do everything in the workspace, but only owners make, change and remove owners. A `member` reads, makes knowledge bases, and does with each what it allows its members or was granted.',
  examples: ['member'],
})
