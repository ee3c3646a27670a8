import { type AllowedCidrs, judgeHost, type Lookup, resolveAllowed } from '@vigia/rtsp/address-policy'
import ipaddr from 'ipaddr.js'
import { isMetadata } from './lan-networks.ts'

/** RFC 4291 2.4, IANA: the only IPv6 addresses assigned for the public Internet. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Resolves the host of a URL once, for a request to an address that a customer chose. Every address must be public or
 * in `allowed`. Not public: private, loopback, link-local, carrier-grade NAT, multicast, documentation, other reserved
 * ranges, and IPv6 addresses with an embedded IPv4 address. Connect only to the returned addresses: a second resolution
 * of the name may differ.
 */
export async function resolvePublic(
  host: string,
  allowed: AllowedCidrs,
  lookup?: Lookup,
): ReturnType<typeof resolveAllowed> {
  const resolved = await resolveAllowed(host, allowed, lookup)
  if (!resolved.ok) return resolved
  const isReachable = resolved.addresses.every((text) => isAllowed(text, allowed))
  return isReachable ? resolved : { ok: false, falha: 'endereco_recusado' }
}

/** Portuguese sentences about a refused target. */
export const refusals = {
  endereco_recusado:
    'O endereço fica numa rede interna ou reservada, para a qual o Vigia não envia. Use um endereço público.',
  nome_nao_resolvido: 'Não foi possível entregar: o nome do servidor não existe ou o DNS não respondeu.',
} as const

/**
 * Names without public addresses: mDNS (RFC 6762), private use (ICANN board resolution 2024.07.29.06), home networks
 * (RFC 8375). `internal` also contains the metadata services of cloud providers.
 */
const privateZones = /(^|\.)(local|internal|home\.arpa)$/

/**
 * Whether deliveries to `host` can never be allowed, decided without name resolution. True for refused addresses, names
 * of this machine, and private names while no network is allowed. Other names are decided when they are resolved.
 */
export function isNeverPublic(host: string, allowed: AllowedCidrs): boolean {
  const verdict = judgeHost(host, allowed)
  if (verdict.kind === 'recusado') return true
  if (verdict.kind === 'endereco') return !isAllowed(verdict.address, allowed)
  return allowed.length === 0 && privateZones.test(verdict.name)
}

function isAllowed(text: string, allowed: AllowedCidrs): boolean {
  const address = ipaddr.parse(text)
  return (
    isPublic(address) ||
    allowed.some(
      ([network, bits]) =>
        network.kind() === address.kind() &&
        address.match(network, bits) &&
        // A network must not open a metadata service by the way.
        (bits === (address.kind() === 'ipv4' ? 32 : 128) || !isMetadata(address)),
    )
  )
}

const isPublic = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(globalUnicast))
