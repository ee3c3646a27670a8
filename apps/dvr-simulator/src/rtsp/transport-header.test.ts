import { expect, it } from 'vitest'
import { chooseTransport } from './transport-header.ts'

it.each([
  ['RTP/AVP/TCP;unicast;interleaved=0-1', { kind: 'tcp', channels: [0, 1] }],
  ['RTP/AVP/TCP;interleaved=4', { kind: 'tcp', channels: [4, 5] }],
  ['RTP/AVP/TCP', { kind: 'tcp', channels: [0, 1] }],
  ['RTP/AVP;unicast;client_port=5000-5001', { kind: 'udp', ports: [5000, 5001] }],
  ['RTP/AVP/UDP;unicast;client_port=5000', { kind: 'udp', ports: [5000, 5001] }],
  ['RTP/AVP;multicast, RTP/AVP/UDP;unicast;client_port=5000-5001;mode=play', { kind: 'udp', ports: [5000, 5001] }],
  ['RTP/SAVP;unicast;client_port=5000-5001,RTP/AVP/TCP;interleaved=2-3', { kind: 'tcp', channels: [2, 3] }],
] as const)('%s', (header, expected) => {
  expect(chooseTransport(header)).toEqual(expected)
})

it.each([
  '',
  'RTP/AVP',
  'RTP/AVP;unicast;client_port=80-81',
  'RTP/AVP;unicast;client_port=65535',
  'RTP/AVP;unicast;client_port=70000-70001',
  'RTP/AVP;unicast;client_port=5000-5000',
  'RTP/AVP/TCP;interleaved=255',
  'RTP/AVP/TCP;interleaved=a-b',
  'RAW/RAW/UDP;unicast;client_port=5000-5001',
  ';;;,,,==',
])('refuses %j', (header) => {
  expect(chooseTransport(header)).toBeNull()
})
