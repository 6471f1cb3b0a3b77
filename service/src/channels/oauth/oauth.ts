export { createOAuth, type OAuth } from './create-oauth.ts'
export type { CameFrom } from './mount-provider.ts'
export type { SignedInPerson } from './oauth-access.ts'
export { metadataAddress, MCP_SCOPE, type SignInServer } from './protected-resources.ts'
