import { hkdfSync } from 'node:crypto'
import { linkIdentity } from '../accounts/external-identities/external-identities.ts'
import { readerAddress, type PublicLimitsDeps } from '../channels/public-api/public-api.ts'
import { createInvitationRoutes } from '../channels/setup/invitation-routes.ts'
import { createSetupRoutes } from '../channels/setup/setup-routes.ts'
import {
  createAccountRoutes,
  createBrowserSessions,
  createAnonymousCsrf,
  createKnownDevices,
  createExternalSignIn,
  createOwnAccountRoutes,
  createOwnPasswordCheck,
  createPasswordLinkRoutes,
  createPendingLogins,
  createSignInRoutes,
  createSignInThrottle,
  type IdentityProvider,
} from '../channels/sign-in/sign-in.ts'
import type { Page } from '../platform/http/form-pages.ts'
import { requestSource, type RequestSource } from '../platform/http/request-source.ts'
import type { RateLimits } from '../platform/rate-limits/rate-limits.ts'
import type { Platform } from './compose-platform.ts'
import type { Rooms } from './compose-rooms.ts'
import type { RoomParts } from './room-parts.ts'
import type { Surroundings } from './surroundings.ts'

export interface ComposeSignInInput {
  platform: Platform
  rooms: Rooms
  /** Ways to sign in with an account elsewhere. */
  identityProviders: readonly IdentityProvider[]
  /** Counters that are on whatever the settings say of the API's. */
  attempts: RateLimits
  trustedProxies: PublicLimitsDeps['trustedProxies']
  report: RoomParts['report']
  surroundings: Pick<Surroundings, 'now'>
  publicUrl: () => string
}

/** Signing in with an account of this service: its pages, and which member a browser is signed in as. */
export function composeSignIn(input: ComposeSignInInput) {
  const { platform, rooms, identityProviders, attempts, trustedProxies, report, publicUrl } = input
  const { sessions, accessTokens, passwords, externalIdentities: identities, invitations, workspaces } = rooms
  const { now } = input.surroundings
  const key = hkdfSync('sha256', platform.oldestMasterKey, '', 'citewell sign-in forms', 32)
  const formKey = Buffer.from(key).toString('base64url')
  const knownDevices = createKnownDevices({ passwords, publicUrl, formKey })
  const browserSessions = createBrowserSessions({ sessions, knownDevices, publicUrl, formKey })
  const anonymousCsrf = createAnonymousCsrf({ publicUrl, formKey })
  const throttle = createSignInThrottle(attempts)
  const addressOf = ({ clientAddress, forwardedFor }: RequestSource) =>
    readerAddress(clientAddress, forwardedFor, trustedProxies) ?? ''
  const clientAddressOf = ({ env }: Page) => addressOf(requestSource(env.incoming))
  const isOwnPassword = createOwnPasswordCheck({ passwords, throttle })
  const externalSignIn = createExternalSignIn({
    identityProviders,
    pendingLogins: createPendingLogins({ sealer: platform.sealer, now, publicUrl }),
    browserSessions,
    anonymousCsrf,
    identities,
    acceptInvitation: async (code, identity) => {
      const { userId } = await invitations.claim({
        code,
        storeSignInMethod: async (transaction, invited) => {
          await linkIdentity(transaction, { userId: invited, identity, now: now() })
        },
      })
      return userId
    },
    setUp: async (code, identity) => {
      const { userId } = await workspaces.claimSetupCode(code, {
        email: identity.email,
        keep: async (transaction, owner) => {
          await linkIdentity(transaction, { userId: owner, identity, now: now() })
        },
      })
      return userId
    },
    publicUrl,
    report,
  })
  const common = {
    browserSessions,
    anonymousCsrf,
    throttle,
    knownDevices,
    identityProviders,
    externalSignIn,
    passwords,
    clientAddressOf,
  }
  return {
    browserSessions,
    clientAddressOf,
    anonymousCsrf,
    pages: [
      createSignInRoutes(common),
      externalSignIn.pages,
      createPasswordLinkRoutes(common),
      createAccountRoutes({
        ...common,
        isOwnPassword,
        workspaces,
        ownAccount: rooms.ownAccount,
        identities,
        sessions,
        accessTokens,
      }),
      createSetupRoutes({ ...common, workspaces, now, publicUrl }),
      createInvitationRoutes({ ...common, invitations, now, publicUrl }),
    ],
    routes: createOwnAccountRoutes({
      ownAccount: rooms.ownAccount,
      passwords,
      workspaces,
      isOwnPassword,
      addressOf,
      now,
    }),
    jobs: sessions.jobs,
  }
}
