export {
  createIdentityProvider,
  requireProvider,
  type ExternalIdentity,
  type ProviderLogin,
  type IdentityProvider,
  type IdentityProviderSettings,
} from './identity-provider.ts'
export { createAccountRoutes } from './account-routes.ts'
export { createBrowserSessions, type BrowserSessions, type SignedInMember } from './browser-sessions.ts'
export {
  codeFields,
  csrfField,
  faultLine,
  newPasswordField,
  providerButtons,
  type ProviderButton,
} from './form-parts.ts'
export { createKnownDevices } from './known-devices.ts'
export { createAnonymousCsrf, type AnonymousCsrf } from './anonymous-csrf.ts'
export { createExternalSignIn, type ExternalSignIn } from './external-sign-in-routes.ts'
export { isCsrfValid, csrfRefusal } from './csrf.ts'
export { signInAddress } from './safe-redirect.ts'
export { createOwnAccountRoutes } from './own-account-routes.ts'
export { createOwnPasswordCheck } from './own-password.ts'
export { createPasswordLinkRoutes } from './password-link-routes.ts'
export { createPendingLogins } from './pending-login.ts'
export { createSignInRoutes } from './sign-in-routes.ts'
export { createSignInThrottle } from './sign-in-throttle.ts'
