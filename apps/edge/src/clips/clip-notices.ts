import { MAX_IMAGEM_EXTRA } from '@vigia/contracts/extras'
import { uuidV7 } from '../db/uuid-v7.ts'
import type { createExtras } from '../outbox/extra-store.ts'
import type { ClipNotices } from './keeping.ts'

/** Announces clips, and reasons for missing ones, as extras of the outbox. `now`: edge clock, in epoch ms. */
export function createClipNotices(
  extras: Pick<ReturnType<typeof createExtras>, 'insert' | 'remove'>,
  { now }: { now(): number },
): ClipNotices {
  return {
    kept(
      { id, cameraId, startedAt, bytes, sha256, stamp },
      { durationMs, codec, codecs, width, height, strip },
      events,
    ) {
      extras.insert(
        {
          tipo: 'clipe',
          v: 1,
          id,
          camera_id: cameraId,
          inicio: startedAt,
          duracao_ms: durationMs,
          tamanho: bytes,
          sha256,
          codec,
          codecs,
          largura: width,
          altura: height,
          eventos: events.map(({ event, offsetMs }) => ({ evento: event, deslocamento_ms: offsetMs })),
        },
        strip && strip.length <= MAX_IMAGEM_EXTRA ? Buffer.from(strip) : null,
        null,
        stamp,
      )
    },
    missing({ event, cameraId, seq }, motivo) {
      const id = uuidV7(now())
      const note = { tipo: 'sem_clipe', v: 1, id, camera_id: cameraId, evento: event, motivo } as const
      extras.insert(note, null, { cameraId, seq })
    },
    removed: (clip) => extras.remove([clip]),
  }
}
