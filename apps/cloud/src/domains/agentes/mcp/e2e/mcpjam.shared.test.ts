import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { repositoryRoot } from '@vigia/testing/program'
import { afterAll, expect } from 'vitest'
import { authorizeAgent } from '../../../../test/clients/oauth-flow.ts'
import { it } from '../../../../test/clouds/shared-cloud.ts'
import { SENHA } from '../../../../test/clouds/test-app.ts'
import { type ClientMachine, createClientMachine } from './client-machine.ts'

const program = relative(
  join(repositoryRoot, 'node_modules/.bin'),
  fileURLToPath(new URL('mcpjam-program.ts', import.meta.url)),
)

const found = [
  'request_without_token',
  'received_401_unauthorized',
  'request_resource_metadata',
  'received_resource_metadata',
]
const flow = [
  'request_authorization_server_metadata',
  'received_authorization_server_metadata',
  'request_client_registration',
  'received_client_credentials',
  'generate_pkce_parameters',
  'authorization_request',
  'received_authorization_code',
  'token_request',
  'received_access_token',
  'authenticated_mcp_request',
  'complete',
]
const used = ['verify_list_tools', 'verify_call_tool']

let machine: ClientMachine
it.beforeAll(async () => {
  machine = await createClientMachine()
})
afterAll(() => machine.remove())

it('detects a program that connects to another host', async () => {
  const guarded = await createClientMachine()
  // A name that never resolves (RFC 6761), in case the guard fails.
  const home = encodeURIComponent('await fetch("http://casa.invalid/").catch(() => {})')
  await guarded.run('conformance', ['--version'], {
    NODE_OPTIONS: `${guarded.env.NODE_OPTIONS} --import=data:text/javascript,${home}`,
  })
  expect(await guarded.outside()).toBe('casa.invalid\n')
  await guarded.remove()
})

it('passes the protocol and OAuth suites of @mcpjam/sdk', async ({ app }) => {
  const username = `administrador-${(await app.account('Mercado')).empresaId}`
  const token = await authorizeAgent(app, username)
  // Telemetry is switched off; the guard records any remaining connection.
  const { stdout, stderr } = await machine.run(program, [`${app.url}/mcp`, token, username, SENHA], {
    DO_NOT_TRACK: '1',
  })
  if (stdout === '') throw new Error(stderr)
  expect(await machine.outside()).toBe('')
  expect(JSON.parse(stdout)).toEqual({
    protocol: {
      passed: [
        'server-initialize',
        'ping',
        'completion-complete',
        'capabilities-consistent',
        'tools-list',
        'tools-input-schemas-valid',
        'prompts-list',
        'resources-list',
        'protocol-invalid-method-error',
        'localhost-host-rebinding-rejected',
        'localhost-host-valid-accepted',
        'server-accepts-multiple-post-streams',
        'server-sse-streams-functional',
      ],
      // The server does not declare it, because it needs sessions and is deprecated since 2026-07-28.
      skipped: ['logging-set-level', 'server-sse-polling-session'],
      failed: [],
    },
    // The first revision has no resource metadata.
    '2025-03-26': { passed: ['discovery_start', ...flow, ...used], skipped: [], failed: [] },
    '2025-06-18': { passed: [...found, ...flow, ...used], skipped: [], failed: [] },
    '2025-11-25': { passed: [...found, ...flow, ...used], skipped: [], failed: [] },
    attacks: {
      passed: [...found, ...flow, 'oauth_invalid_client', 'oauth_invalid_token', 'oauth_token_format'],
      // All of them are rejected, but the suite expects the word "redirect", and the sentences are Portuguese.
      skipped: ['oauth_dcr_http_redirect_uri', 'oauth_invalid_authorize_redirect', 'oauth_invalid_redirect'],
      failed: [],
    },
  })
})
