/** Destination of a session's packets: the RTSP connection itself, or a pair of UDP ports. */
export interface MediaTransport {
  /** The Transport header of SETUP's answer, without the SSRC. */
  readonly header: string
  /** True while earlier bytes wait to be sent to the client. */
  congested(): boolean
  /** Sends the RTP packets of one access unit. */
  sendPackets(packets: readonly Buffer[]): void
  /** Sends one compound RTCP packet. */
  sendReport(report: Buffer): void
  /** Sends bytes that form no packet, for the quirk `lixo_bruto`. */
  sendRaw(bytes: Buffer): void
  close(): void
}

/** While `isWorse`, every third access unit lacks its last packet. */
export function losing(transport: MediaTransport, isWorse: () => boolean): MediaTransport {
  let count = 0
  return {
    ...transport,
    sendPackets: (packets) => transport.sendPackets(isWorse() && count++ % 3 === 0 ? packets.slice(0, -1) : packets),
  }
}
