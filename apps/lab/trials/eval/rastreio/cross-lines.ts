import type { AnalysisSettings } from '@vigia/analysis/analyses'
import { createAnalysis } from '@vigia/ias/analysis'
import type { Crossing } from './crossing-score.ts'
import { BEGINNING, type FollowedFrame } from './follow-video.ts'
import type { LabelledLine } from './people-labels.ts'

interface CrossingEvent extends Crossing {
  readonly track: number
}

/** The events of one rule `cruzamento_linha` per line, which all receive the same tracks. */
export function crossLines(
  frames: readonly FollowedFrame[],
  { analises, fusoHorario }: AnalysisSettings,
  lines: readonly LabelledLine[],
): CrossingEvent[] {
  const config = analises.find(({ ia }) => ia === 'cruzamento_linha')
  if (!config) throw new Error('no settings of cruzamento_linha')
  return lines.flatMap(({ name, ends: [from, to] }) => {
    const linha = [
      [from.x, from.y],
      [to.x, to.y],
    ]
    const rule = createAnalysis({ ...config, zonas: [], linha, fusoHorario })
    if (!rule) throw new Error('no rule cruzamento_linha')
    return frames.flatMap(({ streamMs, tracks }) =>
      rule
        .update({ epochMs: BEGINNING + streamMs, streamMs, tracks, evidence: {} })
        .flatMap(({ detalhes, trackIds: [track = 0] }) =>
          detalhes.direcao ? [{ line: name, s: streamMs / 1000, direction: detalhes.direcao, track }] : [],
        ),
    )
  })
}
