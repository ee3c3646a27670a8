import { type AllowedCidrs, parseAllowedCidrs } from '@vigia/rtsp/address-policy'
import type ipaddr from 'ipaddr.js'

/** Private networks: RFC 1918, RFC 6598, RFC 4193. Others are public, or never a target (loopback, link-local). */
const privateNetworks = parseAllowedCidrs('10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,100.64.0.0/10,fc00::/7')

/** Metadata services of cloud providers that have private addresses: AWS, Google, Alibaba. */
const metadata = parseAllowedCidrs('fd00:ec2::254,fd20:ce::254,100.100.100.200')

/** null: a network that an Empresa may name as its own. Else the problem in Portuguese. */
export function lanProblem(text: string): string | null {
  const network = readCidr(text)
  if (network === null) return 'Use uma rede no formato CIDR, por exemplo 192.168.0.0/24'
  const [address, bits] = network
  if (!privateNetworks.some(([own, ownBits]) => bits >= ownBits && matches(address, own, ownBits)))
    return 'Use uma rede privada (10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10 ou fc00::/7)'
  return bits === width(address) && isMetadata(address)
    ? 'Este endereço é de um serviço da nuvem: use outra rede'
    : null
}

/** @throws RangeError for a text that lanProblem refuses */
export const lanNetworks = (texts: readonly string[]): AllowedCidrs =>
  texts.flatMap((text) => {
    if (lanProblem(text) !== null) throw new RangeError(`"${text}" is no private network`)
    return parseAllowedCidrs(text)
  })

/** Whether the address belongs to a metadata service, which answers with credentials of the machine. */
export const isMetadata = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  metadata.some(([own, bits]) => matches(address, own, bits))

function readCidr(text: string) {
  try {
    return parseAllowedCidrs(text)[0] ?? null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

const matches = (address: ipaddr.IPv4 | ipaddr.IPv6, own: ipaddr.IPv4 | ipaddr.IPv6, bits: number): boolean =>
  own.kind() === address.kind() && address.match(own, bits)

const width = (address: ipaddr.IPv4 | ipaddr.IPv6): number => (address.kind() === 'ipv4' ? 32 : 128)
