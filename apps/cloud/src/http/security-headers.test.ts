import { fixture } from '@vigia/testing/fixture'
import { expect, it } from 'vitest'
import { send } from '../test/clients/client.ts'
import { startTestApp } from '../test/clouds/test-app.ts'

const app = fixture(startTestApp)

const paths = ['/healthz', '/api/v1/me', '/api/v1/nada', '/', '/login', '/assets/nada.js']

it.each(paths)('%s cannot be framed, sniffed, or read from another site', async (path) => {
  const { headers } = await send(`${app.url}${path}`)
  expect(Object.fromEntries(headers)).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-permitted-cross-domain-policies': 'none',
    'permissions-policy': expect.stringContaining('camera=()'),
  })
  const csp = headers.get('content-security-policy') ?? ''
  expect(csp).toContain("frame-ancestors 'none'")
  expect(csp).toContain("base-uri 'none'")
  expect(csp).not.toMatch(/unsafe|\*|https?:/)
  expect(headers.get('cache-control')).toMatch(/no-store|no-cache/)
  expect([headers.get('server'), headers.get('x-powered-by')]).toEqual([null, null])
  expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
})

it('sends HSTS only over HTTPS', async () => {
  expect((await send(`${app.url}/healthz`)).headers.get('strict-transport-security')).toBeNull()
  const { headers } = await send(`${app.url}/healthz`, { headers: { 'x-forwarded-proto': 'https' } })
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
})
