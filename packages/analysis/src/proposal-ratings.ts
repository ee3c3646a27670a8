import type { Detection } from '@vigia/ias/detection'
import { type Box, iou } from '@vigia/ias/geometry'
import type { VideoFrame } from '@vigia/video/stream-reader'
import type { ModelRunner, Rating, TarefaVisao } from '@vigia/vision/model-runner'
import { cropOf, rescored } from '@vigia/vision/rescoring'

/** Crops per inference, about 15 ms of one core each. */
const MOST_CROPS = 3
/** Time for which the rating of an unchanged box stays valid, ms of the stream. */
const VALID_MS = 5_000
/** Minimum overlap (intersection over union) of an unchanged box. */
const UNCHANGED = 0.7

interface Rated {
  readonly box: Box
  readonly rating: Rating
  readonly atMs: number
}

/**
 * Second stage of one camera: rates the crops of a detector's proposals, and combines both confidences. Further
 * proposals of an inference are dropped; the next inference rates them.
 */
export function createProposalRatings(runner: ModelRunner, tarefa: TarefaVisao) {
  let known: readonly Rated[] = []

  /** The detections with combined confidences, most confident first; the same ones if the model has no second stage. */
  return async (frame: VideoFrame, found: readonly Detection[], streamMs: number): Promise<readonly Detection[]> => {
    const second = runner.model(tarefa)?.second
    if (!second) return found
    const proposals = found.flatMap((proposal) => {
      const weights = second.weights.get(proposal.rotulo)
      return weights && proposal.confianca >= weights.minimo ? [{ proposal, weights }] : []
    })
    const valid = known.filter(({ atMs }) => streamMs - atMs < VALID_MS)
    const ratingOf = (box: Box, among: readonly Rated[]) => among.find((rated) => iou(rated.box, box) >= UNCHANGED)
    const fresh = proposals.filter(({ proposal }) => !ratingOf(proposal, valid)).slice(0, MOST_CROPS)
    const { width, height, format } = second.input
    const crops = fresh.map(({ proposal }) => frame.toPacked(format, width, height, cropOf(proposal, frame)))
    const ratings = crops.length > 0 ? await runner.rate(tarefa, await Promise.all(crops)) : []
    known = [
      ...valid,
      ...fresh.flatMap(({ proposal: box }, at) => {
        const rating = ratings[at]
        return rating ? [{ box, rating, atMs: streamMs }] : []
      }),
    ]
    const combined = proposals.flatMap(({ proposal, weights }) => {
      const rating = ratingOf(proposal, known)?.rating.get(proposal.rotulo)
      return rating === undefined ? [] : [{ ...proposal, confianca: rescored(proposal, rating, weights) }]
    })
    return combined.toSorted((a, b) => b.confianca - a.confianca)
  }
}
