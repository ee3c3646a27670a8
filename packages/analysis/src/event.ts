import { ia } from '@vigia/contracts/ias'
import { around } from '@vigia/ias/geometry'
import type { Fired } from '@vigia/ias/observation'
import type { Track } from '@vigia/vision/track-state'
import type { LookPictures } from './look-pictures.ts'
import type { NewMedia, SeenEvent } from './model.ts'
import type { Snapshot } from './snapshots.ts'

type Candidate = SeenEvent['candidate']

/**
 * What an event looks like: with `best`, that picture with its boxes; without, this frame with the boxes of the event. Boxes, crop and whole frame
 * always belong together.
 * @param track of the object that made it fire: its way goes along
 */
export async function createEvent(
  fired: Fired,
  about: Pick<Candidate, 'camera_id' | 'ocorrido_em' | 'calibracao' | 'modelo'>,
  { best, track, look }: { best: Snapshot | null; track: Track | null; look: LookPictures },
): Promise<SeenEvent> {
  const trajeto = track ? wayOf(track, look.streamMs) : []
  const common = {
    ...about,
    ia: fired.ia,
    rotulos: [...fired.rotulos],
    zona: fired.zona,
    confianca: fired.confianca,
    detalhes: trajeto.length > 0 ? { ...fired.detalhes, trajeto } : fired.detalhes,
  }
  if (best) {
    const { caixas, width, height } = best
    // What an analysis makes of several looks (a missing helmet, a fire) is no picture's confidence.
    // Of an object it is, but never less than what made it fire: the largest picture may be one in which it was seen less surely.
    const confianca =
      ia(fired.ia).modelo === 'objetos' ? Math.max(caixas[0].confianca, fired.confianca) : fired.confianca
    return {
      candidate: { ...common, confianca, caixas: [...caixas], quadro: { largura: width, altura: height } },
      media: pictures(best.crop, best.frame),
    }
  }
  const [first, ...others] = fired.caixas
  const [frame, crop] = await Promise.all([look.whole(), first ? look.crop(around([first, ...others])) : look.whole()])
  return {
    candidate: { ...common, caixas: [...fired.caixas], quadro: { largura: look.width, altura: look.height } },
    media: pictures(crop, frame),
  }
}

const wayOf = ({ trail }: Track, nowMs: number): NonNullable<Candidate['detalhes']['trajeto']> =>
  trail.map(({ atMs, box: { x, y, w, h } }) => ({ ms: Math.min(0, Math.round(atMs - nowMs)), x, y, w, h }))

const pictures = (crop: Buffer, frame: Buffer): NewMedia[] => [
  { papel: 'crop', bytes: crop },
  { papel: 'quadro', bytes: frame },
]
