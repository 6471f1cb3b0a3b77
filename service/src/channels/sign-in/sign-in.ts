export {
  createOutsideProvider,
  type OutsideIdentity,
  type OutsideLogin,
  type OutsideProvider,
  type OutsideProviderSettings,
} from './outside-provider.ts'
export { createAccountRoutes } from './account-routes.ts'
export { createBrowserSessions, type BrowserSessions, type SignedInMember } from './browser-sessions.ts'
export { csrfField, faultLine, newPasswordField, providerButtons, type ProviderButton } from './form-parts.ts'
export { createKnownDevices } from './known-devices.ts'
export { createGuestForms, type GuestForms } from './guest-forms.ts'
export { createOutsideSignIn, type OutsideSignIn } from './outside-sign-in-routes.ts'
export { isOwnForm, notFromHere } from './own-form.ts'
export { signInAddress } from './own-path.ts'
export { createPasswordLinkRoutes } from './password-link-routes.ts'
export { createPendingLogins } from './pending-login.ts'
export { createSignInRoutes } from './sign-in-routes.ts'
export { createSignInThrottle } from './sign-in-throttle.ts'
