export { createOAuth } from './create-oauth.ts'
export { createConnectedTools, disconnectTools } from './connected-tools.ts'
export { metadataAddress, MCP_SCOPE, PORTAL, type SignInServer } from './protected-resources.ts'
