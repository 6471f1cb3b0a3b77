import { z } from 'zod'
import { declareEndpoints } from './endpoint.ts'
import { text, Timestamp } from './fields.ts'

/** The first owner's is no address that mail can be sent to. */
const Email = text(3, 320).meta({ examples: ['owner@localhost'] })

export const NewPasswordLink = z
  .strictObject({ email: Email.meta({ description: 'Of a member of any workspace.' }) })
  .meta({ id: 'NewPasswordLink', examples: [{ email: 'owner@localhost' }] })

export const PasswordLink = z
  .object({
    email: Email,
    url: z.string().meta({
      description: 'Works once, for a day. It is shown this once.',
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
    method: 'POST',
    path: '/api/v1/password-links',
    summary: 'Make a link for setting a password',
    description:
      'For somebody who has forgotten theirs, or has none yet: for whoever operates the instance. Links of before end.',
    scope: 'admin',
    permission: 'operate',
    body: NewPasswordLink,
    answer: { status: 200, body: PasswordLink },
  },
})
