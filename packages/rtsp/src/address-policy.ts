import { lookup } from 'node:dns/promises'
import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Networks allowed in spite of the policy. */
export type AllowedCidrs = readonly (readonly [Address, number])[]

/** Returns all addresses of a name. Rejects with an error that has a `code` when the name has no address. */
export type Lookup = (name: string) => Promise<readonly string[]>

/**
 * Reads CIDRs and single addresses, separated by commas or blanks; '' is an empty list.
 * @throws RangeError with the invalid entry.
 */
export function parseAllowedCidrs(text: string): AllowedCidrs {
  return text.split(/[\s,]+/).flatMap((piece) => {
    if (piece === '') return []
    const whole = piece.includes('/') ? piece : `${piece}/${piece.includes(':') ? 128 : 32}`
    const valid = piece.includes(':') ? ipaddr.IPv6.isValidCIDR(whole) : ipaddr.IPv4.isValidCIDRFourPartDecimal(whole)
    if (!valid) throw new RangeError(`"${piece}" não é uma rede no formato CIDR, por exemplo 192.168.0.0/24`)
    return [ipaddr.parseCIDR(whole)]
  })
}

export type HostVerdict =
  | { readonly kind: 'recusado' }
  /** Canonical spelling; connections use this one. */
  | { readonly kind: 'endereco'; readonly address: string }
  /** Resolved by the caller that connects. */
  | { readonly kind: 'nome'; readonly name: string }

/**
 * Verdict on a host as typed, without a DNS query. All spellings of an address get the same verdict: decimal, octal,
 * hexadecimal, short, full-width digits, inside an IPv6 address. A text that is neither an address nor a possible name
 * is refused too.
 */
export function judgeHost(host: string, allowed: AllowedCidrs): HostVerdict {
  const parsed = parseHost(host)
  if (parsed === null) return { kind: 'recusado' }
  if (typeof parsed !== 'string')
    return isReachable(parsed, allowed) ? { kind: 'endereco', address: parsed.toString() } : { kind: 'recusado' }
  // RFC 6761 6.3: names of this machine, regardless of the resolver. An allowed loopback network also allows these
  // names.
  if (isThisMachine(parsed) && !loopbacks.some((address) => isReachable(address, allowed))) return { kind: 'recusado' }
  return { kind: 'nome', name: parsed }
}

/** Canonical spelling of a host: addresses as in RFC 5952, names in lower case ASCII without the final dot. */
export function canonicalHost(host: string): string {
  const parsed = parseHost(host)
  return parsed === null ? host.trim().toLowerCase() : parsed.toString()
}

const ownRanges: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'carrierGradeNat', 'loopback', 'linkLocal'])

/** Whether a host has a meaning only in its own network: a private address, or a name that no public DNS has. */
export function isOwnNetwork(host: string): boolean {
  const parsed = parseHost(host)
  if (parsed === null) return true
  return typeof parsed === 'string'
    ? !parsed.includes('.') || /\.(local|lan|home|internal|localdomain|arpa)$/.test(parsed)
    : ownRanges.has(parsed.range())
}

/**
 * Resolves a host once and checks every address: a single refused address refuses the whole name. Callers connect to
 * the returned addresses, in their order, and never resolve the name again: its next answer may differ.
 */
export async function resolveAllowed(
  host: string,
  allowed: AllowedCidrs,
  query: Lookup = systemLookup,
): Promise<
  | { readonly ok: true; readonly addresses: string[] }
  | { readonly ok: false; readonly falha: 'endereco_recusado' | 'nome_nao_resolvido' }
> {
  const verdict = judgeHost(host, allowed)
  if (verdict.kind === 'recusado') return { ok: false, falha: 'endereco_recusado' }
  if (verdict.kind === 'endereco') return { ok: true, addresses: [verdict.address] }
  const answers = await resolve(verdict.name, query)
  const addresses = new Set<string>()
  for (const answer of answers) {
    const judged = judgeHost(answer, allowed)
    if (judged.kind !== 'endereco') return { ok: false, falha: 'endereco_recusado' }
    addresses.add(judged.address)
  }
  return addresses.size > 0 ? { ok: true, addresses: [...addresses] } : { ok: false, falha: 'nome_nao_resolvido' }
}

/** Also reads the hosts file and mDNS, which name recorders of a local network. */
const systemLookup: Lookup = async (name) => (await lookup(name, { all: true })).map(({ address }) => address)

