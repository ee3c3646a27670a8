import type { Fired } from '@vigia/rules/observation'
import type { SeenEvent } from '../capture/protocol.ts'
import type { NewMedia } from '../outbox/store.ts'
import type { Look, Snapshots } from './snapshots.ts'

/**
 * What an event looks like: with one object that made it fire, its best picture so far, with the box and the confidence of that
 * picture; with several or none, this frame. Boxes, crop and whole frame always belong together.
 */
export async function createEvent(
  fired: Fired,
  about: Pick<SeenEvent['candidate'], 'camera_id' | 'ocorrido_em' | 'calibracao' | 'modelo'>,
  snapshots: Snapshots,
  look: Look,
): Promise<SeenEvent> {
  const common = { ...about, ia: fired.ia, rotulos: [...fired.rotulos], zona: fired.zona }
  const [trackId, ...others] = fired.trackIds
  const best = trackId !== undefined && others.length === 0 ? snapshots.best(trackId) : null
  if (best) {
    const { caixa, width, height } = best
    return {
      candidate: {
        ...common,
        confianca: caixa.confianca,
        caixas: [caixa],
        quadro: { largura: width, altura: height },
      },
      media: pictures(best.crop, best.frame),
    }
  }
  const [first] = fired.caixas
  const [frame, crop] = await Promise.all([look.whole(), first ? look.crop(first) : look.whole()])
  return {
    candidate: {
      ...common,
      confianca: fired.confianca,
      caixas: [...fired.caixas],
      quadro: { largura: look.width, altura: look.height },
    },
    media: pictures(crop, frame),
  }
}

const pictures = (crop: Buffer, frame: Buffer): NewMedia[] => [
  { papel: 'crop', bytes: crop },
  { papel: 'quadro', bytes: frame },
]
