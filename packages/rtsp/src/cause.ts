import type { Causa } from '@vigia/contracts/causa'
import { unreachableEnd } from './client/outcome.ts'
import type { NoSlot } from './contact.ts'
import type { Described } from './describe.ts'

/** Why a port gave no RTSP answer; null: it gave one, or was not asked. */
export function causeOf(described: Described | NoSlot): Causa | null {
  switch (described.kind) {
    case 'unreachable':
      return { motivo: unreachableEnd(described.why).failure, complemento: null }
    case 'not_rtsp':
      return { motivo: 'nao_e_rtsp', complemento: nameOf(described.start) }
    case 'overlong':
      return described.isRtsp ? null : { motivo: 'nao_e_rtsp', complemento: null }
    case 'silent':
    case 'cut':
      return { motivo: 'sem_resposta', complemento: null }
    default:
      return null
  }
}

/** The service whose answer begins with these bytes; null: unknown. */
function nameOf(start: Buffer): string | null {
  if (/^HTTP\//.test(start.toString('latin1', 0, 5))) return 'página web, HTTP'
  // A TLS record: alert or handshake, version 3.x (RFC 8446 5.1).
  return (start[0] === 0x15 || start[0] === 0x16) && start[1] === 0x03 ? 'conexão cifrada, TLS' : null
}
