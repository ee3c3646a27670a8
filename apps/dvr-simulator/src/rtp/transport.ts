/** Destination of a session's packets: the RTSP connection itself, or a pair of UDP ports. */
export interface MediaTransport {
  /** The Transport header of SETUP's answer, without the SSRC. */
  readonly header: string
  /** True while earlier bytes to the client are unsent. */
  congested(): boolean
  /** RTP packets of one access unit. */
  sendPackets(packets: readonly Buffer[]): void
  /** One compound RTCP packet. */
  sendReport(report: Buffer): void
  /** Bytes that form no packet, for the quirk `lixo_bruto`. */
  sendRaw(bytes: Buffer): void
  close(): void
}
