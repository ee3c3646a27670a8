import type { VideoScore } from './score.ts'

/** The scores as a table for a terminal, in Portuguese. */
export function table(scores: readonly VideoScore[]): string {
  const rows = scores.map((score) => [
    score.video,
    score.durationS.toFixed(1),
    String(score.candidates),
    String(score.confirmed),
    found(score),
    score.persons.length > 0 ? String(score.falseEvents.length) : '–',
    verdict(score),
  ])
  const header = ['vídeo', 's', 'candidatos', 'confirmados', 'pessoas', 'falsos', 'resultado']
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd()
  return [
    line(header),
    widths.map((width) => '─'.repeat(width)).join('  '),
    ...rows.map(line),
    '',
    ...details(scores),
  ].join('\n')
}

const found = ({ persons }: VideoScore): string =>
  persons.length === 0 ? '–' : `${persons.filter(({ firstEventS }) => firstEventS !== null).length}/${persons.length}`

function verdict(score: VideoScore): string {
  if (score.failure) return `FALHA: leitura (${score.failure})`
  if (score.eventsWithoutMotion.length > 0) return 'FALHA: evento sem movimento'
  if (!score.ok) return 'FALHA: pessoa perdida'
  if (!score.labelled) return 'sem rótulos'
  return score.persons.length > 0 || score.others.length === 0 ? 'ok' : 'só informativo'
}

function details(scores: readonly VideoScore[]): string[] {
  return scores.flatMap((score) => [
    ...score.persons.map(({ startS, endS, firstEventS, events }) =>
      firstEventS === null
        ? `${score.video}  ${startS}–${endS} s: pessoa perdida`
        : `${score.video}  ${startS}–${endS} s: evento aos ${firstEventS.toFixed(1)} s (${events} no intervalo)`,
    ),
    ...score.falseEvents.map(({ atS, motivo }) => `${score.video}  falso aos ${atS.toFixed(1)} s: ${motivo}`),
    ...score.eventsWithoutMotion.map(({ atS }) => `${score.video}  evento sem movimento aos ${atS.toFixed(1)} s`),
    ...score.events
      .filter(({ decisao }) => decisao === 'refutado')
      .map(({ atS, motivo }) => `${score.video}  refutado aos ${atS.toFixed(1)} s: ${motivo}`),
    ...score.others.map(
      ({ event, startS, endS, events }) =>
        `${score.video}  ${startS}–${endS} s: rótulo ${event}, ${events} evento(s) de invasão confirmado(s)`,
    ),
  ])
}
