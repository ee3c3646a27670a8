import { X509Certificate } from 'node:crypto'
import { checkServerIdentity, type TLSSocket } from 'node:tls'

/** Extended key usage of a server (RFC 5280 section 4.2.1.12). */
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'

/**
 * Checks the certificate of a broker whose only fault may be that it is not valid yet, by a wall clock that is behind.
 * Node does not check the name then. It reports one fault of several, so that the signature is checked again.
 * @param now right time in epoch ms; null: not known
 * @returns null: the certificate is right
 */
export function certificateFault(socket: TLSSocket, host: string, caPem: string, now: number | null): Error | null {
  const { authorizationError: fault } = socket
  if (socket.authorized) return null
  // Node has the code of the fault here, and declares an error.
  const code: unknown = fault
  const refused = new Error(String(code))
  if (code !== 'CERT_NOT_YET_VALID') return refused
  const ca = new X509Certificate(caPem)
  const certificate = socket.getPeerX509Certificate()
  if (certificate === undefined || certificate.ca || !certificate.keyUsage?.includes(SERVER_AUTH)) return refused
  if (!certificate.checkIssued(ca) || !certificate.verify(ca.publicKey)) return refused
  const wrongName = checkServerIdentity(host, certificate.toLegacyObject())
  if (wrongName) return wrongName
  const isEarly = now !== null && now < certificate.validFromDate.getTime()
  const isOver = now !== null && now > certificate.validToDate.getTime()
  return isEarly || isOver ? refused : null
}
