import { ia } from '@vigia/contracts/ias'
import { around } from '@vigia/ias/geometry'
import type { Fired } from '@vigia/ias/observation'
import type { Track } from '@vigia/vision/track-state'
import type { FramePictures } from './frame-pictures.ts'
import type { NewMedia, SeenEvent } from './model.ts'
import type { Snapshot } from './snapshots.ts'

type Candidate = SeenEvent['candidate']

/**
 * Builds an event: with `best`, that picture and its boxes; without, this frame and the boxes of the event. Boxes, crop
 * and whole frame always belong to one frame.
 * @param track of the object that fired; its trail is added to the event
 */
export async function createEvent(
  fired: Fired,
  about: Pick<Candidate, 'camera_id' | 'ocorrido_em' | 'calibracao' | 'modelo' | 'trilha'>,
  { best, track, pictures }: { best: Snapshot | null; track: Track | null; pictures: FramePictures },
): Promise<SeenEvent> {
  const trajeto = track ? trailOf(track, pictures.streamMs) : []
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
    // A score over several inferences (a missing helmet, a fire) is not the confidence of one picture. For an object it
    // is the picture's confidence, but at least that of the event: the best picture may have a lower one.
    const confianca =
      ia(fired.ia).modelo === 'objetos' ? Math.max(caixas[0].confianca, fired.confianca) : fired.confianca
    return {
      candidate: { ...common, confianca, caixas: [...caixas], quadro: { largura: width, altura: height } },
      media: mediaOf(best.crop, best.frame),
    }
  }
  const [first, ...others] = fired.caixas
  const [frame, crop] = await Promise.all([
    pictures.whole(),
    first ? pictures.crop(around([first, ...others])) : pictures.whole(),
  ])
  return {
    candidate: { ...common, caixas: [...fired.caixas], quadro: { largura: pictures.width, altura: pictures.height } },
    media: mediaOf(crop, frame),
  }
}

const trailOf = ({ trail }: Track, streamMs: number): NonNullable<Candidate['detalhes']['trajeto']> =>
  trail.map(({ atMs, box: { x, y, w, h } }) => ({ ms: Math.min(0, Math.round(atMs - streamMs)), x, y, w, h }))

const mediaOf = (crop: Buffer, frame: Buffer): NewMedia[] => [
  { papel: 'crop', bytes: crop },
  { papel: 'quadro', bytes: frame },
]
