/** A supported offer of a SETUP request. */
export type TransportOffer =
  | { readonly kind: 'tcp'; readonly channels: readonly [rtp: number, rtcp: number] }
  | { readonly kind: 'udp'; readonly ports: readonly [rtp: number, rtcp: number] }

/** Returns the first supported offer of a Transport header (RFC 2326 12.39): unicast RTP/AVP to the client itself. */
export function chooseTransport(header: string): TransportOffer | null {
  for (const offer of header.split(',')) {
    const [profile = '', ...parameters] = offer.trim().split(';')
    const values = new Map(
      parameters.map((parameter): [string, string] => {
        const [name = '', value = ''] = parameter.split('=')
        return [name.trim().toLowerCase(), value.trim()]
      }),
    )
    if (values.has('multicast')) continue
    if (/^RTP\/AVP\/TCP$/i.test(profile)) {
      const channels = pair(values.get('interleaved') ?? '0-1', 0, 255)
      if (channels) return { kind: 'tcp', channels }
    } else if (/^RTP\/AVP(\/UDP)?$/i.test(profile)) {
      const ports = pair(values.get('client_port') ?? '', 1024, 65_535)
      if (ports) return { kind: 'udp', ports }
    }
  }
  return null
}

/** `a-b`, or only `a`, which means `a` and the next number. */
function pair(text: string, min: number, max: number): [number, number] | null {
  const match = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text)
  if (!match) return null
  const first = Number(match[1])
  const second = match[2] === undefined ? first + 1 : Number(match[2])
  return first >= min && second <= max && second !== first && second >= min && first <= max ? [first, second] : null
}
