import { expect, it } from 'vitest'
import { lanNetworks, lanProblem } from './lan-networks.ts'
import { resolvePublic } from './public-address.ts'

it.each(['192.168.0.0/24', '10.0.0.0/8', '172.20.1.7', '100.64.0.0/10', 'fd12:3456::/48'])('%s is private', (rede) => {
  expect(lanProblem(rede)).toBeNull()
})

it.each([
  '127.0.0.0/8',
  '127.0.0.1',
  '::1',
  '::ffff:127.0.0.1',
  '169.254.0.0/16',
  '169.254.169.254',
  'fe80::/10',
  '0.0.0.0/0',
  '::/0',
  '224.0.0.0/4',
  '8.8.8.0/24',
  '10.0.0.0/7',
  '192.168.0.0/8',
  '100.100.100.200',
  'fd00:ec2::254',
  '192.168.0.0/33',
  'casa',
  '',
])('%j is refused', (rede) => {
  expect(lanProblem(rede)).not.toBeNull()
})

it('opens its addresses, but no metadata service in between', async () => {
  const allowed = lanNetworks(['100.64.0.0/10', 'fc00::/7', '192.168.0.0/16'])
  const resolve = (host: string, answer = host) => resolvePublic(host, allowed, async () => [answer])
  expect(await resolve('192.168.7.9')).toMatchObject({ ok: true })
  expect(await resolve('casa.exemplo.com.br', '100.64.0.1')).toMatchObject({ ok: true })
  for (const address of ['100.100.100.200', 'fd00:ec2::254', '127.0.0.1', '169.254.169.254', '10.0.0.1'])
    expect(await resolve('nome.exemplo.com.br', address)).toEqual({ ok: false, falha: 'endereco_recusado' })
})
