import { z } from 'zod'
import { declareEndpoints, POST } from './endpoint.ts'
import { text, Timestamp } from './fields.ts'

/** Not a strict e-mail address: that of the first owner cannot receive mail. */
const Email = text(3, 320).meta({ examples: ['owner@localhost'] })

export const NewPasswordLink = z
  .strictObject({ email: Email.describe('Of a member of any workspace.') })
  .meta({ id: 'NewPasswordLink', examples: [{ email: 'owner@localhost' }] })

export const PasswordLink = z
  .object({
    email: Email,
    url: z.string().meta({
      description: 'Works once, for a day. It is shown only once.',
      examples: ['https://answers.example.com/set-password?code=cw_pwd_…'],
    }),
    expires_at: Timestamp,
  })
  .meta({ id: 'PasswordLink', description: 'A link with which a member sets a new password.' })

export type PasswordLink = z.infer<typeof PasswordLink>

export const PASSWORD_LINK_ENDPOINTS = declareEndpoints({
  createPasswordLink: {
    caller: 'access-token',
    room: 'accounts/passwords',
    group: 'Workspaces',
    ...POST('/api/v1/password-links'),
    summary: 'Make a link for setting a password',
    description:
      'For a member who has forgotten their password or has none yet. For operators of the instance. Earlier links stop working.',
    scope: 'admin',
    permission: 'operate',
    body: NewPasswordLink,
    recordedBy: 'room',
    answer: { status: 200, body: PasswordLink },
  },
})
