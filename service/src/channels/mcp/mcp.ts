export { createInFlightCalls } from './in-flight-calls.ts'
export { findSignInServer } from './mcp-store.ts'
export { createMcpLimits } from './take-mcp-limits.ts'
export { createPortalTools, createServerTools } from './tools/all-tools.ts'
