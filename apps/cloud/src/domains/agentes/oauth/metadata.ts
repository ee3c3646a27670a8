import { escoposOauth, type MetadadosRecurso, type MetadadosServidor } from '@vigia/contracts/oauth'
import { mcpResource } from './public-base.ts'

const documentation = (base: string) => `${base}/api/v1/docs`

/** RFC 8414. @param base issuer */
export const serverMetadata = (base: string): MetadadosServidor => ({
  issuer: base,
  authorization_endpoint: `${base}/oauth/authorize`,
  token_endpoint: `${base}/oauth/token`,
  registration_endpoint: `${base}/oauth/register`,
  revocation_endpoint: `${base}/oauth/revoke`,
  jwks_uri: `${base}/.well-known/jwks.json`,
  scopes_supported: [...escoposOauth],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  service_documentation: documentation(base),
  ui_locales_supported: ['pt-BR'],
})

/** RFC 9728. */
export const resourceMetadata = (base: string): MetadadosRecurso => ({
  resource: mcpResource(base),
  resource_name: 'Vigia',
  authorization_servers: [base],
  scopes_supported: [...escoposOauth],
  bearer_methods_supported: ['header'],
  resource_documentation: documentation(base),
})
