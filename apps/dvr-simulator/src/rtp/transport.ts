/** Where the packets of a session go: the RTSP connection itself, or a pair of UDP ports. */
export interface MediaTransport {
  /** The Transport header that answers SETUP, less the SSRC. */
  readonly header: string
  /** True while the client does not take what was sent already. */
  congested(): boolean
  /** RTP packets of one access unit. */
  sendPackets(packets: readonly Buffer[]): void
  /** One compound RTCP packet. */
  sendReport(report: Buffer): void
  /** Bytes that are no packet, for the quirk of that name. */
  sendRaw(bytes: Buffer): void
  close(): void
}
