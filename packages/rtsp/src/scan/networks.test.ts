import type { NetworkInterfaceInfo } from 'node:os'
import { expect, it } from 'vitest'
import { scanNetworks } from './networks.ts'

const on = (cidr: string, more: object = {}): NetworkInterfaceInfo =>
  ({
    address: cidr.split('/')[0],
    cidr,
    netmask: '',
    mac: '',
    internal: false,
    family: 'IPv4',
    ...more,
  }) as NetworkInterfaceInfo
const cidrs = (interfaces: Record<string, NetworkInterfaceInfo[]>) => scanNetworks(interfaces).map(({ cidr }) => cidr)

it('takes the private networks of the interfaces, cut to a /24', () => {
  expect(
    cidrs({
      lo: [on('127.0.0.1/8', { internal: true })],
      eth0: [on('192.168.7.30/24'), on('fe80::1/64', { family: 'IPv6' })],
      eth1: [on('10.9.8.7/8')],
      wlan0: [on('172.31.255.130/25')],
    }),
  ).toEqual(['192.168.7.0/24', '10.9.8.0/24', '172.31.255.128/25'])
})

it('skips loopback, link-local, shared and public networks, and networks without a further address', () => {
  const skipped = ['127.0.0.1/8', '169.254.1.1/16', '100.64.0.1/10', '172.32.0.1/24', '11.0.0.1/24', '198.51.100.1/24']
  expect(cidrs({ eth0: [...skipped.map((cidr) => on(cidr)), on('10.0.0.1/32'), on('10.0.0.1/31')] })).toEqual([])
})

it('skips interfaces of containers and tunnels', () => {
  const names = ['docker0', 'br-1a2b3c', 'veth12', 'virbr0', 'tun0', 'wg0', 'tailscale0', 'zt1']
  expect(cidrs(Object.fromEntries(names.map((name) => [name, [on('192.168.1.1/24')]])))).toEqual([])
})

it('lists each address of a network once, without network, broadcast and own addresses', () => {
  const [network] = scanNetworks({ eth0: [on('10.0.0.2/29'), on('10.0.0.5/29')], eth1: [on('10.0.0.3/29')] })
  expect(network).toEqual({ cidr: '10.0.0.0/29', own: '10.0.0.2', addresses: ['10.0.0.1', '10.0.0.4', '10.0.0.6'] })
})

it('takes at most four networks', () => {
  const many = Array.from({ length: 9 }, (_, index) => on(`10.0.${index}.1/24`))
  expect(cidrs({ eth0: many })).toHaveLength(4)
})
