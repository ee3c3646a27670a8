import { createHash } from 'node:crypto'
import { fixture } from '@vigia/testing/fixture'
import { expect, it } from 'vitest'
import { send } from '../../../test/clients/client.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)

const page = () => send<string>(`${app.url}/api/v1/docs`, { headers: { accept: 'text/html' } })
const filesOf = (html: string) =>
  [...html.matchAll(/(?:href|src)="(\/api\/v1\/docs\/[^"]+)"/g)].map(([, path]) => path ?? '')

it('is a separate page, not one of the dashboard, under a policy that runs only its files', async () => {
  const { status, headers, body } = await page()
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(body).toContain('<html lang="pt-BR">')
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/)
  expect(body).not.toMatch(/<script>|style=|https?:/)
})

it('serves each file under a name with its hash, as immutable', async () => {
  const files = filesOf((await page()).body)
  expect(files).toHaveLength(4)
  for (const path of files) {
    const response = await fetch(`${app.url}${path}`)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect([path, response.status]).toEqual([path, 200])
    expect(path).toContain(createHash('sha256').update(bytes).digest('hex').slice(0, 12))
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('content-type')).toMatch(path.endsWith('.css') ? /^text\/css/ : /^text\/javascript/)
  }
})

it('serves no other file of that folder or any other', async () => {
  const names = ['swagger-ui.css', 'index.html', '..%2f..%2fpackage.json', '%2fetc%2fpasswd', '__proto__']
  for (const name of names) {
    const answer = await send(`${app.url}/api/v1/docs/${name}`, { headers: { accept: 'text/html' } })
    expect([name, answer.status, answer.body]).toEqual([name, 404, { detail: 'Endereço não encontrado.' }])
  }
})
