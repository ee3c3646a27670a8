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
    ...{ host: HOST, porta: 80, name: '', hardware: '' },
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
