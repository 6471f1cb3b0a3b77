import { expect, test } from 'vitest'
import { createIdentityProvider } from './identity-provider.ts'

const ADDRESSES = [
  { email: 'other@example.com', primary: false, verified: true },
  { email: 'ada@example.com', primary: true, verified: true },
]

/** GitHub, as its documentation describes it. */
function openGitHub(emails: unknown, status = 200) {
  const asked: string[] = []
  const provider = createIdentityProvider(
    { id: 'github', name: 'GitHub', clientId: 'id', clientSecret: 'secret', issuer: 'github' },
    {
      fetch: async (input) => {
        const url = new URL(input instanceof Request ? input.url : input)
        asked.push(url.pathname)
        if (url.pathname === '/login/oauth/access_token') {
          return Response.json({ access_token: 'gho_x', token_type: 'bearer', scope: 'read:user' })
        }
        return url.pathname === '/user/emails'
          ? Response.json(emails, { status })
          : Response.json({ id: 583_231, login: 'ada' })
      },
    },
  )
  return { provider, asked }
}

async function comeBackFrom(emails: unknown, wantsEmail: boolean, status?: number) {
  const { provider, asked } = openGitHub(emails, status)
  const back = 'https://answers.example.com/sign-in/back/github'
  const { address, login } = await provider.begin(back, { wantsEmail })
  const identity = await provider.finish(new URL(`${back}?code=x&state=${login.state}`), login)
  return { scope: new URL(address).searchParams.get('scope'), identity, asked }
}

test('GitHub is asked for the e-mail addresses of members, and the primary one counts if it is verified', async () => {
  const { scope, identity } = await comeBackFrom(ADDRESSES, true)

  expect(scope).toBe('read:user user:email')
  expect(identity).toEqual({ issuer: 'https://github.com', subject: '583231', email: 'ada@example.com' })
})

test('GitHub is not asked for the e-mail addresses of readers', async () => {
  const { scope, identity, asked } = await comeBackFrom(ADDRESSES, false)

  expect(scope).toBe('read:user')
  expect(identity.email).toBeUndefined()
  expect(asked).not.toContain('/user/emails')
})

test('an e-mail address that is unverified or not the primary one is ignored', async () => {
  const unverified = [{ email: 'ada@example.com', primary: true, verified: false }, ADDRESSES[0]]

  expect((await comeBackFrom(unverified, true)).identity.email).toBeUndefined()
  expect((await comeBackFrom({ message: 'Not Found' }, true)).identity.email).toBeUndefined()
})

test('an answer of GitHub that failed is none: the sign-in fails, instead of going on without an address', async () => {
  await expect(comeBackFrom({ message: 'Server Error' }, true, 502)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining('Signing in with GitHub failed'),
  })
})