async function resolve(name: string, query: Lookup): Promise<readonly string[]> {
  try {
    return await query(name)
  } catch (error) {
    // ENOTFOUND, EAI_AGAIN, ESERVFAIL, …: the name currently has no address. An error without a code is a defect of
    // this program.
    if (typeof (error as NodeJS.ErrnoException).code === 'string') return []
    throw error
  }
}

/** Returns an address, a name (ASCII, lower case), or null for a text that can be neither. */
function parseHost(host: string): Address | string | null {
  const typed = host.trim()
  const bracketed = /^\[(.*)\]$/s.exec(typed)?.[1]
  if (bracketed !== undefined || typed.includes(':')) return parseIpv6(bracketed ?? typed)
  // These characters end a host in a URL or are decoded in one: no name contains them.
  if (/[\s/\\?#@%[\]]/.test(typed)) return null
  // Reads the host as every URL parser does (UTS 46, WHATWG 3.5): this also finds IPv4 addresses in all spellings.
  const ascii = domainToASCII(typed)
  if (ipaddr.IPv4.isValidFourPartDecimal(ascii)) return ipaddr.IPv4.parse(ascii)
  const name = ascii.replace(/\.$/, '')
  const labels = name.split('.')
  const plausible = name.length <= 253 && labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label))
  // A numeric last label never counts as a name in any spelling: resolvers read it differently.
  return plausible && !/^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '') ? name : null
}

function parseIpv6(text: string): Address | null {
  const [, bare = '', zone] = /^([0-9a-f:.]+)(?:%([\w.-]+))?$/i.exec(text) ?? []
  const tail = bare.slice(bare.lastIndexOf(':') + 1)
  // Some parsers read a leading zero in a dotted tail as octal, others as decimal.
  if (!ipaddr.IPv6.isValid(bare) || (tail.includes('.') && !ipaddr.IPv4.isValidFourPartDecimal(tail))) return null
  const address = ipaddr.IPv6.parse(bare)
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  // Only a link-local address needs its zone; for other addresses the zone has no meaning.
  if (zone !== undefined && address.range() === 'linkLocal') address.zoneId = zone
  return address
}

const refusedRanges: ReadonlySet<string> = new Set(['unspecified', 'loopback', 'linkLocal', 'multicast', 'broadcast'])
const loopbacks = [ipaddr.parse('127.0.0.1'), ipaddr.parse('::1')]

/** Includes the aliases in the hosts files of Linux distributions. */
const isThisMachine = (name: string): boolean =>
  /(^|\.)(localhost[46]?|localhost[46]?\.localdomain[46]?)$|^ip6-(localhost|loopback)$/.test(name)

function isReachable(address: Address, allowed: AllowedCidrs): boolean {
  if (allowed.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))) return true
  if (refusedRanges.has(address.range())) return false
  if (address.kind() === 'ipv4') return true
  // `allowed` covers the IPv6 address only. Packets to an embedded IPv4 address may leave through a remote relay.
  return embeddedIn(address as ipaddr.IPv6)?.every((inner) => isReachable(inner, [])) ?? false
}

/**
 * IPv6 prefixes that contain an IPv4 address at the given byte: compatible (RFC 4291), translated (RFC 2765), NAT64
 * (RFC 6052) and 6to4 (RFC 3056).
 */
const carriers = (
  [
    ['::/96', 12],
    ['::ffff:0:0:0/96', 12],
    ['64:ff9b::/96', 12],
    ['2002::/16', 2],
  ] as const
).map(([cidr, at]) => ({ network: ipaddr.IPv6.parseCIDR(cidr), at }))
const teredo = ipaddr.IPv6.parseCIDR('2001::/32')
/** RFC 8215: only the local network defines the position of the IPv4 address. */
const localNat64 = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48')

/** Returns the IPv4 addresses that may receive packets for this address; null when they cannot be determined. */
function embeddedIn(address: ipaddr.IPv6): ipaddr.IPv4[] | null {
  if (address.match(localNat64)) return null
  const bytes = address.toByteArray()
  const at = (offset: number, flip = 0) => new ipaddr.IPv4(bytes.slice(offset, offset + 4).map((byte) => byte ^ flip))
  const found = carriers.filter(({ network }) => address.match(network)).map(({ at: offset }) => at(offset))
  // RFC 4380 4: the server, and the client with inverted bits.
  if (address.match(teredo)) found.push(at(4), at(12, 0xff))
  // ISATAP (RFC 5214 6.1), below any prefix.
  if (/^(0|2),0,94,254$/.test(bytes.slice(8, 12).join())) found.push(at(12))
  return found
}
