import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { readAnnouncement } from './ws-discovery.ts'

const HOST = '192.168.1.20'
const matches = (scopes: string, addresses: string) =>
  '<s:Envelope xmlns:s="s" xmlns:d="d"><s:Body><d:ProbeMatches><d:ProbeMatch>' +
  `<d:Scopes>${scopes}</d:Scopes><d:XAddrs>${addresses}</d:XAddrs>` +
  '</d:ProbeMatch></d:ProbeMatches></s:Body></s:Envelope>'
const scope = 'onvif://www.onvif.org'

it('reads name, hardware and the port of the address that answered', () => {
  const text = matches(
    `${scope}/type/ptz ${scope}/name/Intelbras%20MHDX ${scope}/hardware/MHDX_1108`,
    `http://10.0.0.9:81/onvif/device_service http://${HOST}:8899/onvif/device_service`,
  )
  expect(readAnnouncement(text, HOST)).toEqual({
    host: HOST,
    porta: 8899,
    name: 'Intelbras MHDX',
    hardware: 'MHDX 1108',
  })
})

it('ignores the host in the text, and uses port 80 without one', () => {
  expect(readAnnouncement(matches('', 'http://127.0.0.1/onvif'), HOST)).toEqual({
    host: HOST,
    porta: 80,
    name: '',
    hardware: '',
  })
  expect(readAnnouncement(matches(`${scope}/name/%E0%A4%A`, 'lixo'), HOST)).toMatchObject({
    porta: 80,
    name: '%E0%A4%A',
  })
})

it('reads no other message', () => {
  for (const text of [
    '',
    'lixo',
    '<a/>',
    '<!DOCTYPE x [<!ENTITY e "v">]><a>&e;</a>',
    '<s:Envelope><s:Body/></s:Envelope>',
  ])
    expect(readAnnouncement(text, HOST)).toBeNull()
})

/** Why no network namespace can be made here; null: one can. */
function missing(): string | null {
  const tried = spawnSync('unshare', ['-rn', 'ip', 'link', 'set', 'lo', 'multicast', 'on'], { encoding: 'utf8' })
  return tried.status === 0 ? null : (tried.error?.message ?? tried.stderr.trim())
}
const reason = missing()

it.skipIf(reason !== null)(`finds a device by multicast in a network namespace${reason ? ` (${reason})` : ''}`, () => {
  const program = fileURLToPath(new URL('../testing/ws-discovery-program.ts', import.meta.url))
  const addresses = ['10.77.0.1', '10.77.0.2', '10.77.1.3']
  const setUp = [
    'set -e',
    // The only interface that needs no module of the kernel.
    'ip link set lo up multicast on',
    ...addresses.map((address) => `ip addr add ${address}/24 dev lo`),
    'ip route add 224.0.0.0/4 dev lo',
    'exec "$@"',
  ].join('; ')
  const command = ['-rn', 'sh', '-c', setUp, 'sh', process.execPath, program, ...addresses]
  const { stdout, stderr, status } = spawnSync('unshare', command, { encoding: 'utf8', timeout: 60_000 })
  expect(status, stderr).toBe(0)
  expect(JSON.parse(stdout)).toEqual([{ host: '10.77.0.2', porta: 8899, name: 'Portaria', hardware: '' }])
})
