export { createOAuth, type OAuth } from './create-oauth.ts'
export { createConnectedTools, disconnectTools, type ConnectedTools } from './connected-tools.ts'
export type { SignedInPerson } from './oauth-access.ts'
export { metadataAddress, MCP_SCOPE, PORTAL, type SignInServer } from './protected-resources.ts'
