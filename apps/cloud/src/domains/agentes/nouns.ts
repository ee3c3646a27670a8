// The nouns of `agentes`, one line each.
export { mcp } from './mcp/noun.ts'
export { oauth } from './oauth/noun.ts'
