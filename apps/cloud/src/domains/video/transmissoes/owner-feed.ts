import { causaSchema } from '@vigia/contracts/causa'
import { falhasPedido } from '@vigia/contracts/pedidos'
import { encodeRegistro } from '@vigia/contracts/transmissao'
import { z } from 'zod'
import type { StreamSeat } from './stream-state.ts'
import { windowFeed } from './viewer-feed.ts'

/** Texts between the records that another replica reads. */
export const mensagemDonoSchema = z.discriminatedUnion('tipo', [
  z.object({ tipo: z.literal('inicio'), parte_ms: z.int() }),
  z.object({
    tipo: z.literal('fim'),
    falha: z.enum([...falhasPedido, 'sem_dados', 'sem_memoria']),
    /** Absent: another reason, or a replica of an earlier release. */
    causa: causaSchema.optional().catch(undefined),
  }),
])
type MensagemDono = z.infer<typeof mensagemDonoSchema>

const asText = (message: MensagemDono): string => JSON.stringify(message)

/**
 * A stream for another replica: its part length, then records as the edge encodes them, from the newest complete
 * segment on. A slow reader gets a `lacuna`. The reason follows if the stream ended for all its viewers.
 */
export async function* ownerFeed(
  seat: StreamSeat,
  signal: AbortSignal,
): AsyncGenerator<string | Uint8Array, 'fim', void> {
  yield asText({ tipo: 'inicio', parte_ms: seat.partMs })
  const end = yield* windowFeed<Uint8Array>(
    seat.window,
    AbortSignal.any([signal, seat.ended]),
    {},
    {
      skip: encodeRegistro({ tipo: 'lacuna' }),
      init: ({ descricao, dados }) => [encodeRegistro({ tipo: 'inicio', descricao, dados })],
      part: encodeRegistro,
      // As the edge says it.
      waits: () => [encodeRegistro({ tipo: 'lacuna' }), encodeRegistro({ tipo: 'lacuna' })],
      withSegmentBefore: true,
    },
  )
  if (end === 'fim') yield encodeRegistro({ tipo: 'fim' })
  const falha = signal.aborted ? null : seat.end
  if (falha !== null && falha !== 'outra_replica')
    yield asText({ tipo: 'fim', falha, ...(seat.causa && { causa: seat.causa }) })
  return 'fim'
}
