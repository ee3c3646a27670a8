import { z } from 'zod'
import type { Clock } from '../../../adapters/clock.ts'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import type { UsuarioRow } from '../../../db/rows.ts'
import { fingerprint } from '../usuarios/fingerprint.ts'

interface TicketDeps {
  readonly clock: Clock
  readonly box: SecretBox
}

const PURPOSE = 'sessoes/bilhete'
/** Time to read the code on a phone and type it. */
const TICKET_MS = 5 * 60_000

const ticketSchema = z.object({ usuarioId: z.int(), login: z.string(), host: z.string(), expiraEm: z.int() })
export type Ticket = z.infer<typeof ticketSchema>

/**
 * Returns an encrypted short-lived proof that the password of this login was correct. The second page of a form carries
 * it in place of the password. It is not stored, and useless without the code.
 */
export function sealTicket({ clock, box }: TicketDeps, usuario: UsuarioRow, host: string): string {
  const ticket: Ticket = {
    usuarioId: usuario.id,
    login: fingerprint(usuario),
    host,
    expiraEm: clock.now() + TICKET_MS,
  }
  return box.seal(JSON.stringify(ticket), PURPOSE)
}

/** null: invalid or expired. */
export function openTicket({ clock, box }: TicketDeps, sealed: string): Ticket | null {
  try {
    const ticket = ticketSchema.parse(JSON.parse(box.open(sealed, PURPOSE)))
    return ticket.expiraEm > clock.now() ? ticket : null
  } catch {
    return null
  }
}
