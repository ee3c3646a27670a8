import type { NetworkInterfaceInfo } from 'node:os'
import { MAX_REDES_VARREDURA } from '@vigia/contracts/varredura'
import ipaddr from 'ipaddr.js'
import { type AllowedCidrs, judgeHost } from '../address-policy.ts'

/** A directly connected network, cut to at most 256 addresses. */
export interface ScanNetwork {
  /** CIDR notation. */
  readonly cidr: string
  /** Address of this machine in it; discovery messages leave from here. */
  readonly own: string
  /** Addresses to try, without network, broadcast and own address. */
  readonly addresses: readonly string[]
}

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>

/** RFC 1918. */
const privateRanges = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].map((cidr) => ipaddr.IPv4.parseCIDR(cidr))

/**
 * Names of interfaces of containers, virtual machines and tunnels. Behind a tunnel is the network of another site,
 * whose owner has not asked for a scan.
 */
const VIRTUAL = /^(docker|br-|veth|virbr|vnet|lxc|lxd|cni|flannel|cali|podman|vmnet|tun|tap|wg|zt|tailscale|ppp|ipsec)/

/** Longest prefix of a whole scan: 254 addresses. */
const PREFIX_MIN = 24
/** Networks with a longer prefix have no further address. */
const PREFIX_MAX = 30

/**
 * The private IPv4 networks of the machine's interfaces. A larger network is cut to the /24 that contains the
 * interface's own address.
 */
export function scanNetworks(interfaces: Interfaces, allowed: AllowedCidrs = []): ScanNetwork[] {
  const all = Object.entries(interfaces).flatMap(([name, infos = []]) => (VIRTUAL.test(name) ? [] : infos))
  const own = new Set(all.map(({ address }) => address))
  const networks = new Map<string, ScanNetwork>()
  for (const { address, family, internal, cidr } of all) {
    const prefix = Number(cidr?.split('/')[1])
    if (family !== 'IPv4' || internal || !Number.isInteger(prefix) || prefix > PREFIX_MAX) continue
    const parsed = ipaddr.IPv4.parse(address)
    if (!privateRanges.some((range) => parsed.match(range))) continue
    const bits = Math.max(prefix, PREFIX_MIN)
    const first = ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`).toByteArray()
    const key = `${first.join('.')}/${bits}`
    if (networks.has(key) || networks.size >= MAX_REDES_VARREDURA) continue
    const hosts = Array.from({ length: 2 ** (32 - bits) - 2 }, (_, index) =>
      [...first.slice(0, 3), (first[3] ?? 0) + index + 1].join('.'),
    )
    const addresses = hosts.filter((host) => !own.has(host) && judgeHost(host, allowed).kind === 'endereco')
    networks.set(key, { cidr: key, own: address, addresses })
  }
  return [...networks.values()]
}
